"""Random k-SAT: as many clauses as asked, of k distinct variables, fair coins."""

import numpy as np
import pytest

import paretoball as pb
from landscape_files import assert_same


def test_each_objective_has_its_clauses_of_k_distinct_variables():
    landscape = pb.random_sat(50, clauses=300, k=4, d=3, seed=1)
    given = landscape.subfunctions
    assert (landscape.n, landscape.d, landscape.m, landscape.k) == (50, 3, 900, 4)
    assert landscape.sense == ("max",) * 3
    masks = np.sort(given.masks.reshape(900, 4), axis=1)
    assert (np.diff(masks, axis=1) > 0).all()
    assert (masks.min(), masks.max()) == (0, 49)
    tables = given.tables.reshape(900, 16)
    assert (tables.sum(axis=1) == 15).all()
    assert ((tables == 0).sum(axis=1) == 1).all()
    assert not np.array_equal(masks[:300], masks[300:600])


def test_negations_and_variables_are_drawn_fairly():
    landscape = pb.random_sat(20, clauses=40_000, k=3, d=1, seed=2)
    wrong = np.argmin(landscape.subfunctions.tables.reshape(-1, 8), axis=1)
    for counts in (
        np.bincount(wrong, minlength=8),
        np.bincount(landscape.subfunctions.masks, minlength=20),
    ):
        expected = counts.mean()
        assert (np.abs(counts - expected) < 5 * np.sqrt(expected)).all()


def test_weights_are_uniform_from_1_on():
    landscape = pb.random_sat(30, clauses=2000, d=1, weights=5, seed=3)
    weights = landscape.subfunctions.tables.reshape(-1, 8).max(axis=1)
    counts = np.bincount(weights, minlength=6)
    assert counts[0] == 0
    assert len(counts) == 6
    assert (np.abs(counts[1:] - 400) < 100).all()


def test_the_ratio_says_how_many_clauses_there_are():
    assert pb.random_sat(1000, d=1, seed=1).m == 4200
    assert pb.random_sat(10, ratio=3.04, d=2, seed=1).m == 60
    assert pb.random_sat(10, ratio=3.06, d=2, seed=1).m == 62
    assert pb.random_sat(3, k=3, ratio=1, d=1, seed=1).k == 3
    assert pb.random_sat(3, ratio=0.01, d=1, seed=1).m == 1
    assert pb.random_sat(100, clauses=7, ratio=3, d=1, seed=1).m == 7


def test_the_same_seed_gives_the_same_landscape():
    one = pb.random_sat(40, seed=7, weights=9)
    assert_same(one, pb.random_sat(40, rng=7, weights=9))
    other = pb.random_sat(40, seed=8, weights=9)
    assert not np.array_equal(one.subfunctions.masks, other.subfunctions.masks)


@pytest.mark.parametrize(
    ("wrong", "kind", "text"),
    [
        ({"n": 0}, ValueError, "n = 0"),
        ({"n": 2}, ValueError, "k = 3, but it must be from 1 to 2 where n = 2"),
        ({"k": 25}, ValueError, "k = 25, but it must be from 1 to 24"),
        ({"k": 0}, ValueError, "k = 0"),
        ({"d": 0}, ValueError, "d = 0"),
        ({"clauses": 0}, ValueError, "clauses = 0"),
        ({"clauses": 1.5}, TypeError, "clauses = 1.5 is not a whole number"),
        ({"ratio": 0}, ValueError, "ratio = 0, but it must be above 0"),
        ({"ratio": float("nan")}, ValueError, "ratio = nan"),
        ({"ratio": -1.5}, ValueError, "ratio = -1.5"),
        ({"ratio": 2.0**62}, ValueError, r"above 0 and below 2\*\*62"),
        ({"ratio": True}, TypeError, "ratio = True"),
        ({"ratio": "4"}, TypeError, "ratio = '4' is not a number"),
        ({"weights": 0}, ValueError, "weights = 0"),
        ({"clauses": 10**12}, MemoryError, "tables of 8 entries need"),
        ({"seed": 1, "rng": 2}, (TypeError, ValueError), "rng"),
    ],
)
def test_wrong_sizes_are_refused(wrong, kind, text):
    with pytest.raises(kind, match=text):
        pb.random_sat(**({"n": 30} | wrong))
