"""Paths and fillings without constraints: how they begin, and what runs them."""

from itertools import pairwise

import numpy as np

from paretoball.archive import Archive, Points
from paretoball.climber import CLIMB, NO_MOVE, Climber, start_now
from paretoball.crossover import new_component_space
from paretoball.landscape import packed_bits
from paretoball.numerics import random_solution, spawn_streams, with_room
from paretoball.search.method import Asked
from paretoball.search.path import searcher
from paretoball.search.path.clock import CLOCK, FLIPPED, MOVE
from paretoball.search.path.effort import FEW_VARIABLES, effort_of
from paretoball.search.path.filling import FillState, fill
from paretoball.search.path.heat import new_heat
from paretoball.search.path.legs import (
    FIRST_MILD,
    MILD,
    MILDS,
    Course,
    PathState,
    follow,
    legs_of,
    spare_flips,
    spare_reports,
)
from paretoball.search.path.searcher import Searcher
from paretoball.search.path.sums import new_sums
from paretoball.search.path.tasks import FILL, Task, turns_of

FLIPS = 1 << 15  # flips to note at a time


class PathSearcher(Searcher):
    """Paths and fillings without constraints."""

    def __init__(self, climber: Climber, asked: Asked, starts: np.ndarray) -> None:
        super().__init__(climber.landscape, asked.seed, starts)
        n, d = climber.landscape.n, climber.landscape.d
        self.climber = climber
        self.effort = effort_of(climber.landscape, asked.radius, asked.breadth)
        self.graph = climber.landscape.cooccurrence
        self.space = new_component_space(climber.cliques)
        reports = spare_reports(n) + searcher.ROOM
        self.state = climber.new_state(journal=0, reports=reports)
        self.path = PathState(
            course=Course(
                turns=np.ones((turns_of(d), d), np.int64),
                corners=np.eye(2, d, dtype=np.int64)[::-1].copy(),
                steps=0,
                work=0.0,
                hot=self.effort.hot,
            ),
            known=np.zeros((0, n), np.uint8),
            known_fx=np.zeros((0, d), np.int64),
            middle=np.zeros(n, np.uint8),
            before=np.zeros(n, np.uint8),
            clock=np.zeros(CLOCK, np.int64),
            flips=np.zeros(0, np.int32),
            mild=np.zeros(MILDS),
            heat=new_heat(n, d, self.effort.flip),
            chosen=np.zeros(n, np.int32),
            order=np.zeros(n, np.int64),
            fx=np.zeros(d, np.int64),
        )
        self.filling = FillState(
            rows=self.path.known,
            values=self.path.known_fx,
            wanted=np.zeros(0, np.uint8),
            clock=np.zeros(CLOCK, np.int64),
            flips=self.path.flips,
            fx=self.path.fx,
            hint=np.zeros(1, np.int64),
            sums=new_sums(),
            partners=self.effort.partners,
        )

    def begin(self, archive: Archive, number: int, task: Task) -> np.ndarray:
        """Begin a unit; returns the solution that its flips start from, packed."""
        if task.kind == FILL:
            return self._begin_fill(number, task)
        return self._begin_path(archive, number, task)

    def _begin_fill(self, number: int, task: Task) -> np.ndarray:
        """Begin a filling; returns the solution that its flips start from, packed."""
        state = self.state
        state.clock[:] = 0
        state.clock[CLIMB] = number
        self.filling = self.filling._replace(
            rows=task.rows, values=task.values, wanted=task.wanted
        )
        self.unit = self.filling
        self.filling.clock[:] = 0
        self.filling.hint[:] = 0
        state.x[:] = task.rows[0]
        start_now(self.climber.cliques, self.climber.move_set, state)
        return packed_bits(state.x)

    def _begin_path(self, archive: Archive, number: int, task: Task) -> np.ndarray:
        """Begin a path; returns the solution that its flips start from, packed."""
        state, path, d = self.state, self.path, self.climber.landscape.d
        state.clock[:] = 0
        state.clock[CLIMB] = number
        state.rng[:] = spawn_streams(self.seed, np.array([number]))[0]
        if len(task.rows):
            state.x[:] = task.rows[0]
        elif number < len(self.starts):
            state.x[:] = self.starts[number or -1]  # path 0 passes by all, in turn
        else:
            random_solution(state.rng, state.x)
        work = self.effort.of_anneal(task.path)
        course = path.course._replace(work=work, steps=self.effort.legs(work))
        course.turns[:], state.w[:] = task.turns, task.turns[0]
        if d != 2:
            course.corners[:] = task.turns[1:3]
        self.path = path = path._replace(
            course=course, known=task.rows, known_fx=task.values - task.values[:1]
        )
        path.heat.unsaid[:] = path.heat.hint[:] = 0
        start = packed_bits(state.x)
        flipped = 0
        if number == 0 and len(self.starts) > 1:
            flipped = self._pass_by_starts(archive)
        path.clock[:] = 0
        path.clock[FLIPPED], path.clock[MOVE] = flipped, NO_MOVE
        path.mild[MILD] = FIRST_MILD
        start_now(self.climber.cliques, self.climber.move_set, state)
        heat = path.heat._replace(front=self._front(task.values))
        self.path = self.unit = self.path._replace(heat=heat)
        here = np.array([[number, flipped, 0]])
        archive.take_in(Points.tagged(state.fx[None], here))
        return start

    def _front(self, values: np.ndarray) -> np.ndarray:
        """What is known nearby, so that escapes need not report what it dominates.

        It belongs to the task, not to an archive: workers have archives of their own,
        and what is reported tells how a journal goes on. At first it is the start.
        Where variables are many, escapes report nothing.
        """
        n, d = self.climber.landscape.n, self.climber.landscape.d
        if n > FEW_VARIABLES or d == 1:
            return np.empty((0, d), np.int64)
        known = values if len(values) else self.state.fx[None]
        return known[np.lexsort(known.T[::-1])]

    def _pass_by_starts(self, archive: Archive) -> int:
        """Report all given starts, from the last one to the first; how many flips."""
        landscape, starts = self.climber.landscape, self.starts[::-1]
        flips = [np.flatnonzero(a != b) for a, b in pairwise(starts)]
        steps = np.append(0, np.cumsum([len(each) for each in flips]))
        total = int(steps[-1])
        self._with_flips(with_room(self.path.flips, total))
        self.path.flips[:total] = np.concatenate(flips)
        no = np.zeros(len(steps), np.int64)
        fx = landscape.inside(np.array([landscape.evaluate(x) for x in starts]))
        archive.take_in(Points(fx, no, steps, no))
        self.state.x[:] = starts[-1]
        return total

    def stages(self) -> int:
        """The legs of a path, or the visits of a filling."""
        if self.unit is self.filling:
            return len(self.filling.rows)
        return int(legs_of(self.path))

    def make_room(self) -> None:
        """Make room for flips."""
        room = 2 * spare_flips(len(self.state.x), self.climber.radius) + FLIPS
        flipped = int(self.unit.clock[FLIPPED])
        self._with_flips(with_room(self.path.flips, flipped + room))

    def go(self, last: int) -> None:
        """Go on with a path or a filling."""
        climber, kernel = self.climber, fill if self.unit is self.filling else follow
        where = climber.cliques, self.graph, climber.move_set, self.state, self.space
        kernel(*where, self.unit, last)

    def _with_flips(self, flips: np.ndarray) -> None:
        """Paths and fillings have one journal."""
        is_filling = self.unit is self.filling
        self.path = self.path._replace(flips=flips)
        self.filling = self.filling._replace(flips=flips)
        self.unit = self.filling if is_filling else self.path
