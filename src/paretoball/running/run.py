"""A run: numbered units into one archive, within a budget.

Units are handed out in blocks, in order, and what they find is merged in that order. Of
equal vectors the lowest (unit, step) stays. So the archive depends on the numbers of
the units alone: not on the workers, nor on how often the run was stopped and resumed.
"""

import secrets
from dataclasses import replace

import numpy as np

from paretoball.archive import Archive, Found, Near
from paretoball.climber import Climber
from paretoball.landscape import Landscape, packed_bits
from paretoball.numerics import random_solution, spawn_streams
from paretoball.running.bound import Bound
from paretoball.running.budget import Budget
from paretoball.running.checkpoint import Saved, Saver
from paretoball.running.live_workers import LiveWorkers
from paretoball.running.options import Options
from paretoball.running.progress import Progress
from paretoball.running.result import Result
from paretoball.running.run_file import TRACE
from paretoball.running.snapshot import Settled, Snapshot
from paretoball.running.status import (
    ALL_SEEN,
    BY_CALLBACK,
    BY_COUNT,
    NONE_FEASIBLE,
    UNDER_WAY,
)
from paretoball.running.trace import Trace
from paretoball.running.worker import Job
from paretoball.search import Block, Done, method_named

BLOCK_SECONDS = 0.25  # that a block should take, if one unit takes less
SORTING = 1e-7  # seconds, at most, for each number of an archive that becomes a result
UNITS = TRACE.index("climbs")  # the column of a trace


class Run:
    """The archive of a run, and what it has done so far."""

    def __init__(
        self,
        landscape: Landscape,
        options: Options,
        starts: np.ndarray,
        budget: Budget,
        progress: Progress,
        saver: Saver | None = None,
        saved: Saved | None = None,
    ):
        self.landscape = landscape
        self.options = options
        self.job = Job(secrets.token_hex(8), landscape, options, starts)
        method = method_named(options.method)
        self.plan = method.plan(landscape, options.asked())
        self.budget = budget
        self.progress = progress
        self.trace = Trace(landscape, budget.clock)
        self.saver = saver
        self.saved = saved
        self.archive = Archive(landscape.d, names=landscape.names)
        self.climber: Climber | None = None  # until it is set up here; maybe of a twin
        self.units = 0  # finished, from the first on without a gap
        self.moves = 0  # of those
        self.loose_units = 0  # finished, but not all before them are
        self.loose_moves = 0  # of those, and of units that are not finished
        self.setup_seconds = 0.0
        self.archive_seconds = 0.0
        has_climbs = options.method == "multistart"
        self.bound = Bound(options.max_archive, landscape.n, has_climbs)
        self.live_workers = LiveWorkers()
        self._own_climber: Climber | None = None  # if a callback has asked for it
        self._ended = ""  # why, once that is decided
        self._marked: Settled | None = None  # what was settled before loose points came
        if saved is not None:
            self._go_on_from(saved)

    def _go_on_from(self, saved: Saved) -> None:
        """Begin with what the finished units of a checkpoint found.

        Rows of the trace that count further units are left out: these are run again.
        """
        rows = saved.result.trace
        self.trace.go_on_from(rows[rows[:, UNITS] <= saved.units], saved.seconds)
        self.units, self.moves = saved.units, saved.moves
        self.bound.has_cut = saved.result.bounded
        if self.units:
            self.archive.take_found(self.landscape.n, saved.settled)
            self.archive.keep_near(_near_of(saved.result))
            self.plan.restore(saved.kept, saved.units)

    def is_done(self) -> bool:
        """Whether the budget is used up."""
        return self.budget.is_used_up(self.units, self.moves + self.loose_moves)

    def moves_left(self) -> int:
        """How many moves the budget leaves."""
        return self.budget.max_moves - self.moves

    def block_at(self, first: int, count: int) -> Block:
        """A block of at most `count` units, within budget, round and bound."""
        last = min(self.budget.max_units, self.plan.round_end(first))
        until_look = self.bound.units_until_look(first)
        return Block(first, min(count, last - first, until_look))

    def stop(self, moves: int) -> bool:
        """A block under way has taken `moves` moves; True if the run is to end."""
        self.progress.tick(self.snapshot, moves)
        self.budget.reserve = self._seconds_at_the_end()
        return self.budget.is_over(moves)

    def mark_settled(self) -> None:
        """Keep a copy of what is settled; the points that come next may be loose."""
        if self.saver is not None and self._marked is None:
            self._marked = Settled(self.units, self.moves, self.archive.copy())

    def account(self, block: Block, done: Done) -> None:
        """Account for the next block in order, which is merged."""
        self.units += done.units
        self.moves += done.settled_moves
        self.loose_moves = done.moves - done.settled_moves
        if done.units == block.size:
            self._marked = None
        if done.units:
            self.bound.look(self.archive, self.units, self._tick)
            self.plan_on()
        seconds = self.seconds()
        if self.trace.is_due(seconds):
            self.trace.add(seconds, self.moves, self.units, self.archive)
        if self.progress.update(self.snapshot()):
            self.budget.stop(BY_CALLBACK)
        if self.saver is not None and self.saver.is_due() and self._marked is None:
            self.saver.save(self._with_earlier_loose())
        self.budget.reserve = self._seconds_at_the_end()

    def _tick(self) -> None:
        """Show a line if it is time to, while no unit is under way."""
        self.progress.tick(self.snapshot, 0)

    def _seconds_at_the_end(self) -> float:
        """How long what comes after the search takes, as predicted."""
        saving = 0.0 if self.saver is None else self.saver.took
        sorting = SORTING * len(self.archive) * self.archive.d
        return saving + self.trace.took + sorting + self.bound.seconds(self.archive)

    def plan_on(self) -> None:
        """Plan what comes next; if nothing is left to find, the run ends."""
        self.plan.advance(self.archive, self.units)
        size, most = len(self.archive), self.options.max_archive
        fits = most is None or size <= most  # otherwise some of it will be left out
        if fits and self.plan.is_whole(self.archive, self.units):
            self.budget.stop(ALL_SEEN if size else NONE_FEASIBLE)

    def take_loose(self, found: Found, done: Done) -> None:
        """Take in what a block found that is not the next in order."""
        self.mark_settled()
        self.archive.take_found(self.landscape.n, found)
        self.loose_units += done.units
        self.loose_moves += done.moves

    def end(self) -> str:
        """Decide, once, why the run ended."""
        self._ended = self._ended or self.status()
        return self._ended

    def takes_loose(self) -> bool:
        """Whether loose points count, now that the run is over.

        They do not where a budget in climbs or moves ended it: it holds exactly what
        these found.
        """
        return self.end() not in BY_COUNT

    def finish(self) -> None:
        """Add loose points of earlier calls, if they count; write a checkpoint."""
        loose = self._earlier_loose()
        if self.takes_loose() and loose is not None:
            self.take_loose(loose, self._earlier_loose_done())
        if len(self.archive) == 0:
            self._report_start()
        self.trace.add(self.seconds(), self.moves, self.units, self.archive, last=True)
        if self.saver is not None:
            self.saver.save(self.snapshot())

    def _with_earlier_loose(self) -> Snapshot:
        """A snapshot for the checkpoint, with loose points that earlier calls found."""
        now, loose = self.snapshot(), self._earlier_loose()
        if loose is None:
            return now
        archive = self.archive.copy()
        archive.take_found(self.landscape.n, loose)
        return replace(now, archive=archive)

    def _earlier_loose(self) -> Found | None:
        """The loose points of the checkpoint whose units were not run again.

        Where no move had been taken, there was only a start, which is no loss.
        """
        if self.saved is None or self.saved.result.moves == 0:
            return None
        points, trails, _ = self.saved.loose
        points = points.some(points.unit >= self.units)
        units = set(points.unit.tolist())
        some = {unit: trail for unit, trail in trails.items() if unit in units}
        return Found(points, some) if units else None

    def _earlier_loose_done(self) -> Done:
        """The loose units and moves of earlier calls, if this call has none itself."""
        saved = self.saved
        if saved is None or self.units > saved.units or self.loose_moves:
            return Done(0, 0, 0)
        result = saved.result
        return Done(result.climbs - saved.units, result.moves - saved.moves, 0)

    def _report_start(self) -> None:
        """Report a given start, or a random solution, if there was no time for a move.

        One that is not feasible is not reported, but may be the nearest.
        """
        x = np.empty(self.landscape.n, np.uint8)
        if len(self.job.starts):
            x[:] = self.job.starts[0]
        else:
            stream = spawn_streams(self.options.seed, np.zeros(1, np.int64))[0]
            random_solution(stream, x)
        violation = self.landscape.violation(x)
        if not violation.any():
            self.archive.report(self.landscape.inside(self.landscape.evaluate(x)), x)
        elif self.archive.near is None:
            violated = int(np.count_nonzero(violation))
            self.archive.keep_near(Near(violated, 0, packed_bits(x)))

    def own_climber(self) -> Climber | None:
        """A climber in the user's numbering; a new one if the run climbs on a twin."""
        if self.climber is None or self.climber.landscape.numbering is None:
            return self.climber
        if self._own_climber is None:
            self._own_climber = self.job.climber_of(self.landscape)
        return self._own_climber

    def seconds(self) -> float:
        """How long all calls of this run took, set-ups included."""
        return self.budget.spent + self.budget.elapsed()

    def status(self) -> str:
        """Why the run ended, or that it is under way."""
        if self._ended:
            return self._ended
        if not self.is_done():
            return UNDER_WAY
        return self.budget.status(self.units, self.moves + self.loose_moves)

    def _earlier(self, name: str) -> float:
        """The seconds that earlier calls spent, by the name of the field."""
        return 0.0 if self.saved is None else getattr(self.saved.result, name)

    def _searched_before(self) -> float:
        """The seconds of search before this call, or of an attempt to do without."""
        return self.budget.spent if self.saved is None else self.saved.result.seconds

    def snapshot(self) -> Snapshot:
        """How the run is doing."""
        searching = max(0.0, self.budget.elapsed() - self.setup_seconds)
        return Snapshot(
            seconds=self.seconds(),
            moves=self.moves,
            climbs=self.units,
            hypervolume=self.trace.hypervolume,
            workers=self.live_workers.count(),
            archive=self.archive,
            own_climber=self.own_climber,
            landscape=self.landscape,
            options=self.options,
            settled=self._marked or Settled(self.units, self.moves, self.archive),
            kept=self.plan.kept(),
            loose_climbs=self.loose_units,
            loose_moves=self.loose_moves,
            search_seconds=searching + self._searched_before(),
            setup_seconds=self.setup_seconds + self._earlier("setup_seconds"),
            archive_seconds=self.archive_seconds + self._earlier("archive_seconds"),
            status=self.status(),
            trace=self.trace,
            bounded=self.bound.has_cut,
        )

    def result(self) -> Result:
        """What was found, within the bound that was set."""
        if self.bound.finish(self.archive, self._tick):
            self.trace.replace_last(self.archive)
        now = self.snapshot()
        found = now.result("" if self.saver is None else self.saver.failure)
        return replace(found, seconds=found.seconds + self.seconds() - now.seconds)


def next_count(count: int, seconds: float) -> int:
    """How many units the next block should have, to take about BLOCK_SECONDS."""
    if seconds > BLOCK_SECONDS:
        return max(1, count // 2)
    return 2 * count if seconds < BLOCK_SECONDS / 2 else count


def _near_of(result: Result) -> Near | None:
    """The nearest solution of a result; all units of a run that goes on come after."""
    near = result.nearest
    if near is None:
        return None
    return Near(near.violated, -1, packed_bits(near.x))
