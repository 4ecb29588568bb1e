"""Blocks: subfunctions of one arity, whose masks and tables are matrices.

Families lay subfunctions of one arity end to end. These are matrices without being
copied, and numpy takes them column by column.
"""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from paretoball.landscape.subfunctions import EXACT

FEW_RUNS = 64  # up to so many runs of one arity are blocks of their own
LOW_HALF = 2**32 - 1  # the lower bits of an entry

Block = slice | np.ndarray


def blocks(at: np.ndarray) -> Iterator[Block]:
    """The numbers of the rows, by descending length: those of one length together.

    `at` says where each row starts, and where the last one ends. A length has several
    blocks where its rows lie in a few places.
    """
    lengths = np.diff(at)
    turns = np.flatnonzero(lengths[1:] != lengths[:-1]) + 1
    if len(turns) < FEW_RUNS:
        bounds = [0, *turns.tolist(), len(lengths)]
        runs = [slice(*run) for run in pairwise(bounds) if len(lengths)]
        yield from sorted(runs, key=lambda run: -lengths[run.start])
        return
    for length in np.unique(lengths)[::-1]:
        yield np.flatnonzero(lengths == length)


def matrix(at: np.ndarray, values: np.ndarray, block: Block) -> np.ndarray:
    """The rows of a block: a view where they lie together."""
    if isinstance(block, slice):
        rows = values[at[block.start] : at[block.stop]]
        return rows.reshape(block.stop - block.start, -1)
    length = int(at[block[0] + 1] - at[block[0]])
    return np.asarray(values[at[block, None] + np.arange(length)])


def exact_sum(values: np.ndarray) -> int:
    """The sum of all values, which may not fit into 64 bits.

    The sums of half values do: the higher and the lower 32 bits.
    """
    largest = max(int(values.max(initial=0)), -int(values.min(initial=0)))
    if largest * values.size <= EXACT:
        return int(values.sum())
    return (int((values >> 32).sum()) << 32) + int((values & LOW_HALF).sum())
