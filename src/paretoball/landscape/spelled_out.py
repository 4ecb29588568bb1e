"""Subfunctions as people write them, spelled out.

Labels become the numbers of variables, and functions of bits become tables.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
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
    numbered = None if labels is None else _Numbered(labels)
    return [
        [
            _spelled_pair(pair, numbered, f"objective {i}, subfunction {s}")
            if numbered is not None or _has_function(pair)
            else pair
            for s, pair in enumerate(objective)
        ]
        for i, objective in enumerate(objectives)
    ]


def _has_function(pair: Any) -> bool:
    """Whether a subfunction has a function in place of its table."""
    return isinstance(pair, LISTS) and len(pair) == 2 and callable(pair[1])


def _spelled_pair(pair: Any, numbered: "_Numbered | None", where: str) -> Any:
    """One subfunction, if it is one; `where` it stands is for errors."""
    if not isinstance(pair, LISTS) or len(pair) != 2:
        return pair
    variables, table = pair
    if isinstance(variables, UNORDERED) or not isinstance(variables, Iterable):
        return variables, [] if callable(table) else table
    mask = list(variables)
    if callable(table):
        table = _tabulated(table, len(mask), where)
    return (mask if numbered is None else numbered(mask, where)), table


class _Numbered:
    """Masks with labels, as masks with the numbers of variables."""

    def __init__(self, labels: tuple[Hashable, ...]):
        self.labels = labels
        self.place_of = places(labels)
        self.takes_numbers = self.place_of.keys().isdisjoint(range(len(labels)))

    def __call__(self, mask: list[Any], where: str) -> list[Any]:
        """The numbers of the variables in a mask."""
        try:
            return [self.place_of[label] for label in mask]
        except (KeyError, TypeError):
            return [self._place(label, where) for label in mask]

    def _place(self, label: Any, where: str) -> Any:
        """The number of the variable with this label; or the label, if it is one."""
        with suppress(KeyError, TypeError):  # TypeError: it is not hashable
            return self.place_of[label]
        if self.takes_numbers and is_whole(label):
            return label
        raise ValueError(
            f"{where} reads {brief(label)}, which is none of the labels "
            f"{some_labels(self.labels)}"
        )


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
