"""Instances: the landscapes that searches are compared on, by name.

Most are made here, another one for each seed; in a `quick` run they are small. Others
come from outside, as files in a folder that is not part of this project:
`mubqp/mub200.dat`, `gset/G14.txt`, `maxcut/mc_instance_25_*.txt` with its front, the
three graphs of `momaxcut42`, and, for `known_optima`, all of `nk` and `maxcut_single`.
"""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

import paretoball as pb
from paretoball.archive.points import Points

SMALL_SEED = 2016
BATCH = 1 << 16  # solutions to evaluate at a time
BEST_CUT = 3_064  # of G14, as far as anybody knows
MOMAXCUT_POINTS, MOMAXCUT_VOLUME = 2_067, 43471.7037  # above its lower bounds
VOLUME_DIGITS = 1e-4  # up to which that is known
OPTIMA = (
    "nk/IsingSpinGlass_pm_16_0.txt",
    "nk/IsingSpinGlass_pm_100_0.txt",
    "nk/dsmga2_spin_36_1",
    "nk/dsmga2_pnk100_4_1_0",
    "nk/gomea_nk_n5s1_L40_1.txt",
    "nk/tinos_NK_1.dat",
    "maxcut_single/n0000016i00.txt",
    "maxcut_single/n0000100i00.txt",
)


class Known(NamedTuple):
    """What is known of a front whose points are not."""

    size: int
    volume: float
    reference: list[float]  # where that volume starts

    def is_whole(self, F: np.ndarray, sense: tuple[str, ...]) -> bool:
        """Whether these points are as many, with the same hypervolume."""
        if len(F) != self.size:
            return False
        volume = pb.hypervolume(F, self.reference, sense)
        return abs(volume - self.volume) < VOLUME_DIGITS


class Instance(NamedTuple):
    """A landscape, and what is known about it."""

    name: str
    landscape: pb.Landscape
    front: np.ndarray | None = None  # (size, d): its Pareto front, where it is known
    known: Known | None = None


def made(name: str, seed: int, quick: bool = False) -> Instance:
    """One of the landscapes that need no files."""
    return Instance(name, MADE[name](quick, seed))


def _ring(n: int, d: int, quick: bool, seed: int) -> pb.Landscape:
    """The paper's landscape, K = 3."""
    return pb.mnk(max(200, n // 250) if quick else n, 3, d, 100, seed=seed)


def _random(n: int, K: int, quick: bool, seed: int) -> pb.Landscape:
    """The random model."""
    return pb.mnk(60 if quick else n, K, 2, 100, "random", seed=seed)


def _regular(n: int, quick: bool, seed: int) -> pb.Landscape:
    """MaxCut of a random 3-regular graph, weights from -100 to 100."""
    n = 100 if quick else n
    return pb.random_maxcut(n, degree=3, weights=(-100, 100), seed=seed)


def _cube(side: int, quick: bool, seed: int) -> pb.Landscape:
    """A spin glass on a cubic torus, couplings from -100 to 100.

    Its energies are minimised; from the mean of f, hypervolumes are those of the
    maximised cut with the same numbers as weights, four times.
    """
    side = 4 if quick else side
    return pb.spin_glass((side,) * 3, couplings=100, seed=seed)


def _sat(n: int, quick: bool, seed: int) -> pb.Landscape:
    """3-SAT with 4.2 clauses for each variable and objective, weights from 1 to 100."""
    return pb.random_sat(100 if quick else n, ratio=4.2, weights=100, seed=seed)


def _dense(n: int, quick: bool, seed: int) -> pb.Landscape:
    """QUBO of which 80 % of all entries count."""
    return pb.random_qubo(100 if quick else n, density=0.8, seed=seed)


MADE: dict[str, Callable[[bool, int], pb.Landscape]] = {
    "adjacent-1k": partial(_ring, 1_000, 2),
    "adjacent-10k": partial(_ring, 10_000, 2),
    "adjacent-100k": partial(_ring, 100_000, 2),
    "adjacent-1m": partial(_ring, 1_000_000, 2),
    "adjacent-10k-d3": partial(_ring, 10_000, 3),
    "adjacent-10k-d4": partial(_ring, 10_000, 4),
    "adjacent-10k-d6": partial(_ring, 10_000, 6),
    "random-10k": partial(_random, 10_000, 3),
    "random-1k-K5": partial(_random, 1_000, 5),
    "regular-10k": partial(_regular, 10_000),
    "cube-20": partial(_cube, 20),
    "sat-5k": partial(_sat, 5_000),
    "dense-1k": partial(_dense, 1_000),
    "dense-2k": partial(_dense, 2_000),
}


def mubqp_200(folder: Path) -> Instance:
    """A dense problem: 200 variables, of which 80 % of all pairs interact."""
    return Instance("mubqp-200", pb.read_landscape(folder / "mubqp" / "mub200.dat"))


def maxcut_25(folder: Path) -> Instance:
    """Two cuts of the complete graph with 25 nodes, and their front."""
    paths = [folder / "maxcut" / f"mc_instance_25_{i}.txt" for i in range(2)]
    front = np.loadtxt(folder / "maxcut" / "mc_pareto_front_25.txt", skiprows=1)
    return Instance("maxcut-25", pb.read_landscape(*paths), front.astype(np.int64))


def momaxcut_42(folder: Path) -> Instance:
    """Three cuts of one graph with 42 nodes; their weights are real."""
    paths = [folder / "momaxcut42" / f"q42_3o_{i}.json" for i in range(3)]
    lowest = folder / "momaxcut42" / "q42_3o_lower_bounds.json"
    reference = json.loads(lowest.read_text())
    known = Known(MOMAXCUT_POINTS, MOMAXCUT_VOLUME, reference)
    return Instance("momaxcut-42", pb.read_landscape(*paths), known=known)


def g14(folder: Path) -> Instance:
    """One cut of a graph with 800 nodes, and the best one that is known."""
    landscape = pb.read_landscape(folder / "gset" / "G14.txt")
    return Instance("g14", landscape, np.array([[BEST_CUT]]))


OUTSIDE: dict[str, Callable[[Path], Instance]] = {
    "mubqp-200": mubqp_200,
    "maxcut-25": maxcut_25,
    "momaxcut-42": momaxcut_42,
    "g14": g14,
}


def known_optima(folder: Path) -> list[Instance]:
    """Landscapes with one objective, and their optima."""
    landscapes = {path: pb.read_landscape(folder / path) for path in OPTIMA}
    return [
        Instance(path, landscape, pb.supported_front(landscape, progress=False).F)
        for path, landscape in landscapes.items()
    ]


def small_ones(count: int, largest: int) -> Iterator[Instance]:
    """Landscapes of 10 to `largest` variables and all kinds, with their fronts."""
    rng = np.random.default_rng(SMALL_SEED)
    for number in range(count):
        n, K, d = (
            int(rng.integers(*ends)) for ends in ((10, largest + 1), (1, 6), (2, 4))
        )
        model = ("adjacent", "random")[number % 2]
        landscape = pb.mnk(n=n, K=K, d=d, q=100, model=model, seed=number)
        yield Instance(f"small {number}", landscape, brute_force(landscape))


def brute_force(landscape: pb.Landscape) -> np.ndarray:
    """The Pareto front, from all 2^n solutions: (size, d), ascending."""
    archive = pb.Archive(landscape.d)
    for first in range(0, 1 << landscape.n, BATCH):
        numbers = np.arange(first, min(first + BATCH, 1 << landscape.n))
        X = (numbers[:, None] >> np.arange(landscape.n) & 1).astype(np.uint8)
        F = landscape.inside(landscape.evaluate(X))
        archive.take_in(Points.tagged(F, np.zeros((len(F), 3), np.int64)))
    F = landscape.shown(archive.F)
    return F[np.lexsort(F.T[::-1])]
