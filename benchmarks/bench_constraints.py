"""How much of known fronts under constraints does a search find?

Instances come from a folder of files from outside, with fronts beside them or in their
comments. Hypervolumes are shares of that of the known front; they start a tenth of its
range below its lowest values. `found` are points of the known front. `nsga2` is pymoo's
NSGA-II, which is told constraints as violations, on the largest of the knapsacks.
`random-10k` is a knapsack of 10,000 items with two objectives and two constraints;
`gap` is the largest share by which its front stays below the optimum of the relaxed
problem, over 13 weighted sums.
"""

import argparse
import re
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from pymoo.optimize import minimize

import paretoball as pb
from bench_peers import nsga2
from measuring import QUICK_SECONDS, arguments, begin, note, printer
from paretoball.adapters import pymoo

COLUMNS = (
    "instance,n,d,constraints,method,seed,seconds,cpu,points,known,found,share,gap"
)
ITEMS = 10_000
SUMS = 13
PEER, RANDOM = "zitzler-250", "random-10k"
CASES = {  # the file, its front, and the seconds of runs
    "knapsack-100": ("knapsack/knapsack.100.2.txt", "knapsack.100.2.pareto.txt", (10,)),
    PEER: ("zitzler/250_2.txt", "nd_250_2.txt", (10, 60)),
    "2KP50-11": ("voptlib/2KP50-11.dat", "2KP50-11.Y", (1,)),
    "2KP50-50": ("voptlib/2KP50-50.dat", "2KP50-50.Y", (1,)),
    "small": ("scuttle/small.mcnf", "", (1,)),
    "paper-example": ("scuttle/paper-example.mcnf", "", (1,)),
    "medium": ("scuttle/medium.mcnf", "", (1,)),
    "medium-weighted": ("scuttle/medium-weighted.mcnf", "", (1,)),
    "set-cover": ("scuttle/set-cover.mcnf", "", (10,)),
    "spot5": ("scuttle/spot5.mcnf", "", (60,)),
    "dal": ("scuttle/dal.opb", "", (60,)),
}


class Case(NamedTuple):
    """An instance, with what is known of it."""

    name: str
    landscape: pb.Landscape
    front: np.ndarray  # (known, d): the known front, in its own senses
    seconds: tuple[float, ...]


def options_given() -> argparse.Namespace:
    """The options of this run."""
    parser = arguments(__doc__)
    option = parser.add_argument
    option("--data", type=Path, help="the folder with files from outside")
    option("--only", default="", help="cases, by default all")
    option("--method", default="path")
    option("--seeds", type=int, default=3)
    return begin(parser)


def known_points(path: Path) -> np.ndarray:
    """The points in the comments of a file, or in the rows of a file of numbers."""
    text = path.read_text()
    marked = re.findall(r"^[c*] nd \(([^)]*)\)", text, re.MULTILINE)
    if not marked:
        rows = [line.split() for line in text.splitlines()]
        return np.array([list(map(float, r)) for r in rows if r and r[0].isdigit()])
    return np.array([[float(part) for part in point.split(",")] for point in marked])


def cases(options: argparse.Namespace) -> Iterator[Case]:
    """The instances that there are."""
    for name, (file, front, seconds) in CASES.items():
        path = options.data and options.data / file
        if not path or not path.exists():
            note(f"{name} is left out: {file} is not there")
            continue
        points = known_points(path.parent / front if front else path)
        times = (QUICK_SECONDS,) if options.quick else seconds
        yield Case(name, pb.read_landscape(path), points, times)


def measured(case: Case, F: np.ndarray) -> list[str | int]:
    """Points, known points, those found of them, and the share of hypervolume."""
    known = set(map(tuple, case.front.tolist()))
    hits = len(known & set(map(tuple, F.astype(float).tolist())))
    margin = np.maximum(np.ptp(case.front, axis=0) / 10, 1)
    signs = np.array([1 if sense == "max" else -1 for sense in case.landscape.sense])
    low = (case.front * signs).min(axis=0) - margin
    volume = pb.hypervolume(F * signs, low) if len(F) else 0.0
    share = volume / pb.hypervolume(case.front * signs, low)
    return [len(F), len(known), hits, f"{share:.6f}", ""]


def by_evolution(landscape: pb.Landscape, seconds: float, seed: int) -> np.ndarray:
    """The feasible front of NSGA-II, of 100 solutions, in the problem's own senses."""
    problem = pymoo.to_problem(landscape)
    limit = ("time", time.strftime("%H:%M:%S", time.gmtime(seconds)))
    found = minimize(problem, nsga2(100), limit, seed=seed)
    if found.F is None:
        return np.empty((0, landscape.d))
    return np.atleast_2d(found.F) * -landscape.signs


def relaxed_gap(profits: np.ndarray, weights: np.ndarray, F: np.ndarray) -> float:
    """How far weighted sums stay below their relaxed optimum, at most."""
    from scipy.optimize import linprog

    gaps = []
    for share in np.linspace(0.02, 0.98, SUMS):
        w = np.array([share, 1 - share])
        bounds = weights.sum(axis=1) // 2
        best = linprog(-(w @ profits), weights, bounds, bounds=(0, 1)).fun
        gaps.append(1 + (F @ w).max() / best)
    return max(gaps)


def solved(
    landscape: pb.Landscape, method: str, seconds: float, seed: int
) -> tuple[np.ndarray, list[str | int | float]]:
    """The front of one run, and how a row of it begins."""
    note(f"{landscape!r}, {seconds:g} s, seed {seed}")
    began = time.process_time()
    if method == "nsga2":
        F = by_evolution(landscape, max(seconds, 1), seed)
    else:
        F = pb.solve(
            landscape, method=method, time_limit=seconds, seed=seed, progress=False
        ).F
    cpu = round(time.process_time() - began, 1)
    sizes = landscape.n, landscape.d, len(landscape.constraints)
    return F, [*sizes, method, seed, seconds, cpu]


def random_knapsack(quick: bool, method: str, seed: int) -> list[str | int | float]:
    """The row of a knapsack whose front is not known, but a bound."""
    n = 200 if quick else ITEMS
    rng = np.random.default_rng(seed)
    profits, weights = rng.integers(10, 101, (2, 2, n))
    landscape = pb.knapsack(profits, weights, weights.sum(axis=1) // 2)
    F, row = solved(landscape, method, QUICK_SECONDS if quick else 60.0, seed)
    gap = f"{relaxed_gap(profits, weights, F):.6f}"
    return [RANDOM, *row, len(F), "", "", "", gap]


def main() -> None:
    """Print a line of CSV for each instance, method and seed."""
    options = options_given()
    write = printer(COLUMNS)
    seeds = range(1, 2 if options.quick else options.seeds + 1)
    only = options.only.split(",") if options.only else [*CASES, RANDOM]
    for case in (case for case in cases(options) if case.name in only):
        pb.solve(case.landscape, method=options.method, max_climbs=1, seed=0)  # compile
        methods = [options.method, *(["nsga2"] if case.name == PEER else [])]
        for seconds, seed, method in product(case.seconds, seeds, methods):
            F, row = solved(case.landscape, method, seconds, seed)
            write([case.name, *row, *measured(case, F)])
    if RANDOM in only:
        for seed in seeds:
            write(random_knapsack(options.quick, options.method, seed))


if __name__ == "__main__":
    main()
