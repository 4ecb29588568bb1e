"""The archive: never a dominated vector, never a lost or an invented one."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import naive
from archives import brute_force, check_boxes, numbered
from paretoball import Archive
from paretoball.archive import archive as archive_module
from paretoball.archive.archive import FEW, Found, Near
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
        (np.array([0, 2**63], np.uint64), [0], OverflowError),
        ([True, False], [0], TypeError),
        ([[1, 2]], [0], TypeError),
        ([1, 2], [2], ValueError),
        ([1, 2], [0, -1], ValueError),
        ([1, 2], [[0, 1]], ValueError),
        ([1, 2], 1, ValueError),
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(fx, x, error):
    archive = Archive(2, "min")
    with pytest.raises(error):
        archive.report(fx, x)
    assert len(archive) == archive.n == 0


@pytest.mark.plain
@pytest.mark.parametrize("sense", ["max", "min"])
def test_integers_are_exact_up_to_both_ends(sense):
    archive = Archive(2, sense)
    ends = [[-(2**62), 2**62], [0, 0], [2**62, -(2**62)]]
    for fx in ends:
        assert archive.report(fx, [1])
    assert archive.F.tolist() == ends


@pytest.mark.plain
@pytest.mark.parametrize("x", [[0], [0, 1, 1]])
def test_all_solutions_have_as_many_bits_as_the_first(x):
    archive = Archive(2)
    archive.report([1, 2], [0, 1])
    with pytest.raises(
        ValueError, match=f"x has {len(x)} bits?, but the archive has 2"
    ):
        archive.report([2, 1], x)
    assert (archive.F.tolist(), archive.n) == ([[1, 2]], 2)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("first", "second"), [([1, 2], [2.5, 1.0]), ([1.5, 2], [2, 1])]
)
def test_integers_and_reals_are_not_in_one_archive(first, second):
    archive, other = Archive(2), Archive(2)
    archive.report(first, [0])
    other.report(second, [0])
    with pytest.raises(TypeError, match="integers or reals, not both"):
        archive.report(second, [1])
    with pytest.raises(ValueError, match="of integers and of reals do not merge"):
        archive.merge(other)
    assert archive.F.tolist() == [first]
    assert Archive(2).merge(archive).F.dtype == archive.F.dtype


@pytest.mark.plain
@pytest.mark.parametrize("sense", ["max", "min"])
def test_zeros_of_either_sign_are_equal_reals(sense):
    archive = Archive(2, sense)
    assert archive.report([0.0, -0.0], [0])
    assert not archive.report([-0.0, 0.0], [1])
    better = 0.5 if sense == "max" else -0.5
    assert archive.report([-0.0, better], [1])
    assert archive.F.tolist() == [[0.0, better]]


@pytest.mark.plain
@given(
    st.lists(st.tuples(*[st.floats(allow_nan=False)] * 2), min_size=1, max_size=20),
    st.sampled_from([("max", "max"), ("min", "max"), ("min", "min")]),
)
def test_reals_have_the_front_of_their_values(vectors, sense):
    archive = Archive(2, sense)
    for vector in vectors:
        archive.report(vector, [1])
    assert list(map(tuple, archive.F.tolist())) == naive.pareto_front(vectors, sense)


# Merging


@pytest.mark.plain
def test_what_does_not_fit_together_does_not_merge_and_stays_as_it_was():
    archive = Archive(2, ["max", "min"])
    archive.report([1, 2], [0, 1])
    before = state_of(archive)
    longer = Archive(2, ["max", "min"])
    longer.report([5, 0], [0, 1, 1])
    for other, words in (
        (Archive(2), "unequal objectives or senses"),
        (Archive(2, ["min", "max"]), "unequal objectives or senses"),
        (Archive(3), "unequal objectives or senses"),
        (longer, "solutions of 3 bits do not merge with 2"),
    ):
        with pytest.raises(ValueError, match=words):
            archive.merge(other)
        assert state_of(archive) == before


@pytest.mark.plain
def test_an_archive_merges_with_an_empty_one_either_way():
    archive, empty = filled(np.random.default_rng(7), 30), Archive(2)
    before = state_of(archive)
    assert archive.merge(empty) is archive
    assert state_of(archive) == before
    assert state_of(empty.merge(archive)) == before
    assert state_of(archive) == before
    assert len(Archive(2).merge(Archive(2))) == 0


def of_units(units, n=4):
    """An archive in which each unit has found (unit, -unit), and is told by its x."""
    archive = Archive(2)
    none = np.zeros(len(units), np.int64)
    fx = np.array([[unit, -unit] for unit in units])
    points = Points(fx, np.array(units), none, none)
    archive.take_found(n, Found(points, {unit: trail_of_unit(unit) for unit in units}))
    return archive


@pytest.mark.plain
@pytest.mark.parametrize(
    ("mine", "other", "numbers"),
    [
        ([0, 1], [2, 3], [0, 1, 2, 3]),
        ([2, 5], [3], [2, 5, 3]),
        ([0, 4], [4, 6], [0, 4, 5 + 6]),  # of equal vectors the lowest stays
        ([3], [1, 3, 7], [3, 4 + 1, 4 + 7]),
    ],
)
def test_units_that_both_have_get_new_numbers(mine, other, numbers):
    merged = of_units(mine).merge(of_units(other))
    values = sorted({*mine, *other})
    assert merged.F[:, 0].tolist() == values
    assert (merged.X @ (1 << np.arange(4))).tolist() == values
    assert sorted(merged.points().unit.tolist()) == sorted(numbers)
    assert merged.numbered == 1 + max(merged.trails)
    merged.report([99, 99], [1, 1, 1, 1])
    assert merged.X.tolist() == [[True] * 4]


@pytest.mark.plain
def test_an_archive_tells_how_many_vectors_it_has():
    archive = Archive(2)
    assert repr(archive) == "Archive of 0 non-dominated vectors, d = 2"
    archive.report([1, 2], [0])
    assert repr(archive) == "Archive of 1 non-dominated vector, d = 2"


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


@pytest.mark.plain
def test_of_what_is_not_feasible_the_nearest_of_the_lowest_unit_is_kept():
    near = [Near(v, unit, np.zeros(1, np.uint8)) for v, unit in NEAR_ONES]
    for order in permutations(near):
        archive = Archive(2)
        for each in (None, *order, None):
            archive.keep_near(each)
        assert archive.near is near[0]
        again = Archive(2)
        again.take_found(4, archive.found_by(0, 9))
        assert again.near is near[0]
        again.keep_near(near[0]._replace(x=np.ones(1, np.uint8)))
        assert again.near is near[0]


NEAR_ONES = [(1, 3), (1, 5), (2, 0), (3, 4)]


@pytest.mark.plain
def test_the_nearest_is_handed_over_by_those_units_that_found_it():
    archive = Archive(2)
    archive.keep_near(Near(2, 5, np.zeros(1, np.uint8)))
    for first, count, is_theirs in [
        (5, 1, True),
        (0, 6, True),
        (4, 3, True),
        (0, 5, False),
        (6, 9, False),
        (5, 0, False),
    ]:
        assert (archive.found_by(first, count).near is not None) == is_theirs


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


def test_trails_are_cut_to_what_points_need_once_they_have_many_flips(monkeypatch):
    monkeypatch.setattr(archive_module, "MANY", 40)
    archive = Archive(2)
    flips = np.tile(np.arange(10, dtype=np.int32), 3)
    steps, x = np.arange(31), np.zeros(10, np.uint8)
    none, held = np.zeros(2, np.int64), []
    for unit in range(3):
        fx = np.array([[1, 0], [0, 1]]) + 9 * unit  # above all before
        archive.take_in(Points(fx, none + unit, np.array([0, 20]), none))
        archive.keep_trails(10, {unit: Trail.along(x, flips, steps, steps)})
        held.append(sum(len(trail.flips) for trail in archive.trails.values()))
        assert len(archive) == 2
        assert not archive.X.any()  # all variables have flipped twice
    assert held == [30, 30, 30]  # at first there are not many
    assert archive.trails[2].steps.tolist() == [0, 20]
