"""Climbing under constraints: flips that stay feasible and raise w · f.

Gains are exact integers here. Where a climb ends, no single flip leads to a feasible
solution that dominates x. The first pass takes what is worth its costs; then passes
take gains of at least half of the largest one.
"""

from paretoball._jit import inlined
from paretoball.search.path.clock import AT, MOST, STEPS
from paretoball.search.path.ledger import (
    look,
    toll,
    violated_after,
    would_be_feasible,
)
from paretoball.search.path.walk import NONE, exact_gain, gain_of


@inlined
def choose_climb(ground, walk):
    """The next flip of a pass; NONE at its end, and then MOST is 0 at an optimum."""
    clock, state = walk.clock, walk.state
    for j in range(clock[AT], len(state.x)):
        gain = exact_gain(state.w, state.scores, j)
        if gain > 0 and _is_due(ground, walk, j, gain):
            clock[AT] = j + 1
            return j
    clock[AT] = 0
    clock[STEPS] += 1
    _find_most(ground, walk)
    return NONE


@inlined
def _is_due(ground, walk, j, gain):
    """Whether this pass takes a flip that gains so much: it has to be feasible."""
    rows, ledger = ground.rows, walk.ledger
    is_first = walk.clock[STEPS] == 0
    if not is_first and gain < walk.clock[MOST] - walk.clock[MOST] // 2:
        return False
    changed = look(rows, ledger, walk.state.x, j)
    if violated_after(rows, ledger, changed) > 0:
        return False
    costs = toll(rows, ledger, changed)
    return not is_first or gain_of(walk.heat.shares, walk.state.scores, j) > costs


@inlined
def _find_most(ground, walk):
    """The most that a flip gains which is feasible; 0 if none gains."""
    state = walk.state
    walk.clock[MOST] = 0
    for j in range(len(state.x)):
        gain = exact_gain(state.w, state.scores, j)
        if gain > walk.clock[MOST] and would_be_feasible(
            ground.rows, walk.ledger, state.x, j
        ):
            walk.clock[MOST] = gain
