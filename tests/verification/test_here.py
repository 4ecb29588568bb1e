"""The ball around a solution: what dominates it is found, and nothing else."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest

import naive
from paretoball import Landscape
from paretoball.system import Display
from paretoball.verification.here import Here, dominating_flips


class Told(Display):
    """A display that keeps all lines."""

    def __init__(self) -> None:
        super().__init__(False)
        self.lines: list[str] = []

    def tell(self, line: Any, share: float | None = None) -> None:
        self.lines.append(line())


def random_case(rng: np.random.Generator, n: int = 6) -> tuple[Landscape, Any, list]:
    """Two objectives of either sense, two constraints, and a solution."""
    pairs = [((j, (j + 1) % n), rng.integers(0, 4, 4).tolist()) for j in range(n)]
    others = [((j,), rng.integers(-3, 4, 2).tolist()) for j in range(n)]
    ones = [((j,), [0, 1]) for j in range(n)]
    constraints = [(ones, "<=", n - 2), (pairs[:3], ">=", 1)]
    sense = rng.choice(["max", "min"], 2).tolist()
    landscape = Landscape.from_subfunctions(
        n, [pairs, others], sense, constraints=constraints
    )
    return landscape, constraints, rng.integers(0, 2, n).tolist()


@pytest.mark.parametrize("radius", [1, 2, 3])
def test_flips_are_found_where_the_ball_has_what_dominates(radius):
    rng = np.random.default_rng(radius)
    found_some = set()
    for _ in range(60):
        landscape, constraints, x = random_case(rng)
        at = Here.on(landscape)
        at.set(x)
        fx, violated = list(at.sums.totals), set(at.limits.violated)

        def is_better(
            flips: Any, landscape=landscape, constraints=constraints, x=x, fx=fx
        ) -> bool:
            y = naive.flipped(x, flips)
            fy = naive.evaluate(landscape, y)
            is_feasible = not any(naive.violation(constraints, y))
            return is_feasible and naive.dominates(fy, fx, landscape.sense)

        ball = [v for r in range(1, radius + 1) for v in combinations(range(6), r)]
        found = dominating_flips(at, fx, radius, 0, Told())
        assert (found is None) == (not any(map(is_better, ball)))
        assert found is None or (tuple(found) in ball and is_better(found))
        assert (at.sums.totals, at.limits.violated) == (fx, violated)
        found_some.add(found is None)
    assert found_some == {True, False}


def test_those_who_wait_for_a_ball_are_told_each_variable_once():
    landscape = Landscape.from_subfunctions(3, [[((j,), [1, 0]) for j in range(3)]])
    at, told = Here.on(landscape), Told()
    at.set([0, 0, 0])
    assert dominating_flips(at, [3], 2, 0, told) is None
    assert told.lines == [
        f"checking the ball around [3]: variable {j}" for j in range(3)
    ]
