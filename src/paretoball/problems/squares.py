"""Squares: dense matrices of whole numbers, added into one square of factors.

The two entries of a pair are added. A square takes less memory than products one by
one, if an eighth of all pairs have a factor that is not 0. Matrices are looked through
in tiles, which fit in a cache together with their mirror image, so that there is no
copy of a whole matrix.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from paretoball.landscape import (
    EXACT,
    SHARE,
    Landscape,
    Square,
    largest_size,
    new_factors,
)
from paretoball.problems.products import Dense, Products, polynomial_terms

TILE = 128  # rows and columns of a tile


def landscape_of_matrices(matrices: Sequence[np.ndarray]) -> Landscape:
    """The landscape of x'Qx, maximised, for each matrix: a square, unless sparse."""
    square = square_of_matrices(matrices)
    if square is not None:
        return Landscape.from_square(square)
    terms = [polynomial_terms([Dense(each)], spins=False) for each in matrices]
    return Landscape.from_terms(len(matrices[0]), terms)


def square_of_matrices(
    matrices: Sequence[np.ndarray], constant: int = 0
) -> Square | None:
    """The square of x'Qx, and this constant, for each matrix; None if sparse."""
    parts = [[Dense(each)] for each in matrices]
    return square_of(parts, [np.array([constant], np.int64)] * len(parts))


def square_of(
    parts: Sequence[Sequence[Products | Dense]], constants: Sequence[np.ndarray]
) -> Square | None:
    """The square of objectives that are one dense matrix each, and a constant.

    It is None if one of them is something else, or real; if the matrices are sparse; or
    if a factor is larger than exact arithmetic allows.
    """
    matrices = [one.matrix for some in parts for one in some if isinstance(one, Dense)]
    n, d = len(matrices[0]) if matrices else 0, len(parts)
    are_whole = all(each.dtype == np.int64 for each in constants)
    if n == 0 or len(matrices) < d or max(map(len, parts)) > 1 or not are_whole:
        return None
    count, most = 0, 0
    for matrix in matrices:
        for rows, columns, factors, is_exact in _tiles(matrix):
            count += int(np.count_nonzero(factors)) << (rows != columns)
            most = max(most, largest_size(factors))
            if not is_exact or most > EXACT:
                return None
    if count * SHARE < d * n * (n - 1):  # which counts each pair twice, as `count` does
        return None
    pairs = new_factors(n, d, most)
    for i, matrix in enumerate(matrices):
        for rows, columns, factors, _ in _tiles(matrix):
            pairs[rows, columns, i] = factors
            pairs[columns, rows, i] = factors.T
    diagonals = [matrix.diagonal().astype(np.int64) for matrix in matrices]
    return Square(np.concatenate(constants), np.column_stack(diagonals), pairs)


def _tiles(matrix: np.ndarray) -> Iterator[tuple[slice, slice, np.ndarray, bool]]:
    """The upper tiles of Q + Qᵀ, with a diagonal of zeros: their rows and columns.

    The last value tells whether all sums are exact, which wide ones may not be.
    """
    n = len(matrix)
    sides = [slice(first, min(first + TILE, n)) for first in range(0, n, TILE)]
    for s, rows in enumerate(sides):
        for columns in sides[s:]:
            own = matrix[rows, columns].astype(np.int64, copy=False)
            other = np.ascontiguousarray(matrix[columns, rows].T, np.int64)
            factors = own + other
            has_wrapped = (own ^ factors) & (other ^ factors) < 0
            if rows == columns:
                np.fill_diagonal(factors, 0)
            yield rows, columns, factors, not has_wrapped.any()
