"""How long does a move take on dense and rugged landscapes, beside other programs?

Every row has what was measured of the package, and of what ran beside it by turns:

- dense QUBO beside tabu.cpp, a tabu search in C++ that is looked for beside the
  project: microseconds per move. That of tabu.cpp includes its choice of a move.
- MaxCut with one objective: looks per second of an escape by heat, beside an annealer.
- random K = 5 and 3-SAT: microseconds per move, beside the layout by stencils.
- the ring with one objective, beside the same with two.
- set-up: the seconds from matrices to a climber of radius 1; and those of the largest
  with two seconds of climbs besides, in a process of its own, with its peak of memory.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np

import paretoball as pb
from looks import annealer_looks, escape_looks, has_annealer
from measuring import (
    arguments,
    begin,
    climbing,
    note,
    peak,
    printer,
    seconds_of,
    set_up,
)
from paretoball.climber import default_radius, memory_estimate
from rivals import write_square
from yardsticks import build, found_source, with_compiler

NAME = "tabu.cpp"
DIRECTIONS = 10  # of the tabu search in one run
DENSE = (200, 1_000, 2_000, 5_000)
NODES, EDGES = 800, 4_694  # of G14
ESCAPES = 50  # in one run
PREPARED, LARGEST = 2_000, 10_000  # variables
CLIMBING = 2  # seconds, on the largest
COLUMNS = "what,n,d,r,unit,package,beside,other,ratio,peak_gb"

Measure = Callable[[], float]


class Case(NamedTuple):
    """What is measured by turns; without `other`, `beside` tells what is missing."""

    what: str
    landscape: pb.Landscape
    r: int
    unit: str
    package: Measure
    beside: str
    other: Measure | None


def measured(case: Case, repeat: int) -> list[Any]:
    """The row of a case: medians of both sides, which take turns."""
    n, d = case.landscape.n, case.landscape.d
    note(f"{case.what}, n = {n:,}, d = {d}, r = {case.r}; {case.beside}")
    sides = [each for each in (case.package, case.other) if each is not None]
    turns = [[measure() for measure in sides] for _ in range(repeat)]
    ours, *others = [median(each) for each in zip(*turns)]
    cells = [f"{others[0]:.4g}", f"{ours / others[0]:.3f}"] if others else ["", ""]
    told = [case.what, n, d, case.r, case.unit, f"{ours:.4g}", case.beside]
    return [*told, *cells, ""]


def us_per_move(landscape: pb.Landscape, r: int, seconds: float) -> float:
    """The microseconds per move of whole climbs."""
    setup = set_up(landscape, r)[0]
    return climbing(landscape, r, seconds, setup).us


def us_by_stencils(landscape: pb.Landscape, r: int, seconds: float) -> float:
    """The same with the layout of other radii."""
    with (
        patch.object(memory_estimate, "RECORDS_PAY", -1),
        patch.object(memory_estimate, "_has_rows", lambda *_: False),
    ):
        return us_per_move(landscape, r, seconds)


def dense_qubo(options: argparse.Namespace) -> Iterator[Case]:
    """Dense QUBO, beside the tabu search if that can be had."""
    with tempfile.TemporaryDirectory() as folder:
        path, program = f"{folder}/instance", ""
        ready = with_compiler(options.yardstick, NAME)
        if ready is not None:
            source, compiler = ready
            program = build(compiler, source, f"{folder}/tabu")
        for n in DENSE[:2] if options.quick else DENSE:
            landscape = pb.random_qubo(n, d=2, density=0.8, seed=1)
            ours = partial(us_per_move, landscape, 1, options.seconds)
            case = Case("dense QUBO", landscape, 1, "us", ours, "no yardstick", None)
            if program:
                write_square(landscape, path)
                theirs = partial(us_of_tabu, program, path, options.seconds)
                case = case._replace(beside=NAME, other=theirs)
            yield case


def us_of_tabu(program: str, path: str, seconds: float) -> float:
    """The microseconds per move that the tabu search prints."""
    command = [program, path, str(seconds), str(DIRECTIONS)]
    line = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return float(dict(word.split("=") for word in line.split())["us_per_move"])


def one_cut(options: argparse.Namespace) -> Iterator[Case]:
    """MaxCut with one objective, beside the annealer if that is installed."""
    cuts = {"MaxCut": random_cut()}
    if options.data is not None and (path := options.data / "gset/G14.txt").exists():
        cuts["MaxCut G14"] = pb.read_landscape(path)
    escapes = 2 if options.quick else ESCAPES
    for what, landscape in cuts.items():
        other = annealer_looks(landscape) if has_annealer() else None
        beside = "not installed" if other is None else "annealer"
        for r in dict.fromkeys((1, default_radius(landscape))):
            ours = escape_looks(landscape, r, escapes)
            yield Case(what, landscape, r, "looks/s", ours, beside, other)


def random_cut() -> pb.Landscape:
    """A random graph as large as G14; all its weights are 1."""
    rng = np.random.default_rng(1)
    ends = np.column_stack(np.triu_indices(NODES, 1))
    edges = rng.choice(ends, EDGES, replace=False)
    graph = dict.fromkeys(map(tuple, edges.tolist()), 1)
    return pb.maxcut(graph, labels=range(NODES))


def rugged(options: argparse.Namespace) -> Iterator[Case]:
    """Landscapes on which no two variables share a stencil, beside stencils."""
    small = 10 if options.quick else 1
    for what, landscape in (
        ("random, K = 5", pb.mnk(1_000 // small, 5, 2, 100, "random", seed=1)),
        ("3-SAT, ratio 4.2", pb.random_sat(10_000 // small, ratio=4.2, seed=1)),
    ):
        both = (us_per_move, us_by_stencils)
        ours, other = (partial(each, landscape, 1, options.seconds) for each in both)
        yield Case(what, landscape, 1, "us", ours, "stencils", other)


def one_objective(options: argparse.Namespace) -> Iterator[Case]:
    """The ring with one objective, beside two."""
    n = 1_000 if options.quick else 10_000
    one, two = (pb.mnk(n, 3, d, 100, seed=1) for d in (1, 2))
    for r in (1, 2):
        ours, other = (partial(us_per_move, e, r, options.seconds) for e in (one, two))
        yield Case("ring", one, r, "us", ours, "d = 2", other)


def preparation(options: argparse.Namespace) -> Iterator[Case]:
    """From matrices to a climber of radius 1, after a first time that compiles."""
    n = 200 if options.quick else PREPARED
    matrices = random_matrices(n).astype(np.int64)

    def prepare() -> float:
        return seconds_of(prepared, matrices)[0]

    prepare()
    yield Case("set-up", pb.qubo(matrices), 1, "s", prepare, "", None)


def prepared(matrices: np.ndarray) -> pb.Landscape:
    """A landscape that had a climber."""
    landscape = pb.qubo(matrices)
    pb.Climber(landscape, 1)
    return landscape


def random_matrices(n: int) -> np.ndarray:
    """Two dense matrices."""
    rng = np.random.default_rng(1)
    return rng.integers(-100, 101, (2, n, n), np.int32)


def largest(n: int) -> list[Any]:
    """The row of the largest case: seconds, and the peak of this process."""

    def start(matrices: np.ndarray) -> None:
        pb.solve(
            prepared(matrices),
            "multistart",
            radius=1,
            time_limit=CLIMBING,
            seed=7,
            progress=False,
        )

    start(random_matrices(100))  # compile
    seconds, _ = seconds_of(start, random_matrices(n))
    told = ["set-up and climbs", n, 2, 1, "s", f"{seconds:.4g}"]
    return [*told, "", "", "", f"{peak() / 1e9:.2f}"]


def in_a_process(n: int) -> list[Any]:
    """The same, from a process of its own.

    On Linux its peak is at least that of this one so far, so it has to come first.
    """
    command = [sys.executable, __file__, "--largest", str(n)]
    child = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return child.stdout.splitlines()[1].split(",")


def main() -> None:
    """Print a line of CSV for each case."""
    parser = arguments(__doc__, seconds=5, repeat=3)
    parser.add_argument("--data", type=Path, help="a folder that has gset/G14.txt")
    parser.add_argument("--yardstick", type=Path, default=found_source(NAME))
    parser.add_argument(
        "--largest", type=int, help="only this case, of so many variables"
    )
    options = begin(parser)
    write = printer(COLUMNS)
    if options.largest:
        write(largest(options.largest))
        return
    note("the largest")
    write(in_a_process(500 if options.quick else LARGEST))
    for cases in (dense_qubo, one_cut, rugged, one_objective, preparation):
        for case in cases(options):
            write(measured(case, options.repeat))


if __name__ == "__main__":
    main()
