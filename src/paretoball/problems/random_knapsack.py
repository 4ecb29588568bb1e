"""Random knapsacks, in the way of Zitzler and Thiele (1999)."""

from paretoball.landscape import Landscape, checked_n
from paretoball.problems.drawing import Seed, generator_of
from paretoball.problems.knapsack import knapsack
from paretoball.system import checked_whole

LOW, HIGH = 10, 100  # profits and weights are whole numbers between these


def random_knapsack(
    n: int,
    d: int = 2,
    constraints: int | None = None,
    seed: Seed = None,
    rng: Seed = None,
) -> Landscape:
    """A random knapsack problem of n items, maximised.

    Profits and weights are uniform in 10, 11, ..., 100, and each capacity is half of
    the sum of its weights, rounded down.

    Parameters
    ----------
    constraints
        How many capacities there are; if None, one for each objective, as there.
    seed, rng
        As in `mnk`.

    Examples
    --------
    >>> landscape = random_knapsack(n=250, d=2, seed=1)
    >>> landscape.n, landscape.d, len(landscape.constraints)
    (250, 2, 2)
    """
    n, d = checked_n(n), checked_whole("d", d, 1)
    m = d if constraints is None else checked_whole("constraints", constraints, 1)
    draw = generator_of(seed, rng)
    profits = draw.integers(LOW, HIGH, (d, n), endpoint=True)
    weights = draw.integers(LOW, HIGH, (m, n), endpoint=True)
    return knapsack(profits, weights, weights.sum(axis=1) // 2)
