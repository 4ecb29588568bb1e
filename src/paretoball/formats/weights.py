"""Weights in JSON: lists of numbers as arrays, none of them rounded."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from paretoball.landscape import EXACT
from paretoball.numerics import LARGEST_FLOAT
from paretoball.system import brief


def checked_weights(found: Sequence[Any], what: str) -> np.ndarray:
    """Numbers of a JSON file: int64 if all are whole, otherwise float64."""
    kinds = set(map(type, found))
    if kinds == {int}:
        is_well = max(max(found), -min(found)) <= EXACT
    else:
        is_well = kinds <= {float} and bool(np.isfinite(found).all())
    if not is_well:
        _check_each(found, what, EXACT if kinds == {int} else LARGEST_FLOAT)
    return np.array(found, np.int64 if kinds <= {int} else np.float64)


def _check_each(found: Sequence[Any], what: str, largest: int) -> None:
    """Refuse what is not a number, or a whole number that is too large."""
    for e, value in enumerate(found):
        is_finite = type(value) is float and math.isfinite(value)
        if type(value) is not int and not is_finite:
            raise TypeError(f"{what} {e} has the weight {brief(value)}, not a number")
        if type(value) is int and abs(value) > largest:
            raise ValueError(
                f"{what} {e} has the weight {brief(value)}, but numbers end at "
                f"2**{largest.bit_length() - 1} here"
            )
