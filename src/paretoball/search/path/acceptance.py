"""Acceptance: of two solutions, the better side of each component, and the offspring.

The variables in which two solutions differ fall into components whose gains add up. So
each is kept or flipped by itself: one escape is many independent tries. Where all that
differs is one giant component, the solution is kept or undone as a whole. What the two
have between them is offered along a line of weights.
"""

from paretoball._jit import inlined
from paretoball.crossover import (
    FINE,
    find_components,
    line_up,
    list_differing,
    score_in_climb,
    side,
    weighted,
)
from paretoball.search.path.clock import ASIDE
from paretoball.search.path.journal import note_flip


@inlined
def split(ground, unit, y, most):
    """Find and score the components in which x differs from y.

    Those of more than `most` variables count as changing nothing, so nobody takes them.
    """
    state, space, d = unit.state, unit.mixed.space, len(unit.state.objectives)
    differing = list_differing(space, state.x, y)
    unit.clock.parts = find_components(ground.graph, space, differing)
    for p in range(unit.clock.parts):
        if space.at[p + 1] - space.at[p] <= most:
            score_in_climb(ground.cliques, ground.moves, state, space, p)
        else:
            for i in range(d):
                space.deltas[p * d + i] = 0


@inlined
def choose_better(unit):
    """Choose each component that is better flipped, for w; the size of the largest."""
    state, space, d = unit.state, unit.mixed.space, len(unit.state.objectives)
    largest, chosen = 0, 0
    for p in range(unit.clock.parts):
        if weighted(state.w, space.deltas, p * d) > 0:
            largest = max(largest, space.at[p + 1] - space.at[p])
            for j in space.variables[space.at[p] : space.at[p + 1]]:
                unit.chosen[chosen] = j
                chosen += 1
    unit.clock.chosen = chosen
    unit.clock.next = 0
    return largest


@inlined
def line_up_next(unit):
    """Offer the next offspring of x and what it was split from; whether one was left.

    None of them is built: each is a few flips from the one before, and so is x again.
    """
    d, clock, space = len(unit.state.objectives), unit.clock, unit.mixed.space
    near, far = unit.course.corners[0], unit.course.corners[1]
    at, found, order = clock.at, clock.parts, unit.mixed.order
    clock.at = at + 1
    if at == 0:
        for i in range(d):
            unit.places.fx[i] = unit.state.fx[i]
        for p in range(found):
            if side(space, p, near, d) > 0.0:
                note_component(unit, p)
                add_component(unit, p, 1)
        clock.count = line_up(space, found, near, far, order)
    elif at <= clock.count:
        p = order[at - 1] % FINE
        note_component(unit, p)
        add_component(unit, p, 1 if side(space, p, far, d) > 0.0 else -1)
    else:
        for p in range(found):
            if side(space, p, far, d) > 0.0:
                note_component(unit, p)
        return False
    clock.due = ASIDE
    return True


@inlined
def note_component(unit, p):
    """Note flips of all variables of component p."""
    space = unit.mixed.space
    for j in space.variables[space.at[p] : space.at[p + 1]]:
        note_flip(unit, j)


@inlined
def add_component(unit, p, sign):
    """Add what component p changes to the objectives of what lies aside, or back."""
    d, space = len(unit.state.objectives), unit.mixed.space
    for i in range(d):
        unit.places.fx[i] += sign * space.deltas[p * d + i]
