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
def start_by_cliques(cliques, moves, state):
    """f and the scores of single flips at x, clique by clique."""
    d, affected = len(state.objectives), moves.affected
    for e in range(len(state.scores)):
        state.scores[e] = 0
    for block in range(len(affected.blocks) - 1):
        first, last = affected.blocks[block], affected.blocks[block + 1]
        masks = cliques.masks[cliques.mask_at[first] : cliques.mask_at[last]]
        rows = cliques.tables[cliques.table_at[first] * d : cliques.table_at[last] * d]
        owners = affected.owners[first:last]
        _start_block(state.scores, state.fx, state.x, masks, rows, owners)


@kernel
def _start_block(scores, fx, x, masks, tables, owners):
    """Add cliques of one arity to f and to the scores of their variables."""
    arity = len(masks) // len(owners)
    if arity == 3:
        _start_cliques(scores, fx, x, masks, tables, owners, 3)
    elif arity == 4:
        _start_cliques(scores, fx, x, masks, tables, owners, 4)
    elif arity == 6:
        _start_cliques(scores, fx, x, masks, tables, owners, 6)
    else:
        _start_cliques(scores, fx, x, masks, tables, owners, arity)


@inlined
def _start_cliques(scores, fx, x, masks, tables, owners, arity):
    """The same, with a constant arity where it is 3, 4 or 6."""
    d = len(fx)
    for c in range(len(owners)):
        mask = masks[c * arity : (c + 1) * arity]
        table = tables[(c * d) << arity :]
        here = 0
        for b in range(arity):
            here |= np.int64(x[mask[b]]) << b
        owner = np.int64(owners[c])
        for i in range(d):
            value = table[np.uint64(here * d + i)]
            fx[i] += value
            if owner in (i, SEVERAL):
                for b in range(arity):
                    change = table[np.uint64((here ^ (1 << b)) * d + i)] - value
                    scores[np.int64(mask[b]) * d + i] += change


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
    groups, values = affected.groups, affected.values
    for g in range(affected.group_at[j], affected.group_at[j + 1]):
        arity, owner, start = groups[g, ARITY], groups[g, OWNER], groups[g, START]
        last = start + groups[g, RECORDS] * (arity + EXTRA)
        records = affected.records[start:last]
        if owner == SEVERAL:
            for i in range(d):
                shape = arity, d, i, d
                _add_group(state.scores, state.x, records, values[i:], shape)
        else:
            shape = arity, 1, owner, d
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
def _file_listed(moves, state, j):
    """File the listed variables that a flip of j affects, if their bucket changed."""
    affected, buckets = moves.affected, state.buckets
    changes = 0
    for e in range(affected.at[j], affected.at[j + 1]):
        v = np.int64(affected.variables[e])
        bucket = bucket_of(state, v)
        state.changed[changes] = v
        state.new_bucket[changes] = bucket
        changes += bucket != buckets.bucket[v]
    for e in range(changes):
        v, bucket = np.int64(state.changed[e]), np.int64(state.new_bucket[e])
        refile(buckets, moves.tier_at, v, 1, bucket)


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
