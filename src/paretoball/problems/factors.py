"""Factors: numbers of any kind, checked where they enter, and none of them rounded."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from typing import Any, NoReturn

import numpy as np

from paretoball.numerics import LARGEST_FLOAT
from paretoball.system import brief, is_whole

LARGEST_INT = 2**63 - 1
LONGEST = 1000  # digits of a decimal, and its exponent

Place = Callable[[int], str]  # where number e was given, in words


def checked_factors(values: Any, place: Place) -> np.ndarray:
    """A vector or a list of numbers as int64 or float64, or as objects.

    True and False are 1 and 0. Objects are numbers of Python that would be rounded
    otherwise: fractions, which decimals become, and long ints. What is whole is an int.
    """
    array = values if isinstance(values, np.ndarray) else _as_array(values)
    kind = array.dtype.kind
    if kind == "f":
        array = array.astype(np.float64, copy=False)
        is_right = np.isfinite(array)
        if not is_right.all():
            e = int(np.argmin(is_right))
            _refuse(array[e].item(), place(e))
        return array
    if kind in "biu":
        dtype = np.int64 if are_short(array) else object
        return array.astype(dtype, copy=False)
    return _shortest([_checked(each, place, e) for e, each in enumerate(array)])


def are_short(array: np.ndarray) -> bool:
    """Whether these are whole numbers, or True and False, and int64 holds them all."""
    kind = array.dtype.kind
    return kind in "bi" or (kind == "u" and array.max(initial=0) <= LARGEST_INT)


def exact_sums_of_two(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """a + b, and where that is exact: elsewhere the first array has a.

    A float is added to zero and to its equal only: 0.1 + 0.2 is 0.3 on the grid of
    decimals, but not among floats. Objects are added to zero only.
    """
    is_zero = b == 0
    if a.dtype == object or b.dtype == object:
        is_exact = np.asarray((a == 0) | is_zero, np.bool_)
        return np.where(is_exact & ~is_zero.astype(np.bool_), b, a), is_exact
    with np.errstate(over="ignore"):
        total = a + b
    if total.dtype.kind == "f":
        is_exact = ((a == b) | is_zero | (a == 0)) & np.isfinite(total)
    else:
        is_exact = ((a ^ total) & (b ^ total)) >= 0  # otherwise the sum has wrapped
    return (total if is_exact.all() else np.where(is_exact, total, a)), is_exact


def _as_array(values: Sequence[Any]) -> np.ndarray:
    """A list as an array; of objects, unless all are ints or all are floats."""
    kinds = set(map(type, values))
    try:
        if kinds == {int}:
            return np.array(values, np.int64)
        if kinds == {float}:
            return np.array(values, np.float64)
    except OverflowError:
        pass
    return np.fromiter(values, object, len(values))


def _checked(value: Any, place: Place, e: int) -> Any:
    """A finite number of Python."""
    if isinstance(value, bool | np.bool_) or is_whole(value):
        return int(value)
    if isinstance(value, Fraction):
        return _in_short(value)
    if isinstance(value, Decimal):
        _, digits, exponent = value.as_tuple()
        if not isinstance(exponent, int):
            _refuse(value, place(e))
        if max(len(digits), abs(exponent)) > LONGEST:
            raise ValueError(f"{place(e)}: {brief(value)} has more than 1,000 digits")
        return _in_short(Fraction(value))
    if isinstance(value, float | np.floating):
        return float(value) if isfinite(value) else _refuse(value, place(e))
    raise TypeError(f"{place(e)}: {brief(value)} is not a real number")


def _in_short(value: Fraction) -> Fraction | int:
    """A fraction, or the whole number that it is."""
    return value.numerator if value.denominator == 1 else value


def _refuse(value: Any, place: str) -> NoReturn:
    raise ValueError(f"{place}: {value} is not a finite number")


def _shortest(numbers: list[Any]) -> np.ndarray:
    """Numbers of Python as int64 or float64, if none is rounded so."""
    kinds = set(map(type, numbers))
    largest = max((abs(each) for each in numbers if type(each) is int), default=0)
    if kinds <= {int} and largest <= LARGEST_INT:
        return np.array(numbers, np.int64)
    if kinds <= {int, float} and float in kinds and largest <= LARGEST_FLOAT:
        return np.array(numbers, np.float64)
    return np.fromiter(numbers, object, len(numbers))
