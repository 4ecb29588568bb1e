"""The driver: runs numbered climbs on workers, within a budget, into one archive.

Climbs are handed out in blocks, in order, and what they find is merged in that order;
ties go to the lowest (climb, step). So the archive depends on which climbs were run,
and not on how many workers ran them.
"""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from paretoball._jit import announced
from paretoball.archive import Archive
from paretoball.climber import CLIMBS, SELECTIONS, Climber, checked_choice
from paretoball.footprint import check_workers
from paretoball.landscape import Landscape, checked_solutions
from paretoball.moves import checked_radius
from paretoball.result import Result
from paretoball.search.budget import (
    BY_CALLBACK,
    Budget,
    OutOfTime,
    checked_count,
    stopping_on_signals,
)
from paretoball.search.multistart import FINISHED, MOVES, Block, MultiStart
from paretoball.search.progress import Progress
from paretoball.search.warm_up import warm_up
from paretoball.streams import entropy_of, random_solution, spawn_streams
from paretoball.subfunctions import brief
from paretoball.weights import WeightSource, score_bounds

BLOCK_SECONDS = 0.25  # what a block of climbs should take, if one climb takes less
MOST_WORKERS = 1024
METHODS = {"multistart": MultiStart}


def solve(
    landscape: Landscape,
    method: str = "multistart",
    radius: int = 2,
    seed: Any = None,
    time_limit: float | None = None,
    max_climbs: int | None = None,
    max_moves: int | None = None,
    start: Any = None,
    weights: Any = None,
    workers: int = 1,
    callback: Callable[..., Any] | None = None,
    progress: bool | None = None,
    selection: str = "next",
    climb: str = "full",
) -> Result:
    """Search for the Pareto front of a landscape.

    Parameters
    ----------
    method
        `"multistart"`: climbs from random solutions in random directions.
    radius
        Climbs end where no solution within this Hamming distance dominates.
    seed
        An int, a SeedSequence or a Generator. Without one, the seed drawn is in
        `result.config`.
    time_limit, max_climbs, max_moves
        The budget: seconds, set-up included, compilation not; climbs; moves. At least
        one of them; the first to be used up ends the run.
    start
        Solutions to start the first climbs from, one or several; later climbs start at
        random.
    weights
        None draws directions uniformly on the simplex; `"independent"` draws each
        weight on its own, as the authors' code does; numbers are taken as they are, one
        vector for all climbs or a row for each in turn.
    workers
        Threads. The same climbs give the same archive, whatever their number.
    callback
        Called with the run's state after blocks of climbs, at most ten times a second;
        it stops the run by returning True.
    progress
        True shows a line on standard error, False does not; None does on a terminal.
    selection
        `"next"` or `"best"`, as for `Climber`.
    climb
        `"full"` or `"strong-only"`, as for `Climber`.

    Examples
    --------
    >>> ones = [((j,), [0, 1]) for j in range(8)]
    >>> zeros = [((j,), [1, 0]) for j in range(8)]
    >>> landscape = Landscape.from_subfunctions(8, [ones, zeros])
    >>> result = solve(landscape, radius=1, max_climbs=20, seed=1)
    >>> bool((result.F.sum(axis=1) == 8).all())
    True
    """
    if not isinstance(landscape, Landscape):
        raise TypeError(f"{brief(landscape)} is not a Landscape")
    if method not in list(METHODS):
        raise ValueError(f"method = {method!r}, but there is {', '.join(METHODS)}")
    if callback is not None and not callable(callback):
        raise TypeError(f"callback = {callback!r} cannot be called")
    radius = checked_radius(radius)
    workers = checked_count(workers, "workers")
    if workers > MOST_WORKERS:
        raise ValueError(f"workers = {workers}, but at most {MOST_WORKERS} make sense")
    entropy = entropy_of(seed)
    starts = checked_starts(start, landscape.n)
    bounds = score_bounds(landscape, radius)
    source = WeightSource(weights, landscape, bounds, entropy)
    limits = Budget(time_limit, max_climbs, max_moves).limits()  # refuse early
    config = {
        "method": method,
        "radius": radius,
        "seed": entropy,
        **limits,
        "starts": len(starts),
        "weights": weights if weights is None else np.asarray(weights).tolist(),
        "workers": workers,
        "selection": checked_choice("selection", selection, SELECTIONS),
        "climb": checked_choice("climb", climb, CLIMBS),
    }
    with Progress(landscape, time_limit, callback, progress) as display:
        with announced(display.say):
            warm_up(landscape, radius)
        budget = Budget(time_limit, max_climbs, max_moves)
        run = Run(landscape, budget, display)
        with stopping_on_signals(budget.stop):
            run.search(config, source, starts, METHODS[method])
            display.finish(run)
        return run.result(config)


def checked_starts(start: Any, n: int) -> np.ndarray:
    """Given start solutions, (given, n) uint8."""
    if start is None:
        return np.empty((0, n), np.uint8)
    return np.atleast_2d(checked_solutions(start, n, "start"))


class Apart(NamedTuple):
    """What came of a block that had an archive of its own."""

    block: Block
    archive: Archive
    seconds: float


class Run:
    """One run: its archive, and what it has done so far."""

    def __init__(self, landscape: Landscape, budget: Budget, display: Progress):
        self.landscape = landscape
        self.budget = budget
        self.display = display
        self.archive = Archive(landscape.d)
        self.climber: Climber | None = None  # until it is set up
        self.archive_seconds = 0.0
        self.moves = 0
        self.climbs = 0
        self.setup_seconds = 0.0
        self.ended = False  # whether blocks under way are to end early

    def search(
        self,
        config: dict[str, Any],
        source: WeightSource,
        starts: np.ndarray,
        method: Any,
    ) -> None:
        """Set up, then climb until the budget is used up."""
        try:
            climber = Climber(
                self.landscape,
                config["radius"],
                config["selection"],
                self.budget.pulse,
                config["climb"],
            )
        except OutOfTime:
            self.setup_seconds = self.budget.elapsed()
            self._report_start(config["seed"], starts)
            return
        self.climber = climber
        vector = self.landscape.d * climber.cliques.tables.itemsize
        check_workers(config["workers"], len(climber.moves), vector)
        searchers = [
            method(climber, config["seed"], source, starts)
            for _ in range(config["workers"])
        ]
        self.setup_seconds = self.budget.elapsed()
        if len(searchers) == 1:
            self._alone(searchers[0])
        else:
            try:
                self._together(searchers)
            finally:
                self.ended = True
        self.archive_seconds = sum(each.archive_seconds for each in searchers)

    def _report_start(self, entropy: int, starts: np.ndarray) -> None:
        """No time for a climb: the start of the first one is all there is."""
        x = np.empty(self.landscape.n, np.uint8)
        if len(starts):
            x[:] = starts[0]
        else:
            random_solution(spawn_streams(entropy, np.zeros(1, np.int64))[0], x)
        self.archive.report(self.landscape.inside(self.landscape.evaluate(x)), x)

    def _alone(self, searcher: Any) -> None:
        """One worker reports straight into the run's archive."""
        count = 1
        while True:
            began = self.budget.elapsed()
            count = min(count, self.budget.max_climbs - self.climbs)
            left = self.budget.max_moves - self.moves
            block = searcher.run(self.archive, self.climbs, count, left, self._stop)
            self._account(block)
            if self._is_done() or block.done[FINISHED] < count:
                return
            count = next_count(count, self.budget.elapsed() - began)

    def _together(self, searchers: list[Any]) -> None:
        """Workers climb from a copy of the archive, merged in the order of climbs."""
        idle = deque(searchers)
        waiting: deque[tuple[Any, int, int, Future[Apart]]] = deque()
        first, count = 0, 1
        with ThreadPoolExecutor(len(searchers)) as pool:
            while True:
                while idle and first < self.budget.max_climbs:
                    count = min(count, self.budget.max_climbs - first)
                    searcher = idle.popleft()
                    left = self.budget.max_moves - self.moves
                    future = pool.submit(
                        self._apart, searcher, self.archive.copy(), first, count, left
                    )
                    waiting.append((searcher, first, count, future))
                    first += count
                if not waiting:
                    return
                searcher, at, size, future = waiting.popleft()
                block, found, seconds = future.result()
                left = self.budget.max_moves - self.moves
                if block.done[MOVES] >= left:  # others used moves too: only so far
                    block = searcher.run(self.archive, at, size, left, self._stop)
                else:
                    self.archive.merge_climbs(found, at, size)
                self._account(block)
                idle.append(searcher)
                if self._is_done() or block.done[FINISHED] < size:
                    self._abandon(waiting)
                    return
                count = next_count(size, seconds)

    def _apart(
        self, searcher: Any, archive: Archive, first: int, count: int, left: int
    ) -> Apart:
        """Run a block into an archive of its own, on a worker."""
        began = perf_counter()
        block = searcher.run(archive, first, count, left, self._stop)
        self.display.block_done()
        return Apart(block, archive, perf_counter() - began)

    def _abandon(self, waiting: Any) -> None:
        """End the blocks under way; keep what they found unless moves ran out."""
        self.ended = True
        left = self.budget.max_moves - self.moves
        for _, at, size, future in waiting:
            block, found, _ = future.result()
            if left > 0 and self.moves + block.done[MOVES] <= self.budget.max_moves:
                self.archive.merge_climbs(found, at, size)
                self._account(block)

    def _stop(self, moves: int) -> bool:
        self.display.tick(self, int(moves))
        return self.ended or self.budget.is_over()

    def _account(self, block: Block) -> None:
        self.display.block_done()
        self.moves += int(block.done[MOVES])
        self.climbs += int(block.done[FINISHED])
        if self.display.update(self):
            self.budget.stop(BY_CALLBACK)

    def _is_done(self) -> bool:
        return (
            self.budget.is_over()
            or self.climbs >= self.budget.max_climbs
            or self.moves >= self.budget.max_moves
        )

    def result(self, config: dict[str, Any]) -> Result:
        """What the run leaves behind."""
        return Result.of_run(
            self.landscape,
            self.archive,
            config=config,
            moves=self.moves,
            climbs=self.climbs,
            seconds=self.budget.elapsed() - self.setup_seconds,
            setup_seconds=self.setup_seconds,
            archive_seconds=self.archive_seconds,
            status=self.budget.status(self.climbs, self.moves),
            trace=self.display.trace,
        )


def next_count(count: int, seconds: float) -> int:
    """How many climbs the next block should have, to take about BLOCK_SECONDS."""
    if seconds > BLOCK_SECONDS:
        return max(1, count // 2)
    return 2 * count if seconds < BLOCK_SECONDS / 2 else count
