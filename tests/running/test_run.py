"""A run: when its front is whole, how large its blocks are, and where it starts."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import paretoball as pb
from landscapes import ring
from paretoball.numerics import random_solution, spawn_streams
from paretoball.running.run import BLOCK_SECONDS, next_count

TINY = ring(n=6, K=2, seed=2)
WHOLE = "the front is whole: all solutions were looked at"


def test_a_front_is_whole_only_where_all_of_it_is_kept():
    size = len(pb.exact_front(TINY))
    assert size > 3
    how = {"method": "path", "max_climbs": 100, "seed": 1, "breadth": 4}
    for most in (size // 2, size - 1, size):
        result = pb.solve(TINY, **how, max_archive=most)
        assert len(result) == min(most, size)
        assert (result.status == WHOLE) == (most >= size)
        assert result.bounded == (most < size)


def test_blocks_grow_while_they_are_short_and_shrink_where_they_are_long():
    half = BLOCK_SECONDS / 2
    for count in (1, 2, 7, 64):
        assert next_count(count, 0.0) == next_count(count, 0.9 * half) == 2 * count
        for seconds in (half, 1.5 * half, BLOCK_SECONDS):
            assert next_count(count, seconds) == count
        assert next_count(count, 1.1 * BLOCK_SECONDS) == max(1, count // 2)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_without_time_for_a_move_has_the_first_of_its_starts(workers):
    starts = np.random.default_rng(1).integers(2, size=(3, 60))
    landscape = ring(n=60, K=2, seed=1)
    how = {"time_limit": 1e-9, "seed": 1, "workers": workers}
    result = pb.solve(landscape, start=starts, **how)
    assert_array_equal(result.X, starts[:1])
    assert_array_equal(result.F, landscape.evaluate(starts[:1]))
    assert result.moves == result.climbs == 0
    assert len(pb.solve(landscape, **how)) == 1


def test_a_start_that_is_not_feasible_is_the_nearest_and_no_row():
    ones = [((j,), [0, 1]) for j in range(4)]
    limits = [(ones, "<=", 1), (ones, ">=", 1), (ones, "<=", 2)]
    landscape = pb.Landscape.from_subfunctions(4, [ones], constraints=limits)
    for start, violated in (([0, 1, 1, 0], 1), ([1, 1, 1, 0], 2), ([0, 0, 1, 0], 0)):
        result = pb.solve(landscape, "path", start=start, time_limit=1e-9, seed=1)
        assert len(result) == (violated == 0)
        if violated:
            assert_array_equal(result.nearest.x, start)
            assert result.nearest.violated == violated
            assert result.nearest.fx.tolist() == [sum(start)]
        else:
            assert result.nearest is None


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("method", ["path", "multistart"])
def test_a_run_without_time_or_starts_has_a_random_solution_of_its_seed(
    method, workers
):
    landscape = ring(n=60, K=2, seed=1)
    how = {"method": method, "time_limit": 1e-9, "workers": workers}
    seen = []
    for seed in (0, 1, 2):
        one, again = (pb.solve(landscape, seed=seed, **how) for _ in range(2))
        assert_array_equal(one.X, again.X)
        assert_array_equal(one.F, landscape.evaluate(one.X))
        assert 10 < one.X.sum() < 50
        seen.append(one.X.tobytes())
    assert len(set(seen)) == 3
    x = np.empty(60, np.uint8)
    random_solution(spawn_streams(2, np.zeros(1, np.int64))[0], x)
    assert_array_equal(one.X, [x])
