"""Subfunctions, laid end to end; blocks and terms are many of one arity at once.

What makes them by the million, families and readers of files, says each objective as a
list of terms.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from paretoball.numerics import LARGEST_FLOAT, offsets

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

    def owners(self) -> np.ndarray:
        """The objective that each entry of all tables adds to."""
        return np.repeat(self.objective, np.diff(self.table_at))

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

    Rows that lie in a few places are several blocks, which need not be copied.
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


def largest_size(values: np.ndarray) -> int:
    """The largest size of a whole number."""
    return max(int(values.max(initial=0)), -int(values.min(initial=0)))


def exact_sum(values: np.ndarray) -> int:
    """The sum of all values, which may not fit into 64 bits; those of halves do."""
    if largest_size(values) * values.size <= EXACT:
        return int(values.sum())
    return (int((values >> 32).sum()) << 32) + int((values & LOW_HALF).sum())


class Terms(NamedTuple):
    """Subfunctions of one arity k; bit b of a column of `tables` is x[masks[s, b]]."""

    masks: np.ndarray  # (m, k) whole numbers: the variables that each one reads
    tables: np.ndarray  # (m, 2^k): ints, floats, or objects that are numbers


def constant(value: float) -> Terms:
    """One subfunction that reads no variable."""
    return Terms(np.zeros((1, 0), np.int64), np.array([[value]]))


def products(
    masks: np.ndarray, factors: np.ndarray, spins: bool | int = False
) -> Terms:
    """`factors[s]` times the product of the variables in row s of `masks`.

    With `spins`, it is the product of s = 2x - 1, which is -1 or 1, in place of x; if
    that is a number, for the last variables only, as many as it says.

    >>> products(np.array([[0, 1]]), np.array([5])).tables.tolist()
    [[0, 0, 0, 5]]
    >>> products(np.array([[0, 1]]), np.array([5]), spins=True).tables.tolist()
    [[5, -5, -5, 5]]
    >>> products(np.array([[0, 1]]), np.array([5]), spins=1).tables.tolist()
    [[0, -5, 0, 5]]
    """
    k = masks.shape[1]
    turned = k if spins is True else int(spins)
    tables = np.zeros((len(factors), 1 << (k - turned)), factors.dtype)
    tables[:, -1] = factors
    for _ in range(turned):
        tables = np.concatenate([-tables, tables], axis=1)
    return Terms(masks, tables)


def cuts(edges: np.ndarray, weights: np.ndarray) -> Terms:
    """`weights[e]` where the two variables in row e of `edges` differ.

    >>> cuts(np.array([[0, 1]]), np.array([5])).tables.tolist()
    [[0, 5, 5, 0]]
    """
    tables = np.zeros((len(weights), 4), weights.dtype)
    tables[:, 1] = tables[:, 2] = weights
    return Terms(edges, tables)


def stacked(objectives: Sequence[Sequence[Terms]]) -> Subfunctions:
    """The subfunctions of all objectives, laid end to end."""
    every = [terms for objective in objectives for terms in objective]
    counts = np.array([len(terms.masks) for terms in every], np.int64)
    arities = np.array([terms.masks.shape[1] for terms in every], np.int64)
    owners = [i for i, objective in enumerate(objectives) for _ in objective]
    each = np.repeat(arities, counts)
    return Subfunctions(
        objective=np.repeat(np.array(owners, np.int64), counts),
        mask_at=offsets(each),
        masks=_end_to_end([terms.masks for terms in every]),
        table_at=offsets(1 << each),
        tables=_end_to_end([terms.tables for terms in every]),
    )


def _end_to_end(matrices: list[np.ndarray]) -> np.ndarray:
    """The entries of all matrices; whole numbers among floats stay exact."""
    kinds = {matrix.dtype.kind for matrix in matrices}
    whole = [matrix for matrix in matrices if matrix.dtype.kind in "iu"]
    largest = max(map(largest_size, whole), default=0) if "f" in kinds else 0
    if "O" in kinds or largest > LARGEST_FLOAT:
        matrices = [matrix.astype(object) for matrix in matrices]
    return np.concatenate([np.zeros(0, np.int64), *(m.ravel() for m in matrices)])
