"""Acceptance: of two solutions, keep the better side of each component.

The variables in which two solutions differ fall into components whose gains add up. So
each is kept or flipped by itself: one escape is many independent tries. Where all that
differs is one giant component, the solution is kept or undone as a whole.
"""

from paretoball._jit import inlined
from paretoball.crossover import (
    find_components,
    list_differing,
    score_in_climb,
    weighted,
)
from paretoball.search.path.clock import CHOSEN, NEXT


@inlined
def split(cliques, graph, moves, state, space, y, most):
    """Find and score the components in which x differs from y; how many there are.

    Those of more than `most` variables count as changing nothing, so nobody takes them.
    """
    d = len(state.objectives)
    found = find_components(graph, space, list_differing(space, state.x, y))
    for p in range(found):
        if space.at[p + 1] - space.at[p] <= most:
            score_in_climb(cliques, moves, state, space, p)
        else:
            for i in range(d):
                space.deltas[p * d + i] = 0
    return found


@inlined
def choose_better(state, space, path, found):
    """Choose each component that is better flipped, for w; the size of the largest."""
    d, largest, chosen = len(state.objectives), 0, 0
    for p in range(found):
        if weighted(state.w, space.deltas, p * d) > 0:
            largest = max(largest, space.at[p + 1] - space.at[p])
            for j in space.variables[space.at[p] : space.at[p + 1]]:
                path.chosen[chosen] = j
                chosen += 1
    path.clock[CHOSEN] = chosen
    path.clock[NEXT] = 0
    return largest
