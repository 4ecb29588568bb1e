"""Components: the differing variables of two solutions, in independent groups.

The co-occurrence graph, with only the variables in which x and y differ, falls into
connected components. No subfunction reads variables of two components. So, as in
Proposition 1, flipping several components changes f by the sum of what each changes
alone. Comparing x with y takes time proportional to n; all else here takes time
proportional to the number of differing variables.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import by_type, inlined, kernel
from paretoball.climber import RecordMoves, RowMoves, StencilMoves, read_rows
from paretoball.landscape import Cliques
from paretoball.numerics import sort

LISTED = 1  # a mark of variables
FINE = 1 << 31  # steps of a turn; changes of side in one step are not ordered


class ComponentSpace(NamedTuple):
    """The variables of each component, the delta of each, and scratch space.

    Vectors of d numbers lie end to end: number i of component p is at p * d + i.
    """

    at: np.ndarray  # (n + 1,) int64: where the variables of each component start
    variables: np.ndarray  # (n,) int32: the variables, component by component
    deltas: np.ndarray  # (n * d,) int64: f(x ⊕ component) - f(x)
    # Scratch space; marks and patterns are 0 between two uses.
    changed: np.ndarray  # (n,) int32: the variables to be put into components
    marks: np.ndarray  # (n,) uint8: LISTED for these variables
    patterns: np.ndarray  # (cliques,) uint32: the bits that a component flips


def new_component_space(cliques: Cliques) -> ComponentSpace:
    """Room for the components of any two solutions."""
    n, d = len(cliques.reader_at) - 1, len(cliques.constant)
    return ComponentSpace(
        at=np.zeros(n + 1, np.int64),
        variables=np.zeros(n, np.int32),
        deltas=np.zeros(n * d, np.int64),
        changed=np.zeros(n, np.int32),
        marks=np.zeros(n, np.uint8),
        patterns=np.zeros(len(cliques.mask_at) - 1, np.uint32),
    )


@inlined
def list_differing(space, x, y):
    """List the variables in which x and y differ; return the count."""
    count = 0
    for j in range(len(x)):
        if x[j] != y[j]:
            space.marks[j] = LISTED
            space.changed[count] = j
            count += 1
    return count


@inlined
def find_components(graph, space, count):
    """Put the `count` listed variables into components; return how many these are."""
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
def _score_by_stencils(cliques, moves, state, space, p):
    """deltas[p] = f(x ⊕ component p) - f(x), where x is the solution of a climb."""
    score_component(cliques, space, state.reading.here, p, len(state.objectives))


@inlined
def _score_by_records(cliques, moves, state, space, p):
    """The same; what cliques read is not kept up to date by records."""
    read_rows(cliques, state, space.variables[space.at[p] : space.at[p + 1]])
    score_component(cliques, space, state.reading.here, p, len(state.objectives))


@inlined
def _score_by_factors(cliques, moves, state, space, p):
    """The same by rows, whose factors tell it."""
    d = len(state.objectives)
    variables = space.variables[space.at[p] : space.at[p + 1]]
    signed = state.scores, state.reading.signs
    totals = space.deltas[p * d : (p + 1) * d]
    _score_by_rows(moves.affected, signed, variables, space.marks, totals)


score_in_climb = by_type(
    "moves",
    {
        StencilMoves: _score_by_stencils,
        RecordMoves: _score_by_records,
        RowMoves: _score_by_factors,
    },
)


@kernel
def _score_by_rows(affected, signed, variables, marks, totals):
    """Scores of single flips, and what each pair of them adds to that."""
    (scores, signs), d = signed, len(totals)
    totals[:] = 0
    for j in variables:
        marks[j] = LISTED
        for i in range(d):
            totals[i] += scores[j * d + i]
    for j in variables:
        first = affected.row_at[j]
        if affected.is_whole[j]:
            for v in variables:
                if v > j:
                    sign = np.int64(signs[j * d]) * signs[v * d]
                    for i in range(d):
                        totals[i] += sign * affected.factors[(first + v) * d + i]
        else:
            for e in range(affected.at[j], affected.at[j + 1]):
                v = np.int64(affected.variables[e])
                if v > j and marks[v]:
                    sign = np.int64(signs[j * d]) * signs[v * d]
                    at = first + e - affected.at[j]
                    for i in range(d):
                        totals[i] += sign * affected.factors[at * d + i]
    for j in variables:
        marks[j] = 0


@inlined
def weighted(w, values, first):
    """w · the vector that starts at `first`."""
    total = 0
    for i in range(len(w)):
        total += w[i] * values[first + i]
    return total


@inlined
def line_up(space, found, near, far, turns):
    """List, in order, the components that change side as weights turn, near to far.

    A component is on one side if flipping it pays, else on the other. An entry of
    `turns` is when * FINE + component; returns the count. Changes in the same step of
    1 / FINE are in order of component: an archive drops offspring that are dominated
    because of that.
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
