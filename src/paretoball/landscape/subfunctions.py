"""Subfunctions: those that the user gives, checked and laid end to end."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from paretoball.numerics import LARGEST_FLOAT, is_rising, offsets
from paretoball.system import brief, counted, is_whole

EXACT = 2**62  # the largest absolute value of any sum
MAX_ARITY = 24  # a table of 2**24 entries is 128 MiB

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


def by_objective(given: Subfunctions) -> Subfunctions:
    """The same subfunctions, sorted by objective; those of one stay in order."""
    if is_rising(given.objective):
        return given
    order = np.argsort(given.objective, kind="stable")
    masks, tables = _places(given.mask_at, order), _places(given.table_at, order)
    return Subfunctions(
        objective=given.objective[order],
        mask_at=offsets(np.diff(given.mask_at)[order]),
        masks=given.masks[masks],
        table_at=offsets(np.diff(given.table_at)[order]),
        tables=given.tables[tables],
    )


def _places(at: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Where the entries of rows stand, the rows in this order."""
    lengths = np.diff(at)[order]
    shifts = at[:-1][order] - offsets(lengths)[:-1]
    return np.arange(at[-1]) + np.repeat(shifts, lengths)


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
        if size > LARGEST_FLOAT:
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
            arrays[name] = array.astype(np.int64, copy=False)
        elif array.dtype.kind == "f":
            arrays[name] = array.astype(np.float64, copy=False)
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
