"""Algorithm 1 for single flips, t = {j} and M^1, by cliques.

`clique_records` tells of this layout. Scores, and the order in which moves are filed,
are those of `scores`.
"""

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.climber.affected import ARITY, EXTRA, OWNER, RECORDS, SEVERAL, START
from paretoball.landscape import row_read


@inlined
def start_by_cliques(cliques, moves, state):
    """f and the scores of single flips at x, clique by clique, from f where x is 0."""
    d, affected, n = len(state.objectives), moves.affected, len(state.x)
    for e in range(n * d):
        state.scores[e] = 0
    for g in range(affected.group_at[n], affected.group_at[n + 1]):
        arity, owner, width, first, last = _group(affected, g, d)
        records = affected.records[first:last]
        for i in range(owner, owner + width):
            values, shape = affected.values[i - owner :], (arity, width, i, d)
            state.fx[i] += _start_group(state.scores, state.x, records, values, shape)


@inlined
def _group(affected, g, d):
    """Arity, first owner, and how many there are; where records start and end."""
    group = affected.groups[g]
    arity, first = group[ARITY], group[START]
    last = first + group[RECORDS] * (arity + EXTRA)
    if group[OWNER] == SEVERAL:
        return arity, 0, d, first, last
    return arity, group[OWNER], 1, first, last


@kernel
def _start_group(scores, x, records, values, shape):
    """Add the scores of cliques of one arity; return their f, for one objective."""
    arity, width, i, d = shape
    if arity == 3:
        return _start_cliques(scores, x, records, values, (3, width, i, d))
    if arity == 6:
        return _start_cliques(scores, x, records, values, (6, width, i, d))
    return _start_cliques(scores, x, records, values, shape)


@inlined
def _start_cliques(scores, x, records, values, shape):
    """The same; `_add_cliques` tells of constant arities, and of tables."""
    arity, width, i, d = shape
    size, total = arity + EXTRA, 0
    for c in range(len(records) // size):
        record = records[c * size : (c + 1) * size]
        table = values[np.int64(record[arity + 1]) :]
        here = 0
        for b in range(arity):
            here |= np.int64(x[record[b]]) << b
        value = table[np.uint64(here * width)]
        total += value
        for b in range(arity):
            change = table[np.uint64((here ^ (1 << b)) * width)] - value
            scores[np.int64(record[b]) * d + i] += change
    return total


@inlined
def read_rows(cliques, state, variables):
    """Bring `here` up to date for the cliques that read these variables.

    Flips of single variables do without it, and leave it as it was.
    """
    for j in variables:
        for e in range(cliques.reader_at[j], cliques.reader_at[j + 1]):
            c = np.int64(cliques.readers[e])
            state.reading.here[c] = row_read(cliques, c, state.x)


@inlined
def flip_by_cliques(moves, state, j):
    """updateScores for t = {j}, clique by clique, as the paper has it; x ← x ⊕ j."""
    d, affected = len(state.objectives), moves.affected
    for g in range(affected.group_at[j], affected.group_at[j + 1]):
        arity, owner, width, first, last = _group(affected, g, d)
        records = affected.records[first:last]
        for i in range(owner, owner + width):
            values, shape = affected.values[i - owner :], (arity, width, i, d)
            _add_group(state.scores, state.x, records, values, shape)
    state.x[j] ^= 1


@kernel
def _add_group(scores, x, records, values, shape):
    """Lines 1 to 3 of Algorithm 1 for cliques of one arity that read the variable.

    A constant arity is twice as fast, because the compiler unrolls what depends on it.
    """
    arity, width, i, d = shape
    if arity == 3:
        _add_cliques(scores, x, records, values, (3, width, i, d))
    elif arity == 4:
        _add_cliques(scores, x, records, values, (4, width, i, d))
    elif arity == 5:
        _add_cliques(scores, x, records, values, (5, width, i, d))
    elif arity == 6:
        _add_cliques(scores, x, records, values, (6, width, i, d))
    else:
        _add_cliques(scores, x, records, values, shape)


@inlined
def _add_cliques(scores, x, records, values, shape):
    """What a flip adds to the scores of objective i, clique by clique.

    Tables have vectors of `width` numbers; the first of them is that of objective i.
    The variable that flips has -2 S_j added in all, which makes it -S_j.
    """
    arity, width, i, d = shape
    size = arity + EXTRA
    for c in range(len(records) // size):  # line 1
        record = records[c * size : (c + 1) * size]
        table = values[np.int64(record[arity + 1]) :]
        here = 0
        for b in range(arity):
            here |= np.int64(x[record[b]]) << b
        there = here ^ np.int64(record[arity])
        gap = table[np.uint64(there * width)] - table[np.uint64(here * width)]
        for b in range(arity):  # line 2
            bit = 1 << b
            change = table[np.uint64((there ^ bit) * width)]
            change -= table[np.uint64((here ^ bit) * width)]
            scores[np.int64(record[b]) * d + i] += change - gap  # line 3
