"""The visits of a filling under constraints: what is feasible around known solutions.

A filling first finds the prices of its part of the front, by a little heat. Then it
visits solutions, one after the other, and offers single flips, pairs of flips, cores,
and whatever lies between two solutions that differ in few variables.
"""

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.search.constrained.cores import (
    choose_close,
    choose_difference,
    choose_tied,
    combine,
)
from paretoball.search.constrained.heating import is_hot, sweep
from paretoball.search.constrained.walk import (
    AT,
    CORE,
    PHASE,
    STAGE,
    TAKEN,
    go_to,
    has_space,
    offer,
    offer_neighbour,
    step,
)
from paretoball.search.path.effort import FEW_VARIABLES

AROUND = 8  # rows: the direction of a visit is that of the front so far around it
PARTNERS = 4  # to either side: the rows 1, 2, 4, 8 places away
CORES = 3  # of a visit

# The phases of a visit:
#
#   PRICING -> GOING -> FLIPPING -> COMBINING -> MATING -> GOING (the next visit)
#
PRICING = 0  # once, for all visits: flips by Metropolis' rule
GOING = 1  # flipping variables, to be at the solution
FLIPPING = 2  # single flips, and pairs with each
COMBINING = 3  # cores
MATING = 4  # what lies between two solutions


@kernel
def visit_on(ground, walk, last):
    """Go on until `last` flips are taken, or it is time to return."""
    clock = walk.clock
    while clock[STAGE] < walk.stages and clock[TAKEN] < last and has_space(walk):
        if clock[PHASE] == PRICING:
            if is_hot(walk):
                sweep(ground, walk)
            else:
                clock[PHASE] = GOING
        elif not walk.wanted[clock[STAGE]]:
            clock[STAGE] += 1
        elif clock[PHASE] == GOING:
            go_to(ground, walk, walk.rows[clock[STAGE]])
            _face(walk)
            _begin(walk, FLIPPING)
        elif clock[PHASE] == FLIPPING:
            _flip_with_others(ground, walk)
        elif clock[PHASE] == COMBINING:
            _combine(ground, walk)
        else:
            _mate(ground, walk)


@inlined
def _begin(walk, phase):
    """The next phase of a visit."""
    walk.clock[PHASE] = phase
    walk.clock[AT] = 0


@inlined
def _face(walk):
    """With two objectives, face the direction of the front around this solution."""
    if len(walk.fx) != 2:
        return
    row, rows = walk.clock[STAGE], len(walk.values)
    low = walk.values[max(row - AROUND, 0)]
    high = walk.values[min(row + AROUND, rows - 1)]
    walk.fx[0] = max(low[1] - high[1], 1)
    walk.fx[1] = max(high[0] - low[0], 1)
    total = np.float64(walk.fx[0]) + walk.fx[1]
    for i in range(2):
        walk.shares[i] = walk.fx[i] / total


@inlined
def _flip_with_others(ground, walk):
    """Offer x with variable AT flipped, and each other variable with it."""
    j, n = walk.clock[AT], len(walk.state.x)
    step(ground, walk, j)
    offer(walk)
    if n <= FEW_VARIABLES:
        for other in range(j + 1, n):
            offer_neighbour(ground, walk, other)
    step(ground, walk, j)
    walk.clock[AT] += 1
    if walk.clock[AT] == n:
        _begin(walk, COMBINING)


@inlined
def _combine(ground, walk):
    """Offer all combinations of a core."""
    size = min(CORE, len(walk.state.x))
    if len(walk.ledger.resources) and walk.clock[AT] % 2 == 0:
        choose_close(ground, walk)
    else:
        size = choose_tied(ground, walk)
    combine(ground, walk, size)
    walk.clock[AT] += 1
    if walk.clock[AT] == CORES:
        _begin(walk, MATING)


@inlined
def _mate(ground, walk):
    """Offer all that lies between x and a solution nearby, if they differ little."""
    at = walk.clock[AT]
    way = 1 << (at // 2)
    row = walk.clock[STAGE] + (way if at % 2 else -way)
    if 0 <= row < len(walk.rows):
        size = choose_difference(walk, walk.rows[row])
        if size:
            combine(ground, walk, size)
    walk.clock[AT] += 1
    if walk.clock[AT] == 2 * PARTNERS:
        _begin(walk, GOING)
        walk.clock[STAGE] += 1
