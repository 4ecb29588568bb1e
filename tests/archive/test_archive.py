"""The archive: never a dominated vector, never a lost or an invented one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from archives import brute_force, check_boxes, numbered
from paretoball import Archive
from paretoball.archive.archive import FEW, Found
from paretoball.archive.nd_tree import FANOUT
from paretoball.archive.points import Points
from paretoball.archive.trails import Trail


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


def test_reals_one_step_apart_stay_apart():
    archive = Archive(2)
    step = 2.0**-52
    vectors = [[1.0 + (760 + i) * step, 1.3 - i * step] for i in range(3 * FANOUT)]
    for vector in vectors:
        archive.report(vector, [1])
    assert archive.F.tolist() == vectors


@pytest.mark.bounds
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
    assert len(merged.trails) <= 2 * max(FEW, len(merged))


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
        ([2**62 + 1, 1], [0], OverflowError),
        ([0, -(2**62) - 512], [0], OverflowError),
        ([1, 2], [2], ValueError),
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(fx, x, error):
    archive = Archive(2, "min")
    with pytest.raises(error):
        archive.report(fx, x)
    assert len(archive) == 0


# Copies


def filled(rng, count, sense="max"):
    """An archive with so many reports, whose solutions tell what they were."""
    archive = Archive(2, sense)
    for _ in range(count):
        x = rng.integers(0, 2, 12)
        archive.report([int(x[:8].sum()), -int(x[4:].sum())], x)
    return archive


def state_of(archive):
    """All that a user sees of an archive."""
    return len(archive), archive.F.tolist(), archive.X.tolist(), archive.sense


@pytest.mark.parametrize("changed", ["original", "copy"])
def test_a_copy_and_its_original_go_separate_ways(changed):
    rng = np.random.default_rng(5)
    original = filled(rng, 60, ["max", "min"])
    twin = original.copy()
    assert state_of(twin) == state_of(original)
    one, other = (original, twin) if changed == "original" else (twin, original)
    before, boxes = state_of(other), [part.copy() for part in other._tree[1:]]
    trails = dict(other.trails)
    for at in range(5000):  # enough for the tree to need more room
        one.report([at - 5000, at - 9999], np.arange(12) == at % 12)
    one.merge(filled(rng, 50, ["max", "min"]))
    one.keep_least_crowded(3)
    one.report([10**6, -(10**6)], np.zeros(12))
    assert len(one) == 1
    assert state_of(other) == before
    assert other.trails == trails
    for now, then in zip(other._tree[1:], boxes):
        assert_array_equal(now, then)
    check_boxes(other._tree)


def test_a_copy_takes_in_what_its_original_would_have():
    rng = np.random.default_rng(6)
    original = filled(rng, 40)
    twin = original.copy()
    more = filled(rng, 40)
    assert state_of(twin.merge(more)) == state_of(original.merge(more))


def test_an_empty_archive_has_an_empty_copy():
    twin = Archive(3, "min").copy()
    assert state_of(twin) == (0, [], [], ("min",) * 3)
    assert twin.report([1, 2, 3], [0, 1])


# What units of a run found


def test_what_units_found_can_be_handed_over():
    whole = Archive(2)
    points = numbered([[0, 9], [9, 0], [5, 5], [1, 1]], optimum=1)
    trails = {unit: trail_of_unit(unit) for unit in range(4)}
    whole.take_found(4, Found(points, trails))
    assert whole.F.tolist() == [[0, 9], [5, 5], [9, 0]]
    assert (whole.X @ (1 << np.arange(4))).tolist() == [0, 2, 1]
    some = whole.found_by(1, 2)
    assert sorted(some.points.unit.tolist()) == [1, 2]
    assert some.points.optimum.tolist() == [1, 1]
    assert sorted(some.trails) == [1, 2]
    assert whole.found_by(3, 5).points.size == 0
    other = Archive(2)
    other.take_found(4, some)
    assert other.F.tolist() == [[5, 5], [9, 0]]
    assert (other.X @ (1 << np.arange(4))).tolist() == [2, 1]


def trail_of_unit(unit):
    """The trail of one solution: the number of its unit in four bits."""
    return Trail.of_one((unit >> np.arange(4) & 1).astype(np.uint8))


@pytest.mark.parametrize("later", [[7], [2, 7], [7, 9], [2]])
def test_a_unit_that_is_run_again_keeps_the_solutions_of_both_runs(later):
    """Points of the first run may have steps that the trail of the second lacks."""
    flips = np.arange(10, dtype=np.int32)
    X = np.tril(np.ones((11, 10), np.uint8), -1)  # after so many flips of zeros
    archive = Archive(2)
    seen: set[int] = set()
    for steps in ([2, 4], later):
        fx = np.array([[step, -step] for step in steps])
        tags = np.column_stack(
            [np.full(len(steps), 3), steps, np.zeros(len(steps), int)]
        )
        archive.take_in(Points.tagged(fx, tags))
        trail = Trail.along(X[0], flips, np.array(steps), np.array(steps))
        archive.keep_trails(10, {3: trail})
        seen |= {*steps}
        assert archive.F[:, 0].tolist() == sorted(seen)
        assert_array_equal(archive.X, X[sorted(seen)])
