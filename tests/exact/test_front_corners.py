"""Corners of a front: what is not attained is at least one, and none is too low."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import naive
from paretoball.exact import front_corners
from paretoball.exact.front_corners import corners_between


def front_of(vectors, d):
    """The non-dominated of these, best first."""
    front = naive.pareto_front(np.reshape(vectors, (-1, d)))[::-1]
    return np.array(front, np.int64).reshape(-1, d)


def corners_of(front):
    """All corners, without limits."""
    return front_corners.corners_of(front, lambda _: None, 2**62)


def is_attained(front, fx):
    """Whether a point of the front is at least fx."""
    return bool((front >= fx).all(axis=1).any())


@pytest.mark.plain
@given(st.data(), st.integers(3, 5), st.integers(0, 4))
def test_what_is_not_attained_is_at_least_a_corner(data, d, reach):
    points = data.draw(st.lists(st.tuples(*[st.integers(0, reach)] * d)))
    front = front_of(points, d)
    corners = corners_of(front)
    assert not any(is_attained(front, corner) for corner in corners)
    others = st.tuples(*[st.integers(0, reach + 1)] * d)
    for fx in data.draw(st.lists(others, max_size=20)):
        is_above = (np.array(fx) >= corners).all(axis=1).any()
        assert is_above != is_attained(front, fx)


@pytest.mark.plain
@given(st.lists(st.tuples(*[st.integers(0, 9)] * 2), min_size=1))
def test_what_is_between_two_points_is_at_least_their_corner(points):
    front = front_of(points, 2)
    corners = corners_between(front)
    for f0 in range(front[-1, 0] + 1, front[0, 0]):
        for f1 in range(front[0, 1] + 1, front[-1, 1]):
            is_above = (np.array([f0, f1]) >= corners).all(axis=1).any()
            assert is_above != is_attained(front, (f0, f1))


def sphere_of(points, d):
    """A front on a part of a sphere."""
    sphere = abs(np.random.default_rng(d).normal(size=(points, d)))
    sphere /= np.linalg.norm(sphere, axis=1, keepdims=True)
    return front_of((sphere * 1000).astype(int), d)


@pytest.mark.bounds
@pytest.mark.parametrize("d", [3, 4, 5])
def test_corners_of_large_fronts_have_room(monkeypatch, d):
    monkeypatch.setattr(front_corners, "FIRST_ROOM", 1)
    front = sphere_of(300, d)
    corners = corners_of(front)
    assert len(corners) > 2 * len(front)
    assert not any(is_attained(front, corner) for corner in corners)
    rng = np.random.default_rng(1)
    for fx in rng.integers(0, 900, (500, d)):
        assert (fx >= corners).all(axis=1).any() != is_attained(front, fx)


def test_too_many_corners_are_none(monkeypatch):
    monkeypatch.setattr(front_corners, "MOST_NUMBERS", 10)
    monkeypatch.setattr(front_corners, "FIRST_ROOM", 4)
    front = front_of([(a, b, 20 - a - b) for a in range(9) for b in range(9)], 3)
    assert corners_of(front) is None


@pytest.mark.bounds
@pytest.mark.parametrize("d", [4, 5, 6, 7])
def test_corners_are_found_slice_by_slice(monkeypatch, d):
    front, whole, told = sphere_of(90, d), [], []
    corners = front_corners.corners_of(front, whole.append, 2**62)
    monkeypatch.setattr(front_corners, "SLICE", 500)
    monkeypatch.setattr(front_corners, "FIRST_ROOM", 2)
    assert_array_equal(front_corners.corners_of(front, told.append, 2**62), corners)
    assert sum(told) == sum(whole)
    assert max(told) < 500 + d * len(corners)  # one corner is replaced at least
    assert len(told) > sum(told) // (500 + d * len(corners))


@pytest.mark.parametrize("d", [5, 6, 7])
def test_corners_stop_where_they_are_told_to(monkeypatch, d):
    monkeypatch.setattr(front_corners, "SLICE", 500)
    told = []

    def spend(compared):
        told.append(compared)
        if len(told) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        front_corners.corners_of(sphere_of(90, d), spend, 2**62)
    assert len(told) == 5


def test_corners_take_no_more_memory_than_they_may(monkeypatch):
    monkeypatch.setattr(front_corners, "FIRST_ROOM", 16)
    front, outcomes = sphere_of(120, 6), []
    whole = corners_of(front)
    for memory in 2 ** np.arange(15, 24):
        tracemalloc.start()
        corners = front_corners.corners_of(front, lambda _: None, int(memory))
        taken = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert taken < memory
        outcomes.append(corners is not None)
        assert_array_equal(whole if corners is None else corners, whole)
    assert outcomes == sorted(outcomes)
    assert 0 < sum(outcomes) < len(outcomes)
