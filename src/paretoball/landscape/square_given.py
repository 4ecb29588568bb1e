"""Squares of factors that are given otherwise: by subfunctions, or above the diagonal.

Subfunctions make a square only if they are just those that the square stands for, in
their order (`square_tables`). So all that a landscape tells of itself, its digest
included, is the same whether it keeps subfunctions or a square.
"""

from collections.abc import Iterable

import numpy as np

from paretoball.landscape.square import Square
from paretoball.landscape.square_tables import square_pieces
from paretoball.landscape.subfunctions import Subfunctions
from paretoball.system import check_memory, counted

SHARE = 8  # one pair in 8 has a factor that is not 0, in a square
LEAST = 256  # variables: the subfunctions of fewer take little memory
NARROW = 2**31 - 1  # the largest factor in 32 bits
TILE = 128  # rows and columns that fit in a cache, together with their mirror image
STORED = (np.int8, np.int16, np.int32, np.int64)  # what factors are stored as
COPIES = 3  # of stored factors, while they are packed: in all, and as bytes


def square_of_subfunctions(n: int, d: int, given: Subfunctions) -> Square | None:
    """The square of just these subfunctions of whole numbers, in their own senses.

    It is None if they are few, of another kind, or in another order.
    """
    arities, first = np.diff(given.mask_at), given.mask_at[:-1]
    if not is_dense(n, d, int(np.count_nonzero(arities == 2))) or arities.max() > 2:
        return None
    factors = given.tables[given.table_at[1:] - 1]  # the last entries
    constant, linear = np.zeros(d, np.int64), np.zeros((n, d), np.int64)
    pairs = new_factors(n, d, largest_size(factors[arities == 2]))
    for k, part in enumerate((constant, linear, pairs)):
        own = np.flatnonzero(arities == k)
        mask = [given.masks[first[own] + b] for b in range(k)]
        part[(*mask, given.objective[own])] = factors[own]
    _mirror(pairs)
    square = Square(constant, linear, pairs)
    pieces = square_pieces(square, np.ones(d, np.int64))
    return square if all(map(_are_same, given, pieces)) else None


def _are_same(array: np.ndarray, pieces: Iterable[np.ndarray]) -> bool:
    """Whether an array is just what these pieces are, end to end."""
    at = 0
    for piece in pieces:
        if not np.array_equal(array[at : at + len(piece)], piece):
            return False
        at += len(piece)
    return at == len(array)


def is_dense(n: int, d: int, pairs: int) -> bool:
    """Whether so many pairs, of all objectives together, are worth a square."""
    return n >= LEAST and 2 * pairs * SHARE >= d * n * (n - 1)


def largest_size(factors: np.ndarray) -> int:
    """The largest size of a factor."""
    return max(int(factors.max(initial=0)), -int(factors.min(initial=0)))


def new_factors(n: int, d: int, most: int) -> np.ndarray:
    """Zeros in place of all factors of pairs, which may then be `most` in size."""
    dtype = np.dtype(np.int32 if most <= NARROW else np.int64)
    needed = n * n * d * dtype.itemsize
    check_memory(f"{_factors_in_words(n, d)}, need", needed)
    return np.zeros((n, n, d), dtype)


def _factors_in_words(n: int, d: int) -> str:
    return f"the factors of {counted(n, 'variable')}, for {counted(d, 'objective')}"


def _mirror(factors: np.ndarray) -> None:
    """Copy what is above the diagonal to where it is missing: below it."""
    n = len(factors)
    sides = [slice(first, first + TILE) for first in range(0, n, TILE)]
    for s, rows in enumerate(sides):
        factors[rows, rows] += factors[rows, rows].transpose(1, 0, 2)
        for columns in sides[s + 1 :]:
            factors[columns, rows] = factors[rows, columns].transpose(1, 0, 2)


def factors_above(square: Square, signs: np.ndarray) -> np.ndarray:
    """The factors above the diagonal, row by row, in their own senses: (pairs, d).

    They are ints of as few bytes as they need.
    """
    n, d = square.linear.shape
    most = largest_size(square.pairs)
    dtype = next(each for each in STORED if most <= np.iinfo(each).max)
    m = n * (n - 1) // 2
    needed = COPIES * m * d * np.dtype(dtype).itemsize
    check_memory(f"{_factors_in_words(n, d)}, packed, need", needed)
    found = np.empty((m, d), dtype)
    for i, rows in enumerate(_rows_above(n)):
        found[rows] = square.pairs[i, i + 1 :] * signs
    return found


def square_above(
    constant: np.ndarray, linear: np.ndarray, factors: np.ndarray
) -> Square:
    """The square with these factors above its diagonal, row by row: (pairs, d)."""
    n, d = linear.shape
    pairs = new_factors(n, d, largest_size(factors))
    for i, rows in enumerate(_rows_above(n)):
        pairs[i, i + 1 :] = factors[rows]
    _mirror(pairs)
    return Square(constant, linear, pairs)


def _rows_above(n: int) -> list[slice]:
    """Where each row of a triangle above the diagonal is, one after the other."""
    ends = np.cumsum(np.arange(n - 1, -1, -1)).tolist()
    return [slice(end - (n - 1 - i), end) for i, end in enumerate(ends)]
