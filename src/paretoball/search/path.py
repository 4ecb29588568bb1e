"""Paths: follow the front from one direction to another.

A path climbs, then turns its weights a little, files its moves anew (no score is
computed), and climbs on. At every turn it tries to escape from the local optimum it has
reached, and recombines where it stands with where it stood before. Path number i is a
pure function of the landscape, the radius, the seed, i, and what it starts from.
"""

from collections.abc import Callable
from itertools import pairwise
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from paretoball.archive import Archive, Trail
from paretoball.boxes import tags_of
from paretoball.climb import start_now
from paretoball.climber import Climber
from paretoball.memory import with_room
from paretoball.parts import new_parts
from paretoball.scores import CLIMB, REPORTS
from paretoball.search.budget import FIRST_SLICE, next_slice
from paretoball.search.escape import EXPONENTIAL, FIRST_HEAT, sweeps_of
from paretoball.search.multistart import BEGUN, FINISHED, MOVES
from paretoball.search.rounds import Task, Tasks
from paretoball.search.trip import (
    FLIPPED,
    HEATING,
    LEG,
    LEG_AT,
    LEGS,
    PHASE,
    SINCE,
    TAKEN,
    Trip,
    follow,
    spare_flips,
    spare_reports,
)
from paretoball.streams import random_solution, spawn_streams
from paretoball.weights import WeightSource

BRISK = 1024  # variables and escapes of a leg, multiplied, where n is not larger
ROOM = 4096  # moves to note at a time


class Stretch(NamedTuple):
    """Some paths in a row: how far they are."""

    done: np.ndarray  # (3,) int64: paths begun, paths finished, moves
    settled: np.ndarray  # (1,) int64: moves of those finished

    def settled_moves(self) -> int:
        """Moves of the paths that are finished."""
        return int(self.settled[0])


class Logged(NamedTuple):
    """What is left of a path once it is over: where it began, and all flips."""

    number: int
    start: np.ndarray  # packed bits
    flips: np.ndarray


class Path:
    """The paths of one run, for one worker.

    Directions come with tasks, so `weights`, what single climbs draw theirs from, is
    not looked at.
    """

    def __init__(
        self, climber: Climber, entropy: int, weights: WeightSource, starts: np.ndarray
    ):
        n, d = climber.landscape.n, climber.landscape.d
        self.climber = climber
        self.entropy = entropy
        self.starts = starts
        self.graph = climber.landscape.cooccurrence
        self.parts = new_parts(climber.cliques)
        reports = spare_reports(n, ROOM) + ROOM
        self.state = climber.new_state(journal=ROOM, reports=reports)
        self.trip = Trip(
            near=np.ones(d, np.int64),
            far=np.ones(d, np.int64),
            goal=np.zeros(n, np.uint8),
            clock=np.zeros(8, np.int64),
            heat=np.zeros(2),
            flips=np.zeros(0, np.int32),
            turns=np.zeros(n, np.int64),
            fx=np.zeros(d, np.int64),
            corners=np.eye(2, d, dtype=np.int64)[::-1].copy(),
            exponential=EXPONENTIAL,
            escapes=max(1, BRISK // n),
            sweeps=sweeps_of(0),
        )
        self.slice = FIRST_SLICE
        self.archive_seconds = 0.0  # spent on reports, and on keeping their solutions

    def run(
        self,
        archive: Archive,
        first: int,
        count: int,
        max_moves: int,
        stop: Callable[[int], Any],
        tasks: Tasks | None = None,
    ) -> Stretch:
        """Paths first, first + 1, ... into the archive, while `stop(moves)` is false.

        However early it is stopped, the first path leaves a solution there.
        """
        assert tasks is not None
        stretch = Stretch(np.zeros(3, np.int64), np.zeros(1, np.int64))
        done, logs = stretch.done, []
        while done[FINISHED] < count and done[MOVES] < max_moves:
            if stop(done[MOVES]) and (done[BEGUN] or first or len(archive)):
                break
            at = int(done[BEGUN])
            start = self._begin(archive, first + at, tasks.row(at))
            done[BEGUN] += 1
            finished = self._follow(archive, stretch, max_moves, stop)
            logs.append(Logged(first + at, start, self._settled_flips()))
            if not finished:
                break
            done[FINISHED] += 1
            stretch.settled[0] = done[MOVES]
        began = perf_counter()
        self._keep_trails(archive, first + count, logs)
        self.archive_seconds += perf_counter() - began
        return stretch

    def _settled_flips(self) -> np.ndarray:
        """The journal so far, without flips of an escape that may yet be shortened."""
        clock = self.trip.clock
        open_ended = clock[PHASE] == HEATING and self.trip.escapes == 1
        return self.trip.flips[: clock[SINCE if open_ended else FLIPPED]].copy()

    def _begin(self, archive: Archive, number: int, task: Task) -> np.ndarray:
        """Set out on a path; where its flips start from, packed."""
        state, trip = self.state, self.trip
        state.clock[:] = 0
        state.clock[CLIMB] = number
        state.rng[:] = spawn_streams(self.entropy, np.array([number]))[0]
        if task.start is not None:
            state.x[:] = task.start
        elif number < len(self.starts):
            state.x[:] = self.starts[number or -1]  # path 0 passes by all, in turn
        else:
            random_solution(state.rng, state.x)
        self.trip = trip = trip._replace(sweeps=sweeps_of(number))
        trip.near[:], trip.far[:], state.w[:] = task.near, task.far, task.near
        if len(trip.near) != 2:
            trip.corners[:] = task.near, task.far
        trip.goal[:] = state.x if task.goal is None else task.goal
        start = np.packbits(state.x, bitorder="little")
        flipped = 0
        if number == 0 and len(self.starts) > 1:
            flipped = self._pass_by_starts(archive)
        trip.clock[:] = 0
        trip.clock[FLIPPED] = trip.clock[LEG_AT] = flipped
        trip.heat[0] = FIRST_HEAT
        start_now(self.climber.cliques, self.climber.move_set, state)
        archive.take_in(state.fx[None], np.array([[number, flipped, 0]]))
        return start

    def _pass_by_starts(self, archive: Archive) -> int:
        """Report all given starts, from the last one to the first; how many flips."""
        landscape, starts = self.climber.landscape, self.starts[::-1]
        flips = [np.flatnonzero(a != b) for a, b in pairwise(starts)]
        steps = np.append(0, np.cumsum([len(each) for each in flips]))
        total = int(steps[-1])
        self.trip = self.trip._replace(flips=with_room(self.trip.flips, total))
        self.trip.flips[:total] = np.concatenate(flips)
        no = np.zeros(len(steps), np.int64)
        fx = landscape.inside(landscape.evaluate(starts))
        archive.take_in(fx, np.column_stack([no, steps, no]))
        self.state.x[:] = starts[-1]
        return total

    def _follow(
        self,
        archive: Archive,
        stretch: Stretch,
        max_moves: int,
        stop: Callable[[int], Any],
    ) -> bool:
        """Follow the path, reporting as it goes; whether it came to its end."""
        clock, done = self.trip.clock, stretch.done
        before = int(done[MOVES])
        while True:
            self._take_reports(archive)
            if clock[LEG] == LEGS:
                return True
            if stop(done[MOVES]) or done[MOVES] >= max_moves:
                return False
            self._make_room()
            began, taken = perf_counter(), clock[TAKEN]
            last = min(taken + self.slice, max_moves - before)
            climber = self.climber
            cliques, moves = climber.cliques, climber.move_set
            follow(cliques, self.graph, moves, self.state, self.parts, self.trip, last)
            done[MOVES] = before + clock[TAKEN]
            seconds = perf_counter() - began
            self.slice = next_slice(self.slice, seconds, clock[TAKEN] == last)

    def _take_reports(self, archive: Archive) -> None:
        began, count = perf_counter(), self.state.clock[REPORTS]
        archive.take_in(self.state.report_fx[:count], self.state.report_tags[:count])
        self.state.clock[REPORTS] = 0
        self.archive_seconds += perf_counter() - began

    def _make_room(self) -> None:
        state, flipped = self.state, int(self.trip.clock[FLIPPED])
        spare = spare_flips(len(state.x), len(state.journal), self.climber.radius)
        flips = with_room(self.trip.flips, flipped + 2 * spare)
        self.trip = self.trip._replace(flips=flips)

    def _keep_trails(self, archive: Archive, last: int, logs: list[Logged]) -> None:
        """Keep of the paths what the archive's reports need."""
        archive.n = self.climber.landscape.n
        archive.numbered = max(archive.numbered, last)
        tags = tags_of(archive.tree)
        for log in logs:
            steps = np.sort(tags[tags[:, 0] == log.number, 1])
            steps = steps[steps <= len(log.flips)]  # others are from before
            if len(steps):
                x = np.unpackbits(log.start, count=archive.n, bitorder="little")
                trail = Trail.along(x, log.flips, steps, steps)
                archive.keep_trail(log.number, trail)
        archive.drop_trails()
        archive.trim_trails()
