"""The tables of a square: its subfunctions and cliques, made where somebody asks.

Subfunctions are those of the same objectives given by terms: for each objective its
linear terms, its pairs row by row, and its constant, each where its factor is not 0.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from paretoball.landscape.cliques import Cliques, with_readers
from paretoball.landscape.square import ALONE, Square, square_hosts
from paretoball.landscape.subfunctions import Subfunctions
from paretoball.landscape.survey import Survey
from paretoball.landscape.terms import Terms, constant, products
from paretoball.system import check_memory, counted

# Subfunctions of one arity: their objective, how many they are, their arity.
Run = tuple[int, int, int]

ROWS = 64  # of a square that are looked through at once
SUBFUNCTION = 150  # bytes of one that reads two variables, while it is made
CLIQUE, OBJECTIVE = 100, 50  # bytes of one clique, and for each objective, likewise


def square_subfunctions(
    square: Square, signs: np.ndarray, survey: Survey
) -> Subfunctions:
    """The subfunctions of a square, in their own senses."""
    check_memory(f"{counted(survey.m, 'subfunction')} need", SUBFUNCTION * survey.m)
    every = square_pieces(square, signs)
    return Subfunctions(*(np.concatenate(list(pieces)) for pieces in every))


def square_pieces(square: Square, signs: np.ndarray) -> list[Iterable[np.ndarray]]:
    """The five arrays of `square_subfunctions`, int64, each in pieces that are short.

    So their content can be read without being kept.
    """
    runs = [(i, *terms.masks.shape) for i, terms in _terms(square, signs)]
    masks = (terms.masks.ravel() for _, terms in _terms(square, signs))
    tables = (terms.tables.ravel() for _, terms in _terms(square, signs))
    return pieces_of(runs, masks, tables)


def pieces_of(
    runs: list[Run], masks: Iterable[np.ndarray], tables: Iterable[np.ndarray]
) -> list[Iterable[np.ndarray]]:
    """The same of runs of subfunctions, with what these read and their tables."""
    return [
        (np.full(count, i, np.int64) for i, count, _ in runs),
        _starts((count, arity) for _, count, arity in runs),
        masks,
        _starts((count, 1 << arity) for _, count, arity in runs),
        tables,
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
    """Blocks of pairs that are not 0 in all of some objectives.

    Each has the masks, (pairs, 2) int64, and the factors, (pairs, objectives) int64.
    """
    for first in range(0, len(square.pairs), ROWS):
        rows = square.pairs[first : first + ROWS, :, some]
        is_pair = np.zeros(rows.shape[:2], np.bool_)
        for o in range(rows.shape[2]):
            is_pair |= rows[:, :, o] != 0
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
    hosts = square_hosts(square)
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
