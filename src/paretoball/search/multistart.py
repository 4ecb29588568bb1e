"""Multi-start: the paper's search.

A solution and a direction are drawn at random, Algorithm 2 climbs from there, and an
archive keeps what it reports; then again. Climb number i is a pure function of the
landscape, the radius, the seed and i.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.archive import Archive, Trail
from paretoball.boxes import tags_of
from paretoball.climb import climb
from paretoball.climber import Climber
from paretoball.cliques import offsets
from paretoball.landscape import Landscape
from paretoball.memory import with_room
from paretoball.scores import CLIMB, LOGGED, REPORTS, STEP, start_climb
from paretoball.search.budget import FIRST_SLICE, UNLIMITED, next_slice
from paretoball.streams import random_bits, random_solution, spawn_streams
from paretoball.weights import WeightSource

ROOM = 4096  # reports to note before the archive takes them over
BEGUN, FINISHED, MOVES = 0, 1, 2


class Block(NamedTuple):
    """Some climbs in a row: where they start, and how far they are."""

    first: int  # the number of the first
    streams: np.ndarray  # (count, 2) int64
    weights: np.ndarray  # (count, d) int64
    starts: np.ndarray  # (given, n) uint8: given solutions for the first of them
    journal_at: np.ndarray  # (count + 1,) int64: where each one's journal starts
    done: np.ndarray  # (3,) int64: climbs begun, climbs finished, moves

    def settled_moves(self) -> int:
        """Moves of the climbs that are finished."""
        begun, finished, moves = self.done.tolist()
        return int(self.journal_at[finished]) if begun > finished else moves


class Unplanned:
    """The plan of a run whose climbs need none: one round without an end."""

    first, end = 0, UNLIMITED
    tasks = None

    def __init__(self, landscape: Landscape, weights: Any, entropy: int):
        pass

    def tasks_of(self, first: int, count: int) -> None:
        """No tasks: a number is all that a climb needs."""

    def advance(self, archive: Archive, number: int) -> None:
        """There is nothing to plan."""


class MultiStart:
    """The climbs of one run, for one worker."""

    def __init__(
        self, climber: Climber, entropy: int, weights: WeightSource, starts: np.ndarray
    ):
        self.climber = climber
        self.entropy = entropy
        self.weights = weights
        self.starts = starts
        self.state = climber.new_state(journal=ROOM, reports=ROOM)
        self.slice = FIRST_SLICE
        self.archive_seconds = 0.0  # spent on reports, and on keeping their solutions

    def run(
        self,
        archive: Archive,
        first: int,
        count: int,
        max_moves: int,
        stop: Callable[[int], Any],
        tasks: None = None,
    ) -> Block:
        """Climbs first, first + 1, ... into the archive, while `stop(moves)` is false.

        However early it is stopped, the first climb leaves a solution there.
        """
        block = self._new_block(first, count)
        self.state.clock[:] = 0
        while block.done[FINISHED] < count and block.done[MOVES] < max_moves:
            if stop(block.done[MOVES]):
                break
            budget = min(self.slice, max_moves - block.done[MOVES])
            room = int(self.state.clock[LOGGED]) + budget + 1
            self.state = self.state._replace(
                journal=with_room(self.state.journal, room)
            )
            began, before = perf_counter(), block.done[MOVES]
            self._climb(archive, block, budget)
            taken = block.done[MOVES] - before
            seconds = perf_counter() - began
            self.slice = next_slice(self.slice, seconds, taken == budget)
        if len(archive) == 0 and first == 0:
            self._report_anyway(archive, block)
        with self._archiving():
            self._keep_trails(archive, block)
        return block

    def _climb(self, archive: Archive, block: Block, budget: int) -> None:
        """Take up to `budget` moves, and hand what they report to the archive."""
        climber, state = self.climber, self.state
        run_climbs(climber.cliques, climber.move_set, state, block, budget)
        count = state.clock[REPORTS]
        with self._archiving():
            archive.take_in(state.report_fx[:count], state.report_tags[:count])
        state.clock[REPORTS] = 0

    @contextmanager
    def _archiving(self) -> Iterator[None]:
        """Count the time of this as the archive's."""
        began = perf_counter()
        yield
        self.archive_seconds += perf_counter() - began

    def _new_block(self, first: int, count: int) -> Block:
        numbers = np.arange(first, first + count)
        return Block(
            first=first,
            streams=spawn_streams(self.entropy, numbers),
            weights=self.weights.draw(numbers),
            starts=self.starts[first : first + count],
            journal_at=np.zeros(count + 1, np.int64),
            done=np.zeros(3, np.int64),
        )

    def _report_anyway(self, archive: Archive, block: Block) -> None:
        """Report where the climb stands, so that a run is never empty-handed."""
        if block.done[BEGUN] == 0:
            self._climb(archive, block, 0)
        clock = self.state.clock
        tags = np.array([[clock[CLIMB], clock[STEP], 0]])
        archive.take_in(self.state.fx[None], tags)

    def _keep_trails(self, archive: Archive, block: Block) -> None:
        """Keep of the journals what the archive's reports need."""
        archive.n = self.climber.landscape.n
        archive.numbered = max(archive.numbered, block.first + len(block.streams))
        begun = int(block.done[BEGUN])
        tags = tags_of(archive.tree)
        mine = tags[(tags[:, 0] >= block.first) & (tags[:, 0] < block.first + begun)]
        ends = np.append(block.journal_at[:begun], self.state.clock[LOGGED])
        for number in np.unique(mine[:, 0]).tolist():
            at = number - block.first
            steps = np.sort(mine[mine[:, 0] == number, 1])
            steps = steps[steps <= ends[at + 1] - ends[at]]  # others are from before
            if len(steps):
                archive.keep_trail(number, self._trail(block, at, steps))
        archive.drop_trails()

    def _trail(self, block: Block, at: int, steps: np.ndarray) -> Trail:
        x = np.empty(self.climber.landscape.n, np.uint8)
        if at < len(block.starts):
            x[:] = block.starts[at]
        else:
            random_solution(block.streams[at].copy(), x)
        first = block.journal_at[at]
        moves = self.state.journal[first : first + steps[-1]]
        flips = self.climber.move_set.flips[moves]
        ends = offsets((flips >= 0).sum(axis=1))[steps]
        return Trail.along(x, flips[flips >= 0], ends, steps)


@kernel
def run_climbs(cliques, moves, state, block, budget):
    """Climb on, and begin the next climb whenever one ends.

    Returns after `budget` moves, or when there is no room to note another report.
    """
    last = block.done[MOVES] + budget
    while block.done[FINISHED] < len(block.streams):
        if block.done[BEGUN] == block.done[FINISHED]:
            begin(cliques, moves, state, block)
        room = len(state.report_tags) - state.clock[REPORTS]
        slice_ = min(last - block.done[MOVES], room)
        if slice_ <= 0:
            return
        before = state.clock[STEP]
        block.done[FINISHED] += climb(cliques, moves, state, slice_)
        block.done[MOVES] += state.clock[STEP] - before


@inlined
def begin(cliques, moves, state, block):
    """Begin the next climb of the block."""
    at = block.done[BEGUN]
    block.done[BEGUN] = at + 1
    state.clock[CLIMB] = block.first + at
    block.journal_at[at] = state.clock[LOGGED]
    for part in range(2):
        state.rng[part] = block.streams[at, part]
    for i in range(len(state.w)):
        state.w[i] = block.weights[at, i]
    if at < len(block.starts):
        for j in range(len(state.x)):
            state.x[j] = block.starts[at, j]
    else:
        random_bits(state.rng, state.x)
    start_climb(cliques, moves, state)
