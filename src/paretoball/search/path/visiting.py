"""The visits of a filling under constraints: what is feasible around known solutions.

A filling first finds the prices of its part of the front, by a little heat. Then it
visits solutions, one after the other, and tries single flips, pairs of flips, cores,
and whatever lies between two solutions that differ in few variables.
"""

import numpy as np

from paretoball._jit import inlined
from paretoball.archive import is_refused
from paretoball.climber import NO_MOVE
from paretoball.search.path.clock import (
    BRANCHING,
    CHOOSING,
    COMBINING,
    FLIPPING,
    GOING,
    HEATING,
    MATING,
    NOTHING,
    SEEKING,
)
from paretoball.search.path.cores import CORES, begin_combining, choose_difference
from paretoball.search.path.effort import FEW_VARIABLES
from paretoball.search.path.ledger import would_be_feasible
from paretoball.search.path.unit import begin, visit

AROUND = 8  # rows: the direction of a visit is that of the front so far around it
PARTNERS = 4  # to either side: the rows 1, 2, 4, 8 places away


@inlined
def choose_on_visit(ground, unit, ledger):
    """The next variable to flip, heat and cores aside; NO_MOVE where a phase ends."""
    clock, phase = unit.clock, unit.clock.phase
    if phase == HEATING:
        clock.phase = SEEKING
    elif phase == SEEKING:
        visit(unit)
    elif phase == GOING:
        _face(unit)
        begin(unit, BRANCHING if unit.course.is_chained else FLIPPING)
        clock.tried = 0
    elif phase == FLIPPING:
        return _choose_with_others(ground, unit)
    elif phase == BRANCHING:
        clock.phase = MATING
    else:
        _end_combining(unit)
    return NO_MOVE


@inlined
def _end_combining(unit):
    """Try another core, then the next solution nearby, or end the visit."""
    clock = unit.clock
    clock.tried += 1
    if clock.phase == COMBINING and clock.tried < CORES:
        clock.phase = CHOOSING
        return
    if clock.phase == COMBINING:
        clock.phase = MATING
        clock.tried = 0
    if clock.tried < 2 * PARTNERS:
        way, rows = 1 << (clock.tried // 2), unit.known.rows
        row = clock.stage + (way if clock.tried % 2 else -way)
        is_there = 0 <= row < len(rows)
        begin_combining(unit, choose_difference(unit, rows[row]) if is_there else 0)
    else:
        clock.stage += 1
        clock.phase = SEEKING


@inlined
def _face(unit):
    """With two objectives, face the direction of the front around this solution."""
    shares, values, row = unit.heat.shares, unit.known.values, unit.clock.stage
    if len(shares) == 2:
        low = values[max(row - AROUND, 0)]
        high = values[min(row + AROUND, len(values) - 1)]
        first, second = max(low[1] - high[1], 1), max(high[0] - low[0], 1)
        total = np.float64(first) + second
        shares[0] = first / total
        shares[1] = second / total


@inlined
def _choose_with_others(ground, unit):
    """Flip variable `at`; then others, and each of them back; then `at` back.

    `steps` is 0 before the first of these, then the next other variable, and less than
    that if the last one is to be flipped back.
    """
    clock, state, fx, n = unit.clock, unit.state, unit.places.fx, len(unit.state.x)
    if clock.due != NOTHING:  # what x hides is not worth a try
        return NO_MOVE
    j = clock.at
    if j == n:
        begin(unit, CHOOSING)
        return NO_MOVE
    if clock.steps == 0:
        clock.steps = j + 1 if n <= FEW_VARIABLES else n
        return j
    if clock.steps < 0:  # flip back
        other = -clock.steps
        clock.steps = other + 1
        return other
    for other in range(clock.steps, n):
        clock.work += ground.looks[other]
        for i in range(len(fx)):
            fx[i] = state.fx[i] + state.scores[other * len(fx) + i]
        is_new = not is_refused(unit.front, fx)  # as far as a glance tells
        if is_new and would_be_feasible(unit.ledger, state.x, other):
            clock.steps = -other
            return other
    clock.steps = 0
    clock.at += 1
    return j
