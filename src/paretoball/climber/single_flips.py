"""Algorithm 1 for single flips, t = {j} and M^1, by cliques or by rows.

`affected` tells of these layouts. Scores, and the order in which moves are filed, are
those of `scores`.
"""

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.climber.affected import ARITY, EXTRA, OWNER, RECORDS, SEVERAL, START
from paretoball.climber.buckets import LEVELS, WORD, refile
from paretoball.climber.filing import bucket_of
from paretoball.landscape import row_read


@inlined
def start_by_cliques(moves, state):
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
        return _start_cliques(scores, x, records, values, 3, width, i, d)
    if arity == 6:
        return _start_cliques(scores, x, records, values, 6, width, i, d)
    return _start_cliques(scores, x, records, values, arity, width, i, d)


@inlined
def _start_cliques(scores, x, records, values, arity, width, i, d):
    """The same; `_add_cliques` tells of constant arities, and of tables."""
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
            state.here[c] = row_read(cliques, c, state.x)


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
    _file_listed(moves, state, j)


@kernel
def _add_group(scores, x, records, values, shape):
    """Lines 1 to 3 of Algorithm 1 for cliques of one arity that read the variable.

    A constant arity is twice as fast, because the compiler unrolls what depends on it.
    """
    arity, width, i, d = shape
    if arity == 3:
        _add_cliques(scores, x, records, values, 3, width, i, d)
    elif arity == 4:
        _add_cliques(scores, x, records, values, 4, width, i, d)
    elif arity == 5:
        _add_cliques(scores, x, records, values, 5, width, i, d)
    elif arity == 6:
        _add_cliques(scores, x, records, values, 6, width, i, d)
    else:
        _add_cliques(scores, x, records, values, arity, width, i, d)


@inlined
def _add_cliques(scores, x, records, values, arity, width, i, d):
    """What a flip adds to the scores of objective i, clique by clique.

    Tables have vectors of `width` numbers; the first of them is that of objective i.
    The variable that flips has -2 S_j added in all, which makes it -S_j.
    """
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


@inlined
def _list_changed(state, variables):
    changes = 0
    d, scores, w, buckets = len(state.objectives), state.scores, state.w, state.buckets
    new_bucket, changed = state.new_bucket, state.changed
    if buckets.by_gain:
        for e in range(len(variables)):
            new_bucket[e] = bucket_of(state, np.int64(variables[e]))
    else:
        for e in range(len(variables)):
            v = np.int64(variables[e])
            w_score, union = 0, 0
            for i in range(d):
                w_score += w[i] * scores[v * d + i]
                union |= scores[v * d + i]
            new_bucket[e] = (w_score > 0) + LEVELS * (union > 0)
    for e in range(len(variables)):
        v = np.int64(variables[e])
        changed[changes] = v
        changes += new_bucket[e] != buckets.bucket[v]
    return changes


@inlined
def _file_listed(moves, state, j):
    """File the listed variables that a flip of j affects, if their bucket changed."""
    affected, buckets = moves.affected, state.buckets
    changes = _list_changed(state, affected.variables[affected.at[j]:affected.at[j+1]])
    for e in range(changes):
        v = np.int64(state.changed[e])
        refile(buckets, moves.tier_at, v, 1, bucket_of(state, v))


@inlined
def start_by_rows(moves, state):
    """f and the scores of single flips at x, as x grows from no variables, bit by bit.

    While it does, `scores` has what a variable adds if it is 1 instead of 0.
    """
    d, n, affected = len(state.objectives), len(state.x), moves.affected
    scores, factors = state.scores, affected.factors
    for e in range(n * d):
        scores[e] = affected.linear[e]
    for j in range(n):
        if state.x[j]:
            for i in range(d):
                state.fx[i] += scores[j * d + i]
            if affected.is_whole[j]:
                first = affected.row_at[j] * d
                _add_row(scores, factors[first : first + n * d])
            else:
                shift = affected.row_at[j] - affected.at[j]
                for e in range(affected.at[j], affected.at[j + 1]):
                    v = np.int64(affected.variables[e])
                    for i in range(d):
                        scores[v * d + i] += factors[(shift + e) * d + i]
    for j in range(n):
        sign = 1 - 2 * np.int64(state.x[j])
        for i in range(d):
            state.signs[j * d + i] = sign
            scores[j * d + i] *= sign


@inlined
def _add_row(scores, row):
    """Add a whole row. Counting from 0 in a slice lets the compiler use vectors."""
    for e in range(len(row)):
        scores[e] += row[e]


@inlined
def _add_signed_row(scores, row, signs, own):
    """Add a whole row, each entry with the product of two signs."""
    for e in range(len(row)):
        scores[e] += row[e] * (own * signs[e])


@inlined
def flip_by_row(moves, state, j):
    """updateScores for t = {j}, where f is quadratic: S_i += s_i s_j q_ij; x ← x ⊕ j.

    s is 1 for a bit 0, and -1 for a bit 1.
    """
    d, affected = len(state.objectives), moves.affected
    scores, factors, signs = state.scores, affected.factors, state.signs
    own = signs[j * d]
    if affected.is_whole[j]:
        first = affected.row_at[j] * d
        _add_signed_row(scores, factors[first : first + len(signs)], signs, own)
    else:
        shift = affected.row_at[j] - affected.at[j]
        for e in range(affected.at[j], affected.at[j + 1]):
            v = np.int64(affected.variables[e])
            sign = own * signs[v * d]
            for i in range(d):
                scores[v * d + i] += factors[(shift + e) * d + i] * sign
    state.x[j] ^= 1
    for i in range(d):
        signs[j * d + i] = -own
        scores[j * d + i] = -scores[j * d + i]
    if affected.is_whole[j]:
        _file_all(moves, state)
    else:
        _file_listed(moves, state, j)


@inlined
def _file_all(moves, state):
    """File all variables whose bucket changed: buckets first, without a branch."""
    d, n, buckets = len(state.objectives), len(state.x), state.buckets
    scores, new_bucket, w = state.scores, state.new_bucket, state.w
    if buckets.by_gain:
        for v in range(n):
            new_bucket[v] = bucket_of(state, v)
    else:
        for v in range(n):
            w_score, union = 0, 0
            for i in range(d):
                w_score += w[i] * scores[v * d + i]
                union |= scores[v * d + i]
            new_bucket[v] = (w_score > 0) + LEVELS * (union > 0)
    for word in range(len(buckets.words)):
        if state.new_words[word] != buckets.words[word]:
            for v in range(WORD * word, min(WORD * word + WORD, n)):
                bucket = np.int64(new_bucket[v])
                if bucket != buckets.bucket[v]:
                    refile(buckets, moves.tier_at, v, 1, bucket)
