"""The legs of a path under constraints: heat, repair, climb, combine, turn.

The first leg is in the direction of the path's middle. Further ones turn to one end,
little by little, and then, from the middle again, to the next end. Each begins at the
best known solution for its direction, if that is better than where the last one ended.
"""

import numpy as np

from paretoball._jit import inlined
from paretoball.climber import NO_MOVE
from paretoball.search.path.climbing import choose_climb
from paretoball.search.path.clock import (
    CHOOSING,
    CLIMBING,
    COMBINING,
    GOING,
    HEATING,
    REPAIRING,
)
from paretoball.search.path.cores import choose_best
from paretoball.search.path.heat import begin_heat
from paretoball.search.path.ledger import is_feasible
from paretoball.search.path.repairing import choose_repair
from paretoball.search.path.unit import begin, gain_on, head_for, keep_middle, turn

HOT, MILD, COLD = 0.2, 0.08, 0.01  # temperatures, in typical losses
MILD_WORK = 1.0  # of all legs to one end, in first legs
REPAIRS = 32  # steps for each variable and constraint, at most
CORES = 3  # of a leg that none of them helped


@inlined
def choose_on_stage(ground, unit, ledger):
    """The next variable to flip, heat and cores aside; NO_MOVE where a phase ends."""
    clock, phase = unit.clock, unit.clock.phase
    if phase == HEATING:
        begin(unit, REPAIRING)
    elif phase == REPAIRING:
        return _choose_to_repair(ground, unit)
    elif phase == CLIMBING:
        j = choose_climb(ground, unit, ledger)
        if j == NO_MOVE and clock.most == 0:
            begin(unit, CHOOSING)
        return j
    elif phase == COMBINING:
        _end_combining(unit)
    else:
        begin(unit, HEATING)
    return NO_MOVE


@inlined
def _choose_to_repair(ground, unit):
    """A flip of a repair; NO_MOVE if there is none, or if this leg is given up."""
    if is_feasible(unit.ledger):
        begin(unit, CLIMBING)
        return NO_MOVE
    unit.clock.steps += 1
    if unit.clock.steps <= REPAIRS * (len(unit.state.x) + len(unit.ledger.values)):
        return choose_repair(ground, unit)
    _end_leg(unit)
    return NO_MOVE


@inlined
def _end_combining(unit):
    """Go to the best combination, and climb on; or try another core, or end the leg."""
    clock = unit.clock
    clock.tried += 1
    if clock.best:
        clock.tried = 0
        choose_best(unit)
        begin(unit, CLIMBING)
    elif clock.tried < CORES:
        clock.phase = CHOOSING
    else:
        _end_leg(unit)


@inlined
def _end_leg(unit):
    """Turn to the next direction, and go to the best that is known for it."""
    clock, course, places = unit.clock, unit.course, unit.places
    clock.stage += 1
    clock.tried = 0
    begin(unit, GOING)
    if clock.stage == course.stages:
        return
    if clock.stage == 1:
        keep_middle(unit)
        for i in range(len(places.fx)):
            places.fx[i] = unit.state.fx[i]
        clock.has_middle = is_feasible(unit.ledger)
    if turn(unit):
        head_for(unit, places.middle)
        _aim_at_best(unit, places.fx, clock.has_middle == 1)
    else:
        _aim_at_best(unit, unit.state.fx, is_feasible(unit.ledger))
    begin_heat(unit, MILD, COLD, MILD_WORK * course.work / course.steps)


@inlined
def _aim_at_best(unit, fx, is_good):
    """Head for the known solution that is best for w, if it is better than fx.

    What is not feasible is not good, whatever fx is.
    """
    best, most = NO_MOVE, np.int64(0)
    for row in range(len(unit.known.values)):
        gain = gain_on(unit.state.w, unit.known.values[row], fx)
        if gain > most or (best == NO_MOVE and not is_good):
            best, most = row, gain
    if best != NO_MOVE:
        head_for(unit, unit.known.rows[best])
