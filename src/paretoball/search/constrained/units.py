"""Units as kernels see them: choose a flip, take it, offer what it leads to."""

from paretoball._jit import kernel
from paretoball.search.constrained.heating import (
    HEAT_WORK,
    HEATING,
    LOSS,
    begin_heat,
    typical_loss,
)
from paretoball.search.constrained.ledger import adjust_resources, set_prices
from paretoball.search.constrained.stages import CLIMBING, COLD, choose_of_path
from paretoball.search.constrained.visiting import choose_of_filling
from paretoball.search.constrained.walk import (
    CHOSEN,
    DUE,
    FOUND,
    LOOKS,
    NONE,
    NOTHING,
    PHASE,
    STAGE,
    TAKEN,
    has_space,
    offer,
    step,
)

MANY = 1 << 22  # looks between two returns to Python


@kernel
def walk_on(ground, walk, last):
    """Go on until `last` flips are taken, or it is time to return."""
    clock = walk.clock
    clock[LOOKS] = 0
    if clock[TAKEN] == 0:
        clock[DUE] = FOUND  # where it starts
    while True:
        offer(walk)
        if clock[STAGE] == walk.stages or clock[TAKEN] == last or clock[LOOKS] >= MANY:
            return
        if not has_space(walk):
            return
        if walk.is_filling:
            j = choose_of_filling(ground, walk)
        else:
            j = choose_of_path(ground, walk)
        if j == NONE:
            clock[LOOKS] += 0 if clock[CHOSEN] else ground.sweep
            continue
        clock[LOOKS] += ground.flips[j]
        step(ground, walk, j)
        if clock[PHASE] == CLIMBING and not walk.is_filling:
            clock[DUE] = NOTHING  # a climb tells when it has chosen its next flip
        if clock[PHASE] == HEATING:
            adjust_resources(ground.rows, walk.ledger)


@kernel
def begin_walk(walk, hot, work):
    """Set prices and heat for the first stage."""
    loss = typical_loss(walk.shares, walk.state.scores, len(walk.state.x))
    walk.numbers[LOSS] = loss
    walk.numbers[HEAT_WORK] = work
    set_prices(walk.ledger, loss)
    begin_heat(walk, hot, COLD, work)
