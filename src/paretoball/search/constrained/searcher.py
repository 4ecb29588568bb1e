"""Paths, fillings and climbs under constraints, reported to an archive.

A unit is a pure function of the landscape, the seed, its number, and what its task
says.
"""

from time import perf_counter

import numpy as np

from paretoball.archive import (
    Archive,
    Near,
    Points,
    larger,
    new_tree,
    report_rows,
    room_left,
)
from paretoball.climber import CLIMB, Climber, WeightSource, start_now
from paretoball.landscape import EXACT, Landscape, packed_bits
from paretoball.numerics import random_solution, spawn_streams, with_room
from paretoball.search.constrained.heating import NUMBERS
from paretoball.search.constrained.ledger import look_work, new_ledger, open_ledger
from paretoball.search.constrained.stages import HOT, MILD
from paretoball.search.constrained.units import begin_walk, walk_on
from paretoball.search.constrained.walk import (
    CLOCK,
    CORE,
    NEAREST,
    STAGE,
    TAKEN,
    Ground,
    Walk,
)
from paretoball.search.method import Asked, Block, Done, Stop
from paretoball.search.method import Tasks as AnyTasks
from paretoball.search.path.effort import effort_of
from paretoball.search.path.heat import exponential_draws
from paretoball.search.path.journal import FLIPPED
from paretoball.search.path.tasks import FILL, PATH, Task, Tasks, no_tasks, turns_of
from paretoball.search.path.units import Journal, run_units
from paretoball.search.reporting import Reporting
from paretoball.search.slices import FIRST_SLICE, next_slice

ROOM = 4096  # reports and nodes of a tree to note at a time
PRICING = 64  # looks at each variable, to find the prices of a filling
ALL = 1 << 62  # more constraints than there are
NOT_A_PATH = -1  # the path number of climbs


class ConstrainedSearcher:
    """The units of one run, for one worker."""

    def __init__(
        self,
        landscape: Landscape,
        climber: Climber,
        asked: Asked,
        starts: np.ndarray,
    ) -> None:
        n, d = landscape.n, landscape.d
        self.landscape = landscape
        self.seed = asked.seed
        self.starts = starts
        self.effort = effort_of(landscape, 1, asked.breadth)
        bounds = CORE * np.minimum(climber.bounds, EXACT // (CORE * d))
        self.weights = WeightSource(asked.weights, landscape, bounds, asked.seed)
        rows = landscape.constraint_rows
        ledger, looks = new_ledger(landscape), look_work(rows)
        self.ground = Ground(
            cliques=climber.cliques,
            moves=climber.move_set,
            rows=rows,
            looks=looks,
            flips=looks + landscape.degrees + len(ledger.resources),
            sweep=int(looks.sum()) + len(rows.lower),
        )
        self.state = climber.new_state(journal=1, reports=ROOM)
        self.walk = Walk(
            state=self.state,
            ledger=ledger,
            tree=new_tree(d, ROOM),
            clock=np.zeros(CLOCK, np.int64),
            flips=np.zeros(0, np.int32),
            missing=np.zeros(n, np.uint8),
            pending=np.zeros(n, np.int32),
            listed=np.zeros(n, np.uint8),
            nearest=np.zeros(n, np.uint8),
            shares=np.zeros(d),
            numbers=np.zeros(NUMBERS),
            draws=exponential_draws(),
            core=np.zeros(CORE, np.int32),
            ranks=np.zeros(CORE),
            turns=np.ones((turns_of(d), d), np.int64),
            middle=np.zeros(n, np.uint8),
            goal=np.zeros(n, np.uint8),
            rows=np.zeros((0, n), np.uint8),
            values=np.zeros((0, d), np.int64),
            wanted=np.zeros(0, np.uint8),
            fx=np.zeros(d, np.int64),
            stages=0,
            steps=1,
            is_filling=False,
        )
        self.slice = FIRST_SLICE
        self.reporting = Reporting()

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
        if not isinstance(tasks, Tasks):
            tasks = self._climbs(block)
        return run_units(self, archive, block, tasks, max_moves, stop)

    def _climbs(self, block: Block) -> Tasks:
        """The tasks of climbs, which need their directions only."""
        numbers = np.arange(block.first, block.end)
        w = self.weights.draw(numbers)
        return no_tasks(self.landscape.n, self.landscape.d)._replace(
            kinds=np.full(block.size, PATH, np.uint8),
            paths=np.full(block.size, NOT_A_PATH),
            weights=np.repeat(w[:, None], turns_of(self.landscape.d), axis=1),
            ends=np.zeros(block.size, np.int64),
        )

    def begin(self, archive: Archive, number: int, task: Task) -> np.ndarray:
        """Begin a unit; returns the solution that its flips start from, packed."""
        state, d = self.state, self.landscape.d
        state.clock[:] = 0
        state.clock[CLIMB] = number
        state.rng[:] = spawn_streams(self.seed, np.array([number]))[0]
        state.x[:] = self._start_of(number, task)
        w, hot, work, steps = self._course(task)
        ends = 0 if task.path == NOT_A_PATH else len(task.turns) - 1
        stages = len(task.rows) if task.kind == FILL else 1 + ends * steps
        self.walk = walk = self.walk._replace(
            tree=new_tree(d, ROOM + len(task.values)),
            rows=task.rows,
            values=task.values,
            wanted=task.wanted,
            stages=stages,
            steps=steps,
            is_filling=task.kind == FILL,
        )
        for array in (walk.clock, walk.missing, walk.listed):
            array[:] = 0
        walk.clock[NEAREST] = ALL
        walk.turns[:], state.w[:], walk.shares[:] = task.turns, w, w / w.sum()
        start = packed_bits(state.x)
        no = np.zeros(len(task.values), np.int64)  # where it was found does not matter
        report_rows(walk.tree, Points(task.values, no, no, no), 0)
        start_now(self.ground.cliques, self.ground.moves, state)
        open_ledger(self.ground.rows, walk.ledger, state.x)
        self._make_room()
        begin_walk(self.walk, hot, work)
        return start

    def _start_of(self, number: int, task: Task) -> np.ndarray:
        """Where a unit starts: a given or a known solution, or a random one."""
        if number < len(self.starts):
            return self.starts[number]
        if task.kind == FILL:
            return task.rows[len(task.rows) // 2]
        if len(task.rows):
            return task.rows[0]
        x = np.empty(self.landscape.n, np.uint8)
        random_solution(self.walk.state.rng, x)
        return x

    def _course(self, task: Task) -> tuple[np.ndarray, float, float, int]:
        """A unit's first weights and temperature, its work, and its stages to an end.

        Where there are many ends, there is one stage to each.
        """
        if task.kind == FILL:
            return _facing(task.values), MILD, float(PRICING * self.landscape.n), 1
        if task.path == NOT_A_PATH:
            return task.turns[0], MILD, 0.0, 1
        work = self.effort.of_anneal(task.path)
        steps = self.effort.legs(work) if len(task.turns) == 3 else 1
        return task.turns[0], HOT, work, steps

    def go_on(
        self, task: Task, archive: Archive, before: int, max_moves: int, stop: Stop
    ) -> bool:
        """Go on with a unit, reporting as it goes; whether it came to its end."""
        clock = self.walk.clock
        while True:
            self.reporting.take_over(self.state, archive)
            self._tell_nearest(archive)
            if clock[STAGE] >= self.walk.stages:
                return True
            moves = before + int(clock[TAKEN])
            if stop(moves) or moves >= max_moves:
                return False
            self._make_room()
            began = perf_counter()
            last = min(clock[TAKEN] + self.slice, max_moves - before)
            walk_on(self.ground, self.walk, last)
            is_used_up = clock[TAKEN] >= last
            self.slice = next_slice(self.slice, perf_counter() - began, is_used_up)

    def _tell_nearest(self, archive: Archive) -> None:
        """As long as nothing is feasible, tell what is nearest to that."""
        violated = int(self.walk.clock[NEAREST])
        if len(archive) == 0 and violated < ALL:
            number = int(self.state.clock[CLIMB])
            archive.keep_near(Near(violated, number, packed_bits(self.walk.nearest)))

    def journal(self, task: Task) -> Journal:
        """What the unit has noted so far."""
        clock = self.walk.clock
        return Journal(int(clock[TAKEN]), self.walk.flips[: clock[FLIPPED]].copy())

    def _make_room(self) -> None:
        """Room for all that the next slice notes, or it returns early."""
        walk, tree = self.walk, self.walk.tree
        flips = int(walk.clock[FLIPPED]) + 2 * self.landscape.n + ROOM
        if room_left(tree) < ROOM // 2:
            tree = larger(tree, ROOM)
        self.walk = walk._replace(flips=with_room(walk.flips, flips), tree=tree)


def _facing(values: np.ndarray) -> np.ndarray:
    """The direction in which the front faces, from one end of these rows to the other.

    Each objective counts by the inverse of its range.
    """
    spans = np.maximum(np.ptp(values, axis=0), 1).astype(np.float64)
    whole = np.rint(spans.max() / spans * 1000.0)
    return np.clip(whole, 1, 2.0**40).astype(np.int64)
