"""Knapsacks: profits and weights as counted item by item."""

import random
from fractions import Fraction

import numpy as np
import pytest

import paretoball as pb


@pytest.mark.parametrize("seed", range(6))
def test_profits_and_weights_are_counted_item_by_item(seed):
    rng = random.Random(seed)
    n, d, m = rng.randint(1, 7), rng.randint(1, 3), rng.randint(1, 3)
    profits = [[rng.randint(-3, 9) for _ in range(n)] for _ in range(d)]
    weights = [[rng.randint(0, 9) for _ in range(n)] for _ in range(m)]
    capacities = [rng.randint(0, 20) for _ in range(m)]
    landscape = pb.knapsack(profits, weights, capacities)
    assert landscape.sense == ("max",) * d
    for x in np.ndindex(*[2] * n):
        value = [sum(p * bit for p, bit in zip(row, x)) for row in profits]
        over = [
            max(0, sum(w * bit for w, bit in zip(row, x)) - capacity)
            for row, capacity in zip(weights, capacities)
        ]
        assert landscape.evaluate(x).tolist() == value
        assert landscape.violation(x).tolist() == over
        assert landscape.is_feasible(x) == (not any(over))


def test_constraints_add_no_edge_to_the_graph():
    landscape = pb.random_knapsack(30, seed=1)
    assert len(landscape.cooccurrence.neighbours) == 0
    assert landscape.k == 1


def test_one_row_and_one_number_will_do():
    landscape = pb.knapsack([3, 4], np.array([1, 2]), 2, labels=["a", "b"], names=["p"])
    assert (landscape.d, len(landscape.constraints)) == (1, 1)
    assert landscape.is_feasible([{"a": 0, "b": 1}, {"a": 1, "b": 1}]).tolist() == [
        1,
        0,
    ]


def test_numbers_of_all_kinds_are_exact():
    landscape = pb.knapsack([0.1, 0.2], [Fraction(1, 2), 0.25], Fraction(3, 4))
    assert landscape.evaluate([1, 1]).tolist() == [0.3]
    assert landscape.is_feasible([1, 1])
    tight = pb.knapsack([1, 1], [0.1, 0.2], 0.3)
    assert tight.is_feasible([1, 1])


WRONG = [
    ((5, [1], 1), TypeError, "profits is 5, not a row of numbers or several"),
    (("12", [1], 1), TypeError, "profits is '12', not a row"),
    (([], [1], 1), ValueError, "profits is empty"),
    (([[1, 2], [1]], [1, 2], 1), ValueError, "profits has 1 number in row 1, but 2 in"),
    (([1, 2], [1], 1), ValueError, "weights has 1 number in a row, but profits has 2"),
    (([1, 2], [[1, 2]], [1, 2]), ValueError, "2 capacities given for 1 row of weights"),
    (([1, "2"], [1, 2], 1), TypeError, "profits, row 0, column 1: '2' is not a real"),
    (
        ([1, 2], [1, float("nan")], 1),
        ValueError,
        "weights, row 0, column 1: nan is not",
    ),
    (([1, 2], [1, 2], "3"), TypeError, "capacity 0: '3' is not a real number"),
    (([1, 2], [1, 2], -1), ValueError, "no solution is feasible"),
]


@pytest.mark.parametrize(("given", "kind", "text"), WRONG)
def test_what_is_no_knapsack_is_refused_by_place(given, kind, text):
    with pytest.raises(kind, match=text):
        pb.knapsack(*given)


def test_random_knapsacks_are_those_of_zitzler():
    landscape = pb.random_knapsack(200, d=3, constraints=2, seed=7)
    units = np.eye(200, dtype=int)
    profits = landscape.evaluate(units)
    weights = landscape.constraint_rows.row_factors.reshape(2, 200)
    assert min(profits.min(), weights.min()) >= 10
    many = pb.random_knapsack(2000, d=1, seed=7)
    for numbers in (many.evaluate(np.eye(2000)), many.constraint_rows.row_factors):
        assert np.unique(numbers).tolist() == list(range(10, 101))
    assert landscape.constraints.bounds == tuple((weights.sum(axis=1) // 2).tolist())
    assert len(pb.random_knapsack(9, d=3, seed=1).constraints) == 3
    again = pb.random_knapsack(200, d=3, constraints=2, seed=7)
    assert again.evaluate(units).tolist() == profits.tolist()
    with pytest.raises(ValueError, match="constraints = 0, but it must be at least 1"):
        pb.random_knapsack(9, constraints=0)
    assert pb.random_knapsack(1).d == 2
