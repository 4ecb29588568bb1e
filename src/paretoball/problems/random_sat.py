"""Random k-SAT: clauses of k distinct variables, each negated or not by a coin."""

from numbers import Real
from typing import Any

import numpy as np

from paretoball.landscape import EXACT, MAX_ARITY, Landscape, checked_n
from paretoball.problems.clauses import Clauses, clause_terms
from paretoball.problems.drawing import Seed, distinct_numbers, generator_of
from paretoball.problems.memory import check_tables
from paretoball.system import brief, checked_whole


def random_sat(
    n: int,
    clauses: int | None = None,
    ratio: float = 4.2,
    k: int = 3,
    d: int = 2,
    weights: int | None = None,
    seed: Seed = None,
    rng: Seed = None,
) -> Landscape:
    """Random k-SAT, a formula per objective, each with its own clauses.

    An objective is the number of satisfied clauses, or their weight; it is maximised.

    Parameters
    ----------
    clauses
        How many clauses each objective has; if None, `ratio` times n, rounded.
    k
        How many distinct variables a clause reads; each is negated with probability
        1/2.
    weights
        Weights are uniform in 1, 2, ..., `weights`; if None, all clauses count 1.
    seed, rng
        As in `mnk`.

    Examples
    --------
    >>> random_sat(n=1000, ratio=4.2, k=3, d=2, seed=1)
    Landscape(n=1,000, d=2 (max/max), k=3, c=40, m=8,400)
    """
    n, d = checked_n(n), checked_whole("d", d, 1)
    k = checked_whole("k", k, 1, min(n, MAX_ARITY), f"where n = {n}")
    m = _clauses(n, clauses, ratio)
    if weights is not None:
        weights = checked_whole("weights", weights, 1, EXACT)
    check_tables(f"{d} × {m:,} tables of {1 << k:,} entries", d * m, d * m << k)
    draw = generator_of(seed, rng)
    objectives = []
    for _ in range(d):
        variables = 1 + distinct_numbers(m, k, n, draw)
        negated = draw.integers(2, size=(m, k), dtype=np.bool_)
        weight = (
            np.ones(m, np.int64)
            if weights is None
            else draw.integers(1, weights, size=m, endpoint=True)
        )
        literals = np.where(negated, -variables, variables).ravel()
        drawn = Clauses(literals, np.arange(0, k * m + 1, k), weight)
        objectives.append(clause_terms(drawn, satisfied=True))
    return Landscape.from_terms(n, objectives)


def _clauses(n: int, clauses: Any, ratio: Any) -> int:
    """The number of clauses of one objective."""
    if clauses is not None:
        return checked_whole("clauses", clauses, 1)
    if not isinstance(ratio, Real) or isinstance(ratio, bool):
        raise TypeError(f"ratio = {brief(ratio)} is not a number")
    if not 0 < float(ratio) < EXACT:
        raise ValueError(
            f"ratio = {brief(ratio)}, but it must be above 0 and below 2**62"
        )
    return max(1, round(float(ratio) * n))
