"""The ND-tree: sound boxes, and just the points that nothing dominates."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from archives import VALUES, brute_force, check_boxes, numbered
from paretoball import Archive
from paretoball.archive import archive as archive_module
from paretoball.archive.nd_tree import FANOUT, USED, points_of
from paretoball.archive.points import Points


@given(st.data(), st.integers(1, 5), st.sampled_from(VALUES))
def test_any_reports_leave_their_front_in_sound_boxes(data, d, values):
    vectors = data.draw(st.lists(st.tuples(*[values] * d), min_size=1, max_size=120))
    if data.draw(st.booleans()) and d > 1:  # most of them non-dominated
        vectors = [(*v[:-1], -sum(v[:-1]) // d) for v in vectors]
    vectors += vectors[:3]
    archive = Archive(d)
    archive.take_in(numbered(vectors))
    check_boxes(archive._tree)
    points = archive.points()
    assert sorted(points.fx.tolist()) == brute_force(vectors)
    first = [vectors.index(tuple(row)) for row in points.fx.tolist()]
    assert first == points.unit.tolist()


@pytest.mark.parametrize("d", [1, pytest.param(2, marks=pytest.mark.bounds), 3])
def test_a_chain_in_which_each_removes_the_last_leaves_one(d):
    chain = np.arange(1000)[:, None].repeat(d, axis=1)
    archive = Archive(d)
    archive.take_in(numbered(chain))
    assert archive.F.tolist() == [[999] * d]
    check_boxes(archive._tree)


@pytest.mark.bounds
def test_one_vector_can_remove_a_large_front_and_another_grow_in_its_place():
    rising = np.arange(2000)
    front = np.column_stack([rising, 2000 - rising])
    archive = Archive(2)
    for lift in (0, 5000, 10000):
        archive.take_in(numbered(front + lift))
        assert archive.F.tolist() == (front + lift).tolist()
        archive.take_in(numbered(front[:1] + lift + 3000))
        assert len(archive) == 1
        check_boxes(archive._tree)


def test_nodes_that_are_empty_are_used_again():
    rising = np.arange(2000)
    front = np.column_stack([rising, 2000 - rising])
    archive, used = Archive(2), []
    for lift in range(0, 50_000, 5000):
        archive.take_in(numbered(front + lift))
        used.append(int(archive._tree.counts[USED]))
        archive.take_in(numbered(front[:1] + lift + 3000))
    assert max(used) < 1.5 * used[0]


@pytest.mark.parametrize("d", [2, 3, 4])
def test_the_order_of_reports_does_not_matter(d):
    rng = np.random.default_rng(d)
    F = rng.integers(0, 9, (800, d))
    tags = np.column_stack([rng.integers(0, 9, (800, 2)), np.zeros(800, int)])
    points = Points.tagged(F, tags)
    seen = set()
    for _ in range(4):
        archive = Archive(d)
        archive.take_in(points.some(rng.permutation(800)))
        seen.add(repr([column.tolist() for column in archive._ascending()]))
    assert len(seen) == 1


@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_of_equal_vectors_the_first_step_of_the_first_unit_stays(d):
    rng = np.random.default_rng(d)
    F = rng.integers(0, 3, (200, d))
    F[:, 0] = -F[:, 1:].sum(axis=1)  # so that none dominates another
    tags = rng.integers(0, (3, 30, 2), (200, 3))
    archive = Archive(d)
    archive.take_in(Points.tagged(F, tags))
    found = archive._ascending()
    for fx, unit, step in zip(found.fx, found.unit, found.step):
        rivals = tags[(fx == F).all(axis=1)].tolist()
        assert [unit, step] == min(rivals)[:2]


@pytest.mark.parametrize("d", [pytest.param(2, marks=pytest.mark.bounds), 3, 4])
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
    assert points_of(archive._tree).size == len(archive) == len(vectors)


def test_where_a_point_was_found_comes_back_with_it():
    fx = np.array([[1, 5], [2, 2], [3, -7]])
    tags = np.array([[4, 0, 1], [2**40, 2**45, 0], [7, 3, 1]])
    archive = Archive(2)
    archive.take_in(Points.tagged(fx, tags))
    found = archive._ascending()
    assert found.fx.tolist() == fx.tolist()
    assert np.column_stack([*found[1:]]).tolist() == tags.tolist()


@pytest.mark.plain
@pytest.mark.bounds
def test_a_tree_has_room_for_all_that_it_takes_in(monkeypatch):
    monkeypatch.setattr(archive_module, "AT_ONCE", 4)
    rising = np.arange(2500)
    archive = Archive(2)
    rooms = {len(archive._tree.size)}
    archive.take_in(
        numbered(np.column_stack([rising, 2500 - rising])),
        lambda: rooms.add(len(archive._tree.size)),
    )
    rooms.add(len(archive._tree.size))
    assert len(rooms) > 1
    assert archive._tree.counts[USED] <= max(rooms)
    assert len(archive) == 2500
    check_boxes(archive._tree)
