"""Arrays: rows laid end to end, and arrays that grow."""

import numpy as np


def offsets(counts: np.ndarray) -> np.ndarray:
    """Where each row starts when rows of these lengths are laid end to end."""
    at = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=at[1:])
    return at


def sums_by_row(at: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The sum of each row of values that lie end to end."""
    total = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=total[1:])
    return np.asarray(total[at[1:]] - total[at[:-1]])


def is_rising(array: np.ndarray) -> bool:
    """Whether entries are at least 0 and never fall."""
    return bool((array[:1] >= 0).all() and (array[1:] >= array[:-1]).all())


def with_room(array: np.ndarray, rows: int) -> np.ndarray:
    """The array itself if it has `rows` rows, otherwise a copy with room for them."""
    if rows <= len(array):
        return array
    grown = np.empty((max(rows, 2 * len(array)), *array.shape[1:]), array.dtype)
    grown[: len(array)] = array
    return grown
