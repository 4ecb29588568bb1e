"""Windows and directions: where fillings and paths go."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import naive
from paretoball.search.path.directions import (
    CHOICE,
    CONTEXT,
    EDGE,
    NEARBY,
    OTHERS,
    along_front,
    at_random,
    fanned_out,
    find_best,
    where_weak,
    windows_along,
    windows_around,
    with_others,
)


def front_of(rng: np.random.Generator, rows: int, d: int) -> np.ndarray:
    """Vectors of which none dominates another one, ascending."""
    points = rng.integers(0, 1000, (rows, d))
    return np.array(naive.pareto_front(points))


def random_front(seed: int, d: int) -> tuple[np.random.Generator, np.ndarray]:
    """A front of many vectors for d = 2: all others fall together too much."""
    rng = np.random.default_rng(seed)
    if d > 2:
        return rng, front_of(rng, int(rng.integers(1, 300)), d)
    steps = rng.integers(1, 50, (int(rng.integers(1, 200)), 2))
    return rng, np.cumsum(steps, axis=0) * [1, -1]


@pytest.mark.plain
@given(st.integers(0, 10**6), st.integers(1, 60), st.sampled_from([0.0, 0.1, 0.6, 1.0]))
def test_windows_along_a_front_have_all_that_is_wanted_once(seed, most, share):
    rng, fx = random_front(seed, 2)
    fresh = rng.random(len(fx)) < share
    windows = list(windows_along(fx, fresh, most))
    context = min(CONTEXT, (most - 1) // 2)
    seen = np.concatenate([[], *(w.rows[w.wanted] for w in windows)]).astype(int)
    assert sorted(seen.tolist()) == np.flatnonzero(fresh).tolist()
    values = []
    for window in windows:
        first, last = window.rows[0], window.rows[-1]
        assert_array_equal(window.rows, np.arange(first, last + 1))
        assert 0 <= first <= last < len(fx)
        assert window.wanted.any()
        assert len(window.rows) <= most + context
        chosen = window.rows[window.wanted]
        assert first == max(0, chosen[0] - context)
        assert last == min(len(fx) - 1, chosen[-1] + context)
        gaps = [
            abs(int(a[0] - b[0])) * abs(int(a[1] - b[1]))
            for a, b in (
                (fx[max(row - 1, 0)], fx[min(row + 1, len(fx) - 1)])
                for row in chosen.tolist()
            )
        ]
        values.append(sum(gaps))
    assert values == sorted(values, reverse=True)


@pytest.mark.plain
def test_gaps_whose_product_is_beyond_64_bits_come_first():
    far = 3_400_000_000  # whose square would be a negative number of 64 bits
    steps = np.array([[1, -1]] * 9 + [[far, -far]] + [[1, -1]] * 9)
    fx = np.cumsum(steps, axis=0)
    first, *others = windows_along(fx, np.ones(len(fx), np.bool_), most=3)
    assert {8, 9} & set(first.rows[first.wanted].tolist())
    assert len(others) > 2


@pytest.mark.plain
@given(st.integers(0, 10**6), st.integers(1, 60), st.sampled_from([0.0, 0.1, 0.6, 1.0]))
def test_windows_around_solutions_have_what_is_wanted_at_most_once(seed, most, share):
    rng, values = random_front(seed, 3)
    fresh = rng.random(len(values)) < share
    kept = fresh.copy()
    draws = rng.random(400)
    windows = list(windows_around(values / 7, fresh, draws, most))
    assert_array_equal(fresh, kept)
    seen = [row for w in windows for row in w.rows[w.wanted].tolist()]
    assert sorted(seen) == np.flatnonzero(fresh).tolist()
    for window in windows:
        centre = values[window.rows[0]]
        far = np.abs(values - centre).sum(axis=1)
        assert len(window.rows) == min(most, len(values))
        assert far[window.rows].tolist() == sorted(far.tolist())[: len(window.rows)]
        assert window.wanted.any()
    assert len(list(windows_around(values / 7, fresh, draws[:1], most))) <= 1


def on_simplex(weights: np.ndarray) -> bool:
    """Whether all of them are positive, and add up to about 1."""
    d = weights.shape[-1]
    sums = weights.sum(axis=-1)
    return bool((weights > 0).all() and (abs(sums - 1) <= d * EDGE + 1e-9).all())


@pytest.mark.plain
def test_middles_of_two_objectives_spread_evenly():
    for paths in (8, 64, 512):
        middles = sorted(along_front(path)[0, 0] for path in range(paths))
        gaps = np.diff([0, *middles, 1])
        assert gaps.max() <= 1.01 / paths + EDGE
    for path in range(100):
        around = along_front(path)
        assert around.shape == (NEARBY, 2)
        assert on_simplex(around)
        assert around.min() >= 0.999 * EDGE


@pytest.mark.plain
@pytest.mark.parametrize("d", [3, 4, 6])
def test_directions_of_more_objectives_are_on_the_simplex(d):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        nearby = at_random(rng.random((5, 3, d)))
        assert nearby.shape == (5, NEARBY, d)
        assert on_simplex(nearby)
        more = with_others(nearby, rng.random((5, OTHERS, d)))
        assert_array_equal(more[:, :NEARBY], nearby)
        assert more.shape == (5, NEARBY + OTHERS, d)
        assert on_simplex(more)


@pytest.mark.plain
@pytest.mark.parametrize("d", [4, 6])
def test_a_fan_is_to_all_sides_of_its_middle(d):
    """Unlike other directions, on average it is as far from the centre."""
    rng = np.random.default_rng(d)
    nearby = at_random(rng.random((400, 3, d)))[:, :3]
    fan = fanned_out(nearby, rng.random((400, 10, d)))
    assert_array_equal(fan[:, :3], nearby)
    assert fan.shape == (400, 13, d)
    assert fan.min() >= 0.999 * EDGE
    others = fan[:, 3:] / fan[:, 3:].sum(axis=2, keepdims=True)
    assert (others != nearby[:, :1]).any(axis=2).all()

    def distance(weights: np.ndarray) -> float:
        return float(np.abs(weights - 1 / d).sum(axis=-1).mean())

    assert 0.97 < distance(others) / distance(nearby[:, 0]) < 1.1


@pytest.mark.plain
@pytest.mark.parametrize("d", [3, 4])
def test_weak_places_are_below_what_both_ends_promise(d):
    """Each of them is between two directions that have other best solutions."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        values = front_of(rng, 60, d) / 1000
        weak = where_weak(values, rng.random((CHOICE, d)), 5)
        assert weak.shape[1:] == (NEARBY, d)
        assert len(weak) <= 5
        assert on_simplex(weak)
        missing = []
        for middle, *ends in weak[:, :3]:
            assert_array_equal(middle, (ends[0] + ends[1]) / 2)
            best = [int(np.argmax(values @ end)) for end in ends]
            assert best[0] != best[1]
            promise = sum((values @ end).max() for end in ends) / 2
            missing.append(promise - (values @ middle).max())
        assert min(missing, default=0) > -1e-9
    one = where_weak(np.ones((1, d)), rng.random((CHOICE, d)), 5)
    assert len(one) == 0


@pytest.mark.plain
def test_the_best_row_for_weights_is_the_first_of_the_best():
    rng = np.random.default_rng(1)
    fx = rng.integers(0, 9, (1500, 2))
    weights = rng.integers(1, 9, (7, 2))
    for rows in (1, 2, 5, len(fx)):
        best = find_best(fx[:rows], weights)
        assert_array_equal(best, np.argmax(fx[:rows] @ weights.T, axis=0))
