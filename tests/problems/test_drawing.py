"""Random draws: numbers in their range, and families drawn as their pages say."""

from typing import Any

import numpy as np
import pytest

import paretoball as pb
from paretoball.landscape import landscape_digest
from paretoball.problems.drawing import distinct_numbers, nonzero

Drawn = tuple[Any, dict[str, Any], dict[str, Any]]  # a family, what is said, and not

DEFAULTS: dict[str, Drawn] = {
    "mnk": (
        pb.mnk,
        {"n": 40, "K": 2, "seed": 1},
        {"d": 2, "q": 100, "model": "adjacent", "rho": None},
    ),
    "mnk_java": (
        pb.mnk_java,
        {"n": 40, "K": 2},
        {"d": 2, "q": 100, "model": "adjacent", "pseed": 1},
    ),
    "qubo": (
        pb.random_qubo,
        {"n": 40, "seed": 1},
        {"d": 2, "density": 0.8, "rho": 0.0},
    ),
    "maxcut": (
        pb.random_maxcut,
        {"n": 40, "seed": 1},
        {"density": 0.5, "weights": (1, 100), "d": 2},
    ),
    "sat": (
        pb.random_sat,
        {"n": 40, "seed": 1},
        {"ratio": 4.2, "k": 3, "d": 2, "weights": None},
    ),
    "spin glass": (
        pb.spin_glass,
        {"shape": (6, 7), "seed": 1},
        {"couplings": "pm", "d": 2},
    ),
    "knapsack": (
        pb.random_knapsack,
        {"n": 40, "seed": 1},
        {"d": 2, "constraints": 2},
    ),
    "covering": (
        pb.random_covering,
        {"n": 41, "seed": 1},
        {"rows": 5, "d": 2, "density": 0.1},
    ),
}


@pytest.mark.parametrize("family", DEFAULTS)
def test_what_is_not_said_is_what_the_page_of_a_family_says(family):
    make, said, unsaid = DEFAULTS[family]
    assert landscape_digest(make(**said)) == landscape_digest(make(**said, **unsaid))


@pytest.mark.parametrize(
    ("low", "high"), [(-2, 3), (0, 2), (-2, 0), (1, 4), (-4, -1), (5, 5), (-1, 1)]
)
def test_numbers_other_than_0_are_all_of_the_range(low, high):
    numbers = nonzero(low, high, 500, np.random.default_rng(1))
    right = [each for each in range(low, high + 1) if each]
    assert np.unique(numbers).tolist() == right


@pytest.mark.parametrize(("k", "below"), [(0, 3), (1, 1), (3, 3), (2, 5)])
def test_numbers_of_a_row_are_distinct_and_below_the_bound(k, below):
    rows = distinct_numbers(200, k, below, np.random.default_rng(1))
    assert rows.shape == (200, k)
    assert all(len(set(row)) == k for row in rows.tolist())
    assert set(rows.ravel().tolist()) == set(range(below if k else 0))
