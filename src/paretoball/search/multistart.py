"""Multi-start: the paper's search.

A solution and a direction are drawn at random, Algorithm 2 climbs from there, and an
archive keeps what it reports; then again. Climb number i is a pure function of the
landscape, the radius, the seed and i.
"""

from functools import partial
from time import perf_counter
from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.archive import Archive, Points, Trail
from paretoball.climber import (
    CLIMB,
    LOGGED,
    REPORTS,
    STEP,
    Climber,
    WeightSource,
    climb,
    start_climb,
)
from paretoball.landscape import Landscape
from paretoball.numerics import (
    offsets,
    random_bits,
    random_solution,
    spawn_streams,
    with_room,
)
from paretoball.search.method import (
    Asked,
    Block,
    Done,
    Method,
    Plan,
    Searcher,
    Stop,
    Tasks,
)
from paretoball.search.path import Searcher as PathSearcher
from paretoball.search.reporting import FIRST_SLICE, Reporting, next_slice

ROOM = 4096  # reports to note before the archive takes them over

# The columns of `Climbs.done`.
BEGUN, FINISHED = 0, 1  # climbs
MOVES = 2


class _Climbs(NamedTuple):
    """The climbs of one block: where they start, and how far they are."""

    first: int  # the number of the first
    streams: np.ndarray  # (count, 2) int64
    weights: np.ndarray  # (count, d) int64
    starts: np.ndarray  # (given, n) uint8: given solutions for the first of them
    journal_at: np.ndarray  # (count + 1,) int64: where each one's journal starts
    done: np.ndarray  # (3,) int64: by the names above


class _MultiStart(Reporting):
    """The climbs of one run, for one worker."""

    def __init__(self, climber: Climber, asked: Asked, starts: np.ndarray) -> None:
        self.climber, self.starts, self.seed = climber, starts, asked.seed
        landscape, bounds = climber.landscape, climber.bounds
        self.weights = WeightSource(asked.weights, landscape, bounds, asked.seed)
        self.state = climber.new_state(journal=ROOM, reports=ROOM)
        self.slice = FIRST_SLICE

    def run(
        self, archive: Archive, block: Block, tasks: Tasks, max_moves: int, stop: Stop
    ) -> Done:
        """Run the climbs of a block into the archive, while `stop(moves)` is false."""
        climbs = self._new_climbs(block)
        done = climbs.done
        self.state.clock[:] = 0
        while done[FINISHED] < block.size and done[MOVES] < max_moves:
            if stop(int(done[MOVES])):
                break
            budget = min(self.slice, max_moves - done[MOVES])
            room = int(self.state.clock[LOGGED]) + budget + 1
            journal = with_room(self.state.journal, room)
            self.state = self.state._replace(journal=journal)
            began, before = perf_counter(), done.copy()
            self._climb(archive, climbs, budget)
            is_used_up = (done - before)[[FINISHED, MOVES]].max() >= budget
            self.slice = next_slice(self.slice, perf_counter() - began, is_used_up)
        if len(archive) == 0 and block.first == 0:
            self._report_anyway(archive, climbs)
        begun, finished, moves = done.tolist()
        ends = np.append(climbs.journal_at[:begun], self.state.clock[LOGGED])
        trail, lengths = partial(self._trail, climbs), np.diff(ends)
        self.keep_trails(
            archive, self.climber.landscape, block.first, lengths.tolist(), trail
        )
        settled = int(climbs.journal_at[finished]) if begun > finished else moves
        return Done(finished, moves, settled)

    def _new_climbs(self, block: Block) -> _Climbs:
        numbers = np.arange(block.first, block.end)
        return _Climbs(
            first=block.first,
            streams=spawn_streams(self.seed, numbers),
            weights=self.weights.draw(numbers),
            starts=self.starts[block.first : block.end],
            journal_at=np.zeros(block.size + 1, np.int64),
            done=np.zeros(3, np.int64),
        )

    def _climb(self, archive: Archive, climbs: _Climbs, budget: int) -> None:
        """Take up to `budget` moves, and hand what they report to the archive."""
        climber = self.climber
        _run_climbs(climber.cliques, climber.move_set, self.state, climbs, budget)
        self.take_over(self.state, archive)

    def _report_anyway(self, archive: Archive, climbs: _Climbs) -> None:
        """Report where the climb stands, so that a run has at least one solution."""
        if climbs.done[BEGUN] == 0:
            self._climb(archive, climbs, 0)
        clock = self.state.clock
        here = np.array([[clock[CLIMB], clock[STEP], 0]])
        archive.take_in(Points.tagged(self.state.fx[None], here))

    def _trail(self, climbs: _Climbs, at: int, steps: np.ndarray) -> Trail:
        """The solutions of one of these climbs after so many moves."""
        x = np.empty(self.climber.landscape.n, np.uint8)
        if at < len(climbs.starts):
            x[:] = climbs.starts[at]
        else:
            random_solution(climbs.streams[at].copy(), x)
        first = climbs.journal_at[at]
        moves = self.state.journal[first : first + steps[-1]]
        flips = self.climber.move_set.flips[moves]
        ends = offsets((flips >= 0).sum(axis=1))[steps]
        return Trail.along(x, flips[flips >= 0], ends, steps)


@kernel
def _run_climbs(cliques, moves, state, climbs, budget):
    """Climb on, and begin the next climb whenever one ends.

    Returns after `budget` moves, or as many climbs, because there are climbs without
    moves; or when there is no room to note another report.
    """
    last = climbs.done[MOVES] + budget
    final = min(len(climbs.streams), climbs.done[FINISHED] + max(1, budget))
    while climbs.done[FINISHED] < final:
        if climbs.done[BEGUN] == climbs.done[FINISHED]:
            _begin(cliques, moves, state, climbs)
        room = len(state.notes.tags) - state.clock[REPORTS]
        slice_ = min(last - climbs.done[MOVES], room)
        if slice_ <= 0:
            return
        before = state.clock[STEP]
        climbs.done[FINISHED] += climb(cliques, moves, state, slice_)
        climbs.done[MOVES] += state.clock[STEP] - before


@inlined
def _begin(cliques, moves, state, climbs):
    """Begin the next climb of the block."""
    at = climbs.done[BEGUN]
    climbs.done[BEGUN] = at + 1
    state.clock[CLIMB] = climbs.first + at
    climbs.journal_at[at] = state.clock[LOGGED]
    for part in range(2):
        state.rng[part] = climbs.streams[at, part]
    for i in range(len(state.w)):
        state.w[i] = climbs.weights[at, i]
    if at < len(climbs.starts):
        for j in range(len(state.x)):
            state.x[j] = climbs.starts[at, j]
    else:
        random_bits(state.rng, state.x)
    start_climb(cliques, moves, state)


def _searcher(
    landscape: Landscape, climber: Climber, asked: Asked, starts: np.ndarray
) -> Searcher:
    """A searcher; the first climbs start from the rows of `starts`."""
    if landscape.constraints:
        return PathSearcher(landscape, climber, asked, starts, has_fillings=False)
    return _MultiStart(climber, asked, starts)


METHOD = Method(
    name="multistart",
    unit="climb",
    breadth=lambda landscape: 1,  # climbs are independent: all workers are always busy
    plan=lambda landscape, asked: Plan(),
    searcher=_searcher,
)
