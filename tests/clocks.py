"""Time that is the same on every machine: clocks that only move when looked at.

By a clock of `Ticks`, a run with `time_limit=k` is cut at its k-th look at the time,
however fast or busy the machine is. Workers of an executor `Here` take turns on the
calling thread, so that they are cut at the same instants every time, too.
"""

from collections.abc import Callable
from concurrent.futures import Executor, Future, wait
from functools import partial
from typing import Any

import pytest

from paretoball.running import dispatcher, driver, run, together, worker
from paretoball.running.budget import Budget
from paretoball.running.checkpoint import Saver
from paretoball.search import multistart
from paretoball.search.path import searcher

Clock = Callable[[], float]


class Ticks:
    """A clock that moves on by a step whenever somebody looks at it."""

    def __init__(self, step: float = 1.0):
        self.step = step
        self.now = 0.0

    def __call__(self) -> float:
        self.now += self.step
        return self.now


class Here(Executor):
    """Makes calls on the thread that waits for them, the last one first."""

    def __init__(self) -> None:
        self.calls: list[tuple[Future, Callable[..., Any], Any]] = []

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Future:
        future: Future = Future()
        self.calls.append((future, function, arguments))
        return future

    def make_calls(self) -> None:
        """Make all calls that are waiting."""
        while self.calls:
            future, function, arguments = self.calls.pop()
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(function(*arguments))
                except Exception as error:  # it is for whoever asks for the result
                    future.set_exception(error)


def keep_time(patch: pytest.MonkeyPatch, clock: Clock) -> None:
    """Let what runs and their workers do by time go by this clock."""
    patch.setattr(driver, "Budget", partial(Budget, clock=clock))
    patch.setattr(driver, "Saver", partial(Saver, clock=clock))
    patch.setattr(worker, "perf_counter", clock)


def work_here(patch: pytest.MonkeyPatch) -> Here:
    """An executor whose calls are made whenever a run waits for its workers."""
    here = Here()

    def wait_here(futures: Any, seconds: float, when: str) -> Any:
        here.make_calls()
        return wait(futures, 0, when)

    patch.setattr(dispatcher, "wait", wait_here)
    for name in ("GRACE", "LATE"):
        patch.setattr(together, name, 3600.0)  # what is there is always taken
    return here


def keep_pace(patch: pytest.MonkeyPatch, moves: int, block_seconds: float) -> None:
    """Look at the time after so many moves, always; let blocks take so many seconds."""
    for method in (multistart, searcher):
        patch.setattr(method, "FIRST_SLICE", moves)
        patch.setattr(method, "next_slice", lambda *_: moves)
    patch.setattr(run, "BLOCK_SECONDS", block_seconds)
