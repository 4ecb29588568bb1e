"""Walking: units under constraints, flip by flip.

`walk_on` is one loop: it chooses a variable, flips it, and offers what that leads to.
"""

from paretoball._jit import inlined, kernel
from paretoball.search.path.clock import (
    DECIDED,
    DUE,
    PHASE,
    ROUND,
    STAGE,
    TAKEN,
    WORK,
)
from paretoball.search.path.cores import (
    begin_combining,
    choose_best,
    choose_combination,
    choose_core,
)
from paretoball.search.path.ledger import adjust_resources, set_prices
from paretoball.search.path.priced_heat import (
    HEAT_WORK,
    LOSS,
    begin_heat,
    choose_hot,
    typical_loss,
)
from paretoball.search.path.stages import (
    COLD,
    choose_to_climb,
    choose_to_repair,
    next_of_path,
)
from paretoball.search.path.visiting import choose_with_others, next_of_filling
from paretoball.search.path.walk import (
    CHOOSING,
    CLIMBING,
    COMBINING,
    FOUND,
    GOING,
    HEATING,
    MATING,
    NONE,
    NOTHING,
    REPAIRING,
    TAKING,
    Walk,
    choose_towards,
    has_space,
    offer,
    step,
)

MANY = 1 << 22  # work between two returns to Python


@kernel
def walk_on(ground, walk, last):
    """Go on until `last` flips are taken, or it is time to return."""
    clock, stages = walk.clock, walk.course.stages
    clock[WORK] = 0
    if clock[TAKEN] == 0:
        clock[DUE] = FOUND  # where it starts
    while True:
        offer(walk)
        if clock[STAGE] == stages or clock[TAKEN] == last or clock[WORK] >= MANY:
            return
        if not has_space(walk):
            return
        j = _choose(ground, walk)
        if j != NONE:
            clock[WORK] += ground.flips[j]
            step(ground, walk, j)
            if clock[PHASE] == CLIMBING:
                clock[DUE] = NOTHING  # a climb tells when it has decided on a flip
            elif clock[PHASE] == HEATING:
                adjust_resources(ground.rows, walk.ledger)
        elif not clock[DECIDED]:
            clock[WORK] += ground.sweep


@inlined
def _choose(ground, walk):
    """The next flip; NONE where a phase, or a sweep, ends."""
    phase = walk.clock[PHASE]
    if phase == REPAIRING:
        return choose_to_repair(ground, walk)
    if phase == CLIMBING:
        return choose_to_climb(ground, walk)
    if phase == CHOOSING:
        size = choose_core(ground, walk, walk.clock[ROUND])
        begin_combining(walk, size)
        walk.clock[PHASE] = COMBINING
        return NONE
    if phase == HEATING:
        j = choose_hot(ground, walk)
    elif phase == TAKING:
        j = choose_best(walk)
    elif phase == GOING:
        j = choose_towards(walk)
    elif COMBINING <= phase <= MATING:
        j = choose_combination(walk)
    else:
        j = choose_with_others(ground, walk)
    if j == NONE:
        if walk.course.is_filling:
            next_of_filling(walk)
        else:
            next_of_path(walk)
    return j


def begin_walk(walk: Walk, hot: float, work: float) -> None:
    """Set prices and heat for the first stage."""
    heat, n = walk.heat, len(walk.state.x)
    singles = walk.state.scores[: n * len(heat.shares)]
    loss = typical_loss(heat.shares, singles)
    heat.numbers[LOSS] = loss
    heat.numbers[HEAT_WORK] = work
    set_prices(walk.ledger, loss)
    begin_heat(walk, hot, COLD, work)
