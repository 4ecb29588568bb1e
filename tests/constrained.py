"""Random landscapes with constraints, and what brute force says of them."""

from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

import naive
from paretoball import Landscape, Result

RELATIONS = ("<=", ">=", "==")
SENSES = ("max", "min", "max", "min")
REACH = 50  # of objectives, so that scores have 32 bits


class Case(NamedTuple):
    """A landscape with constraints, and these as they were given."""

    landscape: Landscape
    constraints: list[Any]  # (terms, relation, bound)


def random_case(
    rng: np.random.Generator, d: int = 2, max_n: int = 10, widest: int = 3
) -> Case:
    """Up to four constraints, each of which can be satisfied; maybe not all at once.

    Objectives have tables of up to `widest` variables.
    """
    n = int(rng.integers(2, max_n + 1))
    objectives = [_terms(rng, n, 2 * n, REACH, widest) for _ in range(d)]
    constraints = [_constraint(rng, n) for _ in range(int(rng.integers(5)))]
    return Case(
        Landscape.from_subfunctions(n, objectives, SENSES[:d], constraints=constraints),
        constraints,
    )


def _terms(
    rng: np.random.Generator, n: int, count: int, reach: int, widest: int
) -> list[Any]:
    """Tables of up to so many variables; several may read the same ones."""
    masks = [
        rng.permutation(n)[: rng.integers(1, min(widest, n) + 1)].tolist()
        for _ in range(count)
    ]
    return [
        (mask, rng.integers(-reach, reach + 1, 1 << len(mask)).tolist())
        for mask in masks
    ]


def _constraint(rng: np.random.Generator, n: int) -> tuple[list[Any], str, int]:
    """One that some solution satisfies, with some room or none."""
    reach, widest = int(rng.choice([1, 3, 9])), int(rng.integers(1, 5))
    terms = _terms(rng, n, int(rng.integers(1, 2 * n)), reach, widest)
    relation, room = str(rng.choice(RELATIONS)), int(rng.integers(3))
    bound = naive.total(terms, rng.integers(0, 2, n).tolist())
    return terms, relation, bound + {"<=": room, ">=": -room, "==": 0}[relation]


@st.composite
def cases(draw: Any, max_n: int = 6) -> Case:
    """The same for hypothesis, without objectives."""
    n = draw(st.integers(1, max_n))
    values = st.integers(-9, 9)
    bits = st.lists(st.integers(0, 1), min_size=n, max_size=n)
    masks = st.lists(st.integers(0, n - 1), max_size=4, unique=True)

    def table(mask: list[int]) -> Any:
        size = 1 << len(mask)
        return st.tuples(st.just(mask), st.lists(values, min_size=size, max_size=size))

    def constraint() -> tuple[list[Any], str, int]:
        terms = draw(st.lists(masks.flatmap(table), max_size=6))
        relation = draw(st.sampled_from(RELATIONS))
        return terms, relation, naive.total(terms, draw(bits))

    constraints = [constraint() for _ in range(draw(st.integers(0, 4)))]
    return Case(
        Landscape.from_subfunctions(n, [[]], constraints=constraints), constraints
    )


def feasible_front(case: Case) -> list[tuple]:
    """The front of all solutions that satisfy every constraint, by brute force."""
    table = naive.full_table(case.landscape.unconstrained)
    feasible = table[violations(case) == 0]
    return naive.pareto_front(feasible, case.landscape.sense)


def fewest_violated(case: Case) -> int:
    """How many constraints the best of all solutions violates."""
    return int(violations(case).min())


def violations(case: Case) -> np.ndarray:
    """How many constraints each solution violates, in the order of `full_table`."""
    n = case.landscape.n
    total = np.zeros(1 << n, np.int64)
    for terms, relation, bound in case.constraints:
        g = naive.full_table(naive.Plain(n, (tuple(terms),), ("max",)))[:, 0]
        total += {"<=": g > bound, ">=": g < bound, "==": g != bound}[relation]
    return total


def wrong_of(case: Case, result: Result) -> str:
    """What is wrong with a result by the definitions, or nothing."""
    landscape, constraints = case
    objectives = naive.subfunctions_of(landscape.unconstrained)
    for fx, x, optimum in zip(result.F.tolist(), result.X, result.optimum):
        if tuple(fx) != naive.evaluate(objectives, x):
            return f"f is not {fx} at {x}"
        if any(naive.violation(constraints, x)):
            return f"{x} is not feasible"
        if optimum and not naive.is_feasible_optimum(objectives, constraints, x):
            return f"{x} is no local optimum"
    F = [tuple(fx) for fx in result.F.tolist()]
    if F and naive.pareto_front(F, landscape.sense) != F:
        return "some of the front are dominated"
    nearest = result.nearest
    if nearest is not None:
        far = [float(each) for each in naive.violation(constraints, nearest.x)]
        if F or nearest.violation.tolist() != far:
            return f"the nearest violates by {far}, not {nearest.violation}"
        if tuple(nearest.fx.tolist()) != naive.evaluate(objectives, nearest.x):
            return f"f is not {nearest.fx} at the nearest"
        if not any(far):
            return "the nearest is feasible"
    elif not F:
        return "neither a solution nor the nearest to one"
    return ""
