"""Random small fronts in random senses, for indicators and attainment surfaces."""

from collections.abc import Iterator

import numpy as np
import pytest


def random_front(rng: np.random.Generator, d: int) -> np.ndarray:
    """Few points on a small grid: tied, doubled, dominated, and often a single one."""
    return rng.integers(-3, 4, (int(rng.choice([1, 1, 2, 3, 5, 8])), d))


def random_senses(rng: np.random.Generator, d: int) -> tuple[str, ...]:
    """A sense for each objective."""
    return tuple(rng.choice(["max", "min"], d).tolist())


def cases(count: int, d: int) -> Iterator[tuple]:
    """Pairs of fronts and senses for them."""
    rng = np.random.default_rng(d)
    for _ in range(count):
        yield random_front(rng, d), random_front(rng, d), random_senses(rng, d)


def every_d(most: int) -> pytest.MarkDecorator:
    """The test, for each number of objectives up to the most."""
    return pytest.mark.parametrize("d", range(1, most + 1))
