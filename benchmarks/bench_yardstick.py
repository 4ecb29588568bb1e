"""How many microseconds does a move take, against a climber written by hand in C++?

The yardstick, limit.cpp, is no part of this project: it is looked for beside it, and
compiled without AVX-512. Where it or g++ is missing, its columns stay empty. Both sides
run one after the other on one core, starts included.
"""

import argparse
import csv
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

import paretoball as pb
from paretoball.climber import Climber
from paretoball.scores import TIER, add_tier, start_climb

YARDSTICK = Path(__file__).resolve().parents[2] / "shared" / "limit" / "limit.cpp"
COLUMNS = (
    "n,d,r,package_us,yardstick_us,ratio,package_start_ms,yardstick_start_ms,"
    "package_setup_ms,yardstick_setup_ms,package_archive,yardstick_archive"
)


class Times(NamedTuple):
    """What one side took."""

    us: float  # per move, starts included
    start_ms: float  # one climb, scores of every move
    setup_ms: float  # one landscape
    archive: float  # points found


def median_of(runs: list[Times]) -> Times:
    """Each column's own median."""
    return Times(*map(median, zip(*runs)))


def compiled(d: int, folder: str) -> str | None:
    """The yardstick for d objectives, if it can be had."""
    if not YARDSTICK.exists():
        print("no yardstick: limit.cpp is not beside the project", file=sys.stderr)
        return None
    if shutil.which("g++") is None:
        print("no yardstick: g++ is not installed", file=sys.stderr)
        return None
    program = f"{folder}/limit{d}"
    flags = ["-O3", "-march=native", "-mno-avx512f", "-std=c++17", f"-DD={d}"]
    command = ["g++", *flags, str(YARDSTICK), "-o", program]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return program


def yardstick_times(program: str, n: int, r: int, seconds: float) -> Times:
    """One run of the yardstick."""
    command = [program, str(n), str(r), str(seconds)]
    line = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    _, _, _, _, _, _, us, _, start_ms, setup_ms, archive = map(float, line.split(","))
    return Times(us, start_ms, setup_ms, archive)


def package_times(landscape: pb.Landscape, r: int, seconds: float) -> Times:
    """One run of the package."""
    result = pb.solve(landscape, radius=r, time_limit=seconds, seed=7)
    if result.moves == 0:
        sys.exit(f"{seconds} s do not suffice to set up n = {landscape.n}, radius {r}")
    return Times(
        1e6 * result.seconds / result.moves,
        start_ms(pb.Climber(landscape, r)),
        1e3 * result.setup_seconds,
        len(result),
    )


def start_ms(climber: Climber) -> float:
    """Milliseconds for the scores and buckets of all moves at one solution."""
    state = climber.new_state(journal=1, reports=1)
    spent = []
    for _ in range(5):
        began = time.perf_counter()
        start_climb(climber.cliques, climber.move_set, state)
        while state.clock[TIER] < climber.radius:
            add_tier(climber.cliques, climber.move_set, state)
        spent.append(time.perf_counter() - began)
    return 1e3 * median(spent)


def main() -> None:
    """Print a line of CSV for each n and radius."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--radius", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--d", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=10.0, help="with set-up")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(COLUMNS.split(","))
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(options.d, folder)
        for n in options.n:
            landscape = pb.mnk(n=n, K=3, d=options.d, q=100, seed=1)
            for r in options.radius:
                pb.solve(landscape, radius=r, max_climbs=1, seed=7)  # compile
                ours, theirs = [], []
                for _ in range(options.repeat):
                    ours.append(package_times(landscape, r, options.seconds))
                    if program is not None:
                        run = yardstick_times(program, n, r, options.seconds)
                        theirs.append(run)
                sizes = [n, options.d, r]
                table.writerow(sizes + columns(ours, theirs))
                sys.stdout.flush()


def columns(ours: list[Times], theirs: list[Times]) -> list[str]:
    """The medians of both sides, side by side, with the ratio of times per move."""
    package = median_of(ours)
    yardstick = median_of(theirs) if theirs else None
    ratio = f"{package.us / yardstick.us:.2f}" if yardstick else ""
    numbers = []
    for column, form in zip(Times._fields, (".3f", ".3f", ".1f", ".0f")):
        numbers.append(format(getattr(package, column), form))
        numbers.append(format(getattr(yardstick, column), form) if yardstick else "")
    return [*numbers[:2], ratio, *numbers[2:]]


if __name__ == "__main__":
    main()
