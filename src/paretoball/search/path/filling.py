"""Filling: Pareto local search around known solutions, as kernels see it.

A filling visits solutions of the front, one after the other. Going from one to the next
takes a few flips. At each, the scores of a climb give the objectives of all its
neighbours at once, f(x) + S_v. Neighbours that no solution at hand dominates are
reported; so are pairs of single flips, where variables are few, and offspring with the
solutions nearby. Nothing is climbed: what is new is visited by a later filling.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import by_type, inlined, kernel
from paretoball.climber import (
    TIER,
    RecordMoves,
    RowMoves,
    StencilMoves,
    add_tier,
    clear,
    flip,
)
from paretoball.search.path.acceptance import split
from paretoball.search.path.clock import (
    AT,
    COUNT,
    LIST,
    MASK,
    PARTNER,
    PHASE,
    STAGE,
    TAKEN,
    WORK,
)
from paretoball.search.path.effort import FEW_VARIABLES
from paretoball.search.path.journal import (
    has_room,
    is_hidden,
    note_flip,
    note_report,
)
from paretoball.search.path.sums import Sums, add_up

FEW_COMPONENTS = 8  # up to so many have all their offspring tried, if d is not 2
MANY = 1 << 22  # work between two returns to Python
HIDING, ROWS = 8, 32  # as `_hiding_work` tells

# The phases of a visit:
#
#   GOING -> LOOKING -> PAIRING -> MATING <-> TELLING -> GOING (the next visit)
#
GOING = 0  # flipping variables, to be at the solution
LOOKING = 1  # at the neighbours in M^r
PAIRING = 2  # single flips
MATING = 3  # with a solution nearby
TELLING = 4  # which offspring these have


class FillState(NamedTuple):
    """Where one filling is."""

    rows: np.ndarray  # (rows, n) uint8: solutions, close to each other on the front
    values: np.ndarray  # (rows, d) int64: their objectives; ascending if d is 2
    wanted: np.ndarray  # (rows,) uint8: which ones to visit
    clock: np.ndarray  # (CLOCK,) int64: counters, as `clock` tells
    flips: np.ndarray  # (room,) int32: the variables flipped since it began
    fx: np.ndarray  # scratch, (d,) int64: the objectives of a neighbour or offspring
    hint: np.ndarray  # scratch, (1,) int64: the row that dominated the last one
    sums: Sums
    partners: int  # to have offspring with: the rows 1, 2, 4, ... after it, and before


@kernel
def fill(cliques, graph, moves, state, space, filling, last):
    """Go on until `last` flips are taken, or it is time to return."""
    clock, hiding = filling.clock, _hiding_work(filling)
    clock[WORK] = 0
    while clock[STAGE] < len(filling.rows) and clock[TAKEN] < last:
        if not _has_room(state, filling) or clock[WORK] > MANY:
            return
        if not filling.wanted[clock[STAGE]]:
            clock[STAGE] += 1
        elif clock[PHASE] == GOING:
            if not _go(cliques, moves, state, filling, last):
                return
            clock[WORK] += len(state.scores)
        elif clock[PHASE] == LOOKING:
            some = 1 + (MANY - clock[WORK]) // hiding
            clock[WORK] += hiding * _look(moves, state, filling, some)
        elif clock[PHASE] == PAIRING:
            clock[WORK] += hiding * len(state.x)
            _pair(graph, moves, state, space, filling)
        elif clock[PHASE] == MATING:
            clock[WORK] += len(state.x) * 8
            _mate(cliques, graph, moves, state, space, filling)
        else:
            clock[WORK] += hiding
            _tell(state, space, filling)


@inlined
def _hiding_work(filling):
    """The work of asking whether a vector is hidden, about: mostly one row tells."""
    rows, d = filling.values.shape
    return HIDING if d == 2 else HIDING + rows // ROWS


@inlined
def _has_room(state, filling):
    """Whether there is room for what one step can note."""
    n = len(state.x)
    return has_room(state, filling, 4 * n, n + 2)


@inlined
def _go(cliques, moves, state, filling, last):
    """Flip what differs from the next solution; False if moves are used up."""
    d, n, clock = len(state.objectives), len(state.x), filling.clock
    row = filling.rows[clock[STAGE]]
    for j in range(clock[AT], n):
        if state.x[j] != row[j]:
            if clock[TAKEN] == last:
                clock[AT] = j
                return False
            for i in range(d):
                state.fx[i] += state.scores[j * d + i]
            flip(cliques, moves, state, j, False)
            note_flip(filling, j)
            clock[TAKEN] += 1
    clear(state.buckets)
    state.clock[TIER] = 1
    while state.clock[TIER] < moves.flips.shape[1]:
        add_tier(cliques, moves, state)
    state.clock[TIER] = 1  # flips on the way to the next solution rescore no more
    clock[AT] = 0
    clock[PHASE] = LOOKING
    return True


@inlined
def _look(moves, state, filling, some):
    """Report of `some` neighbours in M^r what nothing at hand dominates; how many."""
    d, clock, radius = len(state.objectives), filling.clock, moves.flips.shape[1]
    first, end = clock[AT], moves.tier_at[radius + 1]
    last = min(end, first + some)
    for v in range(first, last):
        if not _has_room(state, filling):
            clock[AT] = v
            return v - first
        for i in range(d):
            filling.fx[i] = state.fx[i] + state.scores[v * d + i]
        if not is_hidden(filling.values, filling.hint, filling.fx):
            for j in moves.flips[v]:
                if j >= 0:
                    note_flip(filling, j)
            note_report(state, filling, filling.fx)
            for j in moves.flips[v]:
                if j >= 0:
                    note_flip(filling, j)
    clock[AT] = last
    if last == end:
        clock[AT] = 0
        clock[PHASE] = PAIRING if len(state.x) <= FEW_VARIABLES else MATING
    return last - first


@inlined
def _pair(graph, moves, state, space, filling):
    """Report pairs of single flips that nothing at hand dominates, for one variable.

    Where two variables interact, their scores do not add up. By rows, what is missing
    is known; otherwise these pairs are left out: radius 2 has them.
    """
    n, clock = len(state.x), filling.clock
    u, marks = clock[AT], space.marks
    for e in range(graph.at[u], graph.at[u + 1]):
        marks[graph.neighbours[e]] = 1
    for v in range(u + 1, n):
        if not marks[v]:
            _sum_pair(state, filling, u, v)
            _tell_pair(state, filling, u, v)
    _pair_neighbours(graph, moves, state, filling, u)
    for e in range(graph.at[u], graph.at[u + 1]):
        marks[graph.neighbours[e]] = 0
    clock[AT] = u + 1
    if u + 1 == n:
        clock[AT] = 0
        clock[PHASE] = MATING


@inlined
def _sum_pair(state, filling, u, v):
    """The objectives after two flips that do not interact."""
    d = len(state.objectives)
    for i in range(d):
        total = state.scores[u * d + i] + state.scores[v * d + i]
        filling.fx[i] = state.fx[i] + total


@inlined
def _tell_pair(state, filling, u, v):
    """Report a pair of flips with these objectives, unless it is hidden."""
    if not is_hidden(filling.values, filling.hint, filling.fx):
        note_flip(filling, u)
        note_flip(filling, v)
        note_report(state, filling, filling.fx)
        note_flip(filling, u)
        note_flip(filling, v)


@inlined
def _pair_by_rows(graph, moves, state, filling, u):
    """Report pairs of u and a neighbour: what their scores lack is a factor."""
    d, affected, signs = len(state.objectives), moves.affected, state.reading.signs
    for e in range(graph.at[u], graph.at[u + 1]):
        v = np.int64(graph.neighbours[e])
        if v > u:
            at = affected.row_at[u] + v
            if not affected.is_whole[u]:  # the row lists the neighbours and u itself
                at = affected.row_at[u] + e - graph.at[u] + 1
            _sum_pair(state, filling, u, v)
            sign = np.int64(signs[u * d]) * signs[v * d]
            for i in range(d):
                filling.fx[i] += sign * affected.factors[at * d + i]
            _tell_pair(state, filling, u, v)


@inlined
def _pair_none(graph, moves, state, filling, u):
    """Do nothing: radius 2 has pairs of neighbours."""


_pair_neighbours = by_type(
    "moves",
    {StencilMoves: _pair_none, RecordMoves: _pair_none, RowMoves: _pair_by_rows},
)


@inlined
def _mate(cliques, graph, moves, state, space, filling):
    """Find the offspring with the next partner, or go on to the next visit."""
    clock, d = filling.clock, len(state.objectives)
    if clock[PARTNER] == filling.partners:
        clock[PARTNER] = 0
        clock[PHASE] = GOING
        clock[STAGE] += 1
        return
    far = 1 << (clock[PARTNER] // 2)
    is_after = clock[PARTNER] % 2 == 0
    clock[PARTNER] += 1
    partner = clock[STAGE] + far if is_after else clock[STAGE] - far
    if not 0 <= partner < len(filling.rows):
        return
    if not is_after and filling.wanted[partner]:  # they have met
        return
    row, n = filling.rows[partner], len(state.x)
    found = split(cliques, graph, moves, state, space, row, n)
    if d == 2:
        clock[LIST], clock[COUNT] = add_up(filling.sums, space.deltas, found)
    else:
        clock[COUNT] = 1 << min(found, FEW_COMPONENTS)
    clock[AT] = clock[MASK] = 0
    clock[PHASE] = TELLING


@inlined
def _tell(state, space, filling):
    """Report the next of these offspring, if nothing at hand dominates it.

    From one to the next, the journal flips the components that are only in one of them.
    """
    clock, d = filling.clock, len(state.objectives)
    mask = np.int64(0)
    is_last = clock[AT] == clock[COUNT]
    if not is_last:
        at, fx = clock[AT], filling.fx
        for i in range(d):
            fx[i] = state.fx[i]
        if d == 2:
            mask = filling.sums.masks[clock[LIST], at]
            fx[0] += filling.sums.first[clock[LIST], at]
            fx[1] += filling.sums.second[clock[LIST], at]
        else:
            mask = np.int64(at)
            _add_components(space, mask, fx)
        clock[AT] += 1
        if is_hidden(filling.values, filling.hint, fx):
            return
    p, change = 0, mask ^ clock[MASK]
    while change >> p:
        if change >> p & 1:
            for j in space.variables[space.at[p] : space.at[p + 1]]:
                note_flip(filling, j)
        p += 1
    clock[MASK] = mask
    if is_last:
        clock[AT] = 0
        clock[PHASE] = MATING
    else:
        note_report(state, filling, filling.fx)


@inlined
def _add_components(space, mask, fx):
    """Add what the components of a mask change."""
    p, d = 0, len(fx)
    while mask >> p:
        if mask >> p & 1:
            for i in range(d):
                fx[i] += space.deltas[p * d + i]
        p += 1
