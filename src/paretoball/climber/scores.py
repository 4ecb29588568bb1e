"""Scores: how much each stored move would change each objective.

The score of move v at solution x is S_v(x) = f(x ⊕ v) - f(x), one number per
objective. The paper's procedures are here under these names:

- computeScores is `start_climb`, for single flips, and `add_tier`, once for each larger
  size of moves, when no smaller strong move is left: until then the climb does not look
  at them. A tier is all moves of one size.
- updateScores, Algorithm 1, is `flip`, once for each variable j of the move t, so that
  t = {j}. Line 1 is the loop of `_read_slots`, line 3 is `_add_delta`, and line 2 is
  the loop of `update_scores`; `_sum_pieces` adds up line 3 once for all moves that
  share a piece, as `stencils` explains. At radius 1, `records` has the three lines in
  one another, as the paper; `rows` has line 3 for quadratic f.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from paretoball._jit import by_type, inlined, kernel
from paretoball.climber.buckets import W_IMPROVING, Buckets, clear, is_empty
from paretoball.climber.filing import bucket_of, file_changed, file_tier
from paretoball.climber.records import (
    RecordMoves,
    RecordReading,
    flip_by_cliques,
    start_by_cliques,
)
from paretoball.climber.rows import RowMoves, RowReading, flip_by_row, start_by_rows
from paretoball.climber.stencils import (
    CHILDREN,
    ENTRIES,
    PIECES,
    ROWS,
    SLOTS,
    TERMS,
    WIDTHS,
    StencilMoves,
    StencilReading,
    section,
    span,
)
from paretoball.landscape import row_read

# The entries of `ClimbState.clock`.
STEP = 0  # moves taken since the climb started
TIER = 1  # the largest size of moves that have scores
REPORTS = 2  # reports noted and not yet taken over by an archive
LOGGED = 3  # moves in the journal
CLIMB = 4  # the number of the climb
CLOCK = 5  # entries in all

# The columns of `ClimbState.report_tags`.
TAG_UNIT = 0  # the number of the climb or path
TAG_STEP = 1  # the moves it had taken before the report
TAG_OPTIMUM = 2  # 1 if the solution is a local optimum
TAGS = 3  # columns in all


MoveSet = StencilMoves | RecordMoves | RowMoves  # for one problem and radius
Reading = StencilReading | RecordReading | RowReading  # at one solution


class Notes(NamedTuple):
    """What a climb has reported."""

    fx: np.ndarray  # (room, d) int64: f(x) of each report
    tags: np.ndarray  # (room, TAGS) int64: where each report was made


class ClimbState(NamedTuple):
    """Where one climb stands; kernels change its arrays in place.

    Vectors of d numbers lie end to end: number i of row v is at v * d + i.
    """

    # only its length d counts; a tuple lets the compiler unroll loops over objectives
    objectives: tuple | np.ndarray
    x: np.ndarray  # (n,) uint8: the current solution
    fx: np.ndarray  # (d,) int64: f(x)
    w: np.ndarray  # (d,) int64: the direction of the climb
    scores: np.ndarray  # (size * d,) int32 or int64: S_v(x)
    reading: Reading
    buckets: Buckets
    rng: np.ndarray  # (2,) int64: the climb's random stream
    clock: np.ndarray  # (CLOCK,) int64: counters, by the names above
    journal: np.ndarray  # (room,) int32: the moves taken, climb after climb
    notes: Notes


@inlined
def is_optimum(state):
    """Whether x is a local optimum, where a climb is over: one may take less moves."""
    return is_empty(state.buckets, W_IMPROVING)


@inlined
def report(state, is_over):
    """Note f(x), the climb and the step; the search that called reads the notes."""
    at = state.clock[REPORTS]
    for i in range(len(state.objectives)):
        state.notes.fx[at, i] = state.fx[i]
    state.notes.tags[at, TAG_UNIT] = state.clock[CLIMB]
    state.notes.tags[at, TAG_STEP] = state.clock[STEP]
    state.notes.tags[at, TAG_OPTIMUM] = is_over and is_optimum(state)
    state.clock[REPORTS] = at + 1


def _by_layout(*choices: Callable[..., Any]) -> Callable[..., Any]:
    """The function for the type of `moves`: by stencils, by records, or by rows."""
    return by_type("moves", dict(zip((StencilMoves, RecordMoves, RowMoves), choices)))


@inlined
def start_climb(cliques, moves, state):
    """computeScores for single flips: f, scores and buckets at `state.x`, anew."""
    clear(state.buckets)
    state.clock[STEP] = 0
    state.clock[TIER] = 1
    for i in range(len(state.objectives)):
        state.fx[i] = cliques.constant[i]
    _start(cliques, moves, state)
    file_tier(moves, state, 1)


start_now = kernel(start_climb)


@inlined
def _start_by_stencils(cliques, moves, state):
    """f, what cliques read, and scores one by one: on rings, faster than by clique."""
    d, tables, rows = len(state.objectives), cliques.tables, state.reading.here
    for c in range(len(rows)):
        rows[c] = row_read(cliques, c, state.x)
        for i in range(d):
            state.fx[i] += tables[np.int64(rows[c]) * d + i]
    for j in range(len(state.x)):
        for i in range(d):
            state.scores[j * d + i] = 0
        for e in range(cliques.reader_at[j], cliques.reader_at[j + 1]):
            here = np.int64(rows[cliques.readers[e]])
            there = here ^ cliques.reader_bits[e]
            for i in range(d):
                state.scores[j * d + i] += tables[there * d + i] - tables[here * d + i]


_start = _by_layout(_start_by_stencils, start_by_cliques, start_by_rows)


@inlined
def _add_tier(cliques, moves, state):
    """computeScores for the next larger size of moves: their scores and buckets.

    A child v ∪ j of move v has the score S_v(x ⊕ j) + S_j(x), that is
    S_v(x) + I(v ∩ N(j)) + S_j(x); `stencils` defines I.
    """
    d = len(state.objectives)
    scores, tier = state.scores, state.clock[TIER]
    code, anchors = moves.stencils.code, moves.stencils.anchors
    for j in range(len(state.x)):
        first, width = span(moves.stencils, j, CHILDREN, tier, tier + 1)
        if width:
            _read_slots(cliques, moves, state, j)
        rows = section(moves.stencils, j, ROWS, 0)
        pieces = section(moves.stencils, j, PIECES, 0)
        terms = section(moves.stencils, j, TERMS, 0)
        for e in range(first, first + width):
            v = np.int64(anchors[j, tier + 1]) + code[e]
            parent = np.int64(anchors[j, tier]) + code[e + width]
            piece = pieces + code[e + 2 * width]
            for i in range(d):
                scores[v * d + i] = scores[parent * d + i] + scores[j * d + i]
            for term in range(terms + code[piece - 1], terms + code[piece]):
                row = rows + WIDTHS[ROWS] * np.int64(code[term])
                _add_delta(cliques, state, code[row], code[row + 1], scores, v)
    state.clock[TIER] = tier + 1
    file_tier(moves, state, tier + 1)


@inlined
def _add_none(cliques, moves, state):
    """Do nothing: there are only single flips."""


add_tier = _by_layout(_add_tier, _add_none, _add_none)


@kernel
def add_now(cliques, moves, state):
    """`add_tier` as a kernel."""
    add_tier(cliques, moves, state)


@inlined
def _flip_by_stencil(cliques, moves, state, j, is_filed):
    """updateScores for t = {j}, and x ← x ⊕ j; f(x) is left to the caller.

    If it is not `is_filed`, it is for single flips only, and `file_anew` has to follow.
    """
    _sum_pieces(cliques, moves, state, j)
    code, anchor = moves.stencils.code, np.int64(moves.stencils.anchors[j, 0])
    first, slots = span(moves.stencils, j, SLOTS, 0, 1)
    for slot in range(slots):
        at = first + WIDTHS[SLOTS] * slot
        state.reading.here[anchor + code[at]] ^= code[at + 1]
    state.x[j] ^= 1
    update_scores(moves, state, j, is_filed)


flip = _by_layout(_flip_by_stencil, flip_by_cliques, flip_by_row)


@inlined
def file_anew(moves, state):
    """File all single flips, after flips without filing; larger moves have no score."""
    clear(state.buckets)
    file_tier(moves, state, 1)


@inlined
def update_scores(moves, state, j, is_filed):
    """Lines 2 and 3 of Algorithm 1: turn the scores at x into those at x ⊕ j.

    `sums` has line 3, summed over all (i, l) of line 1. Moves whose bucket changes are
    listed without branching, then filed.
    """
    d, code, buckets = len(state.objectives), moves.stencils.code, state.buckets
    for tier in range(state.clock[TIER]):
        anchor = np.int64(moves.stencils.anchors[j, tier + 1])
        first, width = span(moves.stencils, j, ENTRIES, tier, tier + 1)
        changes = 0
        for e in range(width):  # line 2: v in M^r with w_il ∧ v ≠ 0, for any such w_il
            v = anchor + code[first + e]
            change = np.int64(code[first + width + e])
            for i in range(d):
                state.scores[v * d + i] += state.reading.sums[change * d + i]  # line 3
            if is_filed:
                bucket = bucket_of(state, v)
                buckets.changed[changes] = v
                buckets.new_bucket[changes] = bucket
                changes += bucket != buckets.bucket[v]
        file_changed(moves, state, tier + 1, changes)


@inlined
def _sum_pieces(cliques, moves, state, j):
    """What line 3 of Algorithm 1 adds to S_v, over all cliques, for each piece p of j.

    sums[2p] = I(p) for moves without j; sums[2p + 1] = -I(p) - 2 S_j(x) for moves with.
    """
    d = len(state.objectives)
    code, reading = moves.stencils.code, state.reading
    sums, deltas = reading.sums, reading.deltas
    _read_slots(cliques, moves, state, j)
    first, rows = span(moves.stencils, j, ROWS, 0, state.clock[TIER])
    for row in range(rows):
        for i in range(d):
            deltas[row * d + i] = 0
        at = first + WIDTHS[ROWS] * row
        _add_delta(cliques, state, code[at], code[at + 1], deltas, row)
    first, pieces = span(moves.stencils, j, PIECES, 0, state.clock[TIER])
    terms = section(moves.stencils, j, TERMS, 0)
    start = terms
    for p in range(pieces):
        end = terms + code[first + p]
        plain, own = 2 * p * d, (2 * p + 1) * d
        for i in range(d):
            sums[plain + i] = 0
        for e in range(start, end):
            row = np.int64(code[e])
            for i in range(d):
                sums[plain + i] += deltas[row * d + i]
        for i in range(d):
            sums[own + i] = -sums[plain + i] - 2 * state.scores[j * d + i]
        start = end


@inlined
def _read_slots(cliques, moves, state, j):
    """Line 1 of Algorithm 1, t = {j}: each clique that reads j, and its constants.

    These are its row, the bit of j in its mask, and f(x ⊕ j) - f(x) of this clique.
    """
    d = len(state.objectives)
    tables, code, reading = cliques.tables, moves.stencils.code, state.reading
    anchor = np.int64(moves.stencils.anchors[j, 0])
    first, slots = span(moves.stencils, j, SLOTS, 0, 1)
    for slot in range(slots):  # line 1: (i, l) with w_il ∧ {j} ≠ 0
        at = first + WIDTHS[SLOTS] * slot
        here = np.int64(reading.here[anchor + code[at]])
        bit = code[at + 1]
        there = here ^ bit
        reading.slot_here[slot] = here
        reading.slot_bit[slot] = bit
        for i in range(d):
            reading.gaps[slot * d + i] = tables[there * d + i] - tables[here * d + i]


@inlined
def _add_delta(cliques, state, slot, pattern, totals, at):
    """Line 3 of Algorithm 1 for one clique, t = {j}, and v ∧ w_il = q, the pattern.

    totals[at] += f(x ⊕ j ⊕ q) - f(x ⊕ j) - f(x ⊕ q) + f(x), where f is that clique.
    """
    d = len(state.objectives)
    tables, slot = cliques.tables, np.int64(slot)
    here = np.int64(state.reading.slot_here[slot]) ^ pattern
    there = here ^ state.reading.slot_bit[slot]
    for i in range(d):
        change = tables[there * d + i] - tables[here * d + i]
        totals[at * d + i] += change - state.reading.gaps[slot * d + i]
