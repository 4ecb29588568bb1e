"""Knapsacks: the profit of chosen items, whose weights must not exceed capacities."""

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from paretoball.landscape import Landscape
from paretoball.problems.factors import checked_factors
from paretoball.problems.linear import checked_rows, linear_terms
from paretoball.system import counted


def knapsack(
    profits: Any,
    weights: Any,
    capacities: Any,
    labels: Iterable[Hashable] | None = None,
    names: Iterable[str] | None = None,
) -> Landscape:
    """The landscape of f(x) = Σ p_j x_j, maximised, with Σ w_j x_j <= capacity.

    Parameters
    ----------
    profits
        A row of n numbers, or a row for each objective.
    weights
        A row of n numbers, or a row for each constraint.
    capacities
        A number, or one for each constraint.
    labels, names
        As in `Landscape.from_subfunctions`.

    Examples
    --------
    >>> landscape = knapsack([[5, 4, 3], [1, 2, 6]], [2, 3, 4], 6)
    >>> landscape.evaluate([1, 0, 1]).tolist(), landscape.is_feasible([1, 0, 1])
    ([8, 7], True)
    >>> landscape.violation([1, 1, 1]).tolist()
    [3]
    """
    gains, loads = checked_rows(profits, "profits"), checked_rows(weights, "weights")
    n = len(gains[0])
    if len(loads[0]) != n:
        raise ValueError(
            f"weights has {counted(len(loads[0]), 'number')} in a row, but profits has "
            f"{n:,}"
        )
    bounds = _capacities(capacities, len(loads))
    return Landscape.from_terms(
        n,
        [linear_terms(row) for row in gains],
        "max",
        labels,
        names,
        constraints=[
            (linear_terms(row), "<=", bound) for row, bound in zip(loads, bounds)
        ],
    )


def _capacities(given: Any, m: int) -> list[Any]:
    """One capacity for each of m constraints."""
    listed = [given] if np.ndim(given) == 0 else list(given)
    if len(listed) != m:
        raise ValueError(
            f"{counted(len(listed), 'capacity', 'capacities')} given for "
            f"{counted(m, 'row')} of weights"
        )
    bounds: list[Any] = checked_factors(listed, lambda c: f"capacity {c}").tolist()
    return bounds
