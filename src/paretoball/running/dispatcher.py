"""The dispatcher: blocks of units on the workers of an executor, with nothing lost.

Any `concurrent.futures.Executor` will do. Blocks whose worker died are run again. After
a second death each of their units is run alone, to find out which unit kills its
worker. A unit that kills three workers while it runs alone ends the run. A pool of
processes breaks when one process dies; a new pool with the same settings replaces it.
"""

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
from contextlib import suppress
from time import monotonic
from typing import Any

from paretoball.running.process_pools import (
    end_processes,
    is_sound,
    kill_processes,
    like,
)
from paretoball.search import Block

KILLS = 3  # of workers by one unit alone, which end the run
STILLBORN = 3  # pools in a row that break before any block is done, at most
ASK_EVERY = 2.0  # seconds between two questions how many workers there are
UNNOTICED = 2.0  # seconds that a pool has to notice the death of a process
GUARD = 'if __name__ == "__main__":'


GREETING = Block(0, 0)  # without units: it asks whether a worker is there


class DeadlyUnit(RuntimeError):
    """A unit killed its worker again and again."""

    def __init__(self, number: int):
        super().__init__(f"unit {number} killed its worker {KILLS} times")
        self.number = number


class NoWorkers(OSError):
    """The executor has stopped working."""


class Dispatcher:
    """Hands blocks to workers, and collects what comes back.

    Parameters
    ----------
    executor
        What runs the blocks.
    workers
        How many blocks can be run at a time; None asks the executor, every 2 seconds.
    call
        Returns what to submit, a function and its arguments. It is called with a block,
        and with whether the last worker of this block answered None, because it had no
        job.
    ahead
        How many blocks each worker is given, so that none waits for the next.
    """

    def __init__(
        self,
        executor: Executor,
        workers: int | None,
        call: Callable[[Block, bool], tuple],
        ahead: int = 2,
    ):
        self.executor = executor
        self.given = workers
        self.asked = (-ASK_EVERY, 1)  # when, and the answer
        self.call = call
        self.ahead = ahead
        self.waiting: deque[Block] = deque()
        self.suspects: deque[Block] = deque()  # one of them may have killed a worker
        self.under_way: dict[Future, Block] = {}
        self.alone: Block | None = None  # the suspect that was last handed out
        self.deaths: Counter[int] = Counter()  # of workers, while each unit was running
        self.kills: Counter[int] = Counter()  # of workers, while each unit ran alone
        self.lacking: set[Block] = set()
        self.made: list[ProcessPoolExecutor] = []
        self.is_greeted = True  # no worker is newer than the last greeting
        self.stillborn = 0
        self.has_worked = False
        self.is_ending = False
        self.last_sound = monotonic()  # when all processes were last seen alive

    def __enter__(self) -> "Dispatcher":
        return self

    def __exit__(self, *_: object) -> None:
        """Cancel what is under way; end the pools that were made here.

        A given pool that just lost a process is broken, or else its own end may wait
        for ever: the others may wait for a lock which that process held.
        """
        for future in self.under_way:
            future.cancel()
        pool = self.executor
        if isinstance(pool, ProcessPoolExecutor) and not is_sound(pool):
            kill_processes(pool)
        for pool in self.made:
            end_processes(pool)

    @property
    def workers(self) -> int:
        """How many blocks can be run at a time."""
        if self.given is not None:
            return self.given
        if monotonic() - self.asked[0] > ASK_EVERY:
            with suppress(Exception):  # the next block says better what is wrong
                self.asked = (monotonic(), capacity(self.executor))
        return self.asked[1]

    def add(self, block: Block) -> None:
        """Run this block."""
        self.waiting.append(block)

    def has_room(self) -> bool:
        """Whether another block would be submitted at once."""
        return not self.suspects and (
            len(self.waiting) + len(self.under_way) < self.ahead * self.workers
        )

    def is_idle(self) -> bool:
        """Whether no block is waiting or under way."""
        return not (self.waiting or self.suspects or self.under_way)

    def give_up_waiting(self) -> None:
        """Forget the blocks that are not submitted yet."""
        self.waiting.clear()
        self.suspects.clear()
        self.is_ending = True

    def collect(self, seconds: float) -> list[Any]:
        """What was finished, after waiting at most `seconds` for it.

        A failure is raised when no other block is finished, so that no answer is lost.
        """
        self._hand_out()
        self._look_after_processes()
        done, _ = wait(self.under_way, seconds, FIRST_COMPLETED)
        results = []
        in_order = sorted(done, key=self.under_way.__getitem__)
        for future in [each for each in in_order if _failure(each) is None] or in_order:
            block = self.under_way.pop(future)
            error = _failure(future)
            if self.is_ending and (error is not None or future.result() is None):
                continue
            if _is_death(error):
                self._run_again(block, error)
            elif isinstance(error, CancelledError):
                raise NoWorkers("the executor gave up: is its scheduler still there?")
            elif error is not None:
                raise error
            elif future.result() is None:
                self.lacking.add(block)
                suspect = self.deaths[block.first] > 1
                (self.suspects if suspect else self.waiting).appendleft(block)
            else:
                self._note_life()
                results.append(future.result())
        return results

    def _look_after_processes(self) -> None:
        """Break a pool that does not notice the death of one of its processes."""
        pool = self.executor
        if not isinstance(pool, ProcessPoolExecutor) or is_sound(pool):
            self.last_sound = monotonic()
        elif monotonic() - self.last_sound > UNNOTICED:
            kill_processes(pool)

    def _note_life(self) -> None:
        """A block is done, so its worker lives."""
        self.is_greeted = self.has_worked = True
        self.stillborn = 0

    def _run_again(self, block: Block, error: BaseException | None) -> None:
        """Run a block again whose worker died, or stop the run."""
        told = type(error).__name__ == "KilledWorker"  # Dask has tried several times
        if block.size == 0:
            if told:
                raise NoWorkers("workers die before they do anything")
            return
        if block == self.alone:
            self.kills[block.first] += 1
        if block.size == 1 and (told or self.kills[block.first] >= KILLS):
            raise DeadlyUnit(block.first)
        numbers = range(block.first, block.end)
        self.deaths.update(numbers)
        if told or self.deaths[block.first] > 1:
            self.suspects.extend(Block(number, 1) for number in numbers)
            self.is_greeted = False
        else:
            self.waiting.appendleft(block)

    def _hand_out(self) -> None:
        """Submit as many blocks as there is room for, or one suspect alone."""
        if self.suspects:
            if not self.under_way and self.is_greeted:
                self.alone = self.suspects.popleft()
                self._submit(self.alone)
            elif not self.under_way:
                self._submit(GREETING)
            return
        while self.waiting and len(self.under_way) < self.ahead * self.workers:
            self._submit(self.waiting.popleft())

    def _submit(self, block: Block) -> None:
        call = self.call(block, block in self.lacking or block.size == 0)
        self.lacking.discard(block)
        try:
            future = self.executor.submit(*call)
        except BrokenExecutor:
            self._start_again()
            future = self.executor.submit(*call)
        except Exception as error:
            raise NoWorkers(f"the executor takes no more work: {error}") from None
        self.under_way[future] = block

    def _start_again(self) -> None:
        """Put a new pool of processes in the place of a broken one."""
        broken = self.executor
        if not isinstance(broken, ProcessPoolExecutor):
            raise NoWorkers("the executor is broken, and of a kind not to be replaced")
        kill_processes(broken)  # some may still run after SIGTERM
        self.stillborn += 1
        if self.stillborn > STILLBORN * (5 if self.has_worked else 1):
            raise NoWorkers(
                "processes die before they do anything: "
                f"does the program that starts them do so under {GUARD}?"
            )
        self.executor = like(broken)
        self.made.append(self.executor)
        self.is_greeted = False


def _failure(future: Future) -> BaseException | None:
    """The error of a block that ended, if it failed."""
    return CancelledError() if future.cancelled() else future.exception()


def _is_death(error: BaseException | None) -> bool:
    """Whether this is the error of a block whose worker died."""
    broken = isinstance(error, BrokenExecutor)
    return broken or type(error).__name__ == "KilledWorker"


def capacity(executor: Executor) -> int:
    """How many blocks an executor can run at a time, as far as it says."""
    client = getattr(executor, "_client", None)  # of Dask's
    if client is not None:
        return max(1, sum(client.nthreads().values()))
    for name in ("_max_workers", "num_workers"):  # of the standard ones, of mpi4py's
        size = getattr(executor, name, None)
        if isinstance(size, int) and size > 0:
            return size
    return os.cpu_count() or 1
