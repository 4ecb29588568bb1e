"""Solutions: vectors of n bits, checked where they enter, and packed to be kept."""

from typing import Any

import numpy as np

from paretoball.system import brief, check_memory, counted


def checked_solutions(x: Any, n: int, name: str) -> np.ndarray:
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
