"""The stages of a path under constraints: heat, repair, climb, combine, turn.

The first stage is in the direction of the path's middle. Further ones turn to one end,
little by little, and then, from the middle again, to the next end. Each begins at the
best known solution for its direction, if that is better than where the last one ended.
"""

import numpy as np

from paretoball._jit import inlined
from paretoball.search.constrained.climbing import choose_climb
from paretoball.search.constrained.cores import (
    begin_combining,
    choose_best,
    choose_combination,
    choose_core,
)
from paretoball.search.constrained.heating import (
    HEAT_WORK,
    HEATING,
    begin_heat,
    choose_hot,
    is_cold,
)
from paretoball.search.constrained.ledger import is_feasible
from paretoball.search.constrained.repairing import choose_repair
from paretoball.search.constrained.walk import (
    BEST,
    CHOSEN,
    DUE,
    FOUND,
    HAS_MIDDLE,
    MOST,
    NONE,
    OPTIMUM,
    PHASE,
    ROUND,
    STAGE,
    STEPS,
    begin,
    next_towards,
)

HOT, MILD, COLD = 0.2, 0.08, 0.01  # temperatures, in typical losses
MILD_WORK = 1.0  # of all stages to one end, in first stages
REPAIRS = 32  # steps for each variable and constraint, at most
CORES = 3  # of a stage that none of them helped

# The phases of a stage:
#
#   GOING -> HEATING -> REPAIRING -> CLIMBING -> COMBINING -> (next stage)
#                                       ^            |
#                                       +-- TAKING <-+
#
# HEATING = 0: flips by Metropolis' rule, with prices
REPAIRING = 1  # to a feasible solution
CLIMBING = 2  # single flips that are feasible and gain
COMBINING = 3  # all combinations of a few variables
TAKING = 4  # the best of these
GOING = 5  # to the middle, or to a known solution


@inlined
def choose_of_path(ground, walk):
    """The next flip of a path; NONE between two phases."""
    phase = walk.clock[PHASE]
    if phase == HEATING:
        j = choose_hot(ground, walk)
        if j == NONE and is_cold(walk):
            begin(walk, REPAIRING)
    elif phase == REPAIRING:
        j = _repair(ground, walk)
    elif phase == CLIMBING:
        j = _climb(ground, walk)
    elif phase == COMBINING:
        j = _combine(ground, walk)
    elif phase == TAKING:
        j = choose_best(walk)
        if j == NONE:
            begin(walk, CLIMBING)
    else:
        j = next_towards(walk, walk.goal)
        if j == NONE:
            begin(walk, HEATING)
    return j


@inlined
def _repair(ground, walk):
    """A flip of a repair; then climb, or give this stage up."""
    if is_feasible(walk.ledger):
        begin(walk, CLIMBING)
        return NONE
    walk.clock[STEPS] += 1
    if walk.clock[STEPS] <= REPAIRS * (len(walk.state.x) + len(walk.ledger.values)):
        return choose_repair(ground, walk)
    _end_stage(walk)
    return NONE


@inlined
def _climb(ground, walk):
    """A flip of a climb; then combine.

    Only once a flip is chosen, or none, is it known what x is to be offered as.
    """
    clock = walk.clock
    j = clock[CHOSEN] - 1
    clock[CHOSEN] = 0
    if j != NONE:
        return j
    j = choose_climb(ground, walk)
    if j != NONE:
        clock[CHOSEN] = j + 1
        clock[DUE] = FOUND
    elif clock[MOST] == 0:
        clock[DUE] = OPTIMUM
        begin(walk, COMBINING)
        begin_combining(walk, choose_core(ground, walk, clock[ROUND]))
    return NONE


@inlined
def _combine(ground, walk):
    """A flip to the next combination; then take the best, or another core."""
    j = choose_combination(walk)
    if j != NONE:
        return j
    walk.clock[ROUND] += 1
    if walk.clock[BEST]:
        walk.clock[ROUND] = 0
        walk.clock[PHASE] = TAKING
    elif walk.clock[ROUND] < CORES:
        begin_combining(walk, choose_core(ground, walk, walk.clock[ROUND]))
    else:
        _end_stage(walk)
    return NONE


@inlined
def _end_stage(walk):
    """Turn to the next direction, and go to the best that is known for it."""
    walk.clock[STAGE] += 1
    walk.clock[ROUND] = 0
    begin(walk, GOING)
    stage, n = walk.clock[STAGE], len(walk.state.x)
    if stage == walk.stages:
        return
    if stage == 1:
        _keep_middle(walk)
    end, at = 1 + (stage - 1) // walk.steps, 1 + (stage - 1) % walk.steps
    from_middle = end > 1 and at == 1
    for j in range(n):
        walk.goal[j] = walk.middle[j] if from_middle else walk.state.x[j]
    _turn(walk, end, at)
    if from_middle:
        _aim_at_best(walk, walk.fx, walk.clock[HAS_MIDDLE] == 1)
    else:
        _aim_at_best(walk, walk.state.fx, is_feasible(walk.ledger))
    begin_heat(walk, MILD, COLD, MILD_WORK * walk.numbers[HEAT_WORK] / walk.steps)


@inlined
def _turn(walk, end, at):
    """The direction of stage `at` on the way from the middle to an end."""
    w, total = walk.state.w, 0.0
    for i in range(len(w)):
        way = walk.turns[end, i] - walk.turns[0, i]
        w[i] = walk.turns[0, i] + way * at // walk.steps
        total += w[i]
    for i in range(len(w)):
        walk.shares[i] = w[i] / total


@inlined
def _keep_middle(walk):
    """Keep x, to come back to it, with its objectives."""
    for j in range(len(walk.middle)):
        walk.middle[j] = walk.state.x[j]
    for i in range(len(walk.fx)):
        walk.fx[i] = walk.state.fx[i]
    walk.clock[HAS_MIDDLE] = is_feasible(walk.ledger)


@inlined
def _aim_at_best(walk, fx, is_good):
    """Make the known solution the goal that is best for w, if it is better than fx.

    What is not feasible is not good, whatever fx is.
    """
    best, most = NONE, np.int64(0)
    for row in range(len(walk.values)):
        gain = _gain_on(walk.state.w, walk.values[row], fx)
        if gain > most or (best == NONE and not is_good):
            best, most = row, gain
    if best != NONE:
        for j in range(len(walk.goal)):
            walk.goal[j] = walk.rows[best, j]


@inlined
def _gain_on(w, value, fx):
    """How much more w · f a known solution has than fx; 64 bits hold the difference."""
    total = np.int64(0)
    for i in range(len(fx)):
        total += w[i] * (value[i] - fx[i])
    return total
