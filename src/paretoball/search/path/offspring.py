"""Offspring: what two solutions have between them, reported along a line of weights."""

from paretoball._jit import inlined
from paretoball.crossover import FINE, line_up, side
from paretoball.search.path.journal import note_flip, note_report


@inlined
def recombine(state, space, path, found):
    """Report the offspring of x and of what differs from it in the components found.

    None of them is built: each is a few flips from the one before, and so is x again.
    """
    d, fx = len(state.objectives), path.fx
    near, far = path.course.corners[0], path.course.corners[1]
    for i in range(d):
        fx[i] = state.fx[i]
    for p in range(found):
        if side(space, p, near, d) > 0.0:
            _note_component(space, path, p, 1, d)
    note_report(state, path, fx)
    for at in range(line_up(space, found, near, far, path.order)):
        p = path.order[at] % FINE
        sign = 1 if side(space, p, far, d) > 0.0 else -1
        _note_component(space, path, p, sign, d)
        note_report(state, path, fx)
    for p in range(found):
        if side(space, p, far, d) > 0.0:
            _note_component(space, path, p, -1, d)


@inlined
def _note_component(space, path, p, sign, d):
    """Flip component p of an offspring, which adds or takes away what it gains."""
    for j in space.variables[space.at[p] : space.at[p + 1]]:
        note_flip(path, j)
    for i in range(d):
        path.fx[i] += sign * space.deltas[p * d + i]
