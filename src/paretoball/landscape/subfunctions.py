"""Subfunctions: those that the user gives, checked and laid end to end."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Set
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from paretoball.numerics import is_rising, offsets, sums_by_row
from paretoball.system import brief, counted, is_whole

EXACT = 2**62  # the largest absolute value of any sum
MAX_ARITY = 24  # a table of 2**24 entries is 128 MiB
LOW_HALF = 2**32 - 1  # the lower bits of an entry

LISTS = (list, tuple)
UNORDERED = (str, bytes, Mapping, Set)  # iterable, but not a row of numbers

Number = float | Fraction | Decimal
Table = Iterable[Number] | Callable[..., Number]
Objective = Iterable[tuple[Iterable[Hashable], Table]]


class Subfunctions(NamedTuple):
    """Subfunctions laid end to end; bit j of a table's index is x[mask[j]]."""

    objective: np.ndarray  # (m,) int64: the objective that each one adds to
    mask_at: np.ndarray  # (m + 1,) int64: where each mask starts in `masks`
    masks: np.ndarray  # int64: the variables read, in the order given
    table_at: np.ndarray  # (m + 1,) int64: where each table starts in `tables`
    tables: np.ndarray  # int64: values, in steps of the objective; as given until then


def place(objective: np.ndarray, s: int) -> str:
    """Where subfunction s stands, in words: `objective 0, subfunction 3`."""
    i = int(objective[s])
    return f"objective {i}, subfunction {s - int(np.searchsorted(objective, i))}"


def flattened(objectives: Iterable[Objective]) -> tuple[int, Subfunctions]:
    """d, and the subfunctions of all objectives; tables are still as given."""
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
    return len(lists), Subfunctions(objective, mask_at, masks, table_at, tables)


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
    kinds = set(map(type, flat))
    whole = {kind for kind in kinds if issubclass(kind, int | np.integer)} - {bool}
    real = {kind for kind in kinds if issubclass(kind, float | np.floating)}
    exact = {kind for kind in kinds if issubclass(kind, Fraction | Decimal)}
    right = whole if what == "variables" else whole | real | exact
    for e, value in enumerate(flat if kinds - right else ()):
        if type(value) not in right:
            s = int(np.searchsorted(at, e, side="right")) - 1
            raise TypeError(
                f"{place(objective, s)} has {brief(value)} in its {what}, "
                f"which is not a {'whole ' * (what == 'variables')}number"
            )
    if right & exact:
        tables = np.empty(len(flat), object)
        tables[:] = flat
        return at, tables
    try:
        if right & real:
            _check_floatable(flat, at, objective)
            return at, np.array(flat, np.float64)
        return at, np.array(flat, np.int64)
    except OverflowError:
        sizes = [0 if isinstance(v, float | np.floating) else abs(v) for v in flat]
        e = sizes.index(max(sizes))
        s = int(np.searchsorted(at, e, side="right")) - 1
        wrong = ValueError if what == "variables" else OverflowError
        raise wrong(
            f"{place(objective, s)} has a number of {int(flat[e]).bit_length()} bits "
            f"in its {what}, but exact arithmetic ends at 2**62 = 4.6e18"
        ) from None


def _check_floatable(flat: list[Any], at: np.ndarray, objective: np.ndarray) -> None:
    """Refuse integers so large that a float would round them; tables are real."""
    for e, value in enumerate(flat):
        size = abs(int(value)) if is_whole(value) else 0
        if size > EXACT:
            raise OverflowError
        if size > 2**53:
            s = int(np.searchsorted(at, e, side="right")) - 1
            raise ValueError(
                f"{place(objective, s)} has {brief(value)} in its table, but where "
                "tables are real, whole numbers end at 2**53 = 9e15"
            )


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


def checked_layout(d: int, given: Subfunctions) -> Subfunctions:
    """The subfunctions as int64 arrays, if these fit together.

    Tables may be float64, or hold fractions and decimals as objects.
    """
    arrays = {name: np.asarray(array) for name, array in given._asdict().items()}
    for name, array in arrays.items():
        kinds, number = ("iufO", "") if name == "tables" else ("iu", "whole ")
        if array.ndim != 1 or array.dtype.kind not in kinds:
            raise TypeError(
                f"{name} is an array of {array.dtype} and shape {array.shape}, "
                f"not a vector of {number}numbers"
            )
        if name != "tables":
            arrays[name] = array.astype(np.int64)
        elif array.dtype.kind == "f":
            arrays[name] = array.astype(np.float64)
    given = Subfunctions(**arrays)
    m = len(given.objective)
    if m and not (given.objective[-1] < d and is_rising(given.objective)):
        raise ValueError(
            f"objective does not rise from 0 to at most {d - 1}, one per subfunction"
        )
    for name, size in ("mask_at", len(given.masks)), ("table_at", len(given.tables)):
        at = arrays[name]
        if len(at) != m + 1:
            raise ValueError(
                f"{name} has {counted(len(at), 'entry', 'entries')}, "
                f"but for {counted(m, 'subfunction')} it must have {m + 1:,}"
            )
        if not (at[0] == 0 and at[-1] == size and is_rising(at)):
            raise ValueError(f"{name} does not rise from 0 to {size}")
    return given


def merged_repeats(given: Subfunctions) -> Subfunctions:
    """The same subfunctions, with no variable twice in a mask.

    Of a variable that is named twice the last place is kept, and of the table the
    entries where all its places have the same value: no solution reads the others.
    """
    owner, repeated = _repeated(given)
    if len(repeated) == 0:
        return given
    check_sizes(given)
    keep_variable = np.ones(len(given.masks), np.bool_)
    keep_entry = np.ones(len(given.tables), np.bool_)
    keep_variable[repeated] = False
    for s in np.unique(owner[repeated]).tolist():
        first, end = given.mask_at[s : s + 2].tolist()
        masks = given.masks[first:end].tolist()
        last = {variable: j for j, variable in enumerate(masks)}
        index = np.arange(1 << len(masks))
        for j, variable in enumerate(masks):
            is_same = (index >> j) & 1 == (index >> last[variable]) & 1
            keep_entry[given.table_at[s] : given.table_at[s + 1]] &= is_same
    return given._replace(
        mask_at=offsets(sums_by_row(given.mask_at, keep_variable)),
        masks=given.masks[keep_variable],
        table_at=offsets(sums_by_row(given.table_at, keep_entry)),
        tables=given.tables[keep_entry],
    )


def _repeated(given: Subfunctions) -> tuple[np.ndarray, np.ndarray]:
    """The owner of each entry of masks, and the entries that are there again later."""
    owner = np.repeat(np.arange(len(given.objective)), np.diff(given.mask_at))
    order = np.lexsort((given.masks, owner))
    sorted_masks, sorted_owner = given.masks[order], owner[order]
    same = (np.diff(sorted_owner) == 0) & (np.diff(sorted_masks) == 0)
    return owner, order[:-1][same]


def check_masks(n: int, given: Subfunctions) -> None:
    """Refuse a variable that does not exist, or is in a mask twice."""
    masks = given.masks
    owner, repeated = _repeated(given)
    outside = np.flatnonzero((masks < 0) | (masks >= n))
    if len(outside):
        e = outside[0]
        raise ValueError(
            f"{place(given.objective, owner[e])} reads variable {masks[e]}, "
            f"but a landscape of n = {n} has variables 0 to {n - 1}"
        )
    if len(repeated):
        e = repeated[0]
        raise ValueError(
            f"{place(given.objective, owner[e])} reads variable {masks[e]} twice: name "
            "it once, with the entries of the table where both have the same value"
        )


def check_sizes(given: Subfunctions) -> None:
    """Refuse tables without one entry per assignment of their variables."""
    arities, sizes = np.diff(given.mask_at), np.diff(given.table_at)
    if arities.max(initial=0) > MAX_ARITY:
        s = int(np.argmax(arities > MAX_ARITY))
        raise ValueError(
            f"{place(given.objective, s)} reads {arities[s]} variables, "
            f"but a table has at most 2**{MAX_ARITY} entries, for {MAX_ARITY} variables"
        )
    wrong = np.flatnonzero(sizes != 1 << arities)
    if len(wrong):
        s = int(wrong[0])
        entries = counted(1 << int(arities[s]), "entry", "entries")
        raise ValueError(
            f"{place(given.objective, s)} reads {counted(arities[s], 'variable')}, "
            f"so its table has {entries}, not {sizes[s]:,}"
        )


def check_finite(given: Subfunctions) -> None:
    """Refuse tables with what is not a finite number."""
    if given.tables.dtype.kind in "iu":
        return
    strange = np.flatnonzero(~np.isfinite(given.tables.astype(np.float64)))
    if len(strange):
        e = strange[0]
        s = int(np.searchsorted(given.table_at, e, side="right")) - 1
        raise ValueError(
            f"{place(given.objective, s)} has {given.tables[e]} at entry "
            f"{e - given.table_at[s]} of its table, which is not a finite number"
        )


def exact_means(d: int, given: Subfunctions) -> list[Fraction]:
    """The mean of each objective over all solutions, in its steps.

    Sums of tables may not fit into 64 bits, but those of half entries do: the higher
    and the lower 32 bits. They are kept apart by objective and arity.
    """
    means = [Fraction(0)] * d
    if len(given.tables) == 0:
        return means
    kinds = MAX_ARITY + 1
    group = given.objective * kinds + np.diff(given.mask_at)
    sums = np.zeros((2, d * kinds), np.int64)
    for half, entries in zip(sums, (given.tables >> 32, given.tables & LOW_HALF)):
        np.add.at(half, group, np.add.reduceat(entries, given.table_at[:-1]))
    for at in np.flatnonzero(sums.any(axis=0)).tolist():
        i, arity = divmod(at, kinds)
        high, low = sums[:, at].tolist()
        means[i] += Fraction((high << 32) + low, 1 << arity)
    return means
