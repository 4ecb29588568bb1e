"""Budgets: when a run ends, and why."""

from time import perf_counter
from typing import Any

import numpy as np

from paretoball.result import CLIMBS, MOVES, TIME

LIMITS = ("time_limit", "max_climbs", "max_moves")
UNLIMITED = np.iinfo(np.int64).max
FIRST_SLICE, LONGEST_SLICE = 64, 1 << 20  # moves between two looks at the world
SLICE_SECONDS = 0.02


class OutOfTime(Exception):
    """The budget ended during set-up."""


class Budget:
    """Time, climbs and moves that a run may take, in all."""

    def __init__(
        self,
        time_limit: float | None,
        max_climbs: int | None,
        max_moves: int | None,
    ):
        self.time_limit = checked_seconds(time_limit)
        self.max_climbs = checked_count(max_climbs, "max_climbs")
        self.max_moves = checked_count(max_moves, "max_moves")
        if not any(self.limits().values()):
            raise ValueError("no budget: give time_limit, max_climbs or max_moves")
        self.spent = 0.0  # seconds of it before this call
        self.began = perf_counter()
        self.stopped: str | None = None

    def limits(self) -> dict[str, float | None]:
        """The three limits by name; None where there is none."""
        given = {name: getattr(self, name) for name in LIMITS}
        none = (float("inf"), UNLIMITED)
        return {k: None if limit in none else limit for k, limit in given.items()}

    def left(self) -> float:
        """Seconds until the time is up."""
        return self.time_limit - self.spent - self.elapsed()

    def restart(self, elapsed: float) -> None:
        """Let this call have begun so long ago."""
        self.began = perf_counter() - elapsed

    def elapsed(self) -> float:
        """Seconds since this call began."""
        return perf_counter() - self.began

    def is_over(self) -> bool:
        """Whether somebody stopped the run or its time is up."""
        return self.stopped is not None or self.left() <= 0

    def pulse(self) -> None:
        """During set-up: raise once the run is over."""
        if self.is_over():
            raise OutOfTime

    def status(self, climbs: int, moves: int) -> str:
        """Why the run ended, in a word or two."""
        if self.stopped is not None:
            return self.stopped
        if climbs >= self.max_climbs:
            return CLIMBS
        return MOVES if moves >= self.max_moves else TIME

    def stop(self, why: str) -> None:
        """End the run as soon as it looks."""
        self.stopped = why


def checked_seconds(seconds: Any, name: str = "time_limit") -> float:
    """A time in seconds; None is no limit."""
    if seconds is None:
        return float("inf")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float | np.number):
        raise TypeError(f"{name} = {seconds!r} is not a number of seconds")
    if not seconds > 0:
        raise ValueError(f"{name} = {seconds} s, but it must be above 0")
    return float(seconds)


def checked_count(count: Any, name: str) -> int:
    """A limit on climbs or moves; None is no limit."""
    if count is None:
        return int(UNLIMITED)
    if isinstance(count, bool) or not isinstance(count, int | np.integer):
        raise TypeError(f"{name} = {count!r} is not a whole number")
    if count < 1:
        raise ValueError(f"{name} = {count}, but it must be at least 1")
    return min(int(count), int(UNLIMITED))


def next_slice(moves: int, seconds: float, is_used_up: bool) -> int:
    """How long the next slice should be, to take about SLICE_SECONDS."""
    if seconds < SLICE_SECONDS / 2 and is_used_up:
        return min(2 * moves, LONGEST_SLICE)
    return max(moves // 2, 1) if seconds > 2 * SLICE_SECONDS else moves
