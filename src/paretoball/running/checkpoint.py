"""Checkpoints: a run on disk, with what it takes to go on.

A checkpoint is a run file, so it can be loaded, verified and drawn like any other. It
also holds the landscape, the given starts, and the number of finished units. Rows of
finished units are settled; rows of other units are loose. Settled rows that a loose row
dominates are kept in arrays of their own, because a resumed run begins with what the
finished units found, and nothing else. The checkpoint before the latest is kept, too,
and is read if the latest is missing or damaged.
"""

import logging
import os
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from paretoball.archive import Found, Points
from paretoball.formats import (
    OtherVersion,
    PathLike,
    check_writable,
    content_of,
    locked,
    packed_landscape,
    refusing,
    sweep,
    unpacked_landscape,
)
from paretoball.landscape import Landscape, landscape_digest, packed_bits, unpacked_bits
from paretoball.running.options import Options
from paretoball.running.result import Result, result_in
from paretoball.running.rows import packed_rows, trails_of
from paretoball.running.run_file import (
    SETTLED,
    Arrays,
    check_no_bits_beyond,
    check_program,
    checked_path,
    previous_path,
    read_run,
    settled_rows,
    write_checkpoint,
)
from paretoball.running.snapshot import Snapshot
from paretoball.search import Asked, Kept, method_named
from paretoball.system import (
    brief,
    checked_seconds,
    checked_whole,
    counted,
    printable,
)

SELDOM = 1e9  # seconds: at the beginning and at the end only

_log = logging.getLogger(__name__)


class Saved(NamedTuple):
    """What a checkpoint holds."""

    path: Path  # of the file that was read
    result: Result
    landscape: Landscape
    starts: np.ndarray  # (given, n) uint8
    units: int  # finished, from the first on without a gap
    moves: int  # of those
    every: float  # seconds from one checkpoint to the next
    settled: Found  # by the finished units
    loose: Found  # by other units
    kept: Kept  # by the plan of its method

    @property
    def seconds(self) -> float:
        """How long the run has taken so far, set-ups included."""
        return self.result.seconds + self.result.setup_seconds

    def check_same(self, options: Options, starts: np.ndarray) -> None:
        """Refuse options or starts of another run."""
        for name in options.differences(self.result.config):
            self._refuse(name, self.result.config.get(name), getattr(options, name))
        if not np.array_equal(self.starts, starts):
            self._refuse("start", counted(len(self.starts), "solution"), "those given")

    def check_landscape(self, landscape: Landscape) -> None:
        """Refuse another landscape."""
        found, right = self.result.landscape, landscape_digest(landscape)
        if found != right:
            self._refuse("landscape", found, right)

    def _refuse(self, name: str, here: Any, given: Any) -> None:
        raise ValueError(
            f"{printable(str(self.path))}: it is a checkpoint of another run: "
            f"its {name} is {brief(here)}, not {brief(given)}"
        )


class Saver:
    """Writes the checkpoints of a run."""

    def __init__(
        self,
        path: PathLike,
        every: float | None,
        landscape: Landscape,
        starts: np.ndarray,
        saved: Saved | None,
        clock: Callable[[], float] = perf_counter,
    ):
        self.path = Path(checked_path(path))
        self.every = SELDOM
        if every is not None:
            self.every = min(checked_seconds("checkpoint_every", every), SELDOM)
        self.keeps = saved is None or saved.path == self.path  # the file is sound
        self.clock = clock
        self.last = -np.inf  # when the last one was written
        self.took = 0.0  # seconds that it took
        self.failure = ""  # of the last try, if it failed
        with refusing(path):  # a label that no file can hold
            packed = packed_landscape(landscape)
        self.extras = {
            "instance": np.frombuffer(packed, np.uint8),
            "starts": packed_bits(starts),
        }
        check_writable(self.path)
        sweep(self.path)

    def is_due(self) -> bool:
        """Whether it is time for the next checkpoint."""
        return self.clock() - self.last >= self.every

    def save(self, run: Snapshot) -> None:
        """Write a checkpoint; if that fails, the last one stays and the run goes on."""
        began = self.clock()
        result = run.result()
        numbers = {"climbs": run.settled.units, "moves": run.settled.moves}
        resume = {**numbers, "every": self.every, **run.kept.numbers}
        header = {**result.header(), "resume": resume}
        further = _dominated_by_loose(run)
        try:
            arrays = {**result.arrays(), **self.extras, **run.kept.arrays, **further}
            write_checkpoint(self.path, header, arrays, self.keeps)
            self.failure, self.keeps = "", True
            _log.info("checkpoint %s written after %d climbs", self.path, run.climbs)
        except OSError as error:
            if not self.failure:
                warnings.warn(f"no checkpoint: {_in_words(error)}", stacklevel=2)
            self.failure = _in_words(error)
        self.last = self.clock()
        self.took = self.last - began


def _dominated_by_loose(run: Snapshot) -> Arrays:
    """The settled rows that are no longer in the archive, as arrays."""
    archive = run.settled.archive
    if archive is run.archive:
        return {}
    points, alive = archive.points(), run.archive.points()
    here = set(zip(alive.unit.tolist(), alive.step.tolist()))
    gone = [
        origin not in here for origin in zip(points.unit.tolist(), points.step.tolist())
    ]
    points = points.some(np.array(gone, np.bool_))
    if points.size == 0:
        return {}
    F = run.landscape.shown(points.fx)
    rows = packed_rows(F, *points[1:], archive.trails, run.landscape.n)
    return {SETTLED + name: array for name, array in rows.items()}


def _in_words(error: OSError) -> str:
    """What went wrong with which file."""
    said = f"{error.filename}: {error.strerror}" if error.strerror else str(error)
    return printable(said)


def alone_with(path: PathLike | None) -> AbstractContextManager[object]:
    """Inside this context, no other run has this checkpoint; None is none at all."""
    if path is None:
        return nullcontext()
    check_writable(checked_path(path))
    target = Path(os.path.realpath(path))
    lock = target.with_name(f".{target.name}.lock")
    return locked(lock, path, "checkpoint")


def is_there(path: PathLike) -> bool:
    """Whether the latest checkpoint exists, or the one before it."""
    return Path(path).exists() or previous_path(path).exists()


def read_checkpoint(path: PathLike) -> Saved:
    """The latest checkpoint that is whole."""
    try:
        return _read_file(path)
    except OtherVersion:
        raise
    except (OSError, ValueError) as error:
        try:
            saved = _read_file(previous_path(path))
        except (OSError, ValueError):
            raise error from None
        why = _in_words(error) if isinstance(error, OSError) else str(error)
        previous = printable(str(previous_path(path)))
        told = f"{why}; going on from {previous}, the checkpoint before it"
        if isinstance(error, FileNotFoundError):
            told += "; to begin anew, remove that, too"
        _log.warning("%s", told)
        warnings.warn(told, stacklevel=2)
        return saved


def _read_file(path: PathLike) -> Saved:
    """The checkpoint in one file."""
    header, arrays = read_run(path)
    with refusing(path):
        if "resume" not in header:
            raise OtherVersion("it is a run without what it takes to go on")
        check_program(header)
        content = content_of("instance", arrays["instance"])
        landscape = unpacked_landscape(content)
        if landscape_digest(landscape) != header["landscape"]:
            raise ValueError("it holds another landscape than the one of its run")
        n = landscape.n
        if (header["n"], tuple(header["sense"])) != (n, landscape.sense):
            raise ValueError("its n or sense is not that of its landscape")
        result = result_in(header, arrays)
        naming = (result.given_labels, result.names)
        if naming != (landscape.given_labels, landscape.names):
            raise ValueError("its labels or names are not those of its landscape")
        if arrays["starts"].ndim != 2 or arrays["starts"].shape[1] != -(-n // 8):
            raise ValueError(f"starts has shape {arrays['starts'].shape}, for n = {n}")
        check_no_bits_beyond("starts", arrays["starts"], n)
        resume = header["resume"]
        units = resume["climbs"]
        method = method_named(header["config"]["method"])
        kept = Kept(
            {name: resume[name] for name in method.kept_numbers},
            {name: arrays[name] for name in method.kept_arrays},
        )
        config = header["config"]
        radius, breadth = (
            checked_whole(name, config.get(name), 1) for name in ("radius", "breadth")
        )
        plan = method.plan(landscape, Asked(None, 0, radius, breadth))
        plan.restore(kept, units)  # or it is refused here
        settled, loose = _found(landscape, arrays, units)
        return Saved(
            path=Path(path),
            result=result,
            landscape=landscape,
            starts=unpacked_bits(arrays["starts"], n),
            units=units,
            moves=resume["moves"],
            every=resume["every"],
            settled=settled,
            loose=loose,
            kept=kept,
        )


def _found(landscape: Landscape, arrays: Arrays, units: int) -> tuple[Found, Found]:
    """What the finished units found, and what other units found."""
    points, trails = _points(landscape, arrays), trails_of(arrays)
    settled, loose = points.of_units(0, units), points.some(points.unit >= units)
    further = settled_rows(arrays)
    if further:
        others, other_trails = _points(landscape, further), trails_of(further)
        if others.unit.max() >= units:
            raise ValueError("settled_climb has a climb that is not finished")
        settled = Points(*map(np.concatenate, zip(settled, others)))
        for unit, trail in other_trails.items():
            if unit in trails:
                steps = np.union1d(trails[unit].steps, trail.steps)
                trail = trails[unit].joined(trail, steps, landscape.n)
            trails[unit] = trail
    return Found(settled, _some(trails, settled)), Found(loose, _some(trails, loose))


def _points(landscape: Landscape, rows: Arrays) -> Points:
    """The rows of a file, as an archive has them."""
    fx = landscape.inside(rows["F"])
    return Points(fx, rows["climb"], rows["step"], rows["optimum"].astype(np.int64))


def _some(trails: dict[int, Any], points: Points) -> dict[int, Any]:
    """The trails that these points need."""
    return {unit: trails[unit] for unit in np.unique(points.unit).tolist()}
