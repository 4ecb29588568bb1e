"""The stages of a path under constraints: heat, repair, climb, combine, turn.

The first stage is in the direction of the path's middle. Further ones turn to one end,
little by little, and then, from the middle again, to the next end. Each begins at the
best known solution for its direction, if that is better than where the last one ended.
"""

import numpy as np

from paretoball._jit import inlined
from paretoball.search.path.clock import (
    BEST,
    DECIDED,
    DUE,
    HAS_MIDDLE,
    MOST,
    PHASE,
    ROUND,
    STAGE,
    STEPS,
)
from paretoball.search.path.feasible_climb import choose_climb
from paretoball.search.path.ledger import is_feasible
from paretoball.search.path.priced_heat import HEAT_WORK, begin_heat, is_cold
from paretoball.search.path.repairing import choose_repair
from paretoball.search.path.walk import (
    CHOOSING,
    CLIMBING,
    COMBINING,
    FOUND,
    GOING,
    HEATING,
    NONE,
    OPTIMUM,
    REPAIRING,
    TAKING,
    begin,
)

HOT, MILD, COLD = 0.2, 0.08, 0.01  # temperatures, in typical losses
MILD_WORK = 1.0  # of all stages to one end, in first stages
REPAIRS = 32  # steps for each variable and constraint, at most
CORES = 3  # of a stage that none of them helped


@inlined
def choose_to_repair(ground, walk):
    """A flip of a repair; NONE if there is none, or if this stage is given up."""
    if is_feasible(walk.ledger):
        begin(walk, CLIMBING)
        return NONE
    walk.clock[STEPS] += 1
    if walk.clock[STEPS] <= REPAIRS * (len(walk.state.x) + len(walk.ledger.values)):
        return choose_repair(ground, walk)
    _end_stage(walk)
    return NONE


@inlined
def choose_to_climb(ground, walk):
    """A flip of a climb; NONE while it is decided, and at the end.

    Only once a flip is decided, or none, is it known what x is to be offered as.
    """
    clock = walk.clock
    j = clock[DECIDED] - 1
    clock[DECIDED] = 0
    if j != NONE:
        return j
    j = choose_climb(ground, walk)
    if j != NONE:
        clock[DECIDED] = j + 1
        clock[DUE] = FOUND
    elif clock[MOST] == 0:
        clock[DUE] = OPTIMUM
        begin(walk, CHOOSING)
    return NONE


@inlined
def next_of_path(walk):
    """The phase of a path after one that had no flip left."""
    clock = walk.clock
    if clock[PHASE] == HEATING:
        if is_cold(walk):
            begin(walk, REPAIRING)
    elif clock[PHASE] == COMBINING:
        clock[ROUND] += 1
        if clock[BEST]:
            clock[ROUND] = 0
            clock[PHASE] = TAKING
        elif clock[ROUND] < CORES:
            clock[PHASE] = CHOOSING
        else:
            _end_stage(walk)
    elif clock[PHASE] == TAKING:
        begin(walk, CLIMBING)
    elif clock[PHASE] == GOING:
        begin(walk, HEATING)


@inlined
def _end_stage(walk):
    """Turn to the next direction, and go to the best that is known for it."""
    walk.clock[STAGE] += 1
    walk.clock[ROUND] = 0
    begin(walk, GOING)
    stage, n = walk.clock[STAGE], len(walk.state.x)
    if stage == walk.course.stages:
        return
    if stage == 1:
        _keep_middle(walk)
    end, at = 1 + (stage - 1) // walk.course.steps, 1 + (stage - 1) % walk.course.steps
    from_middle = end > 1 and at == 1
    for j in range(n):
        walk.places.goal[j] = walk.places.middle[j] if from_middle else walk.state.x[j]
    _turn(walk, end, at)
    if from_middle:
        _aim_at_best(walk, walk.places.fx, walk.clock[HAS_MIDDLE] == 1)
    else:
        _aim_at_best(walk, walk.state.fx, is_feasible(walk.ledger))
    work = MILD_WORK * walk.heat.numbers[HEAT_WORK] / walk.course.steps
    begin_heat(walk, MILD, COLD, work)


@inlined
def _turn(walk, end, at):
    """The direction of stage `at` on the way from the middle to an end."""
    w, total = walk.state.w, 0.0
    for i in range(len(w)):
        way = walk.course.turns[end, i] - walk.course.turns[0, i]
        w[i] = walk.course.turns[0, i] + way * at // walk.course.steps
        total += w[i]
    for i in range(len(w)):
        walk.heat.shares[i] = w[i] / total


@inlined
def _keep_middle(walk):
    """Keep x, to come back to it, with its objectives."""
    for j in range(len(walk.places.middle)):
        walk.places.middle[j] = walk.state.x[j]
    for i in range(len(walk.places.fx)):
        walk.places.fx[i] = walk.state.fx[i]
    walk.clock[HAS_MIDDLE] = is_feasible(walk.ledger)


@inlined
def _aim_at_best(walk, fx, is_good):
    """Make the known solution the goal that is best for w, if it is better than fx.

    What is not feasible is not good, whatever fx is.
    """
    best, most = NONE, np.int64(0)
    for row in range(len(walk.known.values)):
        gain = _gain_on(walk.state.w, walk.known.values[row], fx)
        if gain > most or (best == NONE and not is_good):
            best, most = row, gain
    if best != NONE:
        for j in range(len(walk.places.goal)):
            walk.places.goal[j] = walk.known.rows[best, j]


@inlined
def _gain_on(w, value, fx):
    """How much more w · f a known solution has than fx; 64 bits hold the difference."""
    total = np.int64(0)
    for i in range(len(fx)):
        total += w[i] * (value[i] - fx[i])
    return total
