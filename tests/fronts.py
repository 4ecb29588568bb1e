"""Random small fronts in random senses, for indicators and attainment surfaces."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

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


def elsewhere(measure: Callable[..., Any]) -> Callable[..., Any]:
    """The same, but only on a thread that hears no signals."""

    def on_another_thread(*arguments: Any, **options: Any) -> Any:
        assert threading.current_thread() is not threading.main_thread()
        return measure(*arguments, **options)

    return on_another_thread
