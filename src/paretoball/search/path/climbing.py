"""Climbing: Algorithm 2, or, under constraints, flips that stay feasible.

Under constraints, a climb raises w · f by single flips; gains are exact integers. The
first pass takes what is worth its costs; then passes take gains of at least half of the
largest one. Where it ends, no single flip leads to a feasible solution that dominates.
"""

from paretoball._jit import by_type, inlined
from paretoball.climber import NO_MOVE, is_optimum, select_strong, select_w_improving
from paretoball.search.path.clock import FOUND, NOTHING, OPTIMUM
from paretoball.search.path.effort import FEW_VARIABLES
from paretoball.search.path.ledger import (
    Ledger,
    NoLedger,
    look,
    toll,
    violated_after,
    would_be_feasible,
)
from paretoball.search.path.unit import choose, exact_gain, gain_of, next_chosen


@inlined
def _choose_move(ground, unit, ledger):
    """The first variable of the move that Algorithm 2 takes; NO_MOVE at its end.

    With many objectives nearly all that a climb passes is non-dominated: of many
    variables only the local optimum is reported then.
    """
    moves, state, clock = ground.moves, unit.state, unit.clock
    t = select_strong(ground.cliques, moves, state)  # 3, 4
    if t == NO_MOVE:  # 5
        t = select_w_improving(moves, state)  # 6
        clock.due = FOUND  # 7
        if t != NO_MOVE and unit.course.is_fan and len(state.x) > FEW_VARIABLES:
            clock.due = NOTHING
    if t == NO_MOVE:  # 2
        clock.due = OPTIMUM if is_optimum(state) else FOUND  # 12
        return NO_MOVE
    clock.taken += 1
    choose(unit, moves.flips[t])
    return next_chosen(unit)


@inlined
def _choose_flip(ground, unit, ledger):
    """The next flip of a pass; NO_MOVE at its end: then `most` is 0 at an optimum."""
    clock, state = unit.clock, unit.state
    for j in range(clock.at, len(state.x)):
        gain = exact_gain(unit, j)
        if gain > 0 and _is_due(unit, ledger, j, gain):
            clock.at = j + 1
            clock.due = FOUND
            return j
    clock.at = 0
    clock.steps += 1
    clock.work += ground.sweep
    clock.most = 0  # the most that a flip gains which is feasible
    for j in range(len(state.x)):
        gain = exact_gain(unit, j)
        if gain > clock.most and would_be_feasible(ledger, state.x, j):
            clock.most = gain
    if clock.most == 0:
        clock.due = OPTIMUM
    return NO_MOVE


@inlined
def _is_due(unit, ledger, j, gain):
    """Whether this pass takes a flip that gains so much: it has to be feasible."""
    is_first = unit.clock.steps == 0
    if not is_first and gain < unit.clock.most - unit.clock.most // 2:
        return False
    changed = look(ledger, unit.state.x, j)
    if violated_after(ledger, changed) > 0:
        return False
    return not is_first or gain_of(unit, j) > toll(ledger, changed)


choose_climb = by_type("ledger", {NoLedger: _choose_move, Ledger: _choose_flip})
