"""The layout BY_ROWS, where no clique reads more than two variables.

Then f is quadratic, and a flip of j adds ± q_ij to the score of i, where q_ij is the
factor of x_i x_j. All q_ij of j are its row: one for each neighbour, or a whole row,
with one for each variable, if neighbours are many.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.climber.filing import file_all, file_listed, with_itself
from paretoball.landscape import Landscape
from paretoball.numerics import find_place, offsets

BY_ROWS = 2  # the layout
DENSE = 6  # a row is whole if 1 / DENSE of all variables are neighbours, or more


class _Rows(NamedTuple):
    """What the flip of each variable changes. Vectors of d numbers lie end to end."""

    at: np.ndarray  # (n + 1,) int64: where the variables affected by each one start
    variables: np.ndarray  # uint32: these, ascending; none for whole rows
    is_whole: np.ndarray  # (n,) bool: whether a flip affects all variables
    row_at: np.ndarray  # (n + 1,) int64: where its row starts in `factors`, in vectors
    factors: np.ndarray  # a vector for each entry: q_ij; 0 for i = j
    linear: np.ndarray  # a vector for each variable: its score where all bits are 0


class RowMoves(NamedTuple):
    """M^1, and what flips change, by rows."""

    tier_at: np.ndarray  # these two are as in `Forest`
    flips: np.ndarray
    affected: _Rows


class RowReading(NamedTuple):
    """What a climb by rows reads at its solution."""

    signs: np.ndarray  # (n * d,) int8: 1 for a bit 0, -1 for a bit 1


def affected_by_rows(landscape: Landscape, dtype: np.dtype) -> _Rows:
    """What flips change, from the factors of all pairs."""
    square, n, d = landscape.square, landscape.n, landscape.d
    is_whole = _is_whole(landscape)
    row_at = _starts_of_rows(landscape, is_whole)
    at, variables = np.zeros(n + 1, np.int64), np.zeros(0, np.uint32)
    if not is_whole.all():
        at, variables = with_itself(landscape.cooccurrence, ~is_whole)
    elif square is not None:
        factors = square.pairs.astype(dtype, copy=False).ravel()
        linear = square.linear.astype(dtype).ravel()
        return _Rows(at, variables, is_whole, row_at, factors, linear)
    factors, linear = np.zeros(int(row_at[-1]) * d, dtype), np.zeros(n * d, dtype)
    found = _Rows(at, variables, is_whole, row_at, factors, linear)
    if square is None:
        _fill_rows(landscape.cliques, found)
        return found
    linear[:] = square.linear.ravel()
    for j in range(n):
        others = slice(None) if is_whole[j] else variables[at[j] : at[j + 1]]
        factors[row_at[j] * d : row_at[j + 1] * d] = square.pairs[j, others].ravel()
    return found


@kernel
def _fill_rows(cliques, found):
    """Put f(1) - f(0) of each j in `linear`, f(11) - f(10) - f(01) + f(00) in rows."""
    tables, d = cliques.tables, cliques.tables.shape[1]
    for c in range(len(cliques.mask_at) - 1):
        first, row = cliques.mask_at[c], cliques.table_at[c]
        arity = cliques.mask_at[c + 1] - first
        for b in range(arity):
            j = np.int64(cliques.masks[first + b])
            for i in range(d):
                found.linear[j * d + i] += tables[row + (1 << b), i] - tables[row, i]
            if arity == 2:
                place, at = np.int64(cliques.masks[first + 1 - b]), found.at[j]
                if not found.is_whole[j]:
                    last = found.at[j + 1]
                    place = find_place(found.variables, at, last, place) - at
                for i in range(d):
                    factor = tables[row + 3, i] - tables[row + 2, i]
                    factor += tables[row, i] - tables[row + 1, i]
                    found.factors[(found.row_at[j] + place) * d + i] = factor


def f_at_zero(landscape: Landscape) -> np.ndarray:
    """f of the solution without a 1, maximised, in steps: (d,) int64."""
    if landscape.square is not None:
        return landscape.square.constant
    cliques = landscape.cliques
    firsts = cliques.tables[cliques.table_at[:-1]]
    return np.asarray(cliques.constant + firsts.sum(axis=0, dtype=np.int64))


def rows_memory(landscape: Landscape, dtype: np.dtype) -> int:
    """The bytes of rows that are not lent, of lists, and of the signs of a climb."""
    is_whole, square = _is_whole(landscape), landscape.square
    listed = 4 * int((landscape.degrees + 1)[~is_whole].sum())
    vector = landscape.d * dtype.itemsize
    needed = listed + landscape.n * (8 + 8 + 1 + vector + landscape.d)
    if square is not None and is_whole.all() and square.pairs.dtype == dtype:
        return needed
    return needed + int(_starts_of_rows(landscape, is_whole)[-1]) * vector


def _is_whole(landscape: Landscape) -> np.ndarray:
    """Whether the row of each variable has an entry for each other one: (n,) bool."""
    return np.asarray(DENSE * landscape.degrees >= landscape.n)


def _starts_of_rows(landscape: Landscape, is_whole: np.ndarray) -> np.ndarray:
    return offsets(np.where(is_whole, landscape.n, landscape.degrees + 1))


@inlined
def start_by_rows(cliques, moves, state):
    """f and the scores of single flips at x: flip by flip, from where x is 0."""
    d, n = len(state.objectives), len(state.x)
    for e in range(n * d):
        state.scores[e] = moves.affected.linear[e]
        state.reading.signs[e] = 1
    for j in range(n):
        if state.x[j]:
            for i in range(d):
                state.fx[i] += state.scores[j * d + i]
            flip_by_row(cliques, moves, state, j, False)
            state.x[j] = 1


@kernel
def _add_signed_row(scores, row, signs, own):
    """Add a whole row with signs; in a slice, from 0 on, the compiler uses vectors."""
    for e in range(len(row)):
        scores[e] += row[e] * (own * signs[e])


@inlined
def flip_by_row(cliques, moves, state, j, is_filed):
    """updateScores for t = {j} and M^1, where f is quadratic: S_i += s_i s_j q_ij."""
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
    if is_filed:
        if affected.is_whole[j]:
            file_all(moves, state)
        else:
            file_listed(moves, state, j)
