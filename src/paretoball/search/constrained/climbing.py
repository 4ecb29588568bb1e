"""Climbing under constraints: flips that stay feasible and raise w · f.

Gains are exact integers here. Where a climb ends, no single flip leads to a feasible
solution that dominates x.
"""

from paretoball._jit import inlined
from paretoball.search.constrained.ledger import look, toll
from paretoball.search.constrained.walk import (
    exact_gain,
    gain_of,
    offer,
    step,
    would_be_feasible,
)


@inlined
def flip_what_pays(ground, walk):
    """Flip whatever is feasible and worth more than it costs; how many flips."""
    taken = 0
    for j in range(len(walk.state.x)):
        if exact_gain(walk, j) > 0 and _surplus(ground, walk, j) > 0.0:
            taken += _flip_if_feasible(ground, walk, j)
    return taken


@inlined
def flip_best(ground, walk):
    """Flip what is feasible and gains, the largest gains first; how many flips.

    Each pass takes gains of at least half of the largest one.
    """
    largest, taken = 0, 0
    for j in range(len(walk.state.x)):
        gain = exact_gain(walk, j)
        if gain > largest and would_be_feasible(ground, walk, j):
            largest = gain
    if largest == 0:
        return 0
    for j in range(len(walk.state.x)):
        gain = exact_gain(walk, j)
        if gain > 0 and 2 * gain >= largest:
            taken += _flip_if_feasible(ground, walk, j)
    return taken


@inlined
def _surplus(ground, walk, j):
    """What a flip gains beyond its costs."""
    changed = look(ground.rows, walk.ledger, walk.state.x, j)
    return gain_of(walk, j) - toll(ground.rows, walk.ledger, changed)


@inlined
def _flip_if_feasible(ground, walk, j):
    """Flip j and offer the solution, if it is feasible; how many flips."""
    if not would_be_feasible(ground, walk, j):
        return 0
    step(ground, walk, j)
    offer(walk)
    return 1
