"""Supported fronts against the definition, for tests of what makes them."""

from collections.abc import Iterable

import numpy as np
from numpy.testing import assert_array_equal

import naive
import paretoball as pb
from landscapes import built, random_plain
from naive import Plain
from paretoball.exact.supported_front import SupportedFront


def two_objectives(rng: np.random.Generator, max_n: int = 10) -> Plain:
    """A random landscape, with one or two objectives."""
    plain = random_plain(rng, max_n)
    return plain._replace(objectives=plain.objectives[:2], sense=plain.sense[:2])


def pairwise(
    rng: np.random.Generator, n: int, edges: Iterable[tuple], q: int = 20
) -> pb.Landscape:
    """A landscape of two objectives with a random table per edge, in mixed senses."""
    objectives = [
        [(edge, rng.integers(-q, q + 1, 4).tolist()) for edge in edges]
        for _ in range(2)
    ]
    return built(Plain(n, objectives, tuple(rng.choice(["max", "min"], 2).tolist())))


def assert_exact(landscape: pb.Landscape) -> SupportedFront:
    """The front is that of the definition, and solutions have their objectives."""
    front = pb.supported_front(landscape)
    assert list(map(tuple, front.F.tolist())) == naive.supported_front(landscape)
    assert front.X.shape == (len(front), landscape.n)
    assert front.X.dtype == bool
    assert_array_equal(landscape.evaluate(front.X), front.F)
    assert front.sense == landscape.sense
    return front
