"""Subfunctions as people write them, spelled out.

Labels become the numbers of variables, and functions of bits become tables.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np

from paretoball.landscape.naming import places, some_labels
from paretoball.landscape.subfunctions import LISTS, MAX_ARITY, UNORDERED
from paretoball.system import brief, is_whole

Bits = tuple[int, ...]


def spelled_out(
    objectives: Sequence[list[Any]], labels: tuple[Hashable, ...] | None
) -> list[list[Any]]:
    """The same subfunctions, by numbers of variables and with tables of numbers.

    Where labels are given, masks name variables by label; where no label is a number
    from 0 to n - 1, by their numbers, too. What is no pair of variables and a table
    stays as it is.
    """
    place_of = places(labels or ())
    takes_numbers = place_of.keys().isdisjoint(range(len(place_of)))

    def number(label: Any, where: str) -> Any:
        try:
            return place_of[label]
        except (KeyError, TypeError):  # TypeError: it is not hashable
            if takes_numbers and is_whole(label):
                return label
            raise ValueError(
                f"{where} reads {brief(label)}, which is none of the labels "
                f"{some_labels(labels or ())}"
            ) from None

    def spelled(i: int, s: int, pair: Any) -> Any:
        if not isinstance(pair, LISTS) or len(pair) != 2:
            return pair
        variables, table = pair
        if labels is None and not callable(table):
            return pair
        if isinstance(variables, UNORDERED) or not isinstance(variables, Iterable):
            return variables, [] if callable(table) else table
        variables, where = list(variables), f"objective {i}, subfunction {s}"
        if callable(table):
            table = _tabulated(table, len(variables), where)
        if labels is None:
            return variables, table
        return [number(label, where) for label in variables], table

    return [
        [spelled(i, s, pair) for s, pair in enumerate(objective)]
        for i, objective in enumerate(objectives)
    ]


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


def _value(function: Callable[..., Any], bits: Bits, where: str) -> Any:
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
    if not _is_finite(value):
        raise ValueError(
            f"{where} has a function that returns {value} for the bits {bits}, which "
            "is not a finite number"
        )
    return value


def _is_finite(value: Any) -> bool:
    """Whether a number is neither infinite nor NaN."""
    if isinstance(value, Decimal):
        return value.is_finite()
    return is_whole(value) or isinstance(value, Fraction) or isfinite(value)
