"""Runs to disturb: short ones that always end with the same archive.

Trials of `faults_of_*.py` disturb them; `faults.py` runs the trials by the hundred.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import paretoball as pb
from paretoball.verification.verify import verify

PARETOBALL = [sys.executable, "-m", "paretoball"]
MEMORY = (
    "/dev/shm" if os.path.isdir("/dev/shm") else None
)  # where syncing takes no time


class Tally(NamedTuple):
    """What came of one trial, or of many."""

    trials: int
    seconds: float  # the worst time of what must not take long
    seen: Counter[str]  # what happened, and how often
    violations: list[str]


def tally(seen: Iterable[str], violations: list[str], seconds: float = 0.0) -> Tally:
    """The tally of one trial."""
    return Tally(1, seconds, Counter(seen), violations)


def added(a: Tally, b: Tally) -> Tally:
    """Two tallies as one."""
    seconds = max(a.seconds, b.seconds)
    return Tally(
        a.trials + b.trials, seconds, a.seen + b.seen, a.violations + b.violations
    )


NOTHING = Tally(0, 0.0, Counter(), [])


class Case(NamedTuple):
    """A run that always ends with the same archive."""

    n: int
    budget: str  # max_climbs or max_moves
    limit: int
    method: str = "multistart"
    family: str = "mnk"

    def landscape(self) -> pb.Landscape:
        return new_landscape(self.family, self.n)

    def words(self) -> list[str]:
        """Method and budget on the command line."""
        budget = [self.budget.replace("max_", "--"), str(self.limit)]
        return ["--method", self.method, *budget]

    def how(self) -> dict[str, Any]:
        """Method, seed and budget for `solve`."""
        return {"method": self.method, "seed": SEED, self.budget: self.limit}


@cache
def new_landscape(family: str, n: int) -> pb.Landscape:
    """An instance of n variables; those of two families have constraints."""
    if family == "knapsack":
        return pb.random_knapsack(n, seed=1)
    if family == "covering":
        return pb.random_covering(n, rows=n // 4, density=0.05, seed=1)
    return pb.mnk(n=n, K=3, seed=1)


KNAPSACK = Case(300, "max_moves", 5_000_001, "path", "knapsack")
COVERING = Case(200, "max_climbs", 500, "multistart", "covering")
LONG = (  # some seconds
    Case(300, "max_climbs", 8000),
    Case(1000, "max_climbs", 2400),
    Case(1000, "max_moves", 1_000_001, "path"),
    Case(500, "max_climbs", 60, "path"),
    KNAPSACK,
    COVERING,
)
SHORT = Case(60, "max_climbs", 15)  # some milliseconds, five checkpoints
SEED = 5
LATE = 600.0  # seconds: what takes longer hangs, however busy the machine is


@cache
def undisturbed(case: Case) -> str:
    """The archive of a run that nobody disturbs."""
    return fingerprint(pb.solve(case.landscape(), **case.how()))


def fingerprint(result: pb.Result) -> str:
    """A name for an archive, down to the last bit."""
    digest = hashlib.sha256()
    for array in (result.F, result.climb, result.step, result.optimum, result.X):
        digest.update(f"{array.dtype.str} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


@contextmanager
def new_folder(case: Case) -> Iterator[Path]:
    """A folder with the instance of a run; that of a short one is in memory."""
    where = MEMORY if case == SHORT else None
    with tempfile.TemporaryDirectory(dir=where) as name:
        pb.write_landscape(case.landscape(), Path(name, "instance.npz"))
        yield Path(name)


def solving(case: Case, folder: Path, *options: Any) -> list[str]:
    """The command line of a run with checkpoints."""
    words = ["solve", folder / "instance.npz", *case.words(), "--seed", SEED, "--quiet"]
    return [
        str(each) for each in (*words, "--checkpoint", folder / "run.npz", *options)
    ]


def started(words: list[str], **variables: str) -> subprocess.Popen[str]:
    """A command line in a process and a process group of its own."""
    return subprocess.Popen(
        [*PARETOBALL, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | variables,
        text=True,
        start_new_session=True,
    )


def complaint_about(err: str, lines: int = 1) -> list[str]:
    """What is wrong with standard error: more than so many lines of ours."""
    said = err.splitlines()
    is_ours = all(line.startswith("paretoball: ") for line in said)
    is_fine = is_ours and len(said) <= lines
    return [] if is_fine else [f"standard error is {err[:200]!r} ... {err[-300:]!r}"]


def unsound_files(case: Case, folder: Path) -> list[str]:
    """What is wrong with the run files that are there."""
    found = []
    for path in sorted(folder.glob("run*.npz")):
        try:
            failures = verify(case.landscape(), path).failures
        except (OSError, ValueError) as error:
            failures = [str(error)]
        found += [f"{path.name}: {failure}" for failure in failures]
    return found
