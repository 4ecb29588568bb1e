"""How good are fronts beside those of evolutionary algorithms in the same time?

Multi-start climbs at radius 1, 2 and 3, and pymoo's NSGA-II and MOEA/D, get the same
adjacent MNK landscape and the same seconds of one core, compilation left out. The share
is that of the hypervolume in the area under the hull of the supported points, which
bounds every front; both are measured from the mean of f.

Evolution sees a black box, but a fast one: the compiled `landscape.evaluate`, which
takes about as long as looking tables up in NumPy. NSGA-II evaluates a generation at
once, pymoo's MOEA/D one solution at a time. As climbs report to an archive without
bounds, so does every evaluation, and the front is what stays there, not just the last
population.

Operators are those that pymoo has for bits: random sampling, uniform crossover, and
each bit flipped with probability 1/n. MOEA/D has uniform directions and Tchebycheff,
pymoo's choice for two objectives; these have the same range. Equal solutions are told
by their bits, since distances of all pairs would take longer than the rest. In runs of
40 seconds populations of 50, 200 and 500 came out between or behind those measured
here, and in shorter ones two-point crossover did worse, so did MOEA/D by generations.
"""

import time
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from pymoo.algorithms.moo.moead import MOEAD
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.core.duplicate import DuplicateElimination
from pymoo.core.problem import Problem
from pymoo.operators.crossover.ux import UX
from pymoo.operators.mutation.bitflip import BitflipMutation
from pymoo.operators.sampling.rnd import BinaryRandomSampling
from pymoo.optimize import minimize
from pymoo.util.ref_dirs import get_reference_directions

import paretoball as pb
from measuring import arguments, begin, compile_for, medians, note, printer
from paretoball.archive.points import Points

RADII = (1, 2, 3)
POPULATIONS = (20, 100)
COLUMNS = (
    "method,population,n,seconds,hypervolume,bound,share,size,climbs,moves,evaluations"
)


class Outcome(NamedTuple):
    """What one run found, and how much it did."""

    seconds: float
    hypervolume: float
    size: float
    climbs: float = 0
    moves: float = 0
    evaluations: float = 0


class BlackBox(Problem):
    """A landscape as pymoo sees it, minimised; what is evaluated is reported."""

    def __init__(self, landscape: pb.Landscape):
        super().__init__(n_var=landscape.n, n_obj=landscape.d, vtype=bool)
        self.landscape = landscape
        self.archive = pb.Archive(landscape.d)
        self.evaluations = 0

    def _evaluate(self, X: np.ndarray, out: dict, *_: Any, **__: Any) -> None:
        F = self.landscape.inside(self.landscape.evaluate(X))
        self.archive.take_in(Points.tagged(F, np.zeros((len(F), 3), np.int64)))
        self.evaluations += len(F)
        out["F"] = -F.astype(float)


class SameBits(DuplicateElimination):
    """Tells equal solutions by their bits."""

    def _do(self, pop: Any, other: Any, is_duplicate: np.ndarray) -> np.ndarray:
        seen = set() if other is None else {x.tobytes() for x in other.get("X")}
        for at, x in enumerate(pop.get("X")):
            bits = x.tobytes()
            is_duplicate[at] = bits in seen
            seen.add(bits)
        return is_duplicate


def operators() -> dict[str, Any]:
    """How both algorithms make solutions."""
    return {
        "sampling": BinaryRandomSampling(),
        "crossover": UX(),
        "mutation": BitflipMutation(),
    }


def nsga2(population: int) -> Any:
    """NSGA-II for bits."""
    return NSGA2(population, eliminate_duplicates=SameBits(), **operators())


def moead(population: int) -> Any:
    """MOEA/D for bits and two objectives."""
    directions = get_reference_directions("uniform", 2, n_partitions=population - 1)
    return MOEAD(directions, **operators())


EVOLUTION = {"NSGA-II": nsga2, "MOEA/D": moead}


def climbed(r: int, landscape: pb.Landscape, seconds: float, seed: int) -> Outcome:
    """Multi-start at this radius."""
    result = pb.solve(landscape, "multistart", radius=r, time_limit=seconds, seed=seed)
    took = result.setup_seconds + result.seconds
    volume = result.hypervolume()
    return Outcome(took, volume, len(result), result.climbs, result.moves)


def evolved(
    algorithm: Any, landscape: pb.Landscape, seconds: float, seed: int
) -> Outcome:
    """One of pymoo's algorithms, which it copies."""
    problem = BlackBox(landscape)
    began = time.perf_counter()
    minimize(problem, algorithm, ("time", seconds), seed=seed)
    took = time.perf_counter() - began
    F = landscape.shown(problem.archive.F)
    volume = pb.hypervolume(F, landscape.mean, landscape.sense)
    return Outcome(took, volume, len(F), evaluations=problem.evaluations)


def main() -> None:
    """Print a line of CSV for each method."""
    options = begin(arguments(__doc__, seconds=60.0, repeat=1))
    n = 200 if options.quick else 10_000
    landscape = pb.mnk_java(n, 3, 2, 100, "adjacent", pseed=1)
    note("the bound")
    bound = pb.supported_front(landscape).bound(landscape.mean)
    compile_for(landscape.d)
    methods = [(f"radius {r}", "", partial(climbed, r)) for r in RADII]
    for name, algorithm in EVOLUTION.items():
        for p in POPULATIONS:
            methods.append((name, str(p), partial(evolved, algorithm(p))))
    write = printer(COLUMNS)
    for name, population, run in methods:
        note(f"{name} {population}")
        run(landscape, 0.1, 0)  # what is loaded when first used
        seeds = range(1, options.repeat + 1)
        found = medians([run(landscape, options.seconds, seed) for seed in seeds])
        share = found.hypervolume / bound
        volumes = [f"{found.hypervolume:.6g}", f"{bound:.6g}", f"{share:.4f}"]
        done = [round(count) or "" for count in found[2:]]
        write([name, population, n, f"{found.seconds:.2f}", *volumes, *done])


if __name__ == "__main__":
    main()
