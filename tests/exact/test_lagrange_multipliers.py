"""Multipliers: bounds that no feasible solution exceeds, close to the least ones."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import paretoball as pb
from paretoball.exact.constraint_columns import with_columns
from paretoball.exact.front_elimination import Elimination
from paretoball.exact.lagrange_multipliers import multipliers_of
from paretoball.exact.lone_variables import ordered_solver
from paretoball.exact.supported_front import Solver


def nothing(*_):
    """Spend it."""


def sum_of(values):
    """A table for each variable."""
    return [((j,), (0, value)) for j, value in enumerate(values.tolist())]


def knapsack(n, m, seed, d=2):
    """Profits, weights, and the columns of a landscape of them, of which half fits."""
    rng = np.random.default_rng(seed)
    profits, weights = rng.integers(10, 100, (d, n)), rng.integers(10, 100, (m, n))
    landscape = pb.Landscape.from_subfunctions(
        n,
        [sum_of(each) for each in profits],
        constraints=[(sum_of(each), "<=", int(each.sum() // 2)) for each in weights],
    )
    return profits, weights, with_columns(landscape)


def elimination_of(columns):
    """The elimination of a landscape with columns."""
    solver = Solver(columns.landscape)
    d = columns.landscape.d - len(columns.targets)
    needs = columns.targets - np.array(solver.lowest[d:])
    return Elimination(solver.schedule, solver.tables, needs)


def least_bound(profits, weights):
    """The optimum of the relaxed knapsack: items by profit per weight, the last cut."""
    capacity, value = weights.sum() // 2, 0.0
    for j in np.argsort(-profits / weights):
        share = min(1.0, capacity / weights[j])
        capacity -= share * weights[j]
        value += share * profits[j]
    return value


@pytest.mark.parametrize("seed", range(4))
def test_multipliers_of_one_capacity_are_close_to_the_best_ones(seed):
    profits, weights, columns = knapsack(20, 1, seed)
    w = np.array([[1.0, 1e-9], [1e-9, 1.0], [0.5, 0.5]])
    multipliers, bounds = multipliers_of(elimination_of(columns), w, nothing)
    assert (multipliers > 0).all()
    least = [least_bound(each @ profits, weights[0]) for each in w]
    assert (bounds >= np.array(least) - 1e-6).all()
    assert_allclose(bounds, least, rtol=2e-3)


@pytest.mark.parametrize("m", [1, 2, 3])
def test_no_feasible_solution_exceeds_the_bounds(m):
    profits, weights, columns = knapsack(12, m, m)
    rng = np.random.default_rng(1)
    w = rng.random((6, 2))
    multipliers, bounds = multipliers_of(elimination_of(columns), w, nothing)
    assert (multipliers >= 0).all()
    X = np.arange(1 << 12)[:, None] >> np.arange(12) & 1
    left = weights.sum(axis=1) // 2 - X @ weights.T
    fits = (left >= 0).all(axis=1)
    best = (X[fits] @ profits.T @ w.T).max(axis=0)
    assert (best <= bounds + 1e-9).all()
    assert (bounds < 1.1 * best).all()


def test_constraints_that_cost_nothing_are_worth_nothing():
    ones = sum_of(np.ones(12, int))
    landscape = pb.Landscape.from_subfunctions(
        12, [ones, ones], constraints=[(ones, ">=", 6)]
    )
    of = elimination_of(with_columns(landscape))
    multipliers, bounds = multipliers_of(of, np.ones((1, 2)), nothing)
    assert multipliers.tolist() == [[0.0]]
    assert bounds.tolist() == [24.0]


@pytest.mark.parametrize("d", [1, 2])
def test_items_that_are_clearly_in_or_out_are_eliminated_first(d):
    """With two objectives, they are so by the second one only."""
    profits = np.array([10, 90, 11, 9, 10, 1, 10, 12, 60, 10])
    weights = np.array([10, 10, 10, 10, 10, 60, 10, 10, 10, 10])
    even = np.where(weights > 10, 60, 10)
    landscape = pb.Landscape.from_subfunctions(
        10,
        [sum_of(profits)] if d == 1 else [sum_of(even), sum_of(profits)],
        constraints=[(sum_of(weights), "<=", int(weights.sum()) // 2)],
    )
    solver = ordered_solver(with_columns(landscape), nothing)
    order = solver.schedule.variables[::-1].tolist()
    assert set(order[:3]) == {1, 5, 8}
    assert sorted(order) == list(range(10))
