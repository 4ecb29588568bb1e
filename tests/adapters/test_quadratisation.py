"""Quadratisation: the minimum over the added variables is f, for every solution."""

import sys
from itertools import product
from typing import Any

import numpy as np
import pytest

from paretoball import Landscape
from paretoball.adapters.quadratisation import BYTES, quadratised
from paretoball.system import capped

pytest.importorskip("dimod")


def all_bits(n: int) -> np.ndarray:
    return np.array(list(product([0, 1], repeat=n)), np.uint8)


def random_minimised(rng: np.random.Generator, unit: Any = 1) -> Landscape:
    """A landscape with one objective, small enough for all solutions of both."""
    n = int(rng.integers(3, 6))
    terms = []
    for _ in range(int(rng.integers(1, 5))):
        k = int(rng.integers(1, min(n, 4) + 1))
        table = (rng.integers(-9, 10, 1 << k) * unit).tolist()
        terms.append((rng.permutation(n)[:k].tolist(), table))
    return Landscape.from_subfunctions(n, [terms], "min")


def test_the_minimum_over_the_added_variables_is_f():
    rng = np.random.default_rng(1)
    higher = 0
    for _ in range(60):
        landscape = random_minimised(rng)
        quadratic = quadratised(landscape)
        added = quadratic.n - landscape.n
        assert quadratic.k <= 2 or quadratic is landscape
        assert added <= 10
        X = all_bits(quadratic.n)  # the added variables count fastest
        lowest = quadratic.evaluate(X)[:, 0].reshape(-1, 1 << added).min(axis=1)
        assert (
            lowest.tolist() == landscape.evaluate(all_bits(landscape.n))[:, 0].tolist()
        )
        higher += added > 0
    assert higher > 30


def test_with_the_products_as_they_are_told_by_their_labels_both_are_equal():
    rng = np.random.default_rng(2)
    for unit in [1] * 20 + [0.01] * 20:
        landscape = random_minimised(rng, unit)
        quadratic = quadratised(landscape)
        assert quadratic.labels[: landscape.n] == landscape.labels
        X = all_bits(landscape.n)
        products = [
            X[:, [int(v) for v in label.split("*")]].all(axis=1)
            for label in quadratic.labels[landscape.n :]
        ]
        Z = np.column_stack([X, *products]).astype(np.uint8)
        assert quadratic.evaluate(Z).tolist() == landscape.evaluate(X).tolist()
        assert quadratic.real == landscape.real


def test_a_landscape_of_degree_two_stays_as_it_is():
    flat = Landscape.from_subfunctions(3, [[((0, 1, 2), [0, 1, 1, 0] * 2)]], "min")
    assert quadratised(flat) is flat


def test_labels_of_products_are_new():
    labels = ["a", "b", "a*b", "_a*b"]
    cubic = [((0, 1, 2, 3), [0] * 15 + [1]), ((0, 1), [0, 0, 0, 1])]
    cubic += [((0, 1, j), [0] * 7 + [1]) for j in (2, 3)]  # so that a*b pays
    landscape = Landscape.from_subfunctions(4, [cubic], "min", labels, ["cost"])
    quadratic = quadratised(landscape)
    assert quadratic.labels[4] == "__a*b"
    assert quadratic.names == ("cost",)


def test_what_is_not_one_minimised_objective_is_refused():
    table = [((0, 1, 2), [0] * 7 + [1])]
    for objectives, sense in (([table], "max"), ([table, table], "min")):
        landscape = Landscape.from_subfunctions(3, objectives, sense)
        with pytest.raises(ValueError, match="one objective, which is minimised"):
            quadratised(landscape)


def test_what_does_not_fit_in_exact_arithmetic_is_refused():
    large = Landscape.from_subfunctions(3, [[((0, 1, 2), [0] * 7 + [2**61])]], "min")
    with pytest.raises(OverflowError, match=r"reach 2.08e\+19 steps of 1,"):
        quadratised(large)
    rng = np.random.default_rng(3)
    tables = [((0, 1, 2, 3), rng.random(16).tolist())]
    real = Landscape.from_subfunctions(4, [tables], "min")
    with pytest.raises(OverflowError, match="real, at 2\\*\\*51"):
        quadratised(real)


@pytest.mark.parametrize("factor", [-7, 7])
def test_products_of_products(factor):
    table = [0] * 127 + [factor]
    landscape = Landscape.from_subfunctions(7, [[(range(7), table)]], "min")
    quadratic = quadratised(landscape)
    assert quadratic.n == 7 + 5
    lowest = quadratic.evaluate(all_bits(12)).reshape(-1, 1 << 5).min(axis=1)
    assert lowest.tolist() == table


@pytest.mark.parametrize(("rise", "fall"), [(3, -7), (7, -3), (5, -5), (0, -2)])
def test_a_wrong_product_costs_what_it_takes_and_not_more(rise, fall):
    """With x[0] x[1] as p, p = 1 costs three times the larger of rises and falls."""
    cubic = [((0, 1, 2), [0] * 7 + [rise]), ((0, 1, 3), [0] * 7 + [fall])]
    landscape = Landscape.from_subfunctions(4, [cubic], "min")
    quadratic = quadratised(landscape)
    assert quadratic.n == 5
    if rise:
        assert quadratic.labels[4] == "0*1"
        penalty = max(rise, -fall)
        assert quadratic.evaluate([0, 0, 0, 0, 1]).tolist() == [3 * penalty]
        assert quadratic.evaluate([1, 0, 0, 0, 1]).tolist() == [penalty]
        assert quadratic.evaluate([1, 1, 0, 0, 0]).tolist() == [penalty]


def test_what_dimod_would_take_is_told_first():
    """One product of three variables has three pairs, one of four has six."""
    given = [((0, 1, 2), [0] * 7 + [1]), ((3, 1, 2, 0), [0] * 15 + [1])]
    landscape = Landscape.from_subfunctions(4, [given], "min")
    needed = BYTES * (3 + 6)
    words = "the products of pairs in a landscape take 8.8 KiB, but"
    with capped(needed - 1), pytest.raises(MemoryError, match=words):
        quadratised(landscape)
    with capped(needed):
        assert quadratised(landscape).k == 2


def test_without_dimod_one_line_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "dimod", None)
    landscape = Landscape.from_subfunctions(3, [[(range(3), [0] * 7 + [1])]], "min")
    with pytest.raises(ImportError, match=r"pip install 'paretoball\[dimod\]'$"):
        quadratised(landscape)
