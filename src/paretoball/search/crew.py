"""The crew: numbered units at work on an executor, with nothing lost.

Any `concurrent.futures.Executor` will do. Units whose worker died are done again, each
alone, so that one which kills its worker is told from those that were only near it; it
stops the run at its third kill. A pool of processes, which breaks when one of them
dies, is replaced by a new one like it.
"""

import multiprocessing
import os
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from time import perf_counter
from typing import Any, NamedTuple

KILLS = 3  # of one unit end the run
STILLBORN = 3  # workers that die in a row before any did something
ASK_EVERY = 2.0  # seconds between two questions how many workers there are
AHEAD = 2  # units handed out per worker, so that none waits for the next
GUARD = 'if __name__ == "__main__":'


class Unit(NamedTuple):
    """Some numbers in a row; none at all is only a greeting."""

    first: int
    size: int = 1


class DeadlyUnit(RuntimeError):
    """A unit killed its worker again and again."""


class NoWorkers(OSError):
    """The executor has stopped working."""


class Crew:
    """Units at work.

    Parameters
    ----------
    executor
        Who does the work.
    workers
        How many units can be done at a time; None asks the executor, again and again.
    call
        Of a unit, what to submit: a function and its arguments. The second argument
        tells whether the last worker who got the unit said, by None, that it lacks
        what all units share.
    """

    def __init__(
        self,
        executor: Executor,
        workers: int | None,
        call: Callable[[Unit, bool], tuple],
    ):
        self.executor = executor
        self.given = workers
        self.asked = (-ASK_EVERY, 1)  # when, and the answer
        self.call = call
        self.waiting: deque[Unit] = deque()
        self.suspects: deque[Unit] = deque()  # a worker died of one of them
        self.under_way: dict[Future, Unit] = {}
        self.kills: Counter[int] = Counter()
        self.lacking: set[Unit] = set()
        self.made: list[ProcessPoolExecutor] = []
        self.is_greeted = True  # no worker is newer than the last greeting
        self.stillborn = 0
        self.has_worked = False
        self.is_ending = False

    def __enter__(self) -> "Crew":
        return self

    def __exit__(self, *_: object) -> None:
        """Wait for nobody; pools that were made here end with their processes."""
        for future in self.under_way:
            future.cancel()
        for pool in self.made:
            end_processes(pool)

    @property
    def workers(self) -> int:
        """How many units can be done at a time."""
        if self.given is not None:
            return self.given
        if perf_counter() - self.asked[0] > ASK_EVERY:
            self.asked = (perf_counter(), capacity(self.executor))
        return self.asked[1]

    def add(self, unit: Unit) -> None:
        """Have this unit done."""
        self.waiting.append(unit)

    def has_room(self) -> bool:
        """Whether more units would be handed out at once."""
        return not self.suspects and (
            len(self.waiting) + len(self.under_way) < AHEAD * self.workers
        )

    def is_idle(self) -> bool:
        """Whether there is nothing to wait for."""
        return not (self.waiting or self.suspects or self.under_way)

    def give_up_waiting(self) -> None:
        """Have only those units done that are begun."""
        self.waiting.clear()
        self.suspects.clear()
        self.is_ending = True

    def collect(self, seconds: float) -> list[Any]:
        """What was finished, after waiting so long for it at most."""
        self._hand_out()
        done, _ = wait(self.under_way, seconds, FIRST_COMPLETED)
        results = []
        for future in done:
            unit = self.under_way.pop(future)
            error = CancelledError() if future.cancelled() else future.exception()
            if self.is_ending and (error is not None or future.result() is None):
                continue
            if is_death(error):
                self._bury(unit, error)
            elif isinstance(error, CancelledError):
                raise NoWorkers("the executor gave up: is its scheduler still there?")
            elif error is not None:
                raise error
            elif future.result() is None:
                self.lacking.add(unit)
                again = self.suspects if self.kills[unit.first] else self.waiting
                again.appendleft(unit)
            else:
                self._welcome(unit)
                results.append(future.result())
        return results

    def _welcome(self, unit: Unit) -> None:
        """A unit is done, so its worker lives."""
        self.is_greeted = self.has_worked = True
        self.stillborn = 0

    def _bury(self, unit: Unit, error: BaseException | None) -> None:
        """A worker died that may have been at this unit."""
        if unit.size == 0:
            self.stillborn += 1
            if self.stillborn >= STILLBORN * (5 if self.has_worked else 1):
                raise NoWorkers(
                    "workers die before they do anything: "
                    f"does the program that starts processes do so under {GUARD}?"
                )
            return
        last = unit.first + unit.size
        self.suspects.extend(Unit(number) for number in range(unit.first, last))
        self.is_greeted = False
        self.kills.update(range(unit.first, last))
        told = type(error).__name__ == "KilledWorker"  # Dask has tried several times
        if unit.size == 1 and (self.kills[unit.first] >= KILLS or told):
            raise DeadlyUnit(f"unit {unit.first} killed its worker {KILLS} times")

    def _hand_out(self) -> None:
        """Submit what can be: all there is room for, or one suspect alone."""
        if self.suspects:
            if not self.under_way and self.is_greeted:
                self._submit(self.suspects.popleft())
            elif not self.under_way:
                self._submit(Unit(0, 0))
            return
        while self.waiting and len(self.under_way) < AHEAD * self.workers:
            self._submit(self.waiting.popleft())

    def _submit(self, unit: Unit) -> None:
        call = self.call(unit, unit in self.lacking or unit.size == 0)
        self.lacking.discard(unit)
        try:
            future = self.executor.submit(*call)
        except BrokenExecutor:
            self._start_again()
            future = self.executor.submit(*call)
        except Exception as error:
            raise NoWorkers(f"the executor takes no more work: {error}") from None
        self.under_way[future] = unit

    def _start_again(self) -> None:
        """Put a new pool of processes in the place of a broken one."""
        broken = self.executor
        if not isinstance(broken, ProcessPoolExecutor):
            raise NoWorkers("the executor is broken, and of a kind not to be replaced")
        self.executor = like(broken)
        self.made.append(self.executor)
        self.is_greeted = False


def is_death(error: BaseException | None) -> bool:
    """Whether a unit ended in this way because its worker did."""
    broken = isinstance(error, BrokenExecutor)
    return broken or type(error).__name__ == "KilledWorker"


def like(pool: ProcessPoolExecutor) -> ProcessPoolExecutor:
    """A new pool with the settings of another."""
    old: Any = pool
    return ProcessPoolExecutor(
        old._max_workers, old._mp_context, old._initializer, old._initargs
    )


def new_processes(workers: int) -> ProcessPoolExecutor:
    """A pool of processes that start from nothing."""
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"))


def end_processes(pool: ProcessPoolExecutor) -> None:
    """End a pool now, whatever its processes are doing."""
    processes = list((getattr(pool, "_processes", None) or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.kill()


def capacity(executor: Executor) -> int:
    """How many units an executor can do at a time, where it tells."""
    client = getattr(executor, "_client", None)  # of Dask's
    if client is not None:
        return max(1, sum(client.nthreads().values()))
    for name in ("_max_workers", "num_workers"):  # of the standard ones, of mpi4py's
        size = getattr(executor, name, None)
        if isinstance(size, int) and size > 0:
            return size
    return os.cpu_count() or 1
