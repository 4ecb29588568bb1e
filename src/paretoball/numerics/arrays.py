"""Arrays: rows laid end to end, and arrays that grow."""

import numpy as np

from paretoball.system import Pulse, nothing

LARGEST_FLOAT = 2**53  # whole numbers up to here are floats, too
COPIED = 1 << 22  # rows copied between two calls of `pulse`


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


def exact_sums(at: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The same as `sums_by_row` for values from 0 to 2^63, whose sums may be larger.

    Where sums may not fit in 64 bits, they are ints of Python.
    """
    if values.sum(dtype=np.float64) < 2**62:
        return sums_by_row(at, values.astype(np.int64))
    values = values.astype(np.uint64)
    high, low = values >> np.uint64(32), values & np.uint64(2**32 - 1)
    highs, lows = (sums_by_row(at, part.astype(np.int64)) for part in (high, low))
    return np.asarray(highs.astype(object) * 2**32 + lows)


def is_rising(array: np.ndarray) -> bool:
    """Whether entries are at least 0 and never fall."""
    return bool((array[:1] >= 0).all() and (array[1:] >= array[:-1]).all())


def with_room(array: np.ndarray, rows: int) -> np.ndarray:
    """The array itself if it has `rows` rows, otherwise a copy with room for them."""
    return array if rows <= len(array) else grown(array, max(rows, 2 * len(array)))


def grown(array: np.ndarray, rows: int, pulse: Pulse = nothing) -> np.ndarray:
    """A copy with room for `rows` rows; `pulse` is called now and then."""
    copy = np.empty((rows, *array.shape[1:]), array.dtype)
    for first in range(0, len(array), COPIED):
        pulse()
        last = min(first + COPIED, len(array))
        copy[first:last] = array[first:last]
    return copy
