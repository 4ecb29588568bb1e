"""The tables of a square: its subfunctions and cliques, made where somebody asks.

Subfunctions are those of the same objectives given by terms: for each objective its
linear terms, its pairs row by row, and its constant, each where its factor is not 0.
"""

from collections.abc import Iterator

import numpy as np

from paretoball.landscape.cliques import Cliques, with_readers
from paretoball.landscape.square import ALONE, Square, square_hosts
from paretoball.landscape.subfunctions import Subfunctions
from paretoball.landscape.survey import Survey
from paretoball.system import check_memory, counted

# Subfunctions of one arity: their objective, how many they are, their arity.
Run = tuple[int, int, int]

ROWS = 64  # of a square that are looked through at once
PIECE = 1 << 16  # entries of a piece
SUBFUNCTION = 150  # bytes of one that reads two variables, while it is made
CLIQUE, OBJECTIVE = 100, 50  # bytes of one clique, and for each objective, likewise


def square_subfunctions(
    square: Square, signs: np.ndarray, survey: Survey
) -> Subfunctions:
    """The subfunctions of a square, in their own senses."""
    check_memory(f"{counted(survey.m, 'subfunction')} need", SUBFUNCTION * survey.m)
    every = square_pieces(square, signs)
    return Subfunctions(*(np.concatenate(list(pieces)) for pieces in every))


def square_pieces(square: Square, signs: np.ndarray) -> list[Iterator[np.ndarray]]:
    """The five arrays of `square_subfunctions`, int64, each in pieces that are short.

    So their content can be read without being kept.
    """
    runs = [run for i in range(len(signs)) for run in _runs(square, i)]
    return pieces_of(runs, _masks(square), _tables(square, signs))


def pieces_of(
    runs: list[Run], masks: Iterator[np.ndarray], tables: Iterator[np.ndarray]
) -> list[Iterator[np.ndarray]]:
    """The same of runs of subfunctions, with what these read and their tables."""
    return [
        _owners(runs),
        _starts([(count, arity) for _, count, arity in runs]),
        masks,
        _starts([(count, 1 << arity) for _, count, arity in runs]),
        tables,
    ]


def _runs(square: Square, i: int) -> Iterator[Run]:
    """The runs of objective i of a square."""
    yield i, int(np.count_nonzero(square.linear[:, i])), 1
    yield i, int(np.count_nonzero(square.pairs[:, :, i])) // 2, 2
    yield i, int(square.constant[i] != 0), 0


def _owners(runs: list[Run]) -> Iterator[np.ndarray]:
    """The objective of each subfunction."""
    for i, count, _ in runs:
        for first in range(0, count, PIECE):
            yield np.full(min(PIECE, count - first), i, np.int64)
    yield np.zeros(0, np.int64)


def _starts(runs: list[tuple[int, int]]) -> Iterator[np.ndarray]:
    """Where each row starts, and where the last one ends; runs are counts and sizes."""
    start = 0
    for count, size in runs:
        for first in range(0, count, PIECE):
            rows = np.arange(first, min(first + PIECE, count))
            yield start + size * rows
        start += count * size
    yield np.array([start])


def _masks(square: Square) -> Iterator[np.ndarray]:
    """The variables that each subfunction reads."""
    for i in range(len(square.constant)):
        yield np.flatnonzero(square.linear[:, i])
        for masks, _ in square_pairs(square, slice(i, i + 1)):
            yield masks.ravel()


def _tables(square: Square, signs: np.ndarray) -> Iterator[np.ndarray]:
    """The tables, in their own senses: the factor is their last entry."""
    for i, sign in enumerate(signs.tolist()):
        linear = square.linear[:, i]
        alone = np.zeros((np.count_nonzero(linear), 2), np.int64)
        alone[:, -1] = sign * linear[linear != 0]
        yield alone.ravel()
        for _, factors in square_pairs(square, slice(i, i + 1)):
            tables = np.zeros((len(factors), 4), np.int64)
            tables[:, -1] = sign * factors[:, 0]
            yield tables.ravel()
        yield sign * square.constant[i : i + 1][square.constant[i : i + 1] != 0]


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
