"""How many microseconds does a move take, against a climber written by hand in C++?

The yardstick, limit.cpp, is no part of this project: it is looked for beside it, and
compiled twice, without AVX-512 and, where the processor has that, with it. Where it or
a compiler is missing, its columns stay empty. All sides run one after the other on one
core. A start is the scores of all moves at a random solution; a set-up is all that
depends on the problem alone.
"""

import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

import paretoball as pb
from measuring import (
    arguments,
    begin,
    climbing,
    medians,
    note,
    printer,
    set_up,
)
from paretoball.paper.trial import start_seconds
from yardsticks import build, found_source, with_compiler

NAME = "limit.cpp"
COLUMNS = (
    "n,d,r,package_us,yardstick_us,ratio,avx512_us,avx512_ratio,"
    "package_start_ms,yardstick_start_ms,package_setup_ms,yardstick_setup_ms,"
    "package_archive,yardstick_archive"
)


class Times(NamedTuple):
    """What one run of one side took."""

    us: float  # per move, starts and reports included
    start_ms: float
    setup_ms: float
    archive: float  # points found


def compiled(source: Path | None, d: int, folder: str) -> dict[str, str]:
    """The builds of the yardstick that can be had, by name."""
    ready = with_compiler(source, NAME)
    if ready is None:
        return {}
    source, compiler = ready
    builds = {"yardstick": ["-mno-avx512f"]}
    if has_avx512(compiler):
        builds["avx512"] = []
    else:
        note("no AVX-512 build of the yardstick: this processor does not have it")
    return {
        name: build(compiler, source, f"{folder}/{name}", f"-DD={d}", *flags)
        for name, flags in builds.items()
    }


def has_avx512(compiler: str) -> bool:
    """Whether native code may use AVX-512."""
    command = [compiler, "-march=native", "-dM", "-E", "-x", "c++", "/dev/null"]
    return (
        "__AVX512F__" in subprocess.run(command, capture_output=True, text=True).stdout
    )


def yardstick_times(program: str, n: int, r: int, seconds: float) -> Times:
    """One run of the yardstick."""
    command = [program, str(n), str(r), str(seconds)]
    line = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    _, _, _, _, _, _, us, _, start_ms, setup_ms, archive = map(float, line.split(","))
    return Times(us, start_ms, setup_ms, archive)


def package_times(landscape: pb.Landscape, r: int, seconds: float) -> Times:
    """One run of the package."""
    setup, climber = set_up(landscape, r)
    start_ms = 1e3 * start_seconds(climber)
    del climber
    speed = climbing(landscape, r, seconds, setup)
    return Times(speed.us, start_ms, 1e3 * speed.setup, speed.archive)


def row(sides: dict[str, Times]) -> list[str]:
    """The columns after n, d and r; empty where a side is missing."""
    package, yardstick = sides["package"], sides.get("yardstick")
    cells = [f"{package.us:.3f}"]
    for name in ("yardstick", "avx512"):
        us = sides[name].us if name in sides else None
        cells += ["", ""] if us is None else [f"{us:.3f}", f"{package.us / us:.3f}"]
    for field, form in (("start_ms", ".3f"), ("setup_ms", ".1f"), ("archive", ".0f")):
        for side in (package, yardstick):
            cells.append("" if side is None else format(getattr(side, field), form))
    return cells


def main() -> None:
    """Print a line of CSV for each n and radius."""
    parser = arguments(__doc__, seconds=10, repeat=3)
    parser.add_argument("--n", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--radius", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--d", type=int, default=2)
    parser.add_argument("--yardstick", type=Path, default=found_source(NAME))
    options = begin(parser)
    write = printer(COLUMNS)
    with tempfile.TemporaryDirectory() as folder:
        programs = compiled(options.yardstick, options.d, folder)
        for n in options.n[:1] if options.quick else options.n:
            landscape = pb.mnk(n=n, K=3, d=options.d, q=100, seed=1)
            for r in options.radius:
                note(f"n = {n:,}, r = {r}")
                runs: dict[str, list[Times]] = {}
                for _ in range(options.repeat):
                    run = package_times(landscape, r, options.seconds)
                    runs.setdefault("package", []).append(run)
                    for name, program in programs.items():
                        run = yardstick_times(program, n, r, options.seconds)
                        runs.setdefault(name, []).append(run)
                sides = {name: medians(each) for name, each in runs.items()}
                write([n, options.d, r, *row(sides)])


if __name__ == "__main__":
    main()
