"""Multi-start: the paper's search.

A solution and a direction are drawn at random, Algorithm 2 climbs from there, and an
archive keeps what it reports; then again. Climb number i is a pure function of the
landscape, the radius, the seed and i.
"""

from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from paretoball._jit import kernel
from paretoball.archive import Archive, Trail
from paretoball.boxes import SPARE, is_refused, points_of, report, room_left
from paretoball.climb import climb
from paretoball.climber import Climber
from paretoball.cliques import offsets
from paretoball.memory import with_room
from paretoball.scores import LOGGED, REPORTS, STEP, start_climb
from paretoball.streams import random_bits, spawn_streams
from paretoball.weights import WeightSource

ROOM = 1024  # moves between two looks at the archive
NODES = 2 * ROOM + SPARE  # of the archive, for the reports of these
SLICE_SECONDS = 0.02
BEGUN, FINISHED, MOVES = 0, 1, 2


class Block(NamedTuple):
    """Some climbs in a row: where they start, and how far they are."""

    first: int  # the number of the first
    streams: np.ndarray  # (count, 2) int64
    weights: np.ndarray  # (count, d) int64
    starts: np.ndarray  # (given, n) uint8: given solutions for the first of them
    journal_at: np.ndarray  # (count + 1,) int64: where each one's journal starts
    done: np.ndarray  # (3,) int64: climbs begun, climbs finished, moves


class MultiStart:
    """The climbs of one run, for one worker."""

    def __init__(
        self, climber: Climber, entropy: int, weights: WeightSource, starts: np.ndarray
    ):
        self.climber = climber
        self.entropy = entropy
        self.weights = weights
        self.starts = starts
        self.state = climber.new_state(journal=4 * ROOM, reports=ROOM + 1)
        self.slice = 64  # moves

    def run(
        self,
        archive: Archive,
        first: int,
        count: int,
        max_moves: int,
        stop: Callable[[int], Any],
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
            archive.make_room(NODES)
            began = perf_counter()
            run_climbs(self.climber.cliques, self.climber.move_set, self.state, block,
                       archive.tree, budget)  # fmt: skip
            self._adapt(perf_counter() - began)
        if len(archive) == 0 and first == 0:
            self._report_anyway(archive, block)
        self._keep_trails(archive, block)
        return block

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

    def _adapt(self, seconds: float) -> None:
        """Let the next slice take about SLICE_SECONDS."""
        if seconds < SLICE_SECONDS / 2:
            self.slice = min(2 * self.slice, 1 << 20)
        elif seconds > 2 * SLICE_SECONDS:
            self.slice = max(self.slice // 2, 1)

    def _report_anyway(self, archive: Archive, block: Block) -> None:
        """Report where the climb stands, so that a run is never empty-handed."""
        cliques, moves, state = self.climber.cliques, self.climber.move_set, self.state
        if block.done[BEGUN] == 0:
            begin(cliques, moves, state, block)
        archive.make_room(SPARE)
        number = block.first + block.done[BEGUN] - 1
        report(archive.tree, state.fx, number, state.clock[STEP], 0)

    def _keep_trails(self, archive: Archive, block: Block) -> None:
        """Keep of the journals what the archive's reports need."""
        archive.n = self.climber.landscape.n
        archive.numbered = max(archive.numbered, block.first + len(block.streams))
        begun = int(block.done[BEGUN])
        _, tags = points_of(archive.tree)
        mine = tags[(tags[:, 0] >= block.first) & (tags[:, 0] < block.first + begun)]
        for number in np.unique(mine[:, 0]):
            steps = np.sort(mine[mine[:, 0] == number, 1])
            archive.trails[int(number)] = self._trail(
                block, number - block.first, steps
            )
        archive.drop_trails()

    def _trail(self, block: Block, at: int, steps: np.ndarray) -> Trail:
        x = np.empty(self.climber.landscape.n, np.uint8)
        if at < len(block.starts):
            x[:] = block.starts[at]
        else:
            random_bits(block.streams[at].copy(), x)
        start = block.journal_at[at]
        before = self.state.journal[start : start + steps[0]]
        moves = self.state.journal[start + steps[0] : start + steps[-1]]
        all_flips = self.climber.move_set.flips
        flips = all_flips[before]
        x ^= (np.bincount(flips[flips >= 0], minlength=len(x)) & 1).astype(np.uint8)
        flips = all_flips[moves]
        flips_until = offsets((flips >= 0).sum(axis=1))
        return Trail(
            steps=steps,
            base=np.packbits(x, bitorder="little"),
            flip_at=np.append(0, flips_until[steps - steps[0]]),
            flips=flips[flips >= 0],
        )


@kernel
def run_climbs(cliques, moves, state, block, tree, budget):
    """Climb on, and begin the next climb whenever one ends, for `budget` moves."""
    last = block.done[MOVES] + budget
    while block.done[FINISHED] < len(block.streams) and block.done[MOVES] < last:
        if room_left(tree) < NODES:
            return
        if block.done[BEGUN] == block.done[FINISHED]:
            begin(cliques, moves, state, block)
        before = state.clock[STEP]
        slice_ = min(last - block.done[MOVES], ROOM)
        finished = climb(cliques, moves, state, slice_)
        block.done[MOVES] += state.clock[STEP] - before
        block.done[FINISHED] += finished
        hand_over(state, tree, block.first + block.done[BEGUN] - 1, finished)


@kernel
def begin(cliques, moves, state, block):
    """Begin the next climb of the block."""
    at = block.done[BEGUN]
    block.done[BEGUN] = at + 1
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


@kernel
def hand_over(state, tree, number, finished):
    """Pass the reports of a climb to the archive; its very last is a local optimum."""
    reports = state.clock[REPORTS]
    for at in range(reports):
        fx = state.report_fx[at]
        if not is_refused(tree, fx):
            optimum = np.int64(finished and at == reports - 1)
            report(tree, fx, number, state.report_step[at], optimum)
    state.clock[REPORTS] = 0
