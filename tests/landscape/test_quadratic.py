"""Quadratic forms of objectives: the same values, or why there is no form."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import paretoball as pb
from landscapes import solutions_of
from paretoball import Landscape
from paretoball.landscape import (
    TooHighDegree,
    constraint_polynomial,
    constraint_values,
    quadratic_form,
)
from paretoball.system import capped
from quadratics import random_matrices

LINEAR = [((2,), [0, 5]), ((4,), [1, -2])]
PAIRED = [((3, 1), [4, 0, 0, 1]), ((), [7]), ((2,), [3, 1]), ((1, 3), [0, 2, 2, 2])]
CUBIC = [((0, 1), [0, 0, 0, 1]), ((1, 2, 3), [0] * 7 + [4]), ((0, 1, 3), [1, *[0] * 7])]


def form_values(landscape: Landscape, i: int, X: np.ndarray) -> list[int]:
    """What the form of objective i is worth for each row of X."""
    form = quadratic_form(landscape, i)
    assert (form.pairs[:, 0] < form.pairs[:, 1]).all()
    assert form.factors.all()
    assert type(form.constant) is int
    both = X[:, form.pairs[:, 0]] * X[:, form.pairs[:, 1]]
    values = form.constant + X @ form.linear + both @ form.factors
    return list(map(int, values))


@pytest.mark.parametrize("sense", [["max"] * 3, ["min"] * 3, ["min", "max", "min"]])
def test_a_form_has_the_values_of_its_objective(sense):
    X = solutions_of(5).astype(int)
    few = Landscape.from_subfunctions(5, [LINEAR, PAIRED, []], sense)
    Q = random_matrices(np.random.default_rng(1), 5, 3)
    dense = pb.qubo(Q, sense=sense)
    assert few.square is None
    assert dense.square is not None
    shifted = Landscape.from_square(
        dense.square._replace(constant=np.array([3, 0, -8])), sense
    )
    for landscape in (few, shifted):
        F = landscape.evaluate(X)
        for i in range(3):
            assert form_values(landscape, i, X) == F[:, i].tolist()


def test_a_product_of_three_is_told_by_its_labels():
    other = [((2, 1, 0), [0] * 7 + [1])]
    senses = ["max", "min", "max", "min"]
    landscape = Landscape.from_subfunctions(
        5, [other, CUBIC, PAIRED, LINEAR], senses, labels=["a", "b", "c", "d", "e"]
    )
    text = r"^objective 1 has the product 'a' \* 'b' \* 'd' of 3 variables"
    with pytest.raises(TooHighDegree, match=text):
        quadratic_form(landscape, 1)
    X = solutions_of(5).astype(int)
    for i in (2, 3):
        assert form_values(landscape, i, X) == landscape.evaluate(X)[:, i].tolist()


def test_the_polynomial_of_a_constraint_has_its_values():
    rows: list[Any] = [
        (PAIRED, "<=", 99),
        (CUBIC, ">=", -99),
        ([((1, 0), [0.5, 0, 0.25, 0.5])], "<=", 99),
        ([((3, 0, 2), [Fraction(k, 8) for k in range(8)]), ((0,), [0, 1])], ">=", -99),
    ]
    landscape = Landscape.from_subfunctions(5, [LINEAR], constraints=rows)
    values = np.zeros(4, np.int64)
    polynomials = [constraint_polynomial(landscape, c) for c in range(4)]
    assert all(all(each.values()) for each in polynomials)
    assert all(list(mask) == sorted(set(mask)) for each in polynomials for mask in each)
    for x in solutions_of(5):
        constraint_values(landscape.constraint_rows, x, values)
        for polynomial, found in zip(polynomials, values.tolist()):
            own = [one for mask, one in polynomial.items() if x[list(mask)].all()]
            assert sum(own) == found


def test_a_form_too_large_is_told_by_the_pairs_of_its_own_objective():
    Q = random_matrices(np.random.default_rng(1), 5, 3)
    landscape = pb.qubo(Q)
    for i, own in enumerate(Q):
        pairs = np.count_nonzero(np.triu(own, 1))
        text = f"^a quadratic form of {pairs} pairs needs"
        with pytest.raises(MemoryError, match=text), capped(1):
            quadratic_form(landscape, i)
