"""Subfunctions: those that the user gives, laid end to end.

Families lay subfunctions of one arity end to end. Their masks and tables, blocks, are
matrices without being copied, and numpy takes them column by column.
"""

from collections.abc import (
    Callable,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Set,
)
from decimal import Decimal
from fractions import Fraction
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np

from paretoball.numerics import LARGEST_FLOAT, offsets
from paretoball.system import brief, is_whole

EXACT = 2**62  # the largest absolute value of any sum
MAX_ARITY = 24  # a table of 2**24 entries is 128 MiB
FEW_RUNS = 64  # up to so many runs of one arity are blocks of their own
LOW_HALF = 2**32 - 1  # the lower bits of an entry

LISTS = (list, tuple)
UNORDERED = (str, bytes, Mapping, Set)  # iterable, but not a row of numbers

Number = float | Fraction | Decimal
Table = Iterable[Number] | Callable[..., Number]
Objective = Iterable[tuple[Iterable[Hashable], Table]]

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


def flattened(objectives: Iterable[Objective]) -> Subfunctions:
    """The subfunctions of all objectives; tables are still as given."""
    lists = listed_objectives(objectives)
    objective = np.repeat(np.arange(len(lists)), [len(each) for each in lists])
    given = list(chain.from_iterable(lists))
    for s, pair in enumerate(given):
        if not isinstance(pair, LISTS) or len(pair) != 2:
            raise TypeError(
                f"{place(objective, s)} is {brief(pair)}, not (variables, table)"
            )
    mask_at, masks = _laid_end_to_end([v for v, _ in given], "variables", objective)
    table_at, tables = _laid_end_to_end([t for _, t in given], "table", objective)
    return Subfunctions(objective, mask_at, masks, table_at, tables)


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


def listed_objectives(objectives: Iterable[Objective]) -> list[list[Any]]:
    """The subfunctions of each objective as a list."""
    if not isinstance(objectives, Iterable):
        raise TypeError(f"objectives is {brief(objectives)}, not a list of objectives")
    lists = []
    for i, objective in enumerate(objectives):
        if not isinstance(objective, Iterable):
            raise TypeError(
                f"objective {i} is {brief(objective)}, not a list of subfunctions"
            )
        lists.append(list(objective))
    return lists


def _laid_end_to_end(
    rows: list[Any], what: str, objective: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Where each row starts, and all rows of numbers as one array.

    `what` is "variables", which are whole numbers, or "table", whose entries may be
    real.
    """
    lists = [
        row if isinstance(row, LISTS) else _listed(row, what, objective, s)
        for s, row in enumerate(rows)
    ]
    at = offsets(np.fromiter(map(len, lists), np.int64, len(lists)))
    flat = list(chain.from_iterable(lists))

    def owner(e: int) -> str:
        return place(objective, int(np.searchsorted(at, e, side="right")) - 1)

    kinds = set(map(type, flat)) - {bool}
    whole = {kind for kind in kinds if issubclass(kind, int | np.integer)}
    real = {kind for kind in kinds if issubclass(kind, float | np.floating)}
    exact = {kind for kind in kinds if issubclass(kind, Fraction | Decimal)}
    right = whole if what == "variables" else whole | real | exact
    for e, value in enumerate(flat if set(map(type, flat)) - right else ()):
        if type(value) not in right:
            raise TypeError(
                f"{owner(e)} has {brief(value)} in its {what}, "
                f"which is not a {'whole ' * (what == 'variables')}number"
            )
    if right & exact:
        return at, np.array(flat, object)
    try:
        array = np.array(flat, np.float64 if right & real else np.int64)
        if not (right & real and whole):
            return at, array
    except OverflowError:
        array = np.zeros(0)  # some number is too large
    sizes = [abs(int(each)) if is_whole(each) else 0 for each in flat]
    largest = max(sizes)
    if largest > EXACT:
        wrong = ValueError if what == "variables" else OverflowError
        raise wrong(
            f"{owner(sizes.index(largest))} has a number of {largest.bit_length()} "
            f"bits in its {what}, but exact arithmetic ends at 2**62 = 4.6e18"
        )
    for e, size in enumerate(sizes):
        if size > LARGEST_FLOAT:
            raise ValueError(
                f"{owner(e)} has {brief(flat[e])} in its table, but where tables are "
                "real, whole numbers end at 2**53 = 9e15"
            )
    return at, array


def _listed(row: Any, what: str, objective: np.ndarray, s: int) -> list[Any]:
    """A row as a list, if it is an ordered collection."""
    if isinstance(row, np.ndarray):
        row = row.tolist()
    elif isinstance(row, Iterable) and not isinstance(row, UNORDERED):
        row = list(row)
    if not isinstance(row, list):
        raise TypeError(
            f"{place(objective, s)} has {brief(row)} for its {what}, "
            "which is not a sequence of numbers"
        )
    return row


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
