"""Solutions by label: dicts with the value of each variable, as vectors of bits."""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from paretoball.landscape.naming import some_labels
from paretoball.system import brief

LISTS = (list, tuple)


def has_dicts(x: Any) -> bool:
    """Whether x is a solution by label, or a list with one."""
    if isinstance(x, LISTS):
        return any(isinstance(each, Mapping) for each in x)
    return isinstance(x, Mapping)


def is_table(x: Any) -> bool:
    """Whether x is a Series or a data frame of pandas, or like one."""
    return hasattr(x, "to_numpy") and hasattr(x, "index")


def sorted_table(x: Any, place_of: Mapping[Hashable, int]) -> np.ndarray:
    """The values of a table, whose columns are put in order if they are the labels.

    Other columns, such as x0, x1, ..., stand in order already.
    """
    columns = list(x.columns if hasattr(x, "columns") else x.index)
    values: np.ndarray = x.to_numpy()
    if set(columns) != set(place_of) or len(columns) != len(place_of):
        return values
    return values[..., np.argsort([place_of[label] for label in columns])]


def unlabelled(x: Any, place_of: Mapping[Hashable, int], name: str) -> Any:
    """x with vectors of bits in place of dicts; errors call it `name`."""
    if isinstance(x, Mapping):
        return _bits_of(x, place_of, name)
    return [
        _bits_of(each, place_of, f"{name}[{row}]")
        if isinstance(each, Mapping)
        else each
        for row, each in enumerate(x)
    ]


def _bits_of(
    x: Mapping[Any, Any], place_of: Mapping[Hashable, int], name: str
) -> np.ndarray:
    """The bits of one solution: each label has a value, 0 or 1."""
    bits = np.zeros(len(place_of), np.uint8)
    for label, value in x.items():
        if label not in place_of:
            raise ValueError(
                f"{name} has a value for {brief(label)}, which is none of the labels "
                f"{some_labels(list(place_of))}"
            )
        if not _is_bit(value):
            raise ValueError(
                f"{name} has {brief(value)} for {brief(label)}, which is not 0 or 1"
            )
        bits[place_of[label]] = value
    if len(x) < len(place_of):
        missing = [label for label in place_of if label not in x]
        raise ValueError(f"{name} has no value for {some_labels(missing)}")
    return bits


def _is_bit(value: Any) -> bool:
    """Whether a value is the number 0 or 1, of whatever kind."""
    if isinstance(value, bool | int | float | np.generic):
        return bool(value == 0 or value == 1)
    return False
