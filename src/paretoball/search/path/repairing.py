"""Repairing: from a solution that violates constraints to a feasible one.

A violated constraint is drawn, and of the flips that bring it closer to its bounds the
one is taken that costs least. Where every one makes matters worse, what is violated
becomes dearer: that is the breakout of Morris (1993), with prices as weights.
"""

import numpy as np

from paretoball._jit import inlined
from paretoball.climber import NO_MOVE
from paretoball.numerics import below, find_place
from paretoball.search.path.ledger import MOST, look, penalty
from paretoball.search.path.unit import gain_of

DEARER = 1.1  # factor of prices where no flip helps
DAMPED = 0.1  # how much w · f counts: what is feasible comes first


@inlined
def choose_repair(ground, unit):
    """The next flip towards what is feasible, or NO_MOVE if there is none."""
    ledger = unit.ledger
    _note_nearest(unit)
    drawn = below(unit.state.rng, ledger.bad[0])
    best, least = _cheapest(ground, unit, np.int64(ledger.violated[drawn]))
    if least >= 0.0:
        unit.clock.work += ledger.bad[0]
        for at in range(ledger.bad[0]):
            c = ledger.violated[at]
            price = ledger.prices[c] * DEARER
            ledger.prices[c] = min(price, MOST * ledger.least[c])
    return best


@inlined
def _cheapest(ground, unit, c):
    """Of the flips that bring constraint c closer to its bounds, the cheapest."""
    rows, best, least = unit.ledger.rows, np.int64(NO_MOVE), np.inf
    wide, terms = rows.wide, len(rows.wide.rows)
    first = find_place(wide.rows, 0, terms, c)
    last = find_place(wide.rows, first, terms, c + 1)
    linear = rows.row_at[c + 1] - rows.row_at[c]
    start = wide.mask_at[first]
    for e in range(linear + wide.mask_at[last] - start):
        if e < linear:
            j = np.int64(rows.row_variables[rows.row_at[c] + e])
        else:
            j = np.int64(wide.masks[start + e - linear])
        cost = _cost_towards(ground, unit, c, j)
        if cost < least:
            best, least = j, cost
    return best, least


@inlined
def _cost_towards(ground, unit, c, j):
    """What a flip of j costs; infinity if it brings c no closer to its bounds."""
    ledger = unit.ledger
    unit.clock.work += ground.looks[j]
    changed = look(ledger, unit.state.x, j)
    is_low = ledger.values[c] < ledger.rows.lower[c]
    change = ledger.changes[c]
    if change == 0 or (change > 0) != is_low:
        return np.inf
    return penalty(ledger, changed) - DAMPED * gain_of(unit, j)


@inlined
def _note_nearest(unit):
    """Keep x if it violates fewer constraints than any repaired solution before."""
    if unit.ledger.bad[0] < unit.clock.nearest:
        unit.clock.nearest = unit.ledger.bad[0]
        unit.clock.work += len(unit.places.nearest)
        for j in range(len(unit.places.nearest)):
            unit.places.nearest[j] = unit.state.x[j]
