"""Paths, fillings and climbs under constraints: how they begin, and what runs them."""

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
from paretoball.search.method import Asked, Block, Done, Stop
from paretoball.search.method import Tasks as AnyTasks
from paretoball.search.path import searcher
from paretoball.search.path.clock import CLOCK, FLIPPED, NEAREST
from paretoball.search.path.effort import effort_of
from paretoball.search.path.heat import exponential_draws
from paretoball.search.path.ledger import look_work, new_ledger, open_ledger
from paretoball.search.path.priced_heat import NUMBERS
from paretoball.search.path.searcher import Searcher
from paretoball.search.path.stages import HOT, MILD
from paretoball.search.path.tasks import FILL, PATH, Task, Tasks, no_tasks, turns_of
from paretoball.search.path.walk import (
    CORE,
    Core,
    Ground,
    Known,
    Places,
    PricedHeat,
    Stages,
    Unsaid,
    Walk,
)
from paretoball.search.path.walking import begin_walk, walk_on

PRICING = 64  # looks at each variable, to find the prices of a filling
ALL = 1 << 62  # more constraints than there are
NOT_A_PATH = -1  # the path number of climbs


class ConstrainedSearcher(Searcher):
    """Paths, fillings and climbs under constraints."""

    def __init__(
        self,
        landscape: Landscape,
        climber: Climber,
        asked: Asked,
        starts: np.ndarray,
    ) -> None:
        super().__init__(landscape, asked.seed, starts)
        n, d = landscape.n, landscape.d
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
        self.state = climber.new_state(journal=1, reports=searcher.ROOM)
        self.walk = Walk(
            state=self.state,
            ledger=ledger,
            tree=new_tree(d, searcher.ROOM),
            clock=np.zeros(CLOCK, np.int64),
            flips=np.zeros(0, np.int32),
            unsaid=Unsaid(
                missing=np.zeros(n, np.uint8),
                pending=np.zeros(n, np.int32),
                listed=np.zeros(n, np.uint8),
            ),
            heat=PricedHeat(np.zeros(d), np.zeros(NUMBERS), exponential_draws()),
            core=Core(np.zeros(CORE, np.int32), np.zeros(CORE)),
            course=Stages(np.ones((turns_of(d), d), np.int64), 0, 1, False),
            places=Places(
                middle=np.zeros(n, np.uint8),
                goal=np.zeros(n, np.uint8),
                nearest=np.zeros(n, np.uint8),
                fx=np.zeros(d, np.int64),
            ),
            known=Known(
                np.zeros((0, n), np.uint8),
                np.zeros((0, d), np.int64),
                np.zeros(0, np.uint8),
            ),
        )

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
        return super().run(archive, block, tasks, max_moves, stop)

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
        is_filling = task.kind == FILL
        course = self.walk.course._replace(
            stages=stages, steps=steps, is_filling=is_filling
        )
        self.walk = walk = self.walk._replace(
            tree=new_tree(d, searcher.ROOM + len(task.values)),
            known=Known(task.rows, task.values, task.wanted),
            course=course,
        )
        for array in (walk.clock, walk.unsaid.missing, walk.unsaid.listed):
            array[:] = 0
        walk.clock[NEAREST] = ALL
        course.turns[:], state.w[:], walk.heat.shares[:] = task.turns, w, w / w.sum()
        start = packed_bits(state.x)
        no = np.zeros(len(task.values), np.int64)  # where it was found does not matter
        report_rows(walk.tree, Points(task.values, no, no, no), 0)
        start_now(self.ground.cliques, self.ground.moves, state)
        open_ledger(self.ground.rows, walk.ledger, state.x)
        self.unit = self.walk
        self.make_room()
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

    def stages(self) -> int:
        """The stages of a path, or the visits of a filling."""
        return self.walk.course.stages

    def go(self, last: int) -> None:
        """Go on with the unit."""
        walk_on(self.ground, self.walk, last)

    def tell(self, archive: Archive) -> None:
        """As long as nothing is feasible, tell what is nearest to that."""
        violated = int(self.walk.clock[NEAREST])
        if len(archive) == 0 and violated < ALL:
            number = int(self.state.clock[CLIMB])
            archive.keep_near(
                Near(violated, number, packed_bits(self.walk.places.nearest))
            )

    def make_room(self) -> None:
        """Room for all that the next slice notes, or it returns early."""
        walk, tree = self.walk, self.walk.tree
        flips = int(walk.clock[FLIPPED]) + 2 * self.landscape.n + searcher.ROOM
        if room_left(tree) < searcher.ROOM // 2:
            tree = larger(tree, searcher.ROOM)
        self.walk = walk._replace(flips=with_room(walk.flips, flips), tree=tree)
        self.unit = self.walk


def _facing(values: np.ndarray) -> np.ndarray:
    """The direction in which the front faces, from one end of these rows to the other.

    Each objective counts by the inverse of its range.
    """
    spans = np.maximum(np.ptp(values, axis=0), 1).astype(np.float64)
    whole = np.rint(spans.max() / spans * 1000.0)
    return np.clip(whole, 1, 2.0**40).astype(np.int64)
