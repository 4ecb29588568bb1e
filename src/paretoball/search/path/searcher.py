"""The searcher: units run one after the other, and reported to an archive.

A unit is a pure function of the landscape, the radius, the seed, its number, and what
its task says. `paths` and `walks` tell how one begins, without constraints and with.
"""

from time import perf_counter
from typing import Any

import numpy as np

from paretoball.archive import Archive
from paretoball.climber import ClimbState
from paretoball.landscape import Landscape
from paretoball.search.method import Block, Done, Stop
from paretoball.search.method import Tasks as AnyTasks
from paretoball.search.path.clock import FLIPPED, STAGE, TAKEN
from paretoball.search.path.tasks import Task, Tasks
from paretoball.search.path.units import Journal, run_units
from paretoball.search.reporting import Reporting
from paretoball.search.slices import FIRST_SLICE, next_slice

ROOM = 4096  # reports, and other things, to note at a time


class Searcher:
    """The units of one run, for one worker."""

    state: ClimbState

    def __init__(self, landscape: Landscape, seed: int, starts: np.ndarray) -> None:
        self.landscape = landscape
        self.seed = seed
        self.starts = starts
        self.slice = FIRST_SLICE
        self.reporting = Reporting()
        self.unit: Any = None  # where the unit under way is: its clock, its journal

    @property
    def archive_seconds(self) -> float:
        """The time spent on the archive so far."""
        return self.reporting.seconds

    def run(
        self,
        archive: Archive,
        block: Block,
        tasks: AnyTasks,
        max_moves: int,
        stop: Stop,
    ) -> Done:
        """Run the units of a block into the archive, while `stop(moves)` is false."""
        assert isinstance(tasks, Tasks)
        return run_units(self, archive, block, tasks, max_moves, stop)

    def begin(self, archive: Archive, number: int, task: Task) -> np.ndarray:
        """Begin a unit; returns the solution that its flips start from, packed."""
        raise NotImplementedError

    def stages(self) -> int:
        """How many stages the unit under way has."""
        raise NotImplementedError

    def make_room(self) -> None:
        """Make room for what a slice notes, so that it seldom ends for lack of it."""
        raise NotImplementedError

    def go(self, last: int) -> None:
        """Let a kernel go on until `last` moves are taken, or it returns."""
        raise NotImplementedError

    def tell(self, archive: Archive) -> None:
        """Tell the archive what is no report; nothing, unless there are constraints."""

    def go_on(
        self, task: Task, archive: Archive, before: int, max_moves: int, stop: Stop
    ) -> bool:
        """Go on with a unit, reporting as it goes; whether it came to its end.

        Earlier units of the block took `before` moves.
        """
        clock = self.unit.clock
        while True:
            self.reporting.take_over(self.state, archive)
            self.tell(archive)
            if clock[STAGE] >= self.stages():
                return True
            moves = before + int(clock[TAKEN])
            if stop(moves) or moves >= max_moves:
                return False
            self.make_room()
            began = perf_counter()
            last = min(int(clock[TAKEN]) + self.slice, max_moves - before)
            self.go(last)
            is_used_up = bool(clock[TAKEN] >= last)
            self.slice = next_slice(self.slice, perf_counter() - began, is_used_up)

    def journal(self, task: Task) -> Journal:
        """What the unit has noted so far."""
        clock = self.unit.clock
        return Journal(int(clock[TAKEN]), self.unit.flips[: clock[FLIPPED]].copy())
