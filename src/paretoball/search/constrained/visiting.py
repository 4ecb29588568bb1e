"""The visits of a filling under constraints: what is feasible around known solutions.

A filling first finds the prices of its part of the front, by a little heat. Then it
visits solutions, one after the other, and tries single flips, pairs of flips, cores,
and whatever lies between two solutions that differ in few variables.
"""

import numpy as np

from paretoball._jit import inlined
from paretoball.archive import is_refused
from paretoball.search.constrained.cores import (
    begin_combining,
    choose_combination,
    choose_core,
    choose_difference,
)
from paretoball.search.constrained.heating import HEATING, choose_hot, is_cold
from paretoball.search.constrained.ledger import would_be_feasible
from paretoball.search.constrained.walk import (
    AT,
    LOOKS,
    NONE,
    PHASE,
    ROUND,
    STAGE,
    STEPS,
    begin,
    next_towards,
)
from paretoball.search.path.effort import FEW_VARIABLES

AROUND = 8  # rows: the direction of a visit is that of the front so far around it
PARTNERS = 4  # to either side: the rows 1, 2, 4, 8 places away
CORES = 3  # of a visit

# The phases of a visit:
#
#   HEATING -> GOING -> FLIPPING -> COMBINING -> MATING -> GOING (the next visit)
#
# HEATING = 0: once, for all visits, to find prices
GOING = 1  # flipping variables, to be at the solution
FLIPPING = 2  # single flips, and pairs with each
COMBINING = 3  # cores
MATING = 4  # what lies between two solutions


@inlined
def choose_of_filling(ground, walk):
    """The next flip of a filling; NONE between two phases."""
    clock = walk.clock
    if clock[PHASE] == HEATING:
        j = choose_hot(ground, walk)
        if j == NONE and is_cold(walk):
            begin(walk, GOING)
    elif not walk.wanted[clock[STAGE]]:
        clock[STAGE] += 1
        j = NONE
    elif clock[PHASE] == GOING:
        j = next_towards(walk, walk.rows[clock[STAGE]])
        if j == NONE:
            _face(walk)
            begin(walk, FLIPPING)
    elif clock[PHASE] == FLIPPING:
        j = _flip_with_others(ground, walk)
    else:
        j = choose_combination(walk)
        if j == NONE:
            _next_core(ground, walk)
    return j


@inlined
def _face(walk):
    """With two objectives, face the direction of the front around this solution."""
    if len(walk.fx) != 2:
        return
    row, rows = walk.clock[STAGE], len(walk.values)
    low = walk.values[max(row - AROUND, 0)]
    high = walk.values[min(row + AROUND, rows - 1)]
    first, second = max(low[1] - high[1], 1), max(high[0] - low[0], 1)
    total = np.float64(first) + second
    walk.shares[0] = first / total
    walk.shares[1] = second / total


@inlined
def _flip_with_others(ground, walk):
    """Flip variable AT; then other variables and each of them back; then AT back.

    STEPS is 0 before the first of these, then the next other variable, and less than
    that if the last one is to be flipped back.
    """
    clock, n = walk.clock, len(walk.state.x)
    j = clock[AT]
    if j == n:
        begin(walk, COMBINING)
        clock[ROUND] = 0
        begin_combining(walk, choose_core(ground, walk, 0))
        return NONE
    if clock[STEPS] == 0:
        clock[STEPS] = j + 1 if n <= FEW_VARIABLES else n
        return j
    if clock[STEPS] < 0:  # flip back
        other = -clock[STEPS]
        clock[STEPS] = other + 1
        return other
    for other in range(clock[STEPS], n):
        if _is_worth_a_try(ground, walk, other):
            clock[STEPS] = -other
            return other
    clock[STEPS] = 0
    clock[AT] += 1
    return j


@inlined
def _is_worth_a_try(ground, walk, j):
    """Whether x ⊕ j is feasible, and not refused at a glance."""
    state, d = walk.state, len(walk.fx)
    walk.clock[LOOKS] += ground.looks[j]
    for i in range(d):
        walk.fx[i] = state.fx[i] + state.scores[j * d + i]
    if is_refused(walk.tree, walk.fx):
        return False
    return would_be_feasible(ground.rows, walk.ledger, state.x, j)


@inlined
def _next_core(ground, walk):
    """Another core, then partners, then the next visit."""
    clock = walk.clock
    clock[ROUND] += 1
    if clock[PHASE] == COMBINING and clock[ROUND] < CORES:
        begin_combining(walk, choose_core(ground, walk, clock[ROUND]))
        return
    if clock[PHASE] == COMBINING:
        begin(walk, MATING)
        clock[ROUND] = 0
    if clock[ROUND] < 2 * PARTNERS:
        begin_combining(walk, _choose_partner(walk))
    else:
        begin(walk, GOING)
        clock[STAGE] += 1


@inlined
def _choose_partner(walk):
    """The core: how x differs from a solution nearby, if they differ little."""
    at = walk.clock[ROUND]
    way = 1 << (at // 2)
    row = walk.clock[STAGE] + (way if at % 2 else -way)
    if row < 0 or row >= len(walk.rows):
        return 0
    return choose_difference(walk, walk.rows[row])
