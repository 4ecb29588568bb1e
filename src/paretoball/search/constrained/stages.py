"""The stages of a path under constraints: heat, repair, climb, combine, turn.

The first stage is in the direction of the path's middle. Further ones turn to one end,
little by little, and then, from the middle again, to the other end. After each, the
path goes on from the best known solution for its direction, if that is better.
"""

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.search.constrained.climbing import flip_best, flip_what_pays
from paretoball.search.constrained.cores import (
    choose_close,
    choose_tied,
    combine,
    take,
)
from paretoball.search.constrained.heating import (
    HEAT_WORK,
    LOSS,
    begin_heat,
    is_hot,
    sweep,
    typical_loss,
)
from paretoball.search.constrained.ledger import set_prices
from paretoball.search.constrained.repairing import repair_step
from paretoball.search.constrained.walk import (
    AT,
    CORE,
    PHASE,
    STAGE,
    STEPS,
    TAKEN,
    go_to,
    has_space,
    is_feasible,
    offer,
    offer_optimum,
)

HOT, MILD, COLD = 0.2, 0.08, 0.01  # temperatures, in typical losses
MILD_WORK = 1.0  # of all stages to one end, in first stages
REPAIRS = 32  # steps for each variable and constraint, at most
CORES = 3  # of a stage, at least

# The phases of a stage:
#
#   HEATING -> REPAIRING -> CLIMBING <-> COMBINING -> (next stage)
#
HEATING = 0  # flips by Metropolis' rule, with prices
REPAIRING = 1  # to a feasible solution
CLIMBING = 2  # single flips that are feasible and gain
COMBINING = 3  # all combinations of a few variables


@kernel
def walk_on(ground, walk, last):
    """Go on until `last` flips are taken, or it is time to return."""
    clock = walk.clock
    while clock[STAGE] < walk.stages and clock[TAKEN] < last and has_space(walk):
        if clock[PHASE] == HEATING:
            if is_hot(walk):
                sweep(ground, walk)
            else:
                _go_on_with(walk, REPAIRING)
        elif clock[PHASE] == REPAIRING:
            _repair(ground, walk)
        elif clock[PHASE] == CLIMBING:
            _climb(ground, walk)
        else:
            _combine(ground, walk)


@kernel
def begin_walk(walk, hot, work):
    """Set prices and heat for the first stage; the state is at its start."""
    walk.numbers[LOSS] = typical_loss(walk)
    walk.numbers[HEAT_WORK] = work
    set_prices(walk.ledger, walk.numbers[LOSS])
    begin_heat(walk, hot, COLD, work)
    offer(walk)


@inlined
def set_direction(walk, w):
    """Turn to these weights."""
    total = 0.0
    for i in range(len(w)):
        walk.state.w[i] = w[i]
        total += w[i]
    for i in range(len(w)):
        walk.shares[i] = w[i] / total


@inlined
def _go_on_with(walk, phase):
    """The next phase begins."""
    walk.clock[PHASE] = phase
    walk.clock[STEPS] = 0


@inlined
def _repair(ground, walk):
    """A step of a repair; then climb, or give this stage up."""
    if is_feasible(walk):
        offer(walk)
        _go_on_with(walk, CLIMBING)
    elif walk.clock[STEPS] < REPAIRS * (len(walk.state.x) + len(walk.ledger.values)):
        repair_step(ground, walk)
        walk.clock[STEPS] += 1
    else:
        _end_stage(ground, walk)


@inlined
def _climb(ground, walk):
    """A pass of a climb, first over what is worth its costs; then combine."""
    taken = flip_what_pays(ground, walk) if walk.clock[STEPS] == 0 else 0
    taken += flip_best(ground, walk)
    walk.clock[STEPS] += 1
    if taken == 0:
        offer_optimum(walk)
        walk.clock[PHASE] = COMBINING
        walk.clock[STEPS] = 0


@inlined
def _combine(ground, walk):
    """Try all combinations of a core; climb on where one is better for w."""
    size = min(CORE, len(walk.state.x))
    at = walk.clock[AT]
    if len(walk.ledger.resources) and at % 2 == 0:
        choose_close(ground, walk)
    else:
        size = choose_tied(ground, walk)
    best = combine(ground, walk, size)
    walk.clock[AT] += 1
    if best:
        take(ground, walk, best)
        walk.clock[AT] = 0
        _go_on_with(walk, CLIMBING)
    elif walk.clock[AT] >= CORES:
        _end_stage(ground, walk)


@inlined
def _end_stage(ground, walk):
    """Go on in the next direction, from the best that is known for it."""
    clock = walk.clock
    clock[STAGE] += 1
    clock[AT] = 0
    _go_on_with(walk, HEATING)
    steps, stage = (walk.stages - 1) // 2, clock[STAGE]
    if stage == 1:
        _meet(ground, walk)
        for j in range(len(walk.state.x)):
            walk.middle[j] = walk.state.x[j]
    if stage == walk.stages:
        return
    if stage == steps + 1:
        go_to(ground, walk, walk.middle)
    _turn(walk, stage, steps)
    _meet(ground, walk)
    work = MILD_WORK * walk.numbers[HEAT_WORK] / steps
    begin_heat(walk, MILD, COLD, work)


@inlined
def _turn(walk, stage, steps):
    """The direction of a stage, between the middle and one of the ends."""
    end, at = (1, stage) if stage <= steps else (2, stage - steps)
    for i in range(len(walk.fx)):
        way = walk.turns[end, i] - walk.turns[0, i]
        walk.fx[i] = walk.turns[0, i] + way * at // steps
    set_direction(walk, walk.fx)


@inlined
def _meet(ground, walk):
    """Go to the known solution that is best for w, if it is better than x."""
    best, most = -1, _value(walk, walk.state.fx)
    for row in range(len(walk.values)):
        value = _value(walk, walk.values[row])
        if value > most or (best < 0 and not is_feasible(walk)):
            best, most = row, value
    if best >= 0:
        go_to(ground, walk, walk.rows[best])


@inlined
def _value(walk, fx):
    """w · f."""
    total = np.int64(0)
    for i in range(len(fx)):
        total += walk.state.w[i] * fx[i]
    return total
