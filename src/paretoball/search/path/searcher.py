"""The searcher: paths, fillings and climbs, with constraints or without, as units.

A unit is a pure function of the landscape, the radius, the seed, its number, and what
its task says. Here is how one begins, and how it goes on slice by slice.
"""

from itertools import pairwise
from time import perf_counter

import numpy as np

from paretoball.archive import (
    SPARE,
    Archive,
    NdTree,
    Near,
    Points,
    larger,
    new_tree,
    report_rows,
    room_left,
)
from paretoball.climber import CLIMB, Climber, WeightSource, start_now
from paretoball.crossover import new_component_space
from paretoball.landscape import EXACT, Landscape, packed_bits
from paretoball.numerics import random_solution, spawn_streams, with_room
from paretoball.search.method import Asked, Block, Done, Stop
from paretoball.search.method import Tasks as AnyTasks
from paretoball.search.path import stages
from paretoball.search.path.clock import (
    CLIMBING,
    CLOCK,
    FOUND,
    HEATING,
    SEEKING,
    record_of,
)
from paretoball.search.path.effort import FEW_VARIABLES, effort_of
from paretoball.search.path.engine import go_on
from paretoball.search.path.heat import begin_heat, face, new_heat
from paretoball.search.path.ledger import (
    Ledger,
    NoLedger,
    look_work,
    new_ledger,
    open_ledger,
    set_prices,
)
from paretoball.search.path.legs import FIRST_MILD
from paretoball.search.path.sums import new_sums
from paretoball.search.path.tasks import FILL, PATH, Task, Tasks, no_tasks, turns_of
from paretoball.search.path.unit import (
    CORE,
    AnyUnits,
    Between,
    Core,
    Course,
    Front,
    Ground,
    Known,
    OnlyPaths,
    Unit,
    new_places,
    new_unsaid,
    no_course,
    no_known,
)
from paretoball.search.path.units import run_units
from paretoball.search.reporting import Reporting
from paretoball.search.slices import FIRST_SLICE, next_slice

ROOM = 4096  # reports, and other things, to note at a time
FLIPS = 1 << 15  # the same of flips
PRICED_FLIP = 16.0  # under constraints, looks that take as long as a flip, about
PRICING = 64.0  # looks at each variable, to find the prices of a filling
NODES = 2 * SPARE  # of the tree of what a unit knows, more than are noted at a time
ALL = 1 << 62  # more constraints than there are
NOT_A_PATH = -1  # the path number of climbs


class Searcher:
    """The units of one run, for one worker; the climber knows no constraints."""

    def __init__(
        self,
        landscape: Landscape,
        climber: Climber,
        asked: Asked,
        starts: np.ndarray,
        has_fillings: bool,
    ) -> None:
        if not landscape.constraints:
            landscape = climber.landscape  # which may be a twin
        n, d = landscape.n, landscape.d
        self.landscape, self.climber = landscape, climber
        self.seed, self.starts = asked.seed, starts
        self.has_fillings = has_fillings
        self.slice, self.reporting = FIRST_SLICE, Reporting()
        self.effort = effort_of(landscape, climber.radius, asked.breadth)
        self.state = climber.new_state(journal=0, reports=ROOM + 2)
        looks, sweep, flip_work = np.zeros(0, np.int64), 0, float(self.effort.flip)
        ledger: Ledger | NoLedger = NoLedger(0)
        mixed: Between | Core
        front: Front | NdTree
        if landscape.constraints:
            bounds = CORE * np.minimum(climber.bounds, EXACT // (CORE * d))
            self.weights = WeightSource(asked.weights, landscape, bounds, asked.seed)
            ledger, rows = new_ledger(landscape), landscape.constraint_rows
            looks = look_work(rows)
            sweep, flip_work = int(looks.sum()) + len(rows.lower), PRICED_FLIP
            mixed = Core(np.zeros(CORE, np.int32), np.zeros(CORE))
            front = new_tree(d, ROOM)
        else:
            space = new_component_space(climber.cliques)
            mixed = Between(space, np.zeros(n, np.int64), new_sums())
            front = Front(np.zeros((0, d), np.int64), np.zeros(1, np.int64))
        flips = looks
        if isinstance(ledger, Ledger):
            flips = looks + landscape.degrees + len(ledger.resources)
        graph = climber.landscape.cooccurrence
        self.ground = Ground(
            climber.cliques, graph, climber.move_set, looks, flips, sweep
        )
        self.unit = Unit(
            state=self.state,
            ledger=ledger,
            course=no_course(d),
            clock=record_of(CLOCK, np.int64),
            flips=np.zeros(0, np.int32),
            unsaid=new_unsaid(n),
            chosen=np.zeros(n, np.int32),
            heat=new_heat(d, flip_work),
            places=new_places(n, d),
            known=no_known(n, d),
            mixed=mixed,
            front=front,
        )

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
        w = self.weights.draw(np.arange(block.first, block.end))
        return no_tasks(self.landscape.n, self.landscape.d)._replace(
            kinds=np.full(block.size, PATH, np.uint8),
            paths=np.full(block.size, NOT_A_PATH),
            weights=np.repeat(w[:, None], turns_of(self.landscape.d), axis=1),
            ends=np.zeros(block.size, np.int64),
        )

    def begin(self, archive: Archive, number: int, task: Task) -> np.ndarray:
        """Begin a unit; returns the solution that its flips start from, packed."""
        state, unit = self.state, self.unit
        state.clock[:] = 0
        state.clock[CLIMB] = number
        state.rng[:] = spawn_streams(self.seed, np.array([number]))[0]
        state.x[:] = self._start_of(number, task)
        state.w[:] = task.turns[0]
        start = packed_bits(state.x)
        unit.unsaid.missing[:] = unit.unsaid.listed[:] = 0
        known = Known(task.rows, task.values, task.wanted)
        self.unit = unit = unit._replace(
            course=self._course(task), clock=record_of(CLOCK, np.int64), known=known
        )
        if isinstance(unit.ledger, Ledger):
            self._begin_priced(unit.ledger, task)
        else:
            self._begin_freely(archive, number, task)
        return start

    def _start_of(self, number: int, task: Task) -> np.ndarray:
        """Where a unit starts: a given or a known solution, or a random one."""
        is_free, is_given = not self.landscape.constraints, number < len(self.starts)
        if is_given and not is_free:
            return self.starts[number]
        if len(task.rows):
            is_amid = task.kind == FILL and not is_free
            return task.rows[len(task.rows) // 2 if is_amid else 0]
        if is_given:
            return self.starts[number or -1]  # path 0 passes by all, in turn
        x = np.empty(self.landscape.n, np.uint8)
        random_solution(self.state.rng, x)
        return x

    def _course(self, task: Task) -> Course:
        """Where a unit goes, and with how much work."""
        is_filling, is_line = task.kind == FILL, self.landscape.d == 2
        ends, work = len(task.turns) - 1, self.effort.of_anneal(task.path)
        steps = self.effort.legs(work) or 1  # one in a fan
        hot = stages.HOT if self.landscape.constraints else self.effort.hot
        if task.path == NOT_A_PATH:
            ends, work, hot = 0, 1.0, stages.MILD
        return Course(
            units=(AnyUnits if self.has_fillings else OnlyPaths)(is_filling),
            stages=len(task.rows) if is_filling else 1 + ends * steps,
            partners=self.effort.partners,
            turns=np.array(task.turns),
            corners=np.array([[0, 1], [1, 0]] if is_line else task.turns[1:3]),
            steps=steps,
            work=work,
            hot=hot,
            is_fan=self.effort.is_fan,
        )

    def _begin_freely(self, archive: Archive, number: int, task: Task) -> None:
        """Begin a unit without constraints."""
        unit, state = self.unit, self.state
        unit.clock.phase = SEEKING if task.kind == FILL else CLIMBING
        if task.kind == PATH and number == 0 and len(self.starts) > 1:
            self._pass_by_starts(archive)
        start_now(self.ground.cliques, self.ground.moves, state)
        values = task.values
        if task.kind == PATH:
            unit.heat.numbers.mild = FIRST_MILD
            here = np.array([[number, unit.clock.flipped, 0]])
            archive.take_in(Points.tagged(state.fx[None], here))
            values = self._front(values)
        front = Front(values, np.zeros(1, np.int64))
        self.unit = self.unit._replace(front=front)

    def _front(self, values: np.ndarray) -> np.ndarray:
        """What is known nearby, so that escapes need not report what it dominates.

        It belongs to the task, not to an archive: workers have archives of their own,
        and what is reported tells how a journal goes on. At first it is the start.
        Where variables are many, escapes report nothing.
        """
        n, d = self.landscape.n, self.landscape.d
        if n > FEW_VARIABLES or d == 1:
            return np.empty((0, d), np.int64)
        known = values if len(values) else self.state.fx[None]
        return known[np.lexsort(known.T[::-1])]

    def _pass_by_starts(self, archive: Archive) -> None:
        """Report all given starts, from the last one to the first."""
        landscape, starts = self.landscape, self.starts[::-1]
        flips = [np.flatnonzero(a != b) for a, b in pairwise(starts)]
        steps = np.append(0, np.cumsum([len(each) for each in flips]))
        total = int(steps[-1])
        self.unit = self.unit._replace(flips=with_room(self.unit.flips, total))
        self.unit.flips[:total] = np.concatenate(flips)
        self.unit.clock.flipped = total
        no = np.zeros(len(steps), np.int64)
        fx = landscape.inside(np.array([landscape.evaluate(x) for x in starts]))
        archive.take_in(Points(fx, no, steps, no))
        self.state.x[:] = starts[-1]

    def _begin_priced(self, ledger: Ledger, task: Task) -> None:
        """Begin a unit under constraints: set first prices, and heat."""
        unit, state = self.unit, self.state
        n, d = self.landscape.n, self.landscape.d
        clock = unit.clock
        clock.phase, clock.due, clock.nearest = HEATING, FOUND, ALL
        hot, work = stages.MILD, PRICING * n
        if not unit.course.units.is_filling:
            hot, work = unit.course.hot, unit.course.work
        else:
            state.w[:] = _facing(task.values)
        tree = new_tree(d, NODES + ROOM + len(task.values))
        no = np.zeros(len(task.values), np.int64)  # where it was found does not matter
        report_rows(tree, Points(task.values, no, no, no), 0)
        self.unit = unit = unit._replace(front=tree)
        start_now(self.ground.cliques, self.ground.moves, state)
        open_ledger(ledger, state.x)
        total = face(unit)
        loss = _typical_loss(unit.heat.shares, state.scores[: n * d])
        unit.heat.numbers.loss = loss * total
        set_prices(ledger, loss)
        begin_heat(unit, hot, stages.COLD, work)

    def go_on(self, archive: Archive, before: int, max_moves: int, stop: Stop) -> bool:
        """Go on with a unit, reporting as it goes; whether it came to its end.

        Earlier units of the block took `before` moves.
        """
        clock = self.unit.clock
        while True:
            self.reporting.take_over(self.state, archive)
            self._tell(archive)
            if clock.stage >= self.unit.course.stages:
                return True
            moves = before + int(clock.taken)
            if stop(moves) or moves >= max_moves:
                return False
            self.make_room()
            began = perf_counter()
            last = min(int(clock.taken) + self.slice, max_moves - before)
            go_on(self.ground, self.unit, last)
            is_used_up = bool(clock.taken >= last)
            self.slice = next_slice(self.slice, perf_counter() - began, is_used_up)

    def _tell(self, archive: Archive) -> None:
        """As long as nothing is feasible, tell what is nearest to that."""
        violated = int(self.unit.clock.nearest)
        if self.landscape.constraints and len(archive) == 0 and violated < ALL:
            number, x = int(self.state.clock[CLIMB]), self.unit.places.nearest
            archive.keep_near(Near(violated, number, packed_bits(x)))

    def make_room(self) -> None:
        """Make room for what a slice notes, so that it seldom ends for lack of it."""
        unit = self.unit
        room = int(unit.clock.flipped) + 10 * self.landscape.n + FLIPS
        tree = unit.front
        if isinstance(tree, NdTree) and room_left(tree) < NODES + ROOM // 2:
            tree = larger(tree, NODES + ROOM)
        self.unit = unit._replace(flips=with_room(unit.flips, room), front=tree)

    def journal(self) -> tuple[int, np.ndarray]:
        """The moves that the unit has taken, and the flips that it has noted."""
        clock = self.unit.clock
        return int(clock.taken), self.unit.flips[: clock.flipped].copy()


def _typical_loss(shares: np.ndarray, scores: np.ndarray) -> float:
    """The mean of |w · S_j| over all variables where it is not 0; at least a little.

    It is summed up from the first variable to the last, as a rounded sum depends on it.
    """
    gains = np.zeros(len(scores) // len(shares))
    for i, share in enumerate(shares.tolist()):
        gains += share * scores[i :: len(shares)]
    gains = np.abs(gains)
    return max(float(np.cumsum(gains)[-1]) / max(int((gains > 0).sum()), 1), 1e-9)


def _facing(values: np.ndarray) -> np.ndarray:
    """The direction in which the front faces, from one end of these rows to the other.

    Each objective counts by the inverse of its range.
    """
    spans = np.maximum(np.ptp(values, axis=0), 1).astype(np.float64)
    whole = np.rint(spans.max() / spans * 1000.0)
    return np.clip(whole, 1, 2.0**40).astype(np.int64)
