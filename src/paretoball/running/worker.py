"""The worker's side of a run: blocks of units, run in a thread or process anywhere.

A request names a block. The job, which is what all units of a run share, is sent once
to each process, which sets up one climber for its threads. A process without the job of
a request answers None, and gets the request again with the job. The answer holds the
points that the block found, and the trails that rebuild their solutions.
"""

import os
import socket
import threading
from contextlib import suppress
from time import perf_counter
from typing import NamedTuple

import numpy as np

from paretoball.archive import Archive, Found, Points
from paretoball.climber import Climber
from paretoball.formats import unpacked_landscape
from paretoball.landscape import Landscape, in_good_order
from paretoball.running.budget import OutOfTime
from paretoball.running.foresight import Foresight
from paretoball.running.options import Options
from paretoball.running.process_pools import settle_in
from paretoball.running.warm_up import compile_search
from paretoball.search import Block, Done, Searcher, Tasks, method_named
from paretoball.system import Pulse, capped, nothing

MOST_JOBS = 2  # the latest jobs, whose climbers a process keeps in any case
UNUSED = 60.0  # seconds without a block after which it drops those of other jobs
NOT_BEGUN = Done(0, 0, 0)
NOTHING = Found(Points(np.empty((0, 1), np.int64), *np.empty((3, 0), np.int64)), {})


class Job(NamedTuple):
    """What all units of a run share."""

    token: str  # names the run
    landscape: Landscape | bytes  # or packed, to be sent
    options: Options
    starts: np.ndarray  # (given, n) uint8

    def unpacked(self) -> "Job":
        """The job with its landscape unpacked."""
        if isinstance(self.landscape, Landscape):
            return self
        return self._replace(landscape=unpacked_landscape(self.landscape))

    def new_climber(self, pulse: Pulse) -> Climber:
        """What climbs for an unpacked job; `pulse` may raise to end its set-up.

        Its landscape is the job's, or a twin with neighbours closer together.
        """
        assert isinstance(self.landscape, Landscape)
        with capped(self.options.memory_limit):
            landscape = in_good_order(self.landscape, pulse)
        return self.climber_of(landscape, pulse)

    def climber_of(self, landscape: Landscape, pulse: Pulse = nothing) -> Climber:
        """A climber with the options of the job; constraints are the searcher's."""
        options = self.options
        with capped(options.memory_limit):
            return Climber(
                landscape.unconstrained,
                options.radius,
                options.selection,
                pulse,
                options.climb,
            )

    def new_searcher(self, climber: Climber) -> Searcher:
        """What runs units, one after the other."""
        options = self.options
        assert isinstance(self.landscape, Landscape)
        method, starts = method_named(options.method), self.starts
        numbering = climber.landscape.numbering
        if numbering is not None:
            starts = numbering.inward(starts)
        return method.searcher(self.landscape, climber, options.asked(), starts)


class BlockRequest(NamedTuple):
    """A block to run, and how far."""

    token: str  # of the job
    block: Block  # without units, it only sets up
    tasks: Tasks  # what its units start from
    max_moves: int
    seconds: float
    fresh: bool  # whether to report to an empty archive, not to the worker's own


class BlockResult(NamedTuple):
    """What came of a block."""

    block: Block
    done: Done
    found: Found
    seconds: float
    setup_seconds: float  # of the climber, if this block set it up
    archive_seconds: float
    worker: str  # its name: host, process and thread


class _Bench:
    """One process's place for one job: a climber, and a searcher for each thread."""

    def __init__(self, job: Job):
        self.job = job
        self.lock = threading.Lock()
        self.climber: Climber | None = None
        self.idle: list[tuple[Searcher, Archive]] = []  # each with what it found
        self.used = perf_counter()
        self.end = float("inf")  # when the run ends, at the latest

    def run(self, request: BlockRequest) -> BlockResult:
        """Run a block, on the calling thread."""
        self.used = began = perf_counter()
        with self.lock:
            setup_seconds = self._set_up(request)
        first, size = block = request.block
        if size == 0 or self.climber is None:
            return _answer(block, setup_seconds=setup_seconds)
        # of requests that wait in a line, the first knows best when the run ends
        self.end = min(self.end, began + request.seconds)
        watch = _Watch(request.token, self.end)
        searcher, archive = self._take()
        before = searcher.archive_seconds
        mine = archive
        if request.fresh or archive.numbered > first:
            mine = Archive(archive.d)
        limit = request.max_moves
        done = searcher.run(mine, block, request.tasks, limit, watch.is_over)
        found = mine.found_by(first, size)
        self.idle.append((searcher, archive))
        return _answer(
            block,
            done,
            found,
            seconds=perf_counter() - began,
            setup_seconds=setup_seconds,
            archive_seconds=searcher.archive_seconds - before,
        )

    def _set_up(self, request: BlockRequest) -> float:
        """Build the climber, if it is not there and time allows; how long it took.

        Compilation does not count.
        """
        if self.climber is not None:
            return 0.0
        began = perf_counter()
        self.job = self.job.unpacked()
        assert isinstance(self.job.landscape, Landscape)
        options = self.job.options
        unpacked = perf_counter()
        compile_search(
            self.job.landscape,
            options.radius,
            options.method,
            options.selection,
            memory_limit=options.memory_limit,
        )
        began += perf_counter() - unpacked
        watch = _Watch(request.token, began + request.seconds)
        with suppress(OutOfTime):
            self.climber = self.job.new_climber(watch.pulse)
            if not self.job.landscape.constraints:
                self.job = self.job._replace(landscape=self.climber.landscape)
        return perf_counter() - began

    def _take(self) -> tuple[Searcher, Archive]:
        try:
            return self.idle.pop()
        except IndexError:
            assert self.climber is not None
            archive = Archive(self.climber.landscape.d)
            return self.job.new_searcher(self.climber), archive


class _Watch:
    """When to end a block early."""

    def __init__(self, token: str, end: float):
        self.token = token
        self.end = end
        self.foresight = Foresight(perf_counter)

    def is_over(self, moves: int = 0) -> bool:
        """Whether the time is nearly up, or the run has ended."""
        return self.token in _over or self.foresight.is_late(self.end, moves)

    def pulse(self) -> None:
        """During set-up: raise once the time is up or the run has ended."""
        if self.is_over():
            raise OutOfTime


_benches: dict[str, _Bench] = {}  # by token, the latest last
_over: set[str] = set()  # tokens of runs of this process that have ended
_lock = threading.Lock()


def run_block(request: BlockRequest, job: Job | None = None) -> BlockResult | None:
    """Run a block and answer; None if this process has no job of this token."""
    with _lock:
        if request.token not in _benches:
            if job is None:
                return None
            if isinstance(job.landscape, bytes):  # it came from another process
                settle_in()
            _benches[request.token] = _Bench(job)
            for token, bench in list(_benches.items())[:-MOST_JOBS]:
                if perf_counter() - bench.used > UNUSED:
                    del _benches[token]
        bench = _benches[request.token]
    return bench.run(request)


def climber_at_hand(token: str) -> Climber | None:
    """What climbs for a run, if this process has it; maybe on a twin."""
    bench = _benches.get(token)
    return None if bench is None else bench.climber


def end_run(token: str) -> None:
    """Let the blocks of a run that this process is working on end early."""
    _over.add(token)
    with _lock:
        _benches.pop(token, None)


def forget_runs() -> None:
    """Forget all runs that this process has worked for."""
    with _lock:
        _benches.clear()
        _over.clear()


def _answer(
    block: Block,
    done: Done = NOT_BEGUN,
    found: Found = NOTHING,
    seconds: float = 0.0,
    setup_seconds: float = 0.0,
    archive_seconds: float = 0.0,
) -> BlockResult:
    """What came of a block, signed by this worker."""
    worker = f"{socket.gethostname()} {os.getpid()} {threading.get_ident()}"
    times = (seconds, setup_seconds, archive_seconds)
    return BlockResult(block, done, found, *times, worker)
