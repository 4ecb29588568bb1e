"""Budgets: when a run ends, and why."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from types import FrameType
from typing import Any

import numpy as np

UNLIMITED = np.iinfo(np.int64).max
INTERRUPTED, TERMINATED = "interrupted", "terminated"
BY_CALLBACK = "stopped by the callback"
STOPPED = (INTERRUPTED, TERMINATED, BY_CALLBACK)  # of a run that ended early


class OutOfTime(Exception):
    """The budget ended during set-up."""


class Budget:
    """Time, climbs and moves that a run may take, from now on."""

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
        self.began = perf_counter()
        self.stopped: str | None = None

    def limits(self) -> dict[str, float | None]:
        """The three limits by name; None where there is none."""
        names = ("time_limit", "max_climbs", "max_moves")
        given = {name: getattr(self, name) for name in names}
        none = (float("inf"), UNLIMITED)
        return {k: None if limit in none else limit for k, limit in given.items()}

    def elapsed(self) -> float:
        """Seconds since the run began."""
        return perf_counter() - self.began

    def is_over(self) -> bool:
        """Whether somebody stopped the run or its time is up."""
        return self.stopped is not None or self.elapsed() >= self.time_limit

    def pulse(self) -> None:
        """During set-up: raise once the run is over."""
        if self.is_over():
            raise OutOfTime

    def status(self, climbs: int, moves: int) -> str:
        """Why the run ended, in a word or two."""
        if self.stopped is not None:
            return self.stopped
        if climbs >= self.max_climbs:
            return "climbs done"
        return "moves done" if moves >= self.max_moves else "time is up"

    def stop(self, why: str) -> None:
        """End the run as soon as it looks."""
        self.stopped = why


@contextmanager
def stopping_on_signals(stop: Callable[[str], None]) -> Iterator[None]:
    """Let Ctrl-C and SIGTERM call `stop(why)`, once; a second Ctrl-C is a Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def heed(number: int, frame: FrameType | None) -> None:
        stop(INTERRUPTED if number == signal.SIGINT else TERMINATED)
        signal.signal(number, before[number])

    before: dict[int, Any] = {}
    for number in (signal.SIGINT, signal.SIGTERM):
        before[number] = signal.signal(number, heed)
    try:
        yield
    finally:
        for caught, handler in before.items():
            signal.signal(caught, handler)


def checked_seconds(seconds: Any) -> float:
    """A time limit in seconds; None is no limit."""
    if seconds is None:
        return float("inf")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float | np.number):
        raise TypeError(f"time_limit = {seconds!r} is not a number of seconds")
    if not seconds > 0:
        raise ValueError(f"time_limit = {seconds} s, but it must be above 0")
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
