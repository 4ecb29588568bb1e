"""Squares of subfunctions: made where nothing but memory changes."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import paretoball as pb
from paretoball.landscape import Subfunctions, landscape_digest, square_tables
from paretoball.landscape.square_tables import (
    LEAST,
    new_factors,
    square_of_subfunctions,
)
from paretoball.system import capped
from quadratics import values


def subfunctions(Q: np.ndarray) -> list[list[Any]]:
    """Those of x'Qx for upper triangular matrices, in the order of a square."""
    n = Q.shape[1]
    found = []
    for own in Q.tolist():
        alone = [((j,), [0, own[j][j]]) for j in range(n) if own[j][j]]
        pairs = [(i, j) for i in range(n) for j in range(i + 1, n) if own[i][j]]
        found.append(alone + [((i, j), [0, 0, 0, own[i][j]]) for i, j in pairs])
    return found


@pytest.fixture
def any_size(monkeypatch):
    """Small landscapes are kept as squares, too, and by small tiles."""
    monkeypatch.setattr(square_tables, "LEAST", 1)
    monkeypatch.setattr(square_tables, "TILE", 2)


def full(n: int, d: int, seed: int = 1) -> np.ndarray:
    """Upper triangles without a zero."""
    rng = np.random.default_rng(seed)
    return np.triu(rng.integers(1, 9, (d, n, n)) * rng.choice([-1, 1], (d, n, n)))


@pytest.mark.usefixtures("any_size")
@given(st.integers(2, 6), st.integers(1, 3), st.integers(0, 999), st.booleans())
def test_subfunctions_in_order_make_the_square_of_their_matrix(n, d, seed, constant):
    Q = full(n, d, seed) * (np.random.default_rng(seed).random((d, n, n)) < 0.8)
    objectives = subfunctions(Q)
    if constant:
        objectives[0].append(((), [7]))
    landscape = pb.Landscape.from_subfunctions(n, objectives, ["min", "max", "min"][:d])
    right = pb.qubo(Q, landscape.sense, offset=[7 * constant] + [0] * (d - 1))
    assert (landscape.square is None) == (right.square is None)
    if right.square is not None:
        for own, other in zip(landscape.square, right.square, strict=True):
            assert own.dtype == other.dtype
            assert_array_equal(own, other)
    assert landscape_digest(landscape) == landscape_digest(right)
    assert landscape.m == right.m


OTHERS = {
    "swapped pairs": lambda some: [*some[:4], some[5], some[4], *some[6:]],
    "swapped variables": lambda some: [some[1], some[0], *some[2:]],
    "pairs before variables": lambda some: some[4:] + some[:4],
    "a pair below the diagonal": lambda some: [*some[:-1], ((3, 2), some[-1][1])],
    "a pair twice": lambda some: [*some, some[-1]],
    "a variable twice": lambda some: [some[0], *some],
    "a factor of 0": lambda some: [((0,), [0, 0]), *some[1:]],
    "a pair of 0": lambda some: [*some[:-1], ((2, 3), [0, 0, 0, 0])],
    "a constant of 0": lambda some: [*some, ((), [0])],
    "two constants": lambda some: [*some, ((), [1]), ((), [1])],
    "a constant first": lambda some: [((), [1]), *some],
    "a table of a variable": lambda some: [((0,), [1, 2]), *some[1:]],
    "a table of a pair": lambda some: [*some[:-1], ((2, 3), [0, 0, 1, 2])],
    "three variables": lambda some: [*some, ((0, 1, 2), [0] * 7 + [1])],
    "a real number": lambda some: [*some[:-1], ((2, 3), [0, 0, 0, 0.5])],
    "few pairs": lambda some: some[:4],
}


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("change", OTHERS.values(), ids=OTHERS)
def test_other_subfunctions_stay_as_they_are(change):
    given = change(subfunctions(full(4, 1))[0])
    landscape = pb.Landscape.from_subfunctions(4, [given])
    assert landscape.square is None
    assert landscape.m == len(given)
    assert landscape.subfunctions.masks.tolist() == [
        j for mask, _ in given for j in mask
    ]


def flat(n: int, pairs: int) -> Subfunctions:
    """One objective of so many pairs."""
    masks = np.stack(np.triu_indices(n, 1), axis=1)[:pairs]
    at = np.arange(pairs + 1)
    tables = np.tile([0, 0, 0, 1], pairs)
    return Subfunctions(at[:-1] * 0, 2 * at, masks.ravel(), 4 * at, tables)


def test_a_square_is_made_of_an_eighth_of_all_pairs_of_many_variables():
    n = 256
    enough = -(-n * (n - 1) // (2 * 8))
    assert square_of_subfunctions(n, 1, flat(n, enough)) is not None
    assert square_of_subfunctions(n, 1, flat(n, enough - 1)) is None
    few = n - 1
    assert square_of_subfunctions(few, 1, flat(few, few * (few - 1) // 2)) is None


def test_a_large_landscape_of_subfunctions_has_the_values_of_its_matrix():
    Q = full(LEAST, 2)
    landscape = pb.Landscape.from_subfunctions(LEAST, subfunctions(Q), ["max", "min"])
    assert landscape.square is not None
    X = np.random.default_rng(0).integers(0, 2, (3, LEAST))
    assert_array_equal(landscape.evaluate(X), values(Q, X))


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize(("most", "size"), [(0, 4), (2**31 - 1, 4), (2**31, 8)])
def test_new_factors_take_what_is_told_of_them_to_the_byte(d, most, size):
    needed = 7 * 7 * d * size
    words = f"^the factors of 7 variables, for {d} objective"
    with capped(needed - 1), pytest.raises(MemoryError, match=words):
        new_factors(7, d, most)
    with capped(needed):
        factors = new_factors(7, d, most)
    assert factors.nbytes == needed
    assert not factors.any()
