"""How long does the command line take to start, and to compile for the first time?

Every command is a process of its own: help; a search of one second with compiled
kernels on the disk; and the same with an empty cache, on a terminal, where it should
say that it compiles. What that search takes longer is the first compilation. `said_s`
is when the word first was on the screen.
"""

import os
import pty
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from measuring import arguments, begin, note, printer, seconds_of

HELP = "--help"
GENERATE = "generate mnk --n 10000 --K 3 --seed 1 -o mnk.npz"
SOLVE = "solve mnk.npz --seed 7 --time 1 -o run.npz"
LOADED = """
import sys, paretoball.cli
paretoball.cli.main(["--help"])
print("numba" in sys.modules)
"""
WORD = b"ompiling"


def words(command: str) -> list[str]:
    """A command of the package, in a Python of its own."""
    return [sys.executable, "-m", "paretoball", *command.split()]


def run(command: str, folder: str) -> None:
    """Run a command silently; raise if it fails."""
    subprocess.run(words(command), check=True, cwd=folder, capture_output=True)


def wall(command: str, folder: str, repeat: int) -> float:
    """The median of the seconds that a command takes in all, after a first time."""
    run(command, folder)
    return median(seconds_of(run, command, folder)[0] for _ in range(repeat))


def loads_numba() -> bool:
    """Whether help imports Numba."""
    command = [sys.executable, "-c", LOADED]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return lines.split()[-1] == "True"


def on_terminal(
    command: str, folder: str, **settings: str
) -> tuple[float, float | None]:
    """The seconds that a command takes on a terminal, and when it speaks of compiling.

    None if it never does.
    """
    screen, terminal = pty.openpty()
    began = time.perf_counter()
    child = subprocess.Popen(
        words(command),
        cwd=folder,
        env={**os.environ, "TERM": "xterm", **settings},
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
    )
    os.close(terminal)
    shown, said = b"", None
    while True:
        try:
            piece = os.read(screen, 4096)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        shown += piece
        if said is None and WORD in shown:
            said = time.perf_counter() - began
    if child.wait() != 0:
        raise RuntimeError(shown.decode(errors="replace"))
    os.close(screen)
    return time.perf_counter() - began, said


def main() -> None:
    """Print a line of CSV."""
    options = begin(arguments(__doc__, repeat=5))
    write = printer("help_s,help_loads_numba,solve_s,first_s,compilation_s,said_s")
    with tempfile.TemporaryDirectory() as folder:
        note("help")
        help_s = wall(HELP, folder, options.repeat)
        note("solve, kernels on the disk")
        run(GENERATE, folder)
        solve_s = wall(SOLVE, folder, options.repeat)
        cells: list[Any] = [f"{help_s:.3f}", int(loads_numba()), f"{solve_s:.2f}"]
        if options.quick:
            write([*cells, "", "", ""])
            return
        note("solve, no kernels on the disk")
        cache = Path(folder, "cache")
        first_s, said_s = on_terminal(SOLVE, folder, NUMBA_CACHE_DIR=str(cache))
        if not any(cache.rglob("*")):
            raise RuntimeError("the first compilation did not use the empty cache")
        cells += [f"{first_s:.2f}", f"{first_s - solve_s:.2f}"]
        write([*cells, "" if said_s is None else f"{said_s:.2f}"])


if __name__ == "__main__":
    main()
