"""Repairing: from a solution that violates constraints to a feasible one.

A violated constraint is drawn, and of the flips that bring it closer to its bounds the
one is taken that costs least. Where every one makes matters worse, what is violated
becomes dearer: that is the breakout of Morris (1993), with prices as weights.
"""

import numpy as np

from paretoball._jit import inlined
from paretoball.numerics import below, find_place
from paretoball.search.path.clock import NEAREST, WORK
from paretoball.search.path.ledger import MOST, look, penalty
from paretoball.search.path.walk import NONE, gain_of

DEARER = 1.1  # factor of prices where no flip helps
DAMPED = 0.1  # how much w · f counts: what is feasible comes first


@inlined
def choose_repair(ground, walk):
    """The next flip towards what is feasible, or NONE if there is none."""
    ledger = walk.ledger
    _note_nearest(walk)
    drawn = below(walk.state.rng, ledger.bad[0])
    best, least = _cheapest(ground, walk, np.int64(ledger.violated[drawn]))
    if least >= 0.0:
        walk.clock[WORK] += ledger.bad[0]
        for at in range(ledger.bad[0]):
            c = ledger.violated[at]
            price = ledger.prices[c] * DEARER
            ledger.prices[c] = min(price, MOST * ledger.least[c])
    return best


@inlined
def _cheapest(ground, walk, c):
    """Of the flips that bring constraint c closer to its bounds, the cheapest."""
    rows, best, least = ground.rows, np.int64(NONE), np.inf
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
        cost = _cost_towards(ground, walk, c, j)
        if cost < least:
            best, least = j, cost
    return best, least


@inlined
def _cost_towards(ground, walk, c, j):
    """What a flip of j costs; infinity if it brings c no closer to its bounds."""
    rows, ledger = ground.rows, walk.ledger
    walk.clock[WORK] += ground.looks[j]
    changed = look(rows, ledger, walk.state.x, j)
    is_low = ledger.values[c] < rows.lower[c]
    change = ledger.changes[c]
    if change == 0 or (change > 0) != is_low:
        return np.inf
    return penalty(rows, ledger, changed) - DAMPED * gain_of(
        walk.heat.shares, walk.state.scores, j
    )


@inlined
def _note_nearest(walk):
    """Keep x if it violates fewer constraints than any repaired solution before."""
    if walk.ledger.bad[0] < walk.clock[NEAREST]:
        walk.clock[NEAREST] = walk.ledger.bad[0]
        walk.clock[WORK] += len(walk.places.nearest)
        for j in range(len(walk.places.nearest)):
            walk.places.nearest[j] = walk.state.x[j]
