"""Paths: follow the front from one direction to another.

A path climbs, then turns its weights a little, files its moves anew (no score is
computed), and climbs on. At every turn it tries to escape from the local optimum it has
reached, and recombines where it stands with where it stood before. Path number i is a
pure function of the landscape, the radius, the seed, i, and what it starts from.
"""

from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from paretoball.archive import Archive, Trail
from paretoball.boxes import tags_of
from paretoball.climber import Climber
from paretoball.components import new_parts
from paretoball.memory import with_room
from paretoball.scores import CLIMB, REPORTS
from paretoball.search.escape import EXPONENTIAL, sweeps_of
from paretoball.search.multistart import BEGUN, FINISHED, MOVES, SLICE_SECONDS
from paretoball.search.rounds import Task, Tasks
from paretoball.search.trip import (
    FLIPPED,
    LEG,
    LEGS,
    TAKEN,
    Trip,
    follow,
    keep_net_flips,
    set_out,
    spare_flips,
)
from paretoball.streams import random_solution, spawn_streams
from paretoball.weights import WeightSource

BRISK = 1024  # with fewer variables than this, a path makes more escapes
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
    """The paths of one run, for one worker."""

    def __init__(
        self, climber: Climber, entropy: int, weights: WeightSource, starts: np.ndarray
    ):
        n, d = climber.landscape.n, climber.landscape.d
        self.climber = climber
        self.entropy = entropy
        self.starts = starts
        self.graph = climber.landscape.cooccurrence
        self.parts = new_parts(climber.cliques)
        self.state = climber.new_state(journal=ROOM, reports=n + 2 + 2 * ROOM)
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
        self.slice = 64  # moves
        self.archive_seconds = 0.0

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
            start = self._begin(first + at, tasks.row(at))
            done[BEGUN] += 1
            finished = self._follow(archive, stretch, max_moves, stop)
            flips = self.trip.flips[: self.trip.clock[FLIPPED]].copy()
            logs.append(Logged(first + at, start, flips))
            if not finished:
                break
            done[FINISHED] += 1
            stretch.settled[0] = done[MOVES]
        began = perf_counter()
        self._keep_trails(archive, first + count, logs)
        self.archive_seconds += perf_counter() - began
        return stretch

    def _begin(self, number: int, task: Task) -> np.ndarray:
        """Set out on a path; its start, packed."""
        state, trip = self.state, self.trip
        state.clock[:] = 0
        state.clock[CLIMB] = number
        state.rng[:] = spawn_streams(self.entropy, np.array([number]))[0]
        if task.start is not None:
            state.x[:] = task.start
        elif number < len(self.starts):
            state.x[:] = self.starts[number]
        else:
            random_solution(state.rng, state.x)
        self.trip = trip = trip._replace(sweeps=sweeps_of(number))
        trip.near[:], trip.far[:] = task.near, task.far
        if len(trip.near) != 2:
            trip.corners[:] = task.near, task.far
        trip.goal[:] = state.x if task.goal is None else task.goal
        start = np.packbits(state.x, bitorder="little")
        set_out(self.climber.cliques, self.climber.move_set, state, trip)
        return start

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
            self._adapt(perf_counter() - began, clock[TAKEN] == last)

    def _take_reports(self, archive: Archive) -> None:
        began, count = perf_counter(), self.state.clock[REPORTS]
        archive.take_in(self.state.report_fx[:count], self.state.report_tags[:count])
        self.state.clock[REPORTS] = 0
        self.archive_seconds += perf_counter() - began

    def _make_room(self) -> None:
        needed = int(self.trip.clock[FLIPPED]) + 2 * spare_flips(self.state)
        self.trip = self.trip._replace(flips=with_room(self.trip.flips, needed))

    def _adapt(self, seconds: float, is_used_up: bool) -> None:
        """Let the next slice take about SLICE_SECONDS."""
        if seconds < SLICE_SECONDS / 2 and is_used_up:
            self.slice = min(2 * self.slice, 1 << 20)
        elif seconds > 2 * SLICE_SECONDS:
            self.slice = max(self.slice // 2, 1)

    def _keep_trails(self, archive: Archive, last: int, logs: list[Logged]) -> None:
        """Keep of the paths what the archive's reports need."""
        archive.n = self.climber.landscape.n
        archive.numbered = max(archive.numbered, last)
        tags = tags_of(archive.tree)
        for log in logs:
            steps = np.sort(tags[tags[:, 0] == log.number, 1])
            steps = steps[steps <= len(log.flips)]  # others are from before
            if len(steps):
                archive.keep_trail(log.number, self._trail(log, steps))
        archive.drop_trails()

    def _trail(self, log: Logged, steps: np.ndarray) -> Trail:
        n = self.climber.landscape.n
        x = np.unpackbits(log.start, count=n, bitorder="little")
        x ^= (np.bincount(log.flips[: steps[0]], minlength=n) & 1).astype(np.uint8)
        flips = np.empty(steps[-1] - steps[0], np.int32)
        flip_at = np.zeros(len(steps) + 1, np.int64)
        keep_net_flips(self.parts, log.flips, steps, flips, flip_at)
        base = np.packbits(x, bitorder="little")
        return Trail(steps, base, flip_at, flips[: flip_at[-1]].copy())
