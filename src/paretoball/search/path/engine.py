"""The engine: choose a variable, offer what is due, flip; again and again.

Paths and fillings, with constraints or without, differ in what they choose, and in what
else there is to do for a flip. Every flip goes through Algorithm 1, and through the
ledger of constraints if there is one.
"""

import numpy as np

from paretoball._jit import by_type, inlined, kernel
from paretoball.climber import NO_MOVE, flip
from paretoball.search.path.chains import choose_link, is_chaining
from paretoball.search.path.clock import (
    CHAINING,
    CHOOSING,
    CLIMBING,
    COMBINING,
    ENOUGH,
    FOUND,
    GOING,
    HEATING,
    MATING,
    NOTHING,
    RETURNING,
    SEEN,
)
from paretoball.search.path.cores import (
    begin_combining,
    choose_combination,
    choose_core,
)
from paretoball.search.path.filling import choose_around
from paretoball.search.path.heat import choose_hot, is_hot
from paretoball.search.path.journal import has_room, leave_unsaid, note_flip, offer
from paretoball.search.path.ledger import (
    Ledger,
    NoLedger,
    adjust_others,
    adjust_resources,
    enter,
)
from paretoball.search.path.legs import choose_on_leg
from paretoball.search.path.menders import cross_over
from paretoball.search.path.stages import choose_on_stage
from paretoball.search.path.unit import AnyUnits, OnlyPaths, next_chosen
from paretoball.search.path.visiting import choose_on_visit


@kernel
def go_on(ground, unit, last):
    """Go on until `last` moves are taken, or it is time to return."""
    unit.clock.work = 0
    while True:
        is_over = _is_over(ground, unit, last)
        j = NO_MOVE if is_over else _choose(ground, unit)
        offer(unit)
        if is_over:
            return
        if j != NO_MOVE:
            _step(ground, unit, j)


@inlined
def _is_over(ground, unit, last):
    """Whether the unit is, or it is time to return."""
    clock = unit.clock
    if clock.stage == unit.course.stages or clock.taken >= last:
        return True
    return clock.work >= ENOUGH or not has_room(ground, unit)


@inlined
def _choose(ground, unit):
    """The next variable to flip, or NO_MOVE."""
    j = next_chosen(unit)
    return _choose_anew(ground, unit, unit.ledger) if j == NO_MOVE else j


@inlined
def _choose_by_prices(ground, unit, ledger):
    """With constraints: heat and cores, the same for both, and what is between them."""
    phase = unit.clock.phase
    if phase == HEATING and is_hot(unit):
        j = choose_hot(ground, unit)
        if j == NO_MOVE:
            adjust_others(ledger)
        return j
    if phase >= CHAINING and is_chaining(unit):
        return choose_link(ground, unit)
    if phase == CHOOSING:
        begin_combining(unit, choose_core(ground, unit, unit.clock.tried))
        unit.clock.phase = COMBINING
        return NO_MOVE
    j = NO_MOVE
    if phase in (COMBINING, MATING):
        j = choose_combination(unit)
    return _choose_in_unit(ground, unit, unit.course.units) if j == NO_MOVE else j


@inlined
def _choose_in_either(ground, unit, units):
    """That of a path or a filling."""
    if units.is_filling:
        return _in_filling(ground, unit, unit.ledger)
    return _on_path(ground, unit, unit.ledger)


_on_path = by_type("ledger", {NoLedger: choose_on_leg, Ledger: choose_on_stage})
_in_filling = by_type("ledger", {NoLedger: choose_around, Ledger: choose_on_visit})
_only_path = inlined(lambda ground, unit, units: _on_path(ground, unit, unit.ledger))
_choose_in_unit = by_type("units", {OnlyPaths: _only_path, AnyUnits: _choose_in_either})
_choose_freely = inlined(
    lambda ground, unit, ledger: _choose_in_unit(ground, unit, unit.course.units)
)
_choose_anew = by_type("ledger", {NoLedger: _choose_freely, Ledger: _choose_by_prices})


@inlined
def _step(ground, unit, j):
    """x ← x ⊕ j, with scores, objectives and the ledger."""
    state, d = unit.state, len(unit.state.objectives)
    for i in range(d):
        state.fx[i] += state.scores[j * d + i]
    _flip(ground, unit, unit.ledger, j)


@inlined
def _flip_freely(ground, unit, ledger, j):
    """Flip, and note it, unsaid in an escape; only climbs file moves, and tell them."""
    clock, phase = unit.clock, unit.clock.phase
    flip(ground.cliques, ground.moves, unit.state, j, phase >= CLIMBING)
    clock.taken += phase <= GOING and phase != RETURNING
    if phase == HEATING:
        clock.work += np.int64(unit.heat.numbers.flip_work)
        clock.due = SEEN
        leave_unsaid(unit, j)
    else:
        note_flip(unit, j)


@inlined
def _flip_by_prices(ground, unit, ledger, j):
    """Flip, and leave it unsaid; the prices of resources change in an escape.

    What a flip of a climb leads to is due once the next flip is chosen, or none.
    """
    clock, phase = unit.clock, unit.clock.phase
    enter(ledger, unit.state.x, j)
    flip(ground.cliques, ground.moves, unit.state, j, False)
    clock.taken += 1
    clock.work += ground.flips[j]
    is_back = phase >= CHAINING and clock.links == 0
    clock.due = NOTHING if phase == CLIMBING or is_back else FOUND
    leave_unsaid(unit, j)
    if unit.course.is_chained:
        cross_over(unit.mixed.menders, ledger.rows, unit.state.x, j)
    if phase == HEATING:
        adjust_resources(ledger)


_flip = by_type("ledger", {NoLedger: _flip_freely, Ledger: _flip_by_prices})
