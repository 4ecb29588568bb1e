"""Checkpoints: a run on disk, with what it takes to go on.

A checkpoint is a run file that also holds the landscape, the given starts, and how many
climbs are finished, so it can be loaded, verified and drawn like any other. The one
before it is kept beside it, and used where the latest is missing or damaged.
"""

import warnings
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from paretoball.archive import Trail
from paretoball.files import landscape_digest, packed_landscape, unpacked_landscape
from paretoball.grid import EXACT
from paretoball.landscape import Landscape
from paretoball.result import Result, from_file, packed
from paretoball.runs import checked_path, previous_path, read_run, write_checkpoint
from paretoball.search.budget import checked_seconds
from paretoball.search.rounds import MOST, Tasks
from paretoball.storage import (
    OtherVersion,
    PathLike,
    check_writable,
    refusing,
    sweep,
)
from paretoball.subfunctions import brief
from paretoball.weights import score_bounds

SELDOM = 1e9  # seconds: at the beginning and at the end only
SAME = ("method", "radius", "seed", "weights", "selection", "climb", "max_archive")


class Saved(NamedTuple):
    """A run as its checkpoint has it."""

    path: Path  # of the file that was read
    result: Result
    landscape: Landscape
    starts: np.ndarray  # (given, n) uint8
    climbs: int  # finished, in a row from the first on
    moves: int  # of those
    every: float  # seconds from one checkpoint to the next
    round: int  # the first path of the round it is in
    tasks: Tasks | None  # of that round, where there are any

    def seconds(self) -> float:
        """That the run has taken so far."""
        return self.result.seconds + self.result.setup_seconds

    def found(self) -> tuple[np.ndarray, np.ndarray, dict[int, Trail]]:
        """The archive: vectors in inside units, tags, trails."""
        result = self.result
        tags = np.column_stack([result.climb, result.step, result.optimum])
        return self.landscape.inside(result.F), tags.astype(np.int64), result.trails

    def check_same(self, config: dict[str, Any], starts: np.ndarray) -> None:
        """Refuse to go on with what is not the same run."""
        for name in SAME:
            if self.result.config.get(name) != config[name]:
                self._refuse(name, self.result.config.get(name), config[name])
        if not np.array_equal(self.starts, starts):
            self._refuse("start", f"{len(self.starts)} solutions", "those given")

    def check_landscape(self, landscape: Landscape) -> None:
        """Refuse to go on with another landscape."""
        found, right = self.result.landscape, landscape_digest(landscape)
        if found != right:
            self._refuse("landscape", found, right)

    def _refuse(self, name: str, here: Any, given: Any) -> None:
        raise ValueError(
            f"{self.path}: it is a checkpoint of another run: "
            f"its {name} is {brief(here)}, not {brief(given)}"
        )


class Saver:
    """Writes the checkpoints of a run."""

    def __init__(
        self,
        path: PathLike,
        every: float,
        landscape: Landscape,
        starts: np.ndarray,
        saved: Saved | None,
    ):
        self.path = Path(checked_path(path))
        self.every = min(checked_seconds(every, "checkpoint_every"), SELDOM)
        self.keeps = saved is None or saved.path == self.path  # what is there is sound
        self.last = -np.inf  # when the last one was written
        self.failure = ""  # of the last try, if it failed
        self.extras = {
            "instance": np.frombuffer(packed_landscape(landscape), np.uint8),
            "starts": np.packbits(starts, axis=1, bitorder="little"),
        }
        check_writable(self.path)
        sweep(self.path)

    def is_due(self) -> bool:
        """Whether it is time for the next one."""
        return perf_counter() - self.last >= self.every

    def save(self, run: Any) -> None:
        """Write one; where that fails, the last one stays, and the run goes on."""
        result: Result = run.result()
        resume = {"climbs": run.climbs, "moves": run.moves, "every": self.every}
        extras = dict(self.extras)
        if run.plan.tasks is not None:
            resume["round"] = run.plan.first
            extras["round_weights"] = run.plan.tasks.weights
            extras["round_solutions"] = run.plan.tasks.solutions
        header = {**result.header(), "resume": resume}
        try:
            arrays = packed(result) | extras
            write_checkpoint(self.path, header, arrays, self.keeps)
            self.failure, self.keeps = "", True
        except OSError as error:
            if not self.failure:
                warnings.warn(f"no checkpoint: {in_words(error)}", stacklevel=2)
            self.failure = in_words(error)
        self.last = perf_counter()


def in_words(error: OSError) -> str:
    """What went wrong with which file."""
    return f"{error.filename}: {error.strerror}" if error.strerror else str(error)


def is_there(path: PathLike) -> bool:
    """Whether there is a checkpoint, or the one before it."""
    return Path(path).exists() or previous_path(path).exists()


def read_checkpoint(path: PathLike) -> Saved:
    """The latest checkpoint that is whole."""
    try:
        return read_generation(path)
    except OtherVersion:
        raise
    except (OSError, ValueError) as error:
        try:
            saved = read_generation(previous_path(path))
        except (OSError, ValueError):
            raise error from None
        why = in_words(error) if isinstance(error, OSError) else str(error)
        warnings.warn(f"{why}; going on from {previous_path(path)}", stacklevel=2)
        return saved


def read_generation(path: PathLike) -> Saved:
    """The checkpoint in one file."""
    header, arrays = read_run(path)
    with refusing(path):
        if "resume" not in header:
            raise OtherVersion("it is a run without what it takes to go on")
        landscape = unpacked_landscape(arrays["instance"].tobytes())
        if landscape_digest(landscape) != header["landscape"]:
            raise ValueError("it holds another landscape than the one of its run")
        n = landscape.n
        if (header["n"], tuple(header["sense"])) != (n, landscape.sense):
            raise ValueError("its n or sense is not that of its landscape")
        if arrays["starts"].ndim != 2 or arrays["starts"].shape[1] != -(-n // 8):
            raise ValueError(f"starts has shape {arrays['starts'].shape}, for n = {n}")
        starts = np.unpackbits(arrays["starts"], axis=1, count=n, bitorder="little")
        resume = header["resume"]
        tasks = None
        if ("round" in resume) != (header["config"].get("method") == "path"):
            raise ValueError("paths, and they alone, go on with their round")
        if "round" in resume:
            solutions = arrays["round_solutions"]
            tasks = Tasks(n, arrays["round_weights"], solutions)
            check_round(tasks, resume["climbs"] - resume["round"], landscape)
    return Saved(
        path=Path(path),
        result=from_file(header, arrays),
        landscape=landscape,
        starts=starts,
        climbs=resume["climbs"],
        moves=resume["moves"],
        every=resume["every"],
        round=resume.get("round", 0),
        tasks=tasks,
    )


def check_round(tasks: Tasks, done: int, landscape: Landscape) -> None:
    """The tasks of a round are those of paths in this landscape, not all done."""
    weights, solutions = tasks.weights, tasks.solutions
    shape = (len(weights), 2, landscape.d)
    if weights.shape != shape or not 0 <= done <= len(weights) <= MOST:
        raise ValueError(f"round_weights has shape {weights.shape}, with {done} done")
    bounds = score_bounds(landscape, landscape.n).astype(float)
    if (weights < 1).any() or (weights * bounds).sum(axis=2).max(initial=0) > 2 * EXACT:
        raise ValueError("round_weights holds what are no weights of this landscape")
    rows = 0 if tasks.is_first() else len(weights)
    if solutions.shape != (rows, 2, -(-landscape.n // 8)):
        raise ValueError(f"round_solutions has shape {solutions.shape}")
