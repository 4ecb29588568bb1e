"""Solutions: vectors of n bits, or dicts with a bit for each label; and packed bits."""

from collections.abc import Callable, Hashable, Mapping
from typing import Any

import numpy as np

from paretoball.landscape.naming import some_labels
from paretoball.system import brief, check_memory, counted


def bits_of(
    x: Any, n: int, name: str, place_of: Callable[[], Mapping[Hashable, int]]
) -> np.ndarray:
    """x as uint8, if it is a solution or a batch of them, as bits or by label."""
    if isinstance(x, Mapping):
        x = _bits_by_label(x, place_of(), name)
    elif isinstance(x, list | tuple) and any(isinstance(one, Mapping) for one in x):
        x = [
            _bits_by_label(one, place_of(), f"{name}[{row}]")
            if isinstance(one, Mapping)
            else one
            for row, one in enumerate(x)
        ]
    elif hasattr(x, "to_numpy") and hasattr(x, "index"):  # of pandas, or like that
        x = _sorted_table(x, place_of())
    return _checked_solutions(x, n, name)


def _sorted_table(x: Any, place_of: Mapping[Hashable, int]) -> np.ndarray:
    """The values of a table, whose columns are put in order if they are the labels."""
    columns = list(x.columns if hasattr(x, "columns") else x.index)
    values: np.ndarray = x.to_numpy()
    if set(columns) != set(place_of) or len(columns) != len(place_of):
        return values
    return values[..., np.argsort([place_of[label] for label in columns])]


def _bits_by_label(
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
        is_number = isinstance(value, bool | int | float | np.generic)
        if not is_number or value not in (0, 1):
            raise ValueError(
                f"{name} has {brief(value)} for {brief(label)}, which is not 0 or 1"
            )
        bits[place_of[label]] = value
    if len(x) < len(place_of):
        missing = [label for label in place_of if label not in x]
        raise ValueError(f"{name} has no value for {some_labels(missing)}")
    return bits


def _checked_solutions(x: Any, n: int, name: str) -> np.ndarray:
    """x as contiguous uint8, if it is one solution or a batch of them."""
    try:
        array = np.asarray(x)
    except ValueError:  # rows of different lengths
        array = np.empty(0, object)
    if array.dtype.kind not in "biuf" or array.ndim not in (1, 2):
        raise TypeError(
            f"{name} is {brief(x)}, not a vector of {counted(n, 'bit')} "
            "or a matrix with such rows"
        )
    if array.shape[-1] != n:
        bits = counted(array.shape[-1], "bit")
        raise ValueError(f"{name} has {bits}, but the landscape has n = {n:,}")
    strange = (array != 0) & (array != 1)
    if strange.any():
        at = np.argwhere(strange)[0]
        raise ValueError(
            f"{name} has {array[tuple(at)]} at bit {at[-1]}, which is not 0 or 1"
        )
    return np.ascontiguousarray(array, np.uint8)


def check_is_one(x: np.ndarray, name: str, role: str) -> None:
    """Refuse several solutions where one belongs; errors call it a `role`."""
    if x.ndim != 1:
        raise ValueError(f"{name} has shape {x.shape}, but a {role} is one solution")


def check_solutions_fit(count: int, n: int, advice: str = "") -> None:
    """Refuse a matrix of solutions that does not fit in memory."""
    solutions = f"{counted(count, 'solution')} of {counted(n, 'bit')}"
    check_memory(f"to hold {solutions} takes", count * n, advice)


def new_solutions(count: int, n: int) -> np.ndarray:
    """An empty matrix for solutions, if it fits in memory: (count, n) bool."""
    check_solutions_fit(count, n)
    return np.empty((count, n), np.bool_)


def packed_bits(x: np.ndarray) -> np.ndarray:
    """Solutions as bytes: variable j is bit j mod 8, from the lowest, of its byte."""
    return np.packbits(x, axis=-1, bitorder="little")


def unpacked_bits(packed: np.ndarray, n: int) -> np.ndarray:
    """The solutions of n bits that `packed_bits` packed, as uint8."""
    return np.unpackbits(packed, axis=-1, count=n, bitorder="little")
