"""Algorithm 1 for single flips, t = {j} and M^1, by cliques or by rows.

`affected` tells of these layouts. Scores, and the order in which moves are filed, are
those of `scores`.
"""

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.climber.affected import (
    ARITY,
    COPIES,
    MEMBERS,
    OWNER,
    SEVERAL,
    VALUES,
)
from paretoball.climber.buckets import LEVELS, WORD, refile
from paretoball.climber.filing import bucket_of, file_changed
from paretoball.landscape import row_read


@inlined
def start_by_cliques(cliques, state):
    """f and the scores of single flips at x, clique by clique."""
    d, tables, scores = len(state.objectives), cliques.tables, state.scores
    for e in range(len(state.x) * d):
        scores[e] = 0
    for c in range(len(cliques.mask_at) - 1):
        here = row_read(cliques, c, state.x)
        first = cliques.mask_at[c]
        for i in range(d):
            state.fx[i] += tables[here * d + i]
        for b in range(cliques.mask_at[c + 1] - first):
            there, v = here ^ (1 << b), np.int64(cliques.masks[first + b])
            for i in range(d):
                scores[v * d + i] += tables[there * d + i] - tables[here * d + i]


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
    d, scores, affected = len(state.objectives), state.scores, moves.affected
    groups, members, values = affected.groups, affected.members, affected.values
    for g in range(affected.group_at[j], affected.group_at[j + 1]):
        arity, copies, owner = groups[g, ARITY], groups[g, COPIES], groups[g, OWNER]
        first, value = groups[g, MEMBERS], groups[g, VALUES]
        masks = members[first : first + arity * copies]
        if owner == SEVERAL:
            for i in range(d):
                tables = values[value + i : value + (copies * d << arity)]
                _add_group(scores, state.x, masks, tables, (arity, d, i, d))
        else:
            tables = values[value : value + (copies << arity)]
            _add_group(scores, state.x, masks, tables, (arity, 1, owner, d))
    state.x[j] ^= 1
    for i in range(d):
        scores[j * d + i] = -scores[j * d + i]
    _file_listed(moves, state, j)


@kernel
def _add_group(scores, x, masks, tables, shape):
    """Lines 1 to 3 of Algorithm 1 for cliques of one arity that read the variable.

    A constant arity is twice as fast, because the compiler unrolls what depends on it.
    """
    arity, width, i, d = shape
    if arity == 3:
        _add_cliques(scores, x, masks, tables, (3, width, i, d))
    elif arity == 4:
        _add_cliques(scores, x, masks, tables, (4, width, i, d))
    elif arity == 5:
        _add_cliques(scores, x, masks, tables, (5, width, i, d))
    elif arity == 6:
        _add_cliques(scores, x, masks, tables, (6, width, i, d))
    else:
        _add_cliques(scores, x, masks, tables, shape)


@inlined
def _add_cliques(scores, x, masks, tables, shape):
    """What a flip of the first variable of each mask adds to the scores of the others.

    Tables have vectors of `width` numbers; the first of them is that of objective i.
    """
    arity, width, i, d = shape
    for c in range(len(masks) // arity):  # line 1
        mask = masks[c * arity : (c + 1) * arity]
        table = tables[(c * width) << arity :]
        here = 0
        for b in range(arity):
            here |= np.int64(x[mask[b]]) << b
        there = here ^ 1
        gap = table[np.uint64(there * width)] - table[np.uint64(here * width)]
        for b in range(1, arity):  # line 2
            bit = 1 << b
            change = table[np.uint64((there ^ bit) * width)]
            change -= table[np.uint64((here ^ bit) * width)]
            scores[np.int64(mask[b]) * d + i] += change - gap  # line 3


@inlined
def _file_listed(moves, state, j):
    """File the listed variables that a flip of j affects, if their bucket changed."""
    affected, changes = moves.affected, 0
    for e in range(affected.at[j], affected.at[j + 1]):
        v = np.int64(affected.variables[e])
        bucket = bucket_of(state, v)
        state.changed[changes] = v
        state.new_bucket[changes] = bucket
        changes += bucket != state.buckets.bucket[v]
    file_changed(moves, state, 1, changes)


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
