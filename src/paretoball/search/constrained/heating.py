"""Heating: flips by Metropolis' rule, while prices swing around the bounds.

What counts is w · f less what flips cost at the prices of the day. A resource that is
overdrawn becomes dearer with every flip, one that is left over becomes cheaper, so the
walk crosses the boundary of what is feasible again and again. Every feasible solution
on the way is offered.
"""

import numpy as np

from paretoball._jit import inlined
from paretoball.numerics import next_bits
from paretoball.search.constrained.ledger import (
    adjust_others,
    adjust_resources,
    look,
    toll,
)
from paretoball.search.constrained.walk import TAKEN, gain_of, offer, step
from paretoball.search.path.heat import DRAWS, HOPELESS

FLIP_WORK = 16  # looks that take as long as a flip, about

# The columns of `Walk.numbers`.
FIRST_T, LAST_T = 0, 1  # temperatures, in units of w · f by shares
WORK, DONE = 2, 3  # work to do, and done so far
LOSS = 4  # what a flip typically costs
MILD = 5  # the first temperature of later stages, in typical losses
HEAT_WORK = 6  # the work of the first stage
NUMBERS = 7


@inlined
def typical_loss(walk):
    """The mean of |w · S_j| over all variables where it is not 0; at least a little."""
    total, count = 0.0, 0
    for j in range(len(walk.state.x)):
        gain = abs(gain_of(walk, j))
        total += gain
        count += gain > 0.0
    return max(total / max(count, 1), 1e-9)


@inlined
def begin_heat(walk, first, last, work):
    """Temperatures in typical losses, and looks to spend."""
    loss = walk.numbers[LOSS]
    walk.numbers[FIRST_T] = first * loss
    walk.numbers[LAST_T] = last * loss
    walk.numbers[WORK] = work
    walk.numbers[DONE] = 0.0


@inlined
def is_hot(walk):
    """Whether there is work left."""
    return walk.numbers[DONE] < walk.numbers[WORK]


@inlined
def sweep(ground, walk):
    """Look at all variables once, at the temperature that belongs to the work done."""
    numbers, before = walk.numbers, walk.clock[TAKEN]
    share = numbers[DONE] / numbers[WORK]
    heat = numbers[FIRST_T] + share * (numbers[LAST_T] - numbers[FIRST_T])
    draw = next_bits(walk.state.rng)
    for j in range(len(walk.state.x)):
        changed = look(ground.rows, walk.ledger, walk.state.x, j)
        gain = gain_of(walk, j) - toll(ground.rows, walk.ledger, changed)
        if gain > -HOPELESS * heat:
            draw += 1
            if gain >= -heat * np.float64(walk.draws[draw & (DRAWS - 1)]):
                step(ground, walk, j)
                offer(walk)
                adjust_resources(ground.rows, walk.ledger)
    adjust_others(walk.ledger)
    flips = walk.clock[TAKEN] - before
    numbers[DONE] += len(walk.state.x) + FLIP_WORK * flips
