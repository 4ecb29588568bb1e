"""Yardsticks: programs in C++ that the package is compared with.

They are no part of this project: their sources are looked for beside it, and compiled
for the processor at hand. Where a source or a compiler is missing, benchmarks do
without.
"""

import shutil
import subprocess
from pathlib import Path

from measuring import note

BESIDE = Path(__file__).resolve().parents[2]
FOLDERS = ("", "*/", "*/*/")  # beside the project
COMPILERS = ("g++", "clang++", "c++")
FLAGS = ("-O3", "-march=native", "-std=c++17")


def found_source(name: str) -> Path | None:
    """Where the source of this name is, if it is beside the project."""
    found = (path for each in FOLDERS for path in sorted(BESIDE.glob(each + name)))
    return next(found, None)


def with_compiler(source: Path | None, name: str) -> tuple[Path, str] | None:
    """The source and a compiler for it; None, and a note, where one is missing."""
    compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
    if source is None or not source.exists():
        note(f"no yardstick: {name} is not beside the project")
        return None
    if compiler is None:
        note(f"no yardstick: there is none of {', '.join(COMPILERS)}")
        return None
    note(f"yardstick: {source}, compiled by {compiler}")
    return source, compiler


def build(compiler: str, source: Path, program: str, *flags: str) -> str:
    """Compile a source; returns the program."""
    command = [compiler, *FLAGS, *flags, str(source), "-o", program]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return program
