"""Random draws that families have in common."""

import numpy as np


def distinct_numbers(
    rows: int, k: int, below: int, rng: np.random.Generator
) -> np.ndarray:
    """k distinct numbers from 0 to below - 1 in each row: (rows, k) int64.

    This is Floyd's algorithm, all rows at once: number i is drawn from 0 to
    below - k + i; a number that is in the row already is replaced by below - k + i,
    which no earlier draw could give.
    """
    numbers = np.empty((rows, k), np.int64)
    for i in range(k):
        last = below - k + i
        drawn = rng.integers(last + 1, size=rows)
        repeated = (numbers[:, :i] == drawn[:, None]).any(axis=1)
        numbers[:, i] = np.where(repeated, last, drawn)
    return numbers
