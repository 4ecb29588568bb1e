"""The archive: never a dominated vector, never a lost or an invented one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paretoball import Archive
from paretoball.boxes import FANOUT, points_of


def brute_force(vectors):
    """The distinct vectors that no other one dominates, ascending."""
    kept = {
        tuple(p)
        for p in vectors
        if not any(all(a >= b for a, b in zip(q, p)) and q != p for q in vectors)
    }
    return sorted(map(list, kept))


@given(
    st.integers(1, 4).flatmap(
        lambda d: st.lists(
            st.lists(st.integers(-6, 6), min_size=d, max_size=d), min_size=1
        )
    )
)
def test_the_front_is_that_of_brute_force(vectors):
    archive = Archive(len(vectors[0]))
    for at, vector in enumerate(vectors):
        archive.report(vector, [at >> b & 1 for b in range(8)])
    assert archive.F.tolist() == brute_force(vectors)
    assert len(archive) == len(archive.F)


@pytest.mark.parametrize("d", [2, 3, 5])
def test_large_fronts_equal_brute_force(d):
    rng = np.random.default_rng(d)
    F = rng.integers(0, 60, (3000, d))
    F[:, 0] = 60 * d - F[:, 1:].sum(axis=1) + rng.integers(0, 4, 3000)
    archive = Archive(d)
    for vector in F:
        archive.report(vector, [0])
    better = (F[:, None] >= F[None]).all(axis=2) & (F[:, None] > F[None]).any(axis=2)
    assert archive.F.tolist() == np.unique(F[~better.any(axis=0)], axis=0).tolist()


@pytest.mark.parametrize("start", [0, 2**53 - 5, *range(2**60 + 56, 2**60 + 2000, 64)])
def test_neighbours_that_floats_cannot_tell_apart_stay_apart(start):
    archive = Archive(2)
    vectors = [[start + i, start - i] for i in range(5 * FANOUT)]
    for vector in vectors:
        assert archive.report(vector, [0, 1])
    assert archive.F.tolist() == vectors
    assert len(points_of(archive.tree)) == len(archive) == len(vectors)


def test_reals_one_step_apart_stay_apart():
    archive = Archive(2)
    step = 2.0**-52
    vectors = [[1.0 + (760 + i) * step, 1.3 - i * step] for i in range(3 * FANOUT)]
    for vector in vectors:
        archive.report(vector, [1])
    assert archive.F.tolist() == vectors


def test_solutions_belong_to_their_vectors_after_drops_and_merges():
    rng = np.random.default_rng(0)
    archives = [Archive(2, ["max", "min"]) for _ in range(3)]
    for archive in archives:
        for _ in range(400):
            x = rng.integers(0, 2, 12)
            archive.report([int(x[:8].sum()), int(x[4:].sum())], x)
    merged = archives[0].merge(archives[1]).merge(archives[2])
    X = merged.X.astype(int)
    assert merged.F.tolist() == [[x[:8].sum(), x[4:].sum()] for x in X]
    assert len(merged.trails) <= len(merged)


def test_of_equal_vectors_the_first_stays():
    archive = Archive(2)
    assert archive.report([1, 2], [0, 1])
    assert not archive.report([1, 2], [1, 0])
    assert archive.X.tolist() == [[False, True]]


@pytest.mark.parametrize(
    ("fx", "x", "error"),
    [
        ([1], [0], TypeError),
        (["a", "b"], [0], TypeError),
        ([1.0, float("nan")], [0], ValueError),
        ([-(2**63), 1], [0], OverflowError),
        ([1, 2], [2], ValueError),
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(fx, x, error):
    archive = Archive(2, "min")
    with pytest.raises(error):
        archive.report(fx, x)
    assert len(archive) == 0
