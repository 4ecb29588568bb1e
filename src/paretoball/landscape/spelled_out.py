"""Subfunctions as people write them, with labels and functions, laid end to end."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Set
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np

from paretoball.landscape.exact_tables import exact_number
from paretoball.landscape.naming import some_labels
from paretoball.landscape.subfunctions import (
    EXACT,
    LISTS,
    MAX_ARITY,
    Number,
    Subfunctions,
    place,
)
from paretoball.numerics import LARGEST_FLOAT, offsets
from paretoball.system import brief, is_whole

UNORDERED = (str, bytes, Mapping, Set)  # iterable, but not a row of numbers

Table = Iterable[Number] | Callable[..., Number]
Objective = Iterable[tuple[Iterable[Hashable], Table]]


def flattened(
    objectives: Iterable[Objective], place_of: Mapping[Hashable, int] | None = None
) -> Subfunctions:
    """The subfunctions of all objectives; tables are still as given.

    With `place_of`, masks name variables by label; where no label is a number from 0 to
    n - 1, by their numbers, too.
    """
    lists = listed_objectives(objectives)
    objective = np.repeat(np.arange(len(lists)), [len(each) for each in lists])
    given, labels = list(chain.from_iterable(lists)), place_of or {}
    takes_numbers = labels.keys().isdisjoint(range(len(labels)))

    def number(label: Any, s: int) -> Any:
        try:
            return labels[label]
        except (KeyError, TypeError):  # TypeError: it is not hashable
            if takes_numbers and is_whole(label):
                return label
            raise ValueError(
                f"{place(objective, s)} reads {brief(label)}, which is none of the "
                f"labels {some_labels(list(labels))}"
            ) from None

    for s, pair in enumerate(given):
        if not isinstance(pair, LISTS) or len(pair) != 2:
            raise TypeError(
                f"{place(objective, s)} is {brief(pair)}, not (variables, table)"
            )
        variables, table = pair
        if place_of is None and not callable(table):
            continue
        variables = _listed(variables, "variables", objective, s)
        if callable(table):
            table = _tabulated(table, len(variables), place(objective, s))
        if place_of is not None:
            variables = [number(label, s) for label in variables]
        given[s] = variables, table
    mask_at, masks = _laid_end_to_end([v for v, _ in given], "variables", objective)
    table_at, tables = _laid_end_to_end([t for _, t in given], "table", objective)
    return Subfunctions(objective, mask_at, masks, table_at, tables)


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
    """Where each row starts, and all as one array; `what` is "variables" or "table"."""
    lists = [
        row if isinstance(row, LISTS) else _listed(row, what, objective, s)
        for s, row in enumerate(rows)
    ]
    at = offsets(np.fromiter(map(len, lists), np.int64, len(lists)))
    flat = list(chain.from_iterable(lists))

    def owner(e: int) -> str:
        return place(objective, int(np.searchsorted(at, e, side="right")) - 1)

    kinds = set(map(type, flat))
    whole = {kind for kind in kinds - {bool} if issubclass(kind, int | np.integer)}
    real = {kind for kind in kinds if issubclass(kind, float | np.floating)}
    exact = {kind for kind in kinds if issubclass(kind, Fraction | Decimal)}
    right = whole if what == "variables" else whole | real | exact
    for e, value in enumerate(flat if kinds - right else ()):
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


def _tabulated(function: Callable[..., Any], k: int, where: str) -> list[Any]:
    """The table of a function of k bits; bit j of an index is its argument j."""
    if k > MAX_ARITY:
        raise ValueError(
            f"{where} reads {k} variables, but a table has at most 2**{MAX_ARITY} "
            f"entries, for {MAX_ARITY} variables"
        )
    return [
        _value(function, tuple(index >> j & 1 for j in range(k)), where)
        for index in range(1 << k)
    ]


def _value(function: Callable[..., Any], bits: tuple[int, ...], where: str) -> Any:
    """What a function returns for these bits, if it is a finite number."""
    try:
        value = function(*bits)
    except Exception as error:
        said = f"{type(error).__name__}: {' '.join(str(error).split())}"
        raise ValueError(
            f"{where} has a function that fails for the bits {bits}, by {said}"
        ) from error
    if isinstance(value, bool | np.bool_):
        return int(value)
    if not isinstance(value, Real | Decimal):
        raise TypeError(
            f"{where} has a function that returns {brief(value)} for the bits {bits}, "
            "which is not a number"
        )
    number = exact_number(value)
    if isinstance(number, float) and not isfinite(number):
        raise ValueError(
            f"{where} has a function that returns {value} for the bits {bits}, which "
            "is not a finite number"
        )
    return value
