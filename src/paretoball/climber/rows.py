"""The layout BY_ROWS: what a flip adds to all scores, where f is quadratic."""

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.climber.affected import Rows, with_itself
from paretoball.landscape import Landscape
from paretoball.numerics import find_place, offsets

DENSE = 6  # a row is whole if 1 / DENSE of all variables are neighbours, or more


def affected_by_rows(landscape: Landscape, dtype: np.dtype) -> Rows:
    """What flips change, from the factors of all pairs."""
    square, n, d = landscape.square, landscape.n, landscape.d
    is_whole = _is_whole(landscape)
    if square is not None and is_whole.all():
        return Rows(
            at=np.zeros(0, np.int64),
            variables=np.zeros(0, np.uint32),
            is_whole=is_whole,
            row_at=n * np.arange(n + 1),
            factors=square.pairs.astype(dtype, copy=False).ravel(),
            linear=square.linear.astype(dtype).ravel(),
        )
    at, variables = with_itself(landscape.cooccurrence, ~is_whole)
    row_at = _starts_of_rows(landscape, is_whole)
    found = Rows(
        at=at,
        variables=variables,
        is_whole=is_whole,
        row_at=row_at,
        factors=np.zeros(int(row_at[-1]) * d, dtype),
        linear=np.zeros(n * d, dtype),
    )
    if square is None:
        _fill_rows(landscape.cliques, found)
    else:
        found.linear[:] = square.linear.ravel()
        _fill_from_square(square.pairs, found)
    return found


def f_at_zero(landscape: Landscape) -> np.ndarray:
    """f of the solution without a 1, maximised, in steps: (d,) int64."""
    if landscape.square is not None:
        return landscape.square.constant
    cliques = landscape.cliques
    firsts = cliques.tables[cliques.table_at[:-1]]
    return np.asarray(cliques.constant + firsts.sum(axis=0, dtype=np.int64))


def rows_memory(landscape: Landscape, dtype: np.dtype) -> int:
    """The bytes of rows and lists of affected variables, with the signs of a climb.

    Rows that are the landscape's own take none.
    """
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


@kernel
def _fill_rows(cliques, found):
    """Put q_ij = f(11) - f(10) - f(01) + f(00) of each pair in the rows of both."""
    tables, d = cliques.tables, cliques.tables.shape[1]
    for c in range(len(cliques.mask_at) - 1):
        first, row = cliques.mask_at[c], cliques.table_at[c]
        arity = cliques.mask_at[c + 1] - first
        for b in range(arity):
            j = np.int64(cliques.masks[first + b])
            for i in range(d):
                found.linear[j * d + i] += tables[row + (1 << b), i] - tables[row, i]
        if arity == 2:
            one, other = (
                np.int64(cliques.masks[first]),
                np.int64(cliques.masks[first + 1]),
            )
            for i in range(d):
                factor = tables[row + 3, i] - tables[row + 2, i]
                factor += tables[row, i] - tables[row + 1, i]
                found.factors[_entry(found, one, other) * d + i] = factor
                found.factors[_entry(found, other, one) * d + i] = factor


@inlined
def _entry(found, j, other):
    """Where the row of j has its entry for another variable."""
    if found.is_whole[j]:
        return found.row_at[j] + other
    first = found.at[j]
    place = find_place(found.variables, first, found.at[j + 1], other)
    return found.row_at[j] + place - first


@kernel
def _fill_from_square(pairs, found):
    """Put the factors of all pairs in the rows."""
    n, _, d = pairs.shape
    for j in range(n):
        if found.is_whole[j]:
            for other in range(n):
                for i in range(d):
                    entry = found.row_at[j] + other
                    found.factors[entry * d + i] = pairs[j, other, i]
        else:
            for e in range(found.at[j], found.at[j + 1]):
                entry = found.row_at[j] + e - found.at[j]
                for i in range(d):
                    other = np.int64(found.variables[e])
                    found.factors[entry * d + i] = pairs[j, other, i]
