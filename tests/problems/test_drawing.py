"""Random draws: numbers in their range, and families drawn as their pages say."""

from functools import partial
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


ALWAYS: dict[str, tuple[Any, str]] = {  # and the digest of what seed 1 gives
    "mnk": (partial(pb.mnk, 30, 2), "f060476a5d6cb25d"),
    "mnk of reals": (partial(pb.mnk, 9, 1, d=1, q=None), "c2152b7f0f49cf42"),
    "mnk at random": (
        partial(pb.mnk, 30, 3, d=3, q=7, model="random"),
        "c15e74795c1a3f2d",
    ),
    "mnk in a window": (partial(pb.mnk, 30, 2, model=5), "3d405672d69eb163"),
    "mnk with a correlation": (
        partial(pb.mnk, 30, 2, d=3, rho=-0.3),
        "46ba58bf4cb95f9f",
    ),
    "qubo": (partial(pb.random_qubo, 30, rho=0.5), "dc4c1efb17e50785"),
    "sparse qubo": (
        partial(pb.random_qubo, 60, d=3, density=0.05, rho=-0.4),
        "4dbbab854ec45ad3",
    ),
    "cut by density": (
        partial(pb.random_maxcut, 30, density=0.2),
        "150ceadf82019029",
    ),
    "cut by degree": (
        partial(pb.random_maxcut, 30, degree=9, weights=(-2, 1)),
        "001635e2937a4df2",
    ),
    "cut by a high degree": (
        partial(pb.random_maxcut, 12, degree=8, d=1),
        "e29dce94f7d7f583",
    ),
    "sat": (partial(pb.random_sat, 30, weights=9), "40c864601d4712d7"),
    "spin glass": (partial(pb.spin_glass, (2, 3, 4)), "4edfab7472520d19"),
    "spin glass of Gauss": (
        partial(pb.spin_glass, (5, 6), "gaussian", d=1),
        "570e203c285b238b",
    ),
    "spin glass of numbers": (
        partial(pb.spin_glass, (5, 6), 4, d=3),
        "08fa5f47e8911fa5",
    ),
    "knapsack": (
        partial(pb.random_knapsack, 30, d=3, constraints=2),
        "89b78c3cf3ad2289",
    ),
    "covering": (partial(pb.random_covering, 45, d=3), "2be291277c649646"),
}


@pytest.mark.parametrize("family", ALWAYS)
def test_a_seed_gives_the_landscape_that_it_always_gave(family):
    make, digest = ALWAYS[family]
    assert landscape_digest(make(seed=1))[:16] == digest


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
