"""Random MaxCut: a random graph whose edges have a weight for each objective."""

from typing import Any

from paretoball.landscape import EXACT, Landscape, checked_n, cuts
from paretoball.problems.correlation import checked_above
from paretoball.problems.drawing import Seed, generator_of, nonzero
from paretoball.problems.random_graphs import (
    check_pairs,
    edges_by_density,
    regular_edges,
)
from paretoball.system import brief, checked_whole


def random_maxcut(
    n: int,
    density: float | None = None,
    degree: int | None = None,
    weights: tuple[int, int] = (1, 100),
    d: int = 2,
    seed: Seed = None,
    rng: Seed = None,
) -> Landscape:
    """A random MaxCut problem: one graph, and for each objective weights of its own.

    Objective i is the sum of the weights w_i(a, b) over all edges with x_a ≠ x_b, and
    is maximised.

    Parameters
    ----------
    density
        The probability that two vertices have an edge: 0.5 if there is no degree.
    degree
        How many edges each vertex has: a random regular graph, in place of a density.
    weights
        The lowest and the highest weight. Weights are whole numbers between them, all
        with the same probability, but never 0: (-1, 1) is for weights -1 and 1.
    seed, rng
        As in `mnk`.

    Examples
    --------
    >>> random_maxcut(n=1000, degree=3, weights=(-1, 1), seed=1)
    Landscape(n=1,000, d=2 (max/max), k=2, c=6, m=3,000)
    """
    n, d = checked_n(n), checked_whole("d", d, 1)
    low, high = _checked_weights(weights)
    if density is not None and degree is not None:
        raise ValueError("density and degree are both given: give one of them")
    if degree is not None:
        degree = _checked_degree(n, degree)
        check_pairs(n * degree // 2, d)
        draw = generator_of(seed, rng)
        edges = regular_edges(n, degree, draw)
    else:
        density = checked_above("density", 0.5 if density is None else density, 0)
        check_pairs(density * n * (n - 1) / 2, d)
        draw = generator_of(seed, rng)
        edges = edges_by_density(n, density, draw)
    every = [nonzero(low, high, len(edges), draw) for _ in range(d)]
    return Landscape.from_terms(n, [[cuts(edges, own)] for own in every])


def _checked_weights(weights: Any) -> tuple[int, int]:
    """The lowest and the highest weight, with a number other than 0 between them."""
    if not isinstance(weights, tuple | list) or len(weights) != 2:
        raise ValueError(
            f"weights = {brief(weights)}, but it must be the lowest and the highest"
        )
    low, high = (checked_whole("a weight", each, -EXACT, EXACT) for each in weights)
    if low > high or low == high == 0:
        raise ValueError(
            f"weights = ({low}, {high}): there is no number other than 0 between them"
        )
    return low, high


def _checked_degree(n: int, degree: Any) -> int:
    """A degree that n vertices can have."""
    degree = checked_whole("degree", degree, 1, n - 1, f"where n = {n}")
    if n * degree % 2:
        raise ValueError(
            f"degree = {degree} and n = {n} are both odd, but each edge has two ends: "
            "one of them must be even"
        )
    return degree
