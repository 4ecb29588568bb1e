"""The legs of a path under constraints: heat, repair, climb, combine, turn.

They turn as legs without constraints do. Each begins at the best known solution for its
direction, if that is better than where the last one ended.

To repair, a violated constraint is drawn, and of the flips that bring it closer to its
bounds the one is taken that costs least. Where every one makes matters worse, what is
violated becomes dearer: that is the breakout of Morris (1993), with prices as weights.
"""

import numpy as np

from paretoball._jit import inlined
from paretoball.climber import NO_MOVE
from paretoball.numerics import below
from paretoball.search.path.chains import MILD as MILD_CHAINS
from paretoball.search.path.chains import begin_chains
from paretoball.search.path.clock import (
    CHAINING,
    CHOOSING,
    CLIMBING,
    COMBINING,
    FOUND,
    GOING,
    HEATING,
    OPTIMUM,
    REPAIRING,
)
from paretoball.search.path.cores import CORES, choose_best
from paretoball.search.path.heat import begin_heat, face
from paretoball.search.path.ledger import (
    MOST,
    is_feasible,
    look,
    read_by,
    toll,
    violated_after,
    would_be_feasible,
)
from paretoball.search.path.unit import (
    begin,
    exact_gain,
    gain_of,
    gain_on,
    head_for,
    turn,
)

HOT, MILD, COLD = 0.2, 0.08, 0.01  # temperatures, in typical losses
MILD_WORK = 1.0  # of all legs to one end, in first legs
REPAIRS = 32  # steps for each variable and constraint, at most
DEARER = 1.1  # factor of prices where no flip helps
DAMPED = 0.1  # how much w · f counts: what is feasible comes first


@inlined
def choose_on_stage(ground, unit, ledger):
    """The next variable to flip, heat and cores aside; NO_MOVE where a phase ends."""
    clock, phase = unit.clock, unit.clock.phase
    if phase == HEATING:
        begin(unit, REPAIRING)
    elif phase == REPAIRING:
        clock.steps += 1
        if is_feasible(unit.ledger):
            begin(unit, CHAINING if unit.course.is_chained else CLIMBING)
        elif clock.steps > REPAIRS * (len(unit.state.x) + len(unit.ledger.values)):
            _end_leg(unit)
        else:
            return _choose_repair(ground, unit)
    elif phase == CLIMBING:
        j = _choose_flip(ground, unit)
        if j == NO_MOVE and clock.most == 0:
            if unit.course.is_chained:
                _end_leg(unit)
            else:
                begin(unit, CHOOSING)
        return j
    elif phase == CHAINING:
        begin(unit, CLIMBING)
    elif phase == COMBINING:
        _end_combining(unit)
    else:
        begin(unit, REPAIRING if unit.course.is_chained else HEATING)
    return NO_MOVE


@inlined
def _choose_repair(ground, unit):
    """The next flip towards what is feasible, or NO_MOVE if there is none."""
    ledger, nearest = unit.ledger, unit.places.nearest
    if ledger.bad[0] < unit.clock.nearest:
        unit.clock.nearest = ledger.bad[0]
        unit.clock.work += len(nearest)
        for j in range(len(nearest)):
            nearest[j] = unit.state.x[j]
    drawn = below(unit.state.rng, ledger.bad[0])
    best, least = _cheapest(ground, unit, np.int64(ledger.violated[drawn]))
    if least >= 0.0:
        unit.clock.work += ledger.bad[0]
        for at in range(ledger.bad[0]):
            c = ledger.violated[at]
            price = ledger.prices[c] * DEARER
            ledger.prices[c] = min(price, MOST * ledger.least[c])
    return best


@inlined
def _cheapest(ground, unit, c):
    """Of the flips that bring constraint c closer to its bounds, the cheapest."""
    ledger, best, least = unit.ledger, np.int64(NO_MOVE), np.inf
    is_low = ledger.values[c] < ledger.rows.lower[c]
    rows, linear = ledger.rows, ledger.rows.row_at[c + 1] - ledger.rows.row_at[c]
    start, end = read_by(rows.wide, c)
    for e in range(linear + end - start):
        if e < linear:
            j = np.int64(rows.row_variables[rows.row_at[c] + e])
        else:
            j = np.int64(rows.wide.masks[start + e - linear])
        unit.clock.work += ground.looks[j]
        changed, change = look(ledger, unit.state.x, j), ledger.changes[c]
        if change != 0 and (change > 0) == is_low:
            cost = toll(ledger, changed, False) - DAMPED * gain_of(unit, j)
            if cost < least:
                best, least = j, cost
    return best, least


@inlined
def _choose_flip(ground, unit):
    """The next flip of a pass; NO_MOVE at its end: then `most` is 0 at an optimum.

    The first pass takes what is worth its costs, later ones gains of at least half of
    the largest. At an optimum, no single flip leads to what is feasible and dominates.
    """
    clock, state = unit.clock, unit.state
    for j in range(clock.at, len(state.x)):
        gain = exact_gain(unit, j)
        if gain > 0 and _is_due(unit, j, gain):
            clock.at = j + 1
            clock.due = FOUND
            return j
    clock.at = 0
    clock.steps += 1
    clock.work += ground.sweep
    clock.most = 0  # the most that a flip gains which is feasible
    for j in range(len(state.x)):
        gain = exact_gain(unit, j)
        if gain > clock.most and would_be_feasible(unit.ledger, state.x, j):
            clock.most = gain
    if clock.most == 0:
        clock.due = OPTIMUM
    return NO_MOVE


@inlined
def _is_due(unit, j, gain):
    """Whether this pass takes a flip that gains so much: it has to be feasible."""
    ledger, is_first = unit.ledger, unit.clock.steps == 0
    if not is_first and gain < unit.clock.most - unit.clock.most // 2:
        return False
    changed = look(ledger, unit.state.x, j)
    if violated_after(ledger, changed) > 0:
        return False
    return not is_first or gain_of(unit, j) > toll(ledger, changed, True)


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
    if turn(unit):
        head_for(unit, places.middle)
        _aim_at_best(unit, places.fx, clock.has_middle == 1)
    else:
        _aim_at_best(unit, unit.state.fx, is_feasible(unit.ledger))
    work = MILD_WORK * course.work / course.steps
    if course.is_chained:
        face(unit)
        begin_chains(unit, MILD_CHAINS, work)
    else:
        begin_heat(unit, MILD, COLD, work)


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
