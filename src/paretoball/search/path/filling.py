"""Filling: Pareto local search around known solutions, without constraints.

A filling goes from one solution of the front to the next by a few flips. At each, the
scores of a climb give the objectives of all neighbours at once, f(x) + S_v. Neighbours
that no solution at hand dominates are reported; so are pairs of single flips, where
variables are few, and offspring with solutions nearby. Nothing is climbed.
"""

import numpy as np

from paretoball._jit import by_type, called, inlined
from paretoball.climber import (
    NO_MOVE,
    TIER,
    RecordMoves,
    RowMoves,
    StencilMoves,
    add_tier,
    clear,
)
from paretoball.search.path.acceptance import add_component, note_component, split
from paretoball.search.path.clock import (
    ASIDE,
    ENOUGH,
    GOING,
    LOOKING,
    MATING,
    PAIRING,
    SEEKING,
    TELLING,
)
from paretoball.search.path.effort import FEW_VARIABLES
from paretoball.search.path.journal import is_hidden, note_flip
from paretoball.search.path.sums import add_up
from paretoball.search.path.unit import begin, choose, visit

FEW_COMPONENTS = 8  # up to so many have all their offspring tried, if d is not 2
HIDING = 8  # the work of asking whether a vector is hidden, at least
ROWS = 32  # that take as much more work, if d is not 2: mostly one row tells


@inlined
def choose_around(ground, unit, ledger):
    """Seek a solution, go there, and offer what is around it."""
    clock, phase = unit.clock, unit.clock.phase
    rows, d = unit.front.values.shape
    hiding = HIDING if d == 2 else HIDING + rows // ROWS
    if phase == SEEKING:
        visit(unit)
    elif phase == GOING:
        state = unit.state
        clear(state.buckets)
        while state.clock[TIER] < ground.moves.flips.shape[1]:
            add_tier(ground.cliques, ground.moves, state)
        state.clock[TIER] = 1  # flips on the way to the next solution rescore no more
        begin(unit, LOOKING)
        clock.work += len(unit.state.scores)
    elif phase == LOOKING:
        some = 1 + (ENOUGH - clock.work) // hiding
        clock.work += hiding * _look(ground, unit, some)
    elif phase == PAIRING:
        _pair(ground, unit, hiding)
    elif phase == MATING:
        clock.work += len(unit.state.x) * 8
        _mate(ground, unit)
    else:
        clock.work += hiding
        _tell(unit)
    return NO_MOVE


@called
def _look(ground, unit, some):
    """Offer the next neighbour in M^r, of `some`, that nothing at hand hides.

    Returns how many were looked at.
    """
    state, clock, moves, fx = unit.state, unit.clock, ground.moves, unit.places.fx
    d, first, end = len(state.objectives), clock.at, moves.tier_at[-1]
    for v in range(first, min(end, first + some)):
        clock.at = v + 1
        for i in range(d):
            fx[i] = state.fx[i] + state.scores[v * d + i]
        if not is_hidden(unit.front, fx):
            choose(unit, moves.flips[v])
            _show_chosen(unit)
            break
    looked = clock.at - first
    if clock.at == end:
        begin(unit, PAIRING if len(state.x) <= FEW_VARIABLES else MATING)
    return looked


@inlined
def _show_chosen(unit):
    """Offer what a flip of all chosen variables leads to; the journal comes back."""
    for at in range(unit.clock.chosen):
        note_flip(unit, unit.chosen[at])
    unit.clock.next = 0
    unit.clock.due = ASIDE


@called
def _pair(ground, unit, hiding):
    """Offer the next pair of `at` and a later variable that nothing at hand hides.

    Where two variables interact, their scores do not add up. By rows, what is missing
    is known; otherwise these pairs are left out: radius 2 has them. `steps` counts what
    was looked at: all variables, then the neighbours of `at`.
    """
    state, d, n = unit.state, len(unit.state.objectives), len(unit.state.x)
    clock, marks = unit.clock, unit.mixed.space.marks
    u, neighbours = clock.at, ground.graph.neighbours
    first, last = ground.graph.at[u], ground.graph.at[u + 1]
    for e in range(first, last):
        marks[neighbours[e]] = 1
    begun, is_over = max(clock.steps, u + 1), True
    for at in range(begun, n + last - first):
        clock.steps = at + 1
        e = at - n
        v = np.int64(at) if e < 0 else np.int64(neighbours[first + e])
        if v < u or (e < 0 and marks[v]):
            continue
        for i in range(d):
            total = state.scores[u * d + i] + state.scores[v * d + i]
            unit.places.fx[i] = state.fx[i] + total
        if e >= 0 and not _add_factor(unit, ground.moves, u, v, e):
            continue
        if not is_hidden(unit.front, unit.places.fx):
            unit.chosen[0], unit.chosen[1], clock.chosen = u, v, 2
            _show_chosen(unit)
            is_over = False
            break
    for e in range(first, last):
        marks[neighbours[e]] = 0
    clock.work += hiding * max(clock.steps - begun, 1)
    if is_over:
        clock.at, clock.steps = u + 1, 0
        if u + 1 == n:
            begin(unit, MATING)


@inlined
def _add_row_factor(unit, moves, u, v, e):
    """Add the factor of u and v, its neighbour number e, which their scores lack."""
    d, affected = len(unit.state.objectives), moves.affected
    signs = unit.state.reading.signs
    at = affected.row_at[u] + v
    if not affected.is_whole[u]:  # the row lists the neighbours and u itself
        at = affected.row_at[u] + e + 1
    sign = np.int64(signs[u * d]) * signs[v * d]
    for i in range(d):
        unit.places.fx[i] += sign * affected.factors[at * d + i]
    return True


_know_none = inlined(lambda unit, moves, u, v, e: False)  # only rows know factors
_add_factor = by_type(
    "moves",
    {StencilMoves: _know_none, RecordMoves: _know_none, RowMoves: _add_row_factor},
)


@called
def _mate(ground, unit):
    """Find the offspring with the next partner, or go on to the next visit."""
    clock, known, stage = unit.clock, unit.known, unit.clock.stage
    if clock.tried == unit.course.partners:
        clock.tried = 0
        clock.stage += 1
        clock.phase = SEEKING
        return
    far, is_after = 1 << (clock.tried // 2), clock.tried % 2 == 0
    clock.tried += 1
    partner = stage + far if is_after else stage - far
    is_there = 0 <= partner < len(known.rows)
    if not is_there or (not is_after and known.wanted[partner]):  # or they have met
        return
    split(ground, unit, known.rows[partner], len(unit.state.x))
    if len(unit.state.objectives) == 2:
        deltas, found = unit.mixed.space.deltas, clock.parts
        clock.list, clock.count = add_up(unit.mixed.sums, deltas, found)
    else:
        clock.count = 1 << min(clock.parts, FEW_COMPONENTS)
    clock.mask = 0
    begin(unit, TELLING)


@inlined
def _tell(unit):
    """Offer the next of these offspring, if nothing at hand hides it.

    From one to the next, the journal flips the components that are only in one of them.
    """
    clock, d, sums = unit.clock, len(unit.state.objectives), unit.mixed.sums
    fx, mask = unit.places.fx, np.int64(0)
    is_last = clock.at == clock.count
    if not is_last:
        at = clock.at
        clock.at += 1
        for i in range(d):
            fx[i] = unit.state.fx[i]
        if d == 2:
            mask = sums.masks[clock.list, at]
            fx[0] += sums.first[clock.list, at]
            fx[1] += sums.second[clock.list, at]
        else:
            mask = np.int64(at)
            for p in range(clock.parts):
                if mask >> p & 1:
                    add_component(unit, p, 1)
        if is_hidden(unit.front, fx):
            return
        clock.due = ASIDE
    p, change = 0, mask ^ clock.mask
    while change >> p:
        if change >> p & 1:
            note_component(unit, p)
        p += 1
    clock.mask = mask
    if is_last:
        begin(unit, MATING)
