"""Subfunctions: those that the user gives, laid end to end.

Families lay subfunctions of one arity end to end. Their masks and tables, blocks, are
matrices without being copied, and numpy takes them column by column.
"""

from collections.abc import (
    Iterator,
    Sequence,
)
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from paretoball.numerics import offsets

EXACT = 2**62  # the largest absolute value of any sum
MAX_ARITY = 24  # a table of 2**24 entries is 128 MiB
FEW_RUNS = 64  # up to so many runs of one arity are blocks of their own
LOW_HALF = 2**32 - 1  # the lower bits of an entry

LISTS = (list, tuple)

Number = float | Fraction | Decimal

Block = slice | np.ndarray


class Subfunctions(NamedTuple):
    """Subfunctions laid end to end; bit j of a table's index is x[mask[j]]."""

    objective: np.ndarray  # (m,) int64: the objective that each one adds to
    mask_at: np.ndarray  # (m + 1,) int64: where each mask starts in `masks`
    masks: np.ndarray  # int64: the variables read, in the order given
    table_at: np.ndarray  # (m + 1,) int64: where each table starts in `tables`
    tables: np.ndarray  # int64: values, in steps of the objective; as given until then

    def of(self, i: int) -> list[tuple[np.ndarray, np.ndarray]]:
        """The variables and the table of each subfunction of objective i."""
        first, end = np.searchsorted(self.objective, [i, i + 1]).tolist()
        masks, tables = self.mask_at[first : end + 1], self.table_at[first : end + 1]
        return [
            (self.masks[a:b], self.tables[from_:to])
            for (a, b), (from_, to) in zip(pairwise(masks), pairwise(tables))
        ]


def place(objective: np.ndarray, s: int) -> str:
    """Where subfunction s stands, in words: `objective 0, subfunction 3`."""
    i = int(objective[s])
    return f"objective {i}, subfunction {s - int(np.searchsorted(objective, i))}"


def entry_in_words(given: Subfunctions, e: int, value: object) -> str:
    """Where entry e of all tables stands, and its value, for an error message."""
    s = int(np.searchsorted(given.table_at, e, side="right")) - 1
    at = e - given.table_at[s]
    return f"{place(given.objective, s)} has {value} at entry {at} of its table"


def end_to_end(parts: Sequence[Subfunctions], shifts: np.ndarray) -> Subfunctions:
    """The subfunctions of all parts; the objectives of part p begin at `shifts[p]`."""
    none = [np.zeros(0, np.int64)]
    owners = [part.objective + shift for part, shift in zip(parts, shifts)]
    return Subfunctions(
        objective=np.concatenate(none + owners),
        mask_at=offsets(np.concatenate(none + [np.diff(p.mask_at) for p in parts])),
        masks=np.concatenate(none + [part.masks for part in parts]),
        table_at=offsets(np.concatenate(none + [np.diff(p.table_at) for p in parts])),
        tables=np.concatenate(none + [part.tables for part in parts]),
    )


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
