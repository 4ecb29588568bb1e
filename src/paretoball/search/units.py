"""Units: climbs by their numbers, as workers run them, wherever they are.

An order says which climbs to run, in numbers. What all climbs of a run share travels
once to each process, which sets up a workshop for its threads; who has none yet answers
an order with None, and gets it again with the job. What comes back is a packed front:
vectors, where each was found, and the trails to rebuild solutions from.
"""

import os
import socket
import threading
from contextlib import suppress
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from paretoball.archive import Archive, Trail
from paretoball.climber import Climber
from paretoball.files import unpacked_landscape
from paretoball.landscape import Landscape
from paretoball.memory import capped
from paretoball.moves import Pulse
from paretoball.search.budget import OutOfTime
from paretoball.search.multistart import FINISHED, MOVES, MultiStart, Unplanned
from paretoball.search.path import Path
from paretoball.search.processes import settle_in
from paretoball.search.rounds import Rounds, Tasks
from paretoball.search.warm_up import warm_up
from paretoball.weights import WeightSource

METHODS: dict[str, Any] = {"path": Path, "multistart": MultiStart}
PLANS: dict[str, Any] = {"path": Rounds, "multistart": Unplanned}
WORKSHOPS = 2  # runs that a process keeps its climbers for in any case
UNUSED = 60.0  # seconds after which it drops those of others


class Job(NamedTuple):
    """What all climbs of a run share."""

    token: str  # names the run
    landscape: Landscape | bytes  # as it is, or packed for the way
    config: dict[str, Any]
    starts: np.ndarray  # (given, n) uint8

    def unpacked(self) -> "Job":
        """The job with its landscape as it is."""
        if isinstance(self.landscape, Landscape):
            return self
        return self._replace(landscape=unpacked_landscape(self.landscape))

    def new_climber(self, pulse: Pulse) -> Climber:
        """The climber of an unpacked job; `pulse` may raise to end its set-up."""
        assert isinstance(self.landscape, Landscape)
        config = self.config
        with capped(config["memory_limit"]):
            return Climber(
                self.landscape,
                config["radius"],
                config["selection"],
                pulse,
                config["climb"],
            )

    def new_searcher(self, climber: Climber) -> Any:
        """What runs climbs, one after the other."""
        seed, weights = self.config["seed"], self.config["weights"]
        source = WeightSource(weights, climber.landscape, climber.bounds, seed)
        return METHODS[self.config["method"]](climber, seed, source, self.starts)

    def new_plan(self) -> Any:
        """What climbs start from, as far as that is planned."""
        assert isinstance(self.landscape, Landscape)
        seed, weights = self.config["seed"], self.config["weights"]
        return PLANS[self.config["method"]](self.landscape, weights, seed)


class Order(NamedTuple):
    """Which climbs to run, and how far."""

    token: str  # of the job
    first: int
    size: int  # none only sets up
    max_moves: int
    seconds: float
    tasks: Tasks | None  # what paths start from
    fresh: bool  # whether to leave out nothing but what these climbs themselves beat


class Found(NamedTuple):
    """What came of some climbs in a row."""

    first: int
    size: int  # climbs asked for
    climbs: int  # finished
    moves: int
    settled: int  # moves of finished climbs
    fx: np.ndarray  # (rows, d) int64
    tags: np.ndarray  # (rows, 3) int64: climb, step, 1 if it is a local optimum
    trails: dict[int, Trail]
    seconds: float
    setup_seconds: float  # of the workshop, if it was set up for this
    archive_seconds: float
    worker: str


class Workshop:
    """One process's place for the climbs of one run."""

    def __init__(self, job: Job):
        self.job = job
        self.lock = threading.Lock()
        self.climber: Climber | None = None
        self.idle: list[tuple[Any, Archive]] = []  # searchers, and what each has found
        self.used = perf_counter()

    def work(self, order: Order) -> Found:
        """Carry out an order, on the calling thread."""
        self.used = began = perf_counter()
        with self.lock:
            setup = self._set_up(order)
        if order.size == 0 or self.climber is None:
            return nothing_found(order)._replace(setup_seconds=setup)
        searcher, archive = self._take()
        before = searcher.archive_seconds
        mine = archive
        if order.fresh or archive.numbered > order.first:
            mine = Archive(archive.d)
        size, limit = order.size, order.max_moves
        over = Watch(order).is_over
        block = searcher.run(mine, order.first, size, limit, over, order.tasks)
        fx, tags, trails = mine.climbs(order.first, size)
        self.idle.append((searcher, archive))
        return nothing_found(order)._replace(
            climbs=int(block.done[FINISHED]),
            moves=int(block.done[MOVES]),
            settled=block.settled_moves(),
            fx=fx,
            tags=tags,
            trails=trails,
            seconds=perf_counter() - began,
            setup_seconds=setup,
            archive_seconds=searcher.archive_seconds - before,
        )

    def _set_up(self, order: Order) -> float:
        """Build the climber, if it is not there and time allows; how long it took."""
        if self.climber is not None:
            return 0.0
        self.job = self.job.unpacked()
        assert isinstance(self.job.landscape, Landscape)
        config = self.job.config
        warm_up(self.job.landscape, config["radius"], METHODS[config["method"]])
        began = perf_counter()
        with suppress(OutOfTime):
            self.climber = self.job.new_climber(Watch(order).pulse)
        return perf_counter() - began

    def _take(self) -> tuple[Any, Archive]:
        try:
            return self.idle.pop()
        except IndexError:
            assert self.climber is not None
            archive = Archive(self.climber.landscape.d)
            return self.job.new_searcher(self.climber), archive


class Watch:
    """When to end an order early."""

    def __init__(self, order: Order):
        self.token = order.token
        self.end = perf_counter() + order.seconds

    def is_over(self, moves: int = 0) -> bool:
        """Whether the time is up, or nobody waits for it any more."""
        return self.token in _over or perf_counter() >= self.end

    def pulse(self) -> None:
        """During set-up: raise once it is over."""
        if self.is_over():
            raise OutOfTime


_workshops: dict[str, Workshop] = {}  # by token, the latest last
_over: set[str] = set()  # tokens of runs of this process that have ended
_lock = threading.Lock()


def run_units(order: Order, job: Job | None = None) -> Found | None:
    """What comes of an order; None if this process lacks its job."""
    with _lock:
        if order.token not in _workshops:
            if job is None:
                return None
            if isinstance(job.landscape, bytes):  # it came from another process
                settle_in()
            _workshops[order.token] = Workshop(job)
            for token, workshop in list(_workshops.items())[:-WORKSHOPS]:
                if perf_counter() - workshop.used > UNUSED:
                    del _workshops[token]
        workshop = _workshops[order.token]
    return workshop.work(order)


def climber_at_hand(token: str) -> Climber | None:
    """The climber of a run, if it is in this process."""
    workshop = _workshops.get(token)
    return None if workshop is None else workshop.climber


def end_run(token: str) -> None:
    """Let what workers of this process still do for a run come to an end."""
    _over.add(token)
    with _lock:
        _workshops.pop(token, None)


def nothing_found(order: Order) -> Found:
    """The answer to an order before anything is done."""
    return Found(
        first=order.first,
        size=order.size,
        climbs=0,
        moves=0,
        settled=0,
        fx=np.empty((0, 1), np.int64),
        tags=np.empty((0, 3), np.int64),
        trails={},
        seconds=0.0,
        setup_seconds=0.0,
        archive_seconds=0.0,
        worker=f"{socket.gethostname()} {os.getpid()} {threading.get_ident()}",
    )
