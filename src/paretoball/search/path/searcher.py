"""Paths, run one after the other, and reported to an archive.

Path number i is a pure function of the landscape, the radius, the seed, i, and what its
round starts from.
"""

from itertools import pairwise
from time import perf_counter
from typing import NamedTuple

import numpy as np

from paretoball.archive import Archive, Points, Trail
from paretoball.climber import CLIMB, Climber, start_now
from paretoball.crossover import new_component_space
from paretoball.landscape import packed_bits, unpacked_bits
from paretoball.numerics import random_solution, spawn_streams, with_room
from paretoball.search.method import Block, Done, Stop, Tasks
from paretoball.search.path.heat import NUMBERS, exponential_draws
from paretoball.search.path.legs import (
    CLOCK,
    FIRST_MILD,
    FLIPPED,
    LEG,
    MILD,
    MILDS,
    TAKEN,
    PathState,
    follow,
    spare_flips,
    spare_reports,
)
from paretoball.search.path.planning import SPREAD, PathTask, PathTasks, TURNS
from paretoball.search.reporting import Reporting
from paretoball.search.slices import FIRST_SLICE, next_slice

import os
STEPS = int(os.environ.get("STEPS","24"))  # legs to each end of a path
PERSTEP = float(os.environ.get("PS","64"))
FIRST_WORK = float(os.environ.get("E0","32"))  # of the first path, for each variable
ROOM = 4096  # moves to note at a time


class _Logged(NamedTuple):
    """What is kept of a path that has ended: its start, and all flips."""

    number: int
    start: np.ndarray  # packed bits
    flips: np.ndarray


class PathSearcher:
    """The paths of one run, for one worker."""

    def __init__(self, climber: Climber, seed: int, starts: np.ndarray) -> None:
        n, d = climber.landscape.n, climber.landscape.d
        self.climber = climber
        self.seed = seed
        self.starts = starts
        self.graph = climber.landscape.cooccurrence
        self.space = new_component_space(climber.cliques)
        reports = spare_reports(n, ROOM) + ROOM
        self.state = climber.new_state(journal=ROOM, reports=reports)
        degrees = climber.landscape.degrees
        self.path = PathState(
            turns=np.ones((TURNS, d), np.int64),
            known=np.zeros((0, n), np.uint8),
            known_fx=np.zeros((0, d), np.int64),
            middle=np.zeros(n, np.uint8),
            before=np.zeros(n, np.uint8),
            clock=np.zeros(CLOCK, np.int64),
            flips=np.zeros(0, np.int32),
            mild=np.zeros(MILDS),
            heat=np.zeros(NUMBERS),
            sweep=np.zeros(2, np.int64),
            shares=np.zeros(d, np.float32),
            draws=exponential_draws(),
            order=np.zeros(n, np.int64),
            fx=np.zeros(d, np.int64),
            corners=np.eye(2, d, dtype=np.int64)[::-1].copy(),
            steps=STEPS,
            flip_work=16 + 2 * int(degrees.mean()),
            work=0.0,
        )
        self.slice = FIRST_SLICE
        self.reporting = Reporting()

    @property
    def archive_seconds(self) -> float:
        """The time spent on the archive so far."""
        return self.reporting.seconds

    def run(
        self, archive: Archive, block: Block, tasks: Tasks, max_moves: int, stop: Stop
    ) -> Done:
        """Run the paths of a block into the archive, while `stop(moves)` is false."""
        assert isinstance(tasks, PathTasks)
        finished = moves = settled = 0
        logs: list[_Logged] = []
        while finished < block.size and moves < max_moves:
            number = block.first + finished
            if stop(moves) and (finished or number or len(archive)):
                break
            task = tasks.row(finished, self.climber.landscape.numbering)
            start = self._begin(archive, number, task)
            is_over = self._follow(archive, moves, max_moves, stop)
            moves += int(self.path.clock[TAKEN])
            flips = self.path.flips[: self.path.clock[FLIPPED]].copy()
            logs.append(_Logged(number, start, flips))
            if not is_over:
                break
            finished += 1
            settled = moves
        with self.reporting.timed():
            trails = self._trails(archive, logs)
            archive.keep_trails(self.climber.landscape.n, trails)
        return Done(finished, moves, settled)

    def _begin(self, archive: Archive, number: int, task: PathTask) -> np.ndarray:
        """Begin a path; returns the solution that its flips start from, packed."""
        state, path = self.state, self.path
        state.clock[:] = 0
        state.clock[CLIMB] = number
        state.rng[:] = spawn_streams(self.seed, np.array([number]))[0]
        if len(task.known):
            state.x[:] = task.known[0]
        elif number < len(self.starts):
            state.x[:] = self.starts[number or -1]  # path 0 passes by all, in turn
        else:
            random_solution(state.rng, state.x)
        work = FIRST_WORK * len(state.x) * 2.0 ** (number / SPREAD)
        steps = int(min(max(work / (PERSTEP * len(state.x)), 2), STEPS))
        self.path = path = path._replace(
            work=work, steps=steps, known=task.known, known_fx=task.known_fx
        )
        path.turns[:], state.w[:] = task.turns, task.turns[0]
        if path.turns.shape[1] != 2:
            path.corners[:] = task.turns[1:]
        start = packed_bits(state.x)
        flipped = 0
        if number == 0 and len(self.starts) > 1:
            flipped = self._pass_by_starts(archive)
        path.clock[:] = 0
        path.clock[FLIPPED] = flipped
        path.mild[MILD] = FIRST_MILD
        start_now(self.climber.cliques, self.climber.move_set, state)
        here = np.array([[number, flipped, 0]])
        archive.take_in(Points.tagged(state.fx[None], here))
        return start

    def _pass_by_starts(self, archive: Archive) -> int:
        """Report all given starts, from the last one to the first; how many flips."""
        landscape, starts = self.climber.landscape, self.starts[::-1]
        flips = [np.flatnonzero(a != b) for a, b in pairwise(starts)]
        steps = np.append(0, np.cumsum([len(each) for each in flips]))
        total = int(steps[-1])
        self.path = self.path._replace(flips=with_room(self.path.flips, total))
        self.path.flips[:total] = np.concatenate(flips)
        no = np.zeros(len(steps), np.int64)
        fx = landscape.inside(np.array([landscape.evaluate(x) for x in starts]))
        archive.take_in(Points(fx, no, steps, no))
        self.state.x[:] = starts[-1]
        return total

    def _follow(
        self, archive: Archive, before: int, max_moves: int, stop: Stop
    ) -> bool:
        """Follow the path, reporting as it goes; whether it came to its end.

        Earlier paths of the block took `before` moves.
        """
        clock, climber = self.path.clock, self.climber
        while True:
            self.reporting.take_over(self.state, archive)
            if clock[LEG] == 1 + 2 * self.path.steps:
                return True
            moves = before + int(clock[TAKEN])
            if stop(moves) or moves >= max_moves:
                return False
            self._make_room()
            began = perf_counter()
            last = min(clock[TAKEN] + self.slice, max_moves - before)
            follow(
                climber.cliques,
                self.graph,
                climber.move_set,
                self.state,
                self.space,
                self.path,
                last,
            )
            is_used_up = clock[TAKEN] == last
            self.slice = next_slice(self.slice, perf_counter() - began, is_used_up)

    def _make_room(self) -> None:
        state, flipped = self.state, int(self.path.clock[FLIPPED])
        spare = spare_flips(len(state.x), len(state.journal), self.climber.radius)
        flips = with_room(self.path.flips, flipped + 2 * spare)
        self.path = self.path._replace(flips=flips)

    def _trails(self, archive: Archive, logs: list[_Logged]) -> dict[int, Trail]:
        """The parts of the paths that the archive's reports need, by path."""
        origins = archive.origins()
        trails = {}
        for log in logs:
            steps = np.sort(origins.step[origins.unit == log.number])
            steps = steps[steps <= len(log.flips)]  # others are from before
            if len(steps):
                x = unpacked_bits(log.start, self.climber.landscape.n)
                trail = Trail.along(x, log.flips, steps, steps)
                trails[log.number] = trail.outward(self.climber.landscape.numbering)
        return trails
