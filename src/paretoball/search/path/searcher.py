"""The searcher: how units begin, and how they go on, slice by slice.

A unit is a function of the landscape, the radius, the seed, its number and its task.
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
    Trail,
    larger,
    new_tree,
    report_rows,
    room_left,
)
from paretoball.climber import CLIMB, Climber, WeightSource, start_now
from paretoball.crossover import new_component_space
from paretoball.landscape import EXACT, Landscape, packed_bits, unpacked_bits
from paretoball.numerics import random_solution, spawn_streams, with_room
from paretoball.search.method import Asked, Block, Done, Stop
from paretoball.search.method import Tasks as AnyTasks
from paretoball.search.path import stages
from paretoball.search.path.chains import HOT as HOT_CHAINS
from paretoball.search.path.chains import LONGEST, begin_chains
from paretoball.search.path.clock import (
    CLIMBING,
    CLOCK,
    FOUND,
    HEATING,
    REPAIRING,
    SEEKING,
    new_record,
)
from paretoball.search.path.effort import (
    CHAINED_LEGS,
    CHAINED_WORK,
    FEW_VARIABLES,
    Effort,
)
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
from paretoball.search.path.menders import new_menders, open_menders
from paretoball.search.path.sums import MOST_SUMS, Sums
from paretoball.search.path.tasks import FILL, PATH, Task, Tasks, no_tasks, turns_of
from paretoball.search.path.unit import (
    CORE,
    AnyUnits,
    Between,
    Core,
    Course,
    Front,
    Ground,
    OnlyPaths,
    Places,
    Unit,
    Unsaid,
)
from paretoball.search.reporting import FIRST_SLICE, Reporting, next_slice

ROOM = 4096  # reports, and other things, to note at a time
FLIPS = 1 << 15  # the same of flips
PRICED_FLIP = 16.0  # under constraints, looks that take as long as a flip, about
PRICING = 64.0  # looks at each variable, to find the prices of a filling
NODES = 2 * SPARE  # of the tree of what a unit knows, more than are noted at a time
ALL = 1 << 62  # more constraints than there are
NOT_A_PATH = -1  # the path number of climbs


class Searcher(Reporting):
    """The units of one run, for one worker; the climber knows no constraints."""

    def __init__(
        self,
        landscape: Landscape,
        climber: Climber,
        asked: Asked,
        starts: np.ndarray,
        has_fillings: bool = True,
    ) -> None:
        if not landscape.constraints:
            landscape = climber.landscape  # which may be a twin
        n, d = landscape.n, landscape.d
        self.landscape, self.climber = landscape, climber
        self.seed, self.starts = asked.seed, starts
        self.has_fillings = has_fillings and d > 1
        self.slice = FIRST_SLICE
        self.effort = Effort(landscape, climber.radius, asked.breadth)
        self.state = climber.new_state(journal=0, reports=ROOM + 2)
        nothing = no_tasks(n, d, 1).row(0)
        looks = flips = np.zeros(0, np.int64)
        sweep, flip_work = n, float(self.effort.flip)
        ledger: Ledger | NoLedger
        mixed: Between | Core
        front: Front | NdTree
        if landscape.constraints:
            bounds = CORE * np.minimum(climber.bounds, EXACT // (CORE * d))
            self.weights = WeightSource(asked.weights, landscape, bounds, asked.seed)
            ledger, rows = new_ledger(landscape), landscape.constraint_rows
            looks = look_work(rows)
            flips = looks + landscape.degrees + len(ledger.resources)
            sweep, flip_work = int(looks.sum()) + len(rows.lower), PRICED_FLIP
            mixed = Core(
                variables=np.zeros(CORE, np.int32),
                ranks=np.zeros(CORE),
                chain=np.zeros(LONGEST, np.int32),
                before=np.zeros(d, np.int64),
                menders=new_menders(rows),
            )
            front = new_tree(d, ROOM)
        else:
            ledger = NoLedger(np.zeros(1, np.int64))
            space = new_component_space(climber.cliques)
            sums = Sums(*np.zeros((3, 2, MOST_SUMS), np.int64))
            mixed = Between(space, np.zeros(n, np.int64), sums)
            front = Front(nothing.known.values, np.zeros(1, np.int64))
        cliques, graph = climber.cliques, climber.landscape.cooccurrence
        self.ground = Ground(cliques, graph, climber.move_set, looks, flips, sweep)
        self.unit = Unit(
            state=self.state,
            ledger=ledger,
            course=self._course(nothing),
            clock=new_record(CLOCK),
            flips=np.zeros(0, np.int32),
            unsaid=Unsaid(np.zeros(n, np.int32), *np.zeros((2, n), np.uint8)),
            chosen=np.zeros(n, np.int32),
            heat=new_heat(d, flip_work),
            places=Places(np.zeros(d, np.int64), *np.zeros((3, n), np.uint8)),
            known=nothing.known,
            mixed=mixed,
            front=front,
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
        landscape, finished, moves, settled = self.landscape, 0, 0, 0
        starts: list[np.ndarray] = []  # packed bits
        journals: list[np.ndarray] = []  # flips
        while finished < block.size and moves < max_moves:
            number = block.first + finished
            if stop(moves) and (finished or number or len(archive)):
                break
            task = tasks.row(finished, landscape.numbering)
            starts.append(self.begin(archive, number, task))
            is_over = self.go_on(archive, moves, max_moves, stop)
            clock = self.unit.clock
            moves += int(clock.taken)
            journals.append(self.unit.flips[: clock.flipped].copy())
            if not is_over:
                break
            finished += 1
            settled = moves

        def trail(at: int, steps: np.ndarray) -> Trail:
            x = unpacked_bits(starts[at], landscape.n)
            return Trail.along(x, journals[at], steps, steps)

        lengths = list(map(len, journals))
        self.keep_trails(archive, landscape, block.first, lengths, trail)
        return Done(finished, moves, settled)

    def _climbs(self, block: Block) -> Tasks:
        """The tasks of climbs, which need their directions only."""
        n, d = self.landscape.n, self.landscape.d
        w = self.weights.draw(np.arange(block.first, block.end))
        return no_tasks(n, d, block.size)._replace(
            paths=np.full(block.size, NOT_A_PATH),
            weights=np.repeat(w[:, None], turns_of(d), axis=1),
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
        clock, course = new_record(CLOCK), self._course(task)
        self.unit = unit = unit._replace(clock=clock, course=course, known=task.known)
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
        rows = task.known.rows
        if len(rows):
            is_amid = task.kind == FILL and not is_free
            return rows[len(rows) // 2 if is_amid else 0]
        if is_given:
            return self.starts[number or -1]  # path 0 passes by all, in turn
        x = np.empty(self.landscape.n, np.uint8)
        random_solution(self.state.rng, x)
        return x

    def _course(self, task: Task) -> Course:
        """Where a unit goes, and with how much work."""
        is_filling, is_line = task.kind == FILL, self.landscape.d == 2
        ends, work = len(task.turns) - 1, self.effort.of_anneal(task.path)
        steps = self.effort.legs(work)
        if task.is_chained:
            steps, work = max(1, int(CHAINED_LEGS * steps)), CHAINED_WORK * work
        hot = stages.HOT if self.landscape.constraints else self.effort.hot
        if task.path == NOT_A_PATH:
            ends, work, hot = 0, 1.0, stages.MILD
        elif is_filling:  # under constraints, to find prices
            work, hot = PRICING * self.landscape.n, stages.MILD
        return Course(
            units=(AnyUnits if self.has_fillings else OnlyPaths)(is_filling),
            stages=len(task.known.rows) if is_filling else 1 + ends * steps,
            partners=self.effort.partners,
            turns=np.array(task.turns),
            corners=np.array([[0, 1], [1, 0]] if is_line else task.turns[1:3]),
            steps=steps,
            work=work,
            hot=hot,
            is_chained=task.is_chained,
            is_fan=self.effort.is_fan,
        )

    def _begin_freely(self, archive: Archive, number: int, task: Task) -> None:
        """Begin a unit without constraints."""
        unit, state = self.unit, self.state
        unit.clock.phase = SEEKING if task.kind == FILL else CLIMBING
        if task.kind == PATH and number == 0 and len(self.starts) > 1:
            self._pass_by_starts(archive)
        start_now(self.ground.cliques, self.ground.moves, state)
        values = task.known.values
        if task.kind == PATH:
            unit.heat.numbers.mild = FIRST_MILD
            here = np.array([[number, unit.clock.flipped, 0]])
            archive.take_in(Points.tagged(state.fx[None], here))
            # Escapes do not report what the values that are known hide, or the start;
            # they report nothing where there are none, or where variables are many.
            values = values if len(values) else state.fx[None]
            values = values[np.lexsort(values.T[::-1])]
            if self.landscape.n > FEW_VARIABLES or self.landscape.d == 1:
                values = values[:0]
        self.unit = self.unit._replace(front=Front(values, np.zeros(1, np.int64)))

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
        clock, values = unit.clock, task.known.values
        clock.phase, clock.due, clock.nearest = HEATING, FOUND, ALL
        if task.kind == FILL:
            state.w[:] = _facing(values)
        tree = new_tree(d, NODES + ROOM + len(values))
        no = np.zeros(len(values), np.int64)  # where it was found does not matter
        report_rows(tree, Points(values, no, no, no), 0)
        self.unit = unit = unit._replace(front=tree)
        start_now(self.ground.cliques, self.ground.moves, state)
        open_ledger(ledger, state.x)
        if isinstance(unit.mixed, Core) and task.is_chained:
            open_menders(unit.mixed.menders, ledger.rows, state.x)
        total = face(unit)
        loss = _typical_loss(unit.heat.shares, state.scores[: n * d])
        unit.heat.numbers.loss = loss * total
        set_prices(ledger, loss)
        if unit.course.is_chained:
            begin_chains(unit, HOT_CHAINS, unit.course.work)
            clock.phase = SEEKING if task.kind == FILL else REPAIRING
        else:
            begin_heat(unit, unit.course.hot, stages.COLD, unit.course.work)

    def go_on(self, archive: Archive, before: int, max_moves: int, stop: Stop) -> bool:
        """Go on with a unit, reporting as it goes; whether it came to its end.

        Earlier units of the block took `before` moves.
        """
        clock = self.unit.clock
        while True:
            self.take_over(self.state, archive)
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
