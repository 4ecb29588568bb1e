"""Measuring: what the benchmarks have in common.

Every benchmark runs on one core, prints CSV on standard output and tells its progress
on standard error. Compilation is left out, fixed seeds are used, and a run of the
climber is made of whole climbs, starts and reports included.
"""

import argparse
import csv
import os
import resource
import sys
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any, NamedTuple, TypeVar

import paretoball as pb
from paretoball.climber.climber import Climber

QUICK_SECONDS = 0.2
ENDLESS = 10**9  # climbs: the clock ends a run

Outcome = TypeVar("Outcome")


class Speed(NamedTuple):
    """How a run went."""

    us: float  # per move, starts and reports included, set-up not
    climbs: float
    archive: float  # points found
    setup: float  # seconds


def arguments(
    question: str, seconds: float | None = None, repeat: int | None = None
) -> argparse.ArgumentParser:
    """The options that benchmarks share; `question` is the script's docstring."""
    parser = argparse.ArgumentParser(description=question.splitlines()[0])
    option = parser.add_argument
    option("--quick", action="store_true", help="small and short, to see that it runs")
    if seconds is not None:
        option("--seconds", type=float, default=seconds, help="of climbing in each run")
    if repeat is not None:
        option("--repeat", type=int, default=repeat, help="runs, for their median")
    return parser


def begin(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """The options given, with the process on one core."""
    options = parser.parse_args()
    if options.quick:
        options.seconds, options.repeat = QUICK_SECONDS, 1
    pin()
    return options


def pin() -> None:
    """Keep this process and those it starts on one core, where the system lets us."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def printer(columns: str) -> Callable[[Sequence[Any]], None]:
    """Print the header of a CSV now, and a row of it at each call."""
    table = csv.writer(sys.stdout, lineterminator="\n")
    names = columns.split(",")

    def write(row: Sequence[Any]) -> None:
        assert len(row) == len(names), (row, names)
        table.writerow(row)
        sys.stdout.flush()

    write(names)
    return write


def note(text: str) -> None:
    """Tell how far it is."""
    print(text, file=sys.stderr, flush=True)


def seconds_of(work: Callable[..., Outcome], *given: Any) -> tuple[float, Outcome]:
    """How long a call takes, and what it returns."""
    began = time.perf_counter()
    outcome = work(*given)
    return time.perf_counter() - began, outcome


def peak() -> int:
    """The most bytes that this process ever held."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def climbing(landscape: pb.Landscape, r: int, seconds: float, setup: float) -> Speed:
    """One run of whole climbs: they end once `seconds` are over, after the set-up.

    A climb begins with moves of single variables and gets slower, so a run that ends
    within its first climb would tell too little.
    """
    result = pb.solve(
        landscape,
        "multistart",
        radius=r,
        seed=7,
        max_climbs=ENDLESS,
        callback=lambda state: state.seconds >= setup + seconds,
        progress=False,
    )
    us = 1e6 * result.seconds / result.moves
    return Speed(us, result.climbs, len(result), result.setup_seconds)


def medians(runs: Sequence[Any]) -> Any:
    """Of tuples of numbers, each field's own median."""
    return type(runs[0])(*map(median, zip(*runs)))


def set_up(landscape: pb.Landscape, r: int, repeat: int = 1) -> tuple[float, Climber]:
    """The seconds that a climber takes to set up, and one of them."""
    compile_for(landscape.d)
    spent = [seconds_of(pb.Climber, landscape, r)[0] for _ in range(repeat - 1)]
    seconds, climber = seconds_of(pb.Climber, landscape, r)
    return median([*spent, seconds]), climber


def compile_for(d: int) -> None:
    """Compile, or load from the disk, every kernel for so many objectives."""
    small = pb.mnk(n=1_000, K=1, d=d, seed=1)
    pb.solve(small, "multistart", radius=3, max_climbs=1, seed=7)
    pb.climber_memory(small, 3)
