"""What is dropped cannot matter, and all that cannot matter is dropped."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from paretoball.exact import front_bounding
from paretoball.exact.best_completions import Completions
from paretoball.exact.front_bounding import (
    bound_of,
    drop_infeasible,
    gaps_below,
    prune,
)
from paretoball.exact.front_tables import copied_fronts, new_space, with_more
from paretoball.exact.front_weights import Weights

ENTRIES = 4  # of a table, the second of three
AT = np.array([0, 3, 3 + ENTRIES, 8 + ENTRIES])


def random_table(rng, columns, caps):
    """A space in which a table was just written, and its fronts as lists."""
    sizes = rng.permutation([0, 1, 5, 30])
    fronts = [
        np.unique(rng.integers(0, 30, (size, columns)), axis=0)[::-1] for size in sizes
    ]
    numbers = np.concatenate([front.ravel() for front in fronts])
    space = with_more(new_space(caps, 2), len(numbers) + 9, 0, 0)
    space.values[: len(numbers)] = numbers
    space.at[1 : ENTRIES + 1] = np.cumsum([front.size for front in fronts])
    return space, fronts


def kept_of(space, columns):
    """The fronts that are left, as lists."""
    table = copied_fronts(space, 2)
    parts = np.split(table.values, table.at[1:-1])
    return [part.reshape(-1, columns).tolist() for part in parts]


def paused(space, every):
    """What kernels call where they pause, after so many comparisons."""
    space.seen.state[front_bounding.LEFT] = every

    def go_on():
        space.seen.state[front_bounding.LEFT] = every

    return go_on


@pytest.mark.plain
@pytest.mark.parametrize("every", [40, 2**40])
@pytest.mark.parametrize(("columns", "count"), [(2, 1), (2, 6), (3, 5), (4, 70)])
def test_vectors_are_kept_if_any_weight_keeps_them(columns, count, every):
    rng = np.random.default_rng([columns, count])
    for _ in range(4):
        space, fronts = random_table(rng, columns, np.full(columns, 2**62))
        w = rng.integers(1, 40, (count, columns)) / 8
        if columns == 2:  # the steepest first
            w[:, 1], w[:, 0] = 1.0, np.sort(rng.permutation(99)[:count])[::-1] / 8
        values = rng.integers(0, 99, (AT[-1], count)).astype(float)
        best = (values + 40).max(axis=0) + rng.integers(0, 40, count)
        gaps = rng.integers(-1, 90, count).astype(float)
        gaps[0] = 0.0
        bound = bound_of(w, Completions(AT, values, best), gaps)
        prune(bound, 1, space, paused(space, every))
        right = [
            [
                fx
                for fx in front.tolist()
                if any(
                    gap >= 0 and w_k @ fx + more >= most - gap
                    for w_k, more, most, gap in zip(w, values[AT[1] + e], best, gaps)
                )
            ]
            for e, front in enumerate(fronts)
        ]
        assert kept_of(space, columns) == right


@pytest.mark.plain
@pytest.mark.parametrize("every", [40, 2**40])
@pytest.mark.parametrize(("d", "m"), [(2, 1), (2, 3), (3, 2)])
def test_vectors_are_kept_if_all_columns_can_reach_what_they_need(d, m, every):
    rng = np.random.default_rng([d, m])
    caps = np.full(d + m, 2**62)
    for _ in range(4):
        space, fronts = random_table(rng, d + m, caps)
        values = rng.integers(0, 20, (AT[-1], m))
        needs = rng.integers(0, 30, m)
        reach = Completions(AT, values, values.max(axis=0))
        drop_infeasible(needs, reach, 1, space, paused(space, every))
        right = [
            [fx for fx in front.tolist() if (fx[d:] + values[AT[1] + e] >= needs).all()]
            for e, front in enumerate(fronts)
        ]
        assert kept_of(space, d + m) == right


@pytest.mark.plain
@pytest.mark.parametrize("size", [1, 20, 1 << 23])
@pytest.mark.parametrize("d", [2, 3])
def test_corners_are_given_to_the_weights_that_they_are_nearest_to(
    monkeypatch, d, size
):
    monkeypatch.setattr(front_bounding, "SLICE", size)
    rng = np.random.default_rng(d)
    for _ in range(10):
        w = rng.integers(1, 9, (5, d)).astype(float)
        lengths = rng.integers(1, 9, 5).astype(float)
        corners = rng.integers(0, 9, (30, d))
        best = (corners @ w.T).max(axis=0) - rng.integers(0, 2, 5)
        covered = rng.integers(-1, 12, 5).astype(float)
        right = np.full(5, -1.0)
        for corner in corners:
            below = best - w @ corner
            if (below > covered).all():
                nearest = int(np.argmin(below / lengths))
                right[nearest] = max(right[nearest], below[nearest], 0.0)
        told = []
        gaps = gaps_below(Weights(w, lengths), best, corners, covered, told.append)
        assert_array_equal(gaps, right)
        assert sum(told) == 30 * 5
        assert len(told) == -(-30 // max(1, size // 5))


@pytest.mark.plain
@pytest.mark.parametrize("d", [2, 3])
def test_a_corner_as_far_below_as_is_covered_is_known_and_a_lower_one_is_not(d):
    weights = Weights(np.ones((2, d)) * [[1.0], [2.0]], np.array([1.0, 2.0]))
    best, corner = np.array([40.0, 80.0]), np.full((1, d), 5)
    below = best[0] - 5 * d
    for covered, gaps in (
        ([below, -1.0], [-1, -1]),
        ([-1.0, 2 * below], [-1, -1]),
        ([below - 0.5, 2 * below - 0.5], [below, -1]),
        ([-1.0, -1.0], [below, -1]),
    ):
        found = gaps_below(weights, best, corner, np.array(covered), lambda _: None)
        assert found.tolist() == gaps
