"""Random draws that families have in common."""

import numpy as np

from paretoball.numerics import one_seed

Seed = (
    int | np.random.SeedSequence | np.random.BitGenerator | np.random.Generator | None
)


def generator_of(seed: Seed, rng: Seed) -> np.random.Generator:
    """The generator that a seed gives; `seed` and `rng` are two names of it."""
    return np.random.default_rng(one_seed(seed, rng))


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


def nonzero(low: int, high: int, count: int, draw: np.random.Generator) -> np.ndarray:
    """Whole numbers from low to high, 0 left out, all with the same probability."""
    if not low <= 0 <= high:
        return draw.integers(low, high, count, endpoint=True)
    numbers = draw.integers(low, high, count)
    return np.where(numbers >= 0, numbers + 1, numbers)
