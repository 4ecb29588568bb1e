"""Heating: flips by Metropolis' rule, while prices swing around the bounds.

What counts is w · f less what flips cost at the prices of the day. A resource that is
overdrawn becomes dearer with every flip, one that is left over becomes cheaper, so the
walk crosses the boundary of what is feasible again and again. Every feasible solution
on the way is offered.
"""

import numpy as np

from paretoball._jit import inlined
from paretoball.numerics import next_bits
from paretoball.search.path.clock import AT, DRAW
from paretoball.search.path.heat import DRAWS, HOPELESS
from paretoball.search.path.ledger import adjust_others, look, toll
from paretoball.search.path.walk import NONE, gain_of

FLIP_WORK = 16  # looks that take as long as a flip, about

# The columns of `PricedHeat.numbers`.
FIRST_T, LAST_T = 0, 1  # temperatures, in units of w · f by shares
GIVEN, DONE = 2, 3  # work to do, and done so far
LOSS = 4  # what a flip typically costs
HEAT_WORK = 5  # the work of the first stage
NOW_T = 6  # the temperature of this sweep
NUMBERS = 7


def typical_loss(shares: np.ndarray, scores: np.ndarray) -> float:
    """The mean of |w · S_j| over all variables where it is not 0; at least a little.

    It is summed up from the first variable to the last, as a rounded sum depends on it.
    """
    gains = np.zeros(len(scores) // len(shares))
    for i, share in enumerate(shares):
        gains += share * scores[i :: len(shares)]
    gains = np.abs(gains)
    return max(float(np.cumsum(gains)[-1]) / max(int((gains > 0).sum()), 1), 1e-9)


@inlined
def begin_heat(walk, first, last, work):
    """Temperatures in typical losses, and looks to spend."""
    loss = walk.heat.numbers[LOSS]
    walk.heat.numbers[FIRST_T] = first * loss
    walk.heat.numbers[LAST_T] = last * loss
    walk.heat.numbers[GIVEN] = work
    walk.heat.numbers[DONE] = 0.0


@inlined
def choose_hot(ground, walk):
    """The next flip by Metropolis' rule; NONE at the end of a sweep."""
    clock, numbers, n = walk.clock, walk.heat.numbers, len(walk.state.x)
    if clock[AT] == 0:
        share = numbers[DONE] / max(numbers[GIVEN], 1.0)
        numbers[NOW_T] = numbers[FIRST_T] + share * (numbers[LAST_T] - numbers[FIRST_T])
        clock[DRAW] = next_bits(walk.state.rng)
    heat = numbers[NOW_T]
    for j in range(clock[AT], n):
        changed = look(ground.rows, walk.ledger, walk.state.x, j)
        gain = gain_of(walk.heat.shares, walk.state.scores, j)
        gain -= toll(ground.rows, walk.ledger, changed)
        if gain > -HOPELESS * heat:
            clock[DRAW] += 1
            if gain >= -heat * np.float64(walk.heat.draws[clock[DRAW] & (DRAWS - 1)]):
                clock[AT] = j + 1
                numbers[DONE] += FLIP_WORK
                return j
    clock[AT] = 0
    numbers[DONE] += n
    adjust_others(walk.ledger)
    return NONE


@inlined
def is_cold(walk):
    """Whether the work is done; it ends with a sweep."""
    return walk.heat.numbers[DONE] >= walk.heat.numbers[GIVEN] and walk.clock[AT] == 0
