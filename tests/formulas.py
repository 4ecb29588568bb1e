"""Weighted formulas counted clause by clause, from the definition."""

import random
from typing import Any

Formula = list[tuple[Any, list[int]]]


def is_satisfied(clause: list[int], x: list[int]) -> bool:
    """Whether any literal of a clause is true."""
    return any(x[abs(literal) - 1] == (literal > 0) for literal in clause)


def satisfied(formula: Formula, x: list[int]) -> Any:
    """The weight of all satisfied clauses."""
    return sum(weight for weight, clause in formula if is_satisfied(clause, x))


def falsified(formula: Formula, x: list[int]) -> Any:
    """The weight of all falsified clauses."""
    return sum(weight for weight, clause in formula if not is_satisfied(clause, x))


def random_formula(rng: random.Random, n: int, m: int) -> Formula:
    """Clauses of 0 to 4 literals, some repeated, some always true."""
    return [
        (
            rng.randint(1, 9),
            [rng.choice((-1, 1)) * rng.randint(1, n) for _ in range(rng.randint(0, 4))],
        )
        for _ in range(m)
    ]


def random_solutions(rng: random.Random, n: int, count: int) -> list[list[int]]:
    """Vectors of n bits."""
    return [[rng.randint(0, 1) for _ in range(n)] for _ in range(count)]
