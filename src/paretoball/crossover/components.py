"""Components: where two solutions differ, in pieces that do not feel each other.

The variables in which x and y differ fall into connected components of the
co-occurrence graph. No subfunction reads variables of two of them, so, as in
Proposition 1, what flipping some of them does to f is the sum of what each does alone.
But for comparing x with y, all here takes time in proportion to what differs, not to n.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined
from paretoball.landscape import Cliques
from paretoball.numerics import sort

CHANGED, LISTED = 1, 2
FINE = 1 << 31  # steps of a turn in which changes of side are told apart


class _ComponentSpace(NamedTuple):
    """Variables by component, what flipping each would gain, and scratch space.

    Vectors of d numbers lie end to end: number i of component p is at p * d + i.
    """

    at: np.ndarray  # (n + 1,) int64: where the variables of each component start
    variables: np.ndarray  # (n,) int32
    deltas: np.ndarray  # (n * d,) int64: f(x ⊕ component) - f(x)
    changed: np.ndarray  # scratch, (n,) int32: the variables to be put into components
    marks: np.ndarray  # scratch, (n,) uint8: which ones those are; 0 between two uses
    patterns: np.ndarray  # scratch, (cliques,) uint32: bits of a row; 0 between uses


def new_component_space(cliques: Cliques) -> _ComponentSpace:
    """Room for the components of any two solutions."""
    n, d = len(cliques.reader_at) - 1, len(cliques.constant)
    return _ComponentSpace(
        at=np.zeros(n + 1, np.int64),
        variables=np.zeros(n, np.int32),
        deltas=np.zeros(n * d, np.int64),
        changed=np.zeros(n, np.int32),
        marks=np.zeros(n, np.uint8),
        patterns=np.zeros(len(cliques.mask_at) - 1, np.uint32),
    )


@inlined
def list_flipped(space, flips, first, last):
    """List the variables that flips first..last change in the end; how many."""
    marks, count = space.marks, 0
    for at in range(first, last):
        marks[flips[at]] ^= CHANGED
    for at in range(first, last):
        j = flips[at]
        if marks[j] == CHANGED:
            marks[j] = LISTED
            space.changed[count] = j
            count += 1
    return count


@inlined
def shorten(space, flips, first, last):
    """Let flips first..last flip each variable twice at most; where they end then.

    Variables keep the order in which they come first, and every flip that counts.
    """
    marks, count = space.marks, 0
    for at in range(first, last):
        j = flips[at]
        if marks[j] == 0:
            marks[j] = LISTED
            space.changed[count] = j
            count += 1
        marks[j] ^= CHANGED
    for at in range(count):
        j = space.changed[at]
        flips[first] = j
        first += 1
        if marks[j] == LISTED:  # it was flipped an even number of times
            flips[first] = j
            first += 1
        marks[j] = 0
    return first


@inlined
def list_differing(space, x, y):
    """List the variables in which x and y differ; how many."""
    count = 0
    for j in range(len(x)):
        if x[j] != y[j]:
            space.marks[j] = LISTED
            space.changed[count] = j
            count += 1
    return count


@inlined
def find_components(graph, space, count):
    """Put the listed variables into components; how many there are."""
    marks, variables = space.marks, space.variables
    found, last = 0, 0
    for at in range(count):
        first = space.changed[at]
        if marks[first] == 0:  # it is in a component already
            continue
        marks[first] = 0
        variables[last] = first
        head = last
        last += 1
        while head < last:
            j = variables[head]
            head += 1
            for e in range(graph.at[j], graph.at[j + 1]):
                other = graph.neighbours[e]
                if marks[other]:
                    marks[other] = 0
                    variables[last] = other
                    last += 1
        found += 1
        space.at[found] = last
    return found


@inlined
def score_component(cliques, space, here, p, d):
    """deltas[p] = f(x ⊕ component p) - f(x), where clique c reads row here[c] at x."""
    tables, deltas, patterns = cliques.tables, space.deltas, space.patterns
    for i in range(d):
        deltas[p * d + i] = 0
    for j in space.variables[space.at[p] : space.at[p + 1]]:
        for e in range(cliques.reader_at[j], cliques.reader_at[j + 1]):
            patterns[cliques.readers[e]] ^= cliques.reader_bits[e]
    for j in space.variables[space.at[p] : space.at[p + 1]]:
        for e in range(cliques.reader_at[j], cliques.reader_at[j + 1]):
            c = cliques.readers[e]
            if patterns[c]:  # not met before
                row = np.int64(here[c])
                there = row ^ np.int64(patterns[c])
                patterns[c] = 0
                for i in range(d):
                    change = np.int64(tables[there * d + i]) - tables[row * d + i]
                    deltas[p * d + i] += change


@inlined
def weighted(w, values, first):
    """w · the vector that starts at `first`."""
    total = 0
    for i in range(len(w)):
        total += w[i] * values[first + i]
    return total


@inlined
def line_up(space, found, near, far, turns):
    """Which components change side while weights turn from `near` to `far`, in order.

    `turns[:count]` says when, and below FINE which. The others keep their side. Turns
    closer than 1 / FINE come in any order: an archive drops what is dominated by that.
    """
    d, count = len(near), 0
    for p in range(found):
        before, after = side(space, p, near, d), side(space, p, far, d)
        if (before > 0.0) != (after > 0.0):
            when = np.int64(before / (before - after) * (FINE - 1))
            turns[count] = when * FINE + p
            count += 1
    sort(turns, 0, count)
    return count


@inlined
def side(space, p, w, d):
    """Above zero if flipping component p pays in the direction w."""
    total = 0.0
    for i in range(d):
        total += float(w[i]) * float(space.deltas[p * d + i])
    return total
