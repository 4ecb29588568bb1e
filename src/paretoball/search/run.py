"""One run: numbered climbs, alone or by a crew, within a budget, into one archive.

Climbs are handed out in blocks, in order, and what they find is merged in that order;
ties go to the lowest (climb, step). So the archive depends on which climbs were run,
and not on who ran them, nor on how often the run was stopped and resumed.
"""

import secrets
from concurrent.futures import Executor, ThreadPoolExecutor
from time import perf_counter
from typing import Any

import numpy as np

from paretoball.archive import Archive
from paretoball.climber import Climber
from paretoball.files import packed_landscape
from paretoball.footprint import check_workers
from paretoball.landscape import Landscape
from paretoball.memory import capped
from paretoball.result import BY_CALLBACK, UNDER_WAY, Result
from paretoball.search.budget import UNLIMITED, Budget, OutOfTime
from paretoball.search.checkpoint import Saved, Saver
from paretoball.search.crew import Crew, DeadlyUnit, Unit
from paretoball.search.multistart import FINISHED, MOVES
from paretoball.search.progress import Progress
from paretoball.search.units import (
    Found,
    Job,
    Order,
    climber_at_hand,
    end_run,
    run_units,
)
from paretoball.streams import random_solution, spawn_streams

BLOCK_SECONDS = 0.25  # what a block of climbs should take, if one climb takes less
LOOK_EVERY = 0.05  # seconds
GRACE = 0.5  # seconds for blocks under way when a run ends
LAST_GRACE = 1.5  # seconds, if nothing has been found before
BOUNDED_MOVES = 1 << 16  # between two looks at the size of a bounded archive, roughly
FOUND = 16  # blocks per worker to keep, at most, while an earlier one is not done
PATIENCE = 2.0  # seconds to wait for workers without a word
HEARD = 10.0  # seconds since a worker was heard of in which it counts as alive


class Run:
    """The archive of a run, and what it has done so far."""

    def __init__(
        self,
        landscape: Landscape,
        config: dict[str, Any],
        starts: np.ndarray,
        budget: Budget,
        display: Progress,
        saver: Saver | None,
        saved: Saved | None,
    ):
        self.landscape = landscape
        self.config = config | budget.limits()
        self.job = Job(secrets.token_hex(8), landscape, self.config, starts)
        self.plan = self.job.new_plan()
        self.budget = budget
        self.display = display
        self.saver = saver
        self.archive = Archive(landscape.d)
        self.climber: Climber | None = None  # until it is set up here
        self.climbs = 0  # finished, in a row from the first on
        self.moves = 0  # of those
        self.loose_climbs = 0  # finished, but not all before them are
        self.loose_moves = 0  # of those, and of climbs that are not finished
        self.setup_seconds = 0.0
        self.archive_seconds = 0.0
        self.bounded = False  # whether points had to go
        self.heard: dict[str, float] = {}  # when each worker was last heard of
        self.rerun: set[int] = set()  # blocks run again, only as far as moves last
        self.saved = saved
        if saved is not None:
            self._go_on_from(saved)

    def _go_on_from(self, saved: Saved) -> None:
        """Begin where a checkpoint ends; without a finished climb, from the start."""
        self.budget.spent = saved.seconds()
        self.display.go_on_from(saved)
        self.climbs, self.moves = saved.climbs, saved.moves
        self.bounded = saved.result.bounded
        if self.climbs:
            self.archive.add_climbs(self.landscape.n, *saved.found())
            if saved.tasks is not None:
                self.plan.first, self.plan.tasks = saved.round, saved.tasks

    def search(self, workers: int | None, executor: Executor | None) -> None:
        """Climb until the budget is used up."""
        self.plan.advance(self.archive, self.climbs)
        if self._is_done():
            pass
        elif executor is not None:
            self._search_together(executor, workers, packed_landscape(self.landscape))
        elif self.config["workers"] == 1:
            self._search_alone()
        else:
            with ThreadPoolExecutor(workers) as threads:
                self._search_together(threads, workers, self.landscape)
        if self.climbs == 0 and self.saved is not None:  # it was further than this
            self.archive.add_climbs(self.landscape.n, *self.saved.found())
        if len(self.archive) == 0:
            self._report_start()
        self.display.finish(self)
        if self.saver is not None:
            self.saver.save(self)

    def _search_alone(self) -> None:
        """One worker, the calling thread, reports straight into the run's archive."""
        try:
            self.climber = self.job.new_climber(self.budget.pulse)
        except OutOfTime:
            self.setup_seconds = self.budget.elapsed()
            return
        searcher = self.job.new_searcher(self.climber)
        self.setup_seconds = self.budget.elapsed()
        count = 1
        while not self._is_done():
            began = self.budget.elapsed()
            count = self._trimmed(self.climbs, count)
            left = self.budget.max_moves - self.moves
            tasks = self.plan.tasks_of(self.climbs, count)
            block = searcher.run(
                self.archive, self.climbs, count, left, self._stop, tasks
            )
            finished, moves = int(block.done[FINISHED]), int(block.done[MOVES])
            self.archive_seconds = searcher.archive_seconds
            self._account(finished, moves, block.settled_moves())
            if finished < count:
                return
            count = next_count(count, self.budget.elapsed() - began)

    def _stop(self, moves: int) -> bool:
        self.display.tick(self, int(moves))
        return self.budget.is_over()

    def _search_together(
        self, executor: Executor, workers: int | None, landscape: Landscape | bytes
    ) -> None:
        """Workers climb apart from each other; what they find is merged in order."""
        job = self.job._replace(landscape=landscape)

        def call(unit: Unit, lacking: bool) -> tuple:
            return run_units, self._order(unit), job if lacking else None

        with Crew(executor, workers, call) as crew:
            try:
                if self._greet(crew):
                    self._direct(crew)
            finally:
                end_run(job.token)

    def _order(self, unit: Unit) -> Order:
        left = self.budget.max_moves - self.moves
        fresh = self.config["max_archive"] is not None or unit.first in self.rerun
        tasks = self.plan.tasks_of(*unit)
        return Order(self.job.token, *unit, left, self.budget.left(), tasks, fresh)

    def _greet(self, crew: Crew) -> bool:
        """Have workers set up; the clock starts when they have, and counts that."""
        for _ in range(crew.workers):
            crew.add(Unit(0, 0))
        slowest, patience = 0.0, PATIENCE
        while not crew.is_idle() and self.budget.stopped is None:
            if self.budget.elapsed() > patience:
                self.display.say("Waiting for workers ...")
                patience = float("inf")
            for found in crew.collect(LOOK_EVERY):
                slowest = max(slowest, found.setup_seconds)
                self._hear(found)
        self.budget.restart(slowest)
        self.setup_seconds = slowest
        self.climber = climber_at_hand(self.job.token)
        if self.climber is not None:
            limit = self.config["memory_limit"]
            with capped(None if limit is None else limit - self.climber.nbytes):
                vector = self.landscape.d * self.climber.cliques.tables.itemsize
                check_workers(crew.workers, len(self.climber.moves), vector)
        return self.budget.stopped is None

    def _direct(self, crew: Crew) -> None:
        """Hand out blocks and merge them until the budget is used up."""
        found: dict[int, Found] = {}
        ahead, count = self.climbs, 1
        while not self._is_done():
            while (
                crew.has_room()
                and ahead < min(self.budget.max_climbs, self.plan.end)
                and len(found) < FOUND * crew.workers
            ):
                count = min(self._trimmed(ahead, count), self._share(crew.workers))
                crew.add(Unit(ahead, count))
                ahead += count
            for each in self._collected(crew):
                found[each.first] = each
            while self.climbs in found and not self._is_done():
                each = found.pop(self.climbs)
                self._merge_in_order(each, crew)
                count = next_count(each.size, each.seconds)
            self.display.tick(self, 0)
        self._take_loose_ends(crew, found)

    def _share(self, workers: int) -> int:
        """What each of so many workers may have of a round, so that all have some."""
        return max(1, (self.plan.end - self.plan.first) // workers)

    def _collected(self, crew: Crew) -> list[Found]:
        """What workers have finished; if that fails, the run ends with what it has."""
        try:
            return [self._hear(each) for each in crew.collect(LOOK_EVERY) if each.size]
        except Exception as error:
            if self.climbs == 0 and not isinstance(error, DeadlyUnit):
                raise
            self.budget.stop(" ".join(str(error).split()) or type(error).__name__)
            return []

    def _hear(self, found: Found) -> Found:
        self.heard[found.worker] = perf_counter() + 3 * found.seconds
        return found

    def workers_alive(self) -> int:
        """How many workers were heard of lately."""
        since = perf_counter() - HEARD
        return max(1, sum(heard > since for heard in list(self.heard.values())))

    def _merge_in_order(self, found: Found, crew: Crew) -> None:
        """Merge the block that is next; one with too many moves is run again."""
        too_far = found.moves >= self.budget.max_moves - self.moves
        if too_far and found.first not in self.rerun:
            self.rerun.add(found.first)
            crew.add(Unit(found.first, found.size))
            return
        self._merge(found)
        self._account(found.climbs, found.moves, found.settled)
        missing = found.size - found.climbs
        if missing and not self._is_done():  # that worker's time was up before ours
            crew.add(Unit(self.climbs, missing))

    def _merge(self, found: Found) -> None:
        began = perf_counter()
        self.archive.add_climbs(self.landscape.n, found.fx, found.tags, found.trails)
        self.archive_seconds += found.archive_seconds + perf_counter() - began

    def _take_loose_ends(self, crew: Crew, found: dict[int, Found]) -> None:
        """When time is up, take what later blocks have found, too.

        Not where that would change what a run of so many moves, or with a bounded
        archive, ends with once it is resumed; unless there is nothing else.
        """
        end_run(self.job.token)
        crew.give_up_waiting()
        limited = self.budget.max_moves != UNLIMITED
        if len(self.archive) and (limited or self.config["max_archive"] is not None):
            return
        until = perf_counter() + (GRACE if len(self.archive) else LAST_GRACE)
        while not crew.is_idle() and perf_counter() < until:
            found |= {each.first: each for each in self._collected(crew)}
        for first in sorted(found):
            if first >= self.climbs:
                self._merge(found[first])
                self.loose_climbs += found[first].climbs
                self.loose_moves += found[first].moves

    def _account(self, climbs: int, moves: int, settled: int) -> None:
        """Some climbs, next in order, are merged: so many finished, so many moves."""
        self.climbs += climbs
        self.moves += settled
        self.loose_moves = moves - settled
        if climbs:
            self._bound()
            self.plan.advance(self.archive, self.climbs)
        if self.display.update(self):
            self.budget.stop(BY_CALLBACK)
        if self.saver is not None and self.saver.is_due():
            self.saver.save(self)

    def _stride(self) -> int:
        """A bounded archive is looked at after every so many climbs."""
        if self.config["max_archive"] is None:
            return int(UNLIMITED)
        return max(1, BOUNDED_MOVES // self.landscape.n)

    def _trimmed(self, first: int, count: int) -> int:
        """So many climbs from `first` on, within the budget and up to a look."""
        stride = self._stride()
        last = min(self.budget.max_climbs, self.plan.end)
        return min(count, last - first, stride - first % stride)

    def _bound(self) -> None:
        """Cut an archive of twice its bound, at climbs that only depend on n."""
        bound = self.config["max_archive"]
        if bound is not None and self.climbs % self._stride() == 0:
            self._cut_to(bound, 2 * bound)

    def _cut_to(self, size: int, limit: int) -> bool:
        cut = len(self.archive) > limit and self.archive.keep_least_crowded(size)
        self.bounded |= cut
        return cut

    def _is_done(self) -> bool:
        moves = self.moves + self.loose_moves
        return (
            self.budget.is_over()
            or self.climbs >= self.budget.max_climbs
            or moves >= self.budget.max_moves
        )

    def _report_start(self) -> None:
        """No time for a climb: the start of the first one is all there is."""
        x = np.empty(self.landscape.n, np.uint8)
        if len(self.job.starts):
            x[:] = self.job.starts[0]
        else:
            random_solution(
                spawn_streams(self.config["seed"], np.zeros(1, np.int64))[0], x
            )
        self.archive.report(self.landscape.inside(self.landscape.evaluate(x)), x)

    def seconds(self) -> float:
        """Of all calls that this run took, set-ups included."""
        return self.budget.spent + self.budget.elapsed()

    def _earlier(self, name: str) -> float:
        """What earlier calls have spent on this."""
        return 0.0 if self.saved is None else getattr(self.saved.result, name)

    def result(self) -> Result:
        """What was found so far."""
        searching = max(0.0, self.budget.elapsed() - self.setup_seconds)
        moves = self.moves + self.loose_moves
        return Result.of_run(
            self.landscape,
            self.archive,
            moves=moves,
            climbs=self.climbs + self.loose_climbs,
            seconds=searching + self._earlier("seconds"),
            setup_seconds=self.setup_seconds + self._earlier("setup_seconds"),
            archive_seconds=self.archive_seconds + self._earlier("archive_seconds"),
            status=self.budget.status(self.climbs, moves)
            if self._is_done()
            else UNDER_WAY,
            config=self.config,
            trace=self.display.trace,
            bounded=self.bounded,
            unsaved="" if self.saver is None else self.saver.failure,
        )

    def final_result(self) -> Result:
        """What was found, within the bound that was set."""
        bound = self.config["max_archive"]
        if bound is not None and self._cut_to(bound, bound):
            self.display.finish_again(self)
        return self.result()


def next_count(count: int, seconds: float) -> int:
    """How many climbs the next block should have, to take about BLOCK_SECONDS."""
    if seconds > BLOCK_SECONDS:
        return max(1, count // 2)
    return 2 * count if seconds < BLOCK_SECONDS / 2 else count
