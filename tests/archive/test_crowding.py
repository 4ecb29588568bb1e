"""Crowding: the points that the definition keeps, in whatever order they come."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from archives import VALUES, check_boxes, numbered
from paretoball import Archive
from paretoball.archive import archive as archive_module
from paretoball.archive import crowding
from paretoball.archive.crowding import least_crowded

plain_and_bounds = [pytest.mark.plain, pytest.mark.bounds]
any_d = pytest.mark.parametrize("d", [pytest.param(2, marks=plain_and_bounds), 1, 3, 4])


@st.composite
def fronts(draw, d):
    """Non-dominated vectors in any order, most of what was drawn if d > 1."""
    values = draw(st.sampled_from(VALUES))
    vectors = draw(st.lists(st.tuples(*[values] * d), min_size=1, max_size=30))
    if d > 1 and draw(st.booleans()):
        vectors = [(*v[:-1], -sum(v[:-1]) // d) for v in vectors]
    if d > 2 and draw(st.booleans()):  # an objective in which all are equal
        vectors = [(*v[:-2], 7, v[-1]) for v in vectors]
    return draw(st.permutations(naive.pareto_front(vectors)))


def kept_of(points, keep):
    """The vectors that are kept, ascending."""
    rows = least_crowded(np.array(points, np.int64), keep)
    assert rows.tolist() == sorted(set(rows.tolist()))
    return sorted(tuple(points[row]) for row in rows)


@any_d
@given(st.data())
def test_what_is_kept_is_what_the_definition_keeps(d, data):
    front = data.draw(fronts(d))
    keep = data.draw(st.integers(1, len(front)))
    assert kept_of(front, keep) == naive.least_crowded(front, keep)


@any_d
@given(st.data())
def test_an_archive_keeps_the_least_crowded_with_their_solutions(d, data):
    front = data.draw(fronts(d))
    archive = Archive(d)
    for number, fx in enumerate(front):
        archive.report(fx, [number >> b & 1 for b in range(5)])
    size = data.draw(st.integers(1, len(front) + 1))
    assert archive.keep_least_crowded(size) == (size < len(front))
    kept = naive.least_crowded(front, size)
    assert list(map(tuple, archive.F.tolist())) == kept
    numbers = archive.X @ (1 << np.arange(5))
    assert [front[number] for number in numbers] == kept
    assert len(archive) == len(kept)
    check_boxes(archive._tree)


@pytest.mark.plain
@pytest.mark.parametrize("d", [2, 3, 10])
def test_the_order_of_points_does_not_matter(d):
    rng = np.random.default_rng(d)
    points = rng.integers(0, 12, (400, d))
    points[:, -1] = -points[:, :-1].sum(axis=1)
    points = np.unique(points, axis=0)
    for keep in (1, 2 * d, len(points) // 2):
        orders = [rng.permutation(len(points)) for _ in range(4)]
        seen = {tuple(kept_of(points[order].tolist(), keep)) for order in orders}
        assert len(seen) == 1


def test_a_coarse_front_is_thinned_out_all_over():
    radius = 200
    f_0, f_1 = np.indices((radius, radius)).reshape(2, -1)
    f_2 = np.sqrt(np.maximum(radius**2 - f_0**2 - f_1**2, 0)).astype(np.int64)
    points = np.column_stack([f_0, f_1, f_2])
    archive = Archive(3)
    archive.take_in(numbered(points))
    front = archive.F
    is_kept = np.zeros(len(front), bool)
    is_kept[least_crowded(front, len(front) // 2)] = True
    for tenth in np.array_split(is_kept, 10):  # by ascending f_0
        assert 0.3 < tenth.mean() < 0.7


@pytest.mark.plain
def test_minus_zero_is_zero():
    rising = np.arange(-20.0, 21.0)
    points = np.column_stack([rising, -rising, np.zeros(41)])
    negative = np.where(points == 0, -0.0, points)
    for keep in range(3, 41):
        expected = least_crowded(points + 0.0, keep).tolist()
        assert least_crowded(negative, keep).tolist() == expected


@pytest.mark.plain
@pytest.mark.parametrize("start", [-(2**62), 0, 2**62 - 40])
def test_gaps_that_floats_cannot_tell_apart_count(start):
    places = [0, 10, 11, 12, 25, 40]
    points = [(start + at, -start - at) for at in places]
    gone = set(points) - set(kept_of(points, 5))
    assert gone == {points[2]}


@pytest.mark.plain
def test_the_ends_of_every_objective_stay_while_there_is_room():
    rng = np.random.default_rng(1)
    points = rng.integers(0, 10**6, (500, 3))
    points[:, 2] = -points[:, :2].sum(axis=1)
    ends = {int(at) for i in range(3) for at in np.argsort(points[:, i])[[0, -1]]}
    assert ends <= set(least_crowded(points, len(ends)).tolist())


@pytest.mark.plain
def test_neither_layout_nor_scale_of_the_points_matters():
    rising = np.arange(50) ** 2
    points = np.column_stack([rising, -rising])
    expected = least_crowded(points, 20).tolist()
    assert least_crowded(np.asfortranarray(points), 20).tolist() == expected
    assert least_crowded(np.repeat(points, 2, axis=1)[:, ::2], 20).tolist() == expected
    assert least_crowded(points / 8, 20).tolist() == expected


@pytest.mark.plain
@pytest.mark.parametrize("shift", [-40, -12, 0, 30])
@pytest.mark.parametrize("i", [0, 1, 2])
def test_no_objective_counts_more_for_its_range(i, shift):
    rng = np.random.default_rng(i)
    points = rng.random((40, 3)) * 16  # no two distances are equal
    points[:, 2] = -points[:, 0] * points[:, 1]
    expected = least_crowded(points, 20).tolist()
    points[:, i] *= 2.0**shift
    assert least_crowded(points, 20).tolist() == expected


def test_reals_are_as_far_apart_as_their_values_say():
    rng = np.random.default_rng(3)
    whole = rng.integers(-1000, 1000, (60, 2))
    whole[:, 1] = -whole[:, 0]
    archives = Archive(2), Archive(2)
    for fx in np.unique(whole, axis=0):
        for archive, vector in zip(archives, (fx, fx / 8)):
            archive.report(vector, [1])
    for archive in archives:
        assert archive.keep_least_crowded(20)
    assert archives[1].F.tolist() == (archives[0].F / 8).tolist()


@pytest.mark.plain
def test_infinite_reals_are_ends():
    archive = Archive(2)
    for at in (-np.inf, -1e308, -1.0, 0.0, 0.5, 1e308, np.inf):
        archive.report([at, -at], [0])
    archive.keep_least_crowded(4)
    assert archive.F[[0, -1], 0].tolist() == [-np.inf, np.inf]


def test_a_cut_pauses_now_and_then_and_leaves_all_where_a_pause_ends_it(monkeypatch):
    points = np.column_stack([np.arange(60), -np.arange(60), np.arange(60) % 7])
    archive, whole = Archive(3), Archive(3)
    for fx in points.tolist():
        archive.report(fx, [0, 1])
        whole.report(fx, [0, 1])
    whole.keep_least_crowded(20)
    monkeypatch.setattr(crowding, "AT_ONCE", 5)
    monkeypatch.setattr(archive_module, "AT_ONCE", 4)
    pauses: list[int] = []

    def end_at(number: int) -> None:
        pauses.append(1)
        if len(pauses) == number:
            raise KeyboardInterrupt

    for number in range(1, 10**6):
        pauses.clear()
        try:
            archive.keep_least_crowded(20, lambda: end_at(number))  # noqa: B023
        except KeyboardInterrupt:
            assert len(archive) == 60
            continue
        break
    assert number > 3 + 40 / 5 + 2  # objectives, points removed, points taken in
    assert archive.F.tolist() == whole.F.tolist()


def test_an_archive_drops_the_trails_it_needs_no_more_and_goes_on():
    archive = Archive(2, ["max", "min"])
    rising = np.arange(1000)
    for at in rising:
        archive.report([at, at], at >> np.arange(10) & 1)
    assert archive.keep_least_crowded(10)
    assert len(archive.trails) == len(archive) == 10
    assert archive.F[[0, -1]].tolist() == [[0, 0], [999, 999]]
    assert not archive.keep_least_crowded(10)
    for at in rising:
        archive.report([at, at], at >> np.arange(10) & 1)
    assert archive.F[:, 0].tolist() == rising.tolist()
    assert (archive.X @ (1 << np.arange(10))).tolist() == rising.tolist()


@pytest.mark.parametrize("size", [0, -3])
def test_an_archive_of_nothing_is_refused(size):
    archive = Archive(2)
    archive.report([1, 2], [0])
    with pytest.raises(ValueError, match=f"size = {size}, but"):
        archive.keep_least_crowded(size)
    assert len(archive) == 1


@pytest.mark.plain
@pytest.mark.parametrize("seed", range(4))
def test_the_largest_reals_are_as_far_apart_as_half_of_them(seed):
    """No difference overflows: what is beyond a half of the largest counts as that."""
    rng, largest = np.random.default_rng(seed), np.finfo(np.float64).max
    inner = rng.uniform(-0.5, 0.5, (8, 2)) * largest
    for low, high in [(-largest, largest), (-np.inf, np.inf), (-largest, np.inf)]:
        points = np.vstack([[low, high], inner, [high, low]])
        halved = np.clip(points, -largest / 2, largest / 2) / 2.0**980
        whole = np.rint(halved).astype(np.int64)
        for keep in range(4, 10):
            right = naive.least_crowded(whole.tolist(), keep)
            kept = whole[least_crowded(points, keep)]
            assert sorted(map(tuple, kept.tolist())) == right
