"""Algorithm 1 for single flips, t = {j} and M^1, by rows, where f is quadratic.

`rows` tells of this layout. Scores, and the order in which moves are filed, are those
of `scores`.
"""

import numpy as np

from paretoball._jit import inlined, kernel


@inlined
def start_by_rows(cliques, moves, state):
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
            state.reading.signs[j * d + i] = sign
            scores[j * d + i] *= sign


@kernel
def _add_row(scores, row):
    """Add a whole row. Counting from 0 in a slice lets the compiler use vectors."""
    for e in range(len(row)):
        scores[e] += row[e]


@kernel
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
    scores, factors, signs = state.scores, affected.factors, state.reading.signs
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
