"""The visits of a filling under constraints: what is feasible around known solutions.

A filling first finds the prices of its part of the front, by a little heat. Then it
visits solutions, one after the other, and tries single flips, pairs of flips, cores,
and whatever lies between two solutions that differ in few variables.
"""

import numpy as np

from paretoball._jit import inlined
from paretoball.archive import is_refused
from paretoball.search.path.clock import AT, PHASE, ROUND, STAGE, STEPS, WORK
from paretoball.search.path.cores import begin_combining, choose_difference
from paretoball.search.path.effort import FEW_VARIABLES
from paretoball.search.path.ledger import would_be_feasible
from paretoball.search.path.priced_heat import is_cold
from paretoball.search.path.walk import (
    CHOOSING,
    COMBINING,
    FLIPPING,
    GOING,
    HEATING,
    MATING,
    NONE,
    begin,
)

AROUND = 8  # rows: the direction of a visit is that of the front so far around it
PARTNERS = 4  # to either side: the rows 1, 2, 4, 8 places away
CORES = 3  # of a visit


@inlined
def next_of_filling(walk):
    """The phase of a filling after one that had no flip left."""
    clock = walk.clock
    if clock[PHASE] == HEATING:
        if is_cold(walk):
            _visit(walk)
    elif clock[PHASE] == GOING:
        _face(walk)
        begin(walk, FLIPPING)
    elif COMBINING <= clock[PHASE] <= MATING:
        clock[ROUND] += 1
        if clock[PHASE] == COMBINING and clock[ROUND] < CORES:
            clock[PHASE] = CHOOSING
            return
        if clock[PHASE] == COMBINING:
            begin(walk, MATING)
            clock[ROUND] = 0
        if clock[ROUND] < 2 * PARTNERS:
            begin_combining(walk, _choose_partner(walk))
        else:
            clock[STAGE] += 1
            _visit(walk)


@inlined
def _visit(walk):
    """Go to the next solution that is wanted."""
    begin(walk, GOING)
    known, stage = walk.known, walk.clock[STAGE]
    while stage < walk.course.stages and not known.wanted[stage]:
        stage += 1
    walk.clock[STAGE] = stage
    if stage < walk.course.stages:
        for j in range(len(walk.places.goal)):
            walk.places.goal[j] = known.rows[stage, j]


@inlined
def _face(walk):
    """With two objectives, face the direction of the front around this solution."""
    if len(walk.places.fx) != 2:
        return
    row, rows = walk.clock[STAGE], len(walk.known.values)
    low = walk.known.values[max(row - AROUND, 0)]
    high = walk.known.values[min(row + AROUND, rows - 1)]
    first, second = max(low[1] - high[1], 1), max(high[0] - low[0], 1)
    total = np.float64(first) + second
    walk.heat.shares[0] = first / total
    walk.heat.shares[1] = second / total


@inlined
def choose_with_others(ground, walk):
    """Flip variable AT; then other variables and each of them back; then AT back.

    STEPS is 0 before the first of these, then the next other variable, and less than
    that if the last one is to be flipped back.
    """
    clock, n = walk.clock, len(walk.state.x)
    j = clock[AT]
    if j == n:
        begin(walk, CHOOSING)
        clock[ROUND] = 0
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
    state, d = walk.state, len(walk.places.fx)
    walk.clock[WORK] += ground.looks[j]
    for i in range(d):
        walk.places.fx[i] = state.fx[i] + state.scores[j * d + i]
    if is_refused(walk.tree, walk.places.fx):
        return False
    return would_be_feasible(ground.rows, walk.ledger, state.x, j)


@inlined
def _choose_partner(walk):
    """The core: how x differs from a solution nearby, if they differ little."""
    at = walk.clock[ROUND]
    way = 1 << (at // 2)
    row = walk.clock[STAGE] + (way if at % 2 else -way)
    if row < 0 or row >= len(walk.known.rows):
        return 0
    return choose_difference(walk, walk.known.rows[row])
