"""Tables of squares, made where somebody asks, and squares made of tables.

The subfunctions of each objective are its linear terms, its pairs row by row, and its
constant, each where its factor is not 0.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import reduce

import numpy as np

from paretoball.landscape.cliques import Cliques, Survey, with_readers
from paretoball.landscape.square import ALONE, Square
from paretoball.landscape.subfunctions import (
    Subfunctions,
    Terms,
    constant,
    largest_size,
    products,
)
from paretoball.numerics import offsets
from paretoball.system import check_memory, counted

ROWS = 64  # of a square that are looked through at once
SUBFUNCTION = 150  # bytes of one that reads two variables, while it is made
CLIQUE, OBJECTIVE = 100, 50  # bytes of one clique, and for each objective, likewise
SHARE = 8  # one pair in 8 has a factor that is not 0, in a square
LEAST = 256  # variables: the subfunctions of fewer take little memory
NARROW = 2**31 - 1  # the largest factor in 32 bits
TILE = 128  # rows and columns that fit in a cache, together with their mirror image
COPIES = 3  # of stored factors, while they are packed: in all, and as bytes


def square_subfunctions(
    square: Square, signs: np.ndarray, survey: Survey
) -> Subfunctions:
    """The subfunctions of a square, in their own senses."""
    check_memory(f"{counted(survey.m, 'subfunction')} need", SUBFUNCTION * survey.m)
    every = square_pieces(square, signs)
    return Subfunctions(*(np.concatenate(list(pieces)) for pieces in every))


def square_pieces(square: Square, signs: np.ndarray) -> list[Iterable[np.ndarray]]:
    """The five arrays of `square_subfunctions`, int64, each in short pieces."""
    return pieces_of(lambda: _terms(square, signs))


def pieces_of(
    terms: Callable[[], Iterable[tuple[int, Terms]]],
) -> list[Iterable[np.ndarray]]:
    """The same of terms, which are gone through three times, and their objectives."""
    shapes = [(i, *each.masks.shape) for i, each in terms()]
    return [
        (np.full(count, i, np.int64) for i, count, _ in shapes),
        _starts((count, arity) for _, count, arity in shapes),
        (each.masks.ravel() for _, each in terms()),
        _starts((count, 1 << arity) for _, count, arity in shapes),
        (each.tables.ravel() for _, each in terms()),
    ]


def _starts(runs: Iterable[tuple[int, int]]) -> Iterator[np.ndarray]:
    """Where each row starts, and where the last one ends; runs are counts and sizes."""
    start = 0
    for count, size in runs:
        yield start + size * np.arange(count)
        start += count * size
    yield np.array([start])


def _terms(square: Square, signs: np.ndarray) -> Iterator[tuple[int, Terms]]:
    """The subfunctions, some at a time, and the objective that they add to."""
    for i, sign in enumerate(signs.tolist()):
        alone = np.flatnonzero(square.linear[:, i])
        yield i, products(alone[:, None], sign * square.linear[alone, i])
        for masks, factors in square_pairs(square, slice(i, i + 1)):
            yield i, products(masks, sign * factors[:, 0])
        if square.constant[i]:
            yield i, constant(sign * square.constant[i])


def square_pairs(
    square: Square, some: slice
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Blocks of pairs that are not 0 in all of some objectives: masks and factors."""
    for first in range(0, len(square.pairs), ROWS):
        rows = square.pairs[first : first + ROWS, :, some]
        is_pair = reduce(np.logical_or, np.moveaxis(rows, 2, 0))
        left, right = np.nonzero(np.triu(is_pair, first + 1))
        factors = rows[left, right].astype(np.int64)
        yield np.column_stack([left + first, right]), factors


def square_cliques(square: Square, survey: Survey) -> Cliques:
    """The cliques that the subfunctions of a square are merged into."""
    n, d = square.linear.shape
    words = f"{counted(survey.cliques, 'clique')}, for {counted(d, 'objective')}, need"
    check_memory(words, (CLIQUE + OBJECTIVE * d) * survey.cliques)
    blocks = list(square_pairs(square, slice(d)))
    masks = np.concatenate([mask for mask, _ in blocks])
    hosts = square.hosts()
    alone = np.flatnonzero((hosts == ALONE) & square.linear.any(axis=1))
    tables = np.zeros((4 * len(masks) + 2 * len(alone), d), np.int64)
    of_pairs = tables[: 4 * len(masks)].reshape(-1, 4, d)
    np.concatenate([factors for _, factors in blocks], out=of_pairs[:, 3])
    tables[4 * len(masks) + 1 :: 2] = square.linear[alone]
    for b in range(2):  # a clique takes the factors of the variables that it hosts
        j, other = masks[:, b], masks[:, 1 - b]
        taken = np.flatnonzero(hosts[j] == other)
        of_pairs[taken, 1 << b] += square.linear[j[taken]]
        of_pairs[taken, 3] += square.linear[j[taken]]
    arities = np.repeat([2, 1], [len(masks), len(alone)])
    flat = np.concatenate([masks.ravel(), alone])
    return with_readers(n, square.constant.copy(), arities, flat, tables)


def square_of_subfunctions(n: int, d: int, given: Subfunctions) -> Square | None:
    """The square of just these subfunctions; None if they are few or of other kinds."""
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


def new_factors(n: int, d: int, most: int) -> np.ndarray:
    """Zeros in place of all factors of pairs, which may then be `most` in size."""
    dtype = np.dtype(np.int32 if most <= NARROW else np.int64)
    words = f"the factors of {counted(n, 'variable')}, for {counted(d, 'objective')}"
    check_memory(f"{words}, need", n * n * d * dtype.itemsize)
    return np.zeros((n, n, d), dtype)


def _mirror(factors: np.ndarray) -> None:
    """Copy what is above the diagonal to where it is missing: below it."""
    n = len(factors)
    sides = [slice(first, first + TILE) for first in range(0, n, TILE)]
    for s, rows in enumerate(sides):
        factors[rows, rows] += factors[rows, rows].transpose(1, 0, 2)
        for columns in sides[s + 1 :]:
            factors[columns, rows] = factors[rows, columns].transpose(1, 0, 2)


def factors_above(square: Square, signs: np.ndarray) -> np.ndarray:
    """The factors above the diagonal, row by row, in their own senses: (pairs, d)."""
    n, d = square.linear.shape
    dtype = np.min_scalar_type(-1 - largest_size(square.pairs))
    at = offsets(np.arange(n - 1, -1, -1))
    words = f"the factors of {counted(n, 'variable')}, for {counted(d, 'objective')}"
    needed = COPIES * int(at[-1]) * d * dtype.itemsize
    check_memory(f"{words}, packed, need", needed)
    found = np.empty((at[-1], d), dtype)
    for i in range(n):
        found[at[i] : at[i + 1]] = square.pairs[i, i + 1 :] * signs
    return found


def square_above(
    constant: np.ndarray, linear: np.ndarray, factors: np.ndarray
) -> Square:
    """The square with these factors above its diagonal, row by row: (pairs, d)."""
    n, d = linear.shape
    pairs = new_factors(n, d, largest_size(factors))
    at = offsets(np.arange(n - 1, -1, -1))
    for i in range(n):
        pairs[i, i + 1 :] = factors[at[i] : at[i + 1]]
    _mirror(pairs)
    return Square(constant, linear, pairs)
