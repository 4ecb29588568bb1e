"""The radius for those who give none: a function of the landscape and the limits."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from paretoball import Landscape, mnk, resume, solve
from paretoball.climber import Climber, default_radius, seconds_for_radius_2
from paretoball.climber.memory_estimate import listed_at_radius_2


def pairs(n: int, density: float) -> Landscape:
    """A landscape of products of two variables, each there by chance."""
    first, second = np.triu_indices(n, 1)
    chosen = np.random.default_rng(1).random(len(first)) < density
    masks = zip(first[chosen].tolist(), second[chosen].tolist())
    terms = [(mask, [0, 0, 0, 1]) for mask in masks]
    return Landscape.from_subfunctions(n, [terms])


def test_landscapes_with_few_neighbours_have_radius_2():
    assert default_radius(mnk(n=10_000, K=3, seed=1), time_limit=10) == 2
    assert default_radius(mnk(n=300, K=5, seed=1), time_limit=10) == 2


def test_landscapes_with_many_neighbours_have_radius_1():
    assert default_radius(pairs(500, 0.05)) == 1
    assert default_radius(mnk(n=1000, K=5, model="random", seed=1)) == 1
    assert default_radius(pairs(200, 0.8), time_limit=1e6) == 1


def test_quadratic_landscapes_have_radius_1():
    """However few neighbours there are: their single flips are much faster."""
    assert default_radius(mnk(n=300, K=1, seed=1), time_limit=1e6) == 1
    assert default_radius(pairs(500, 0.001)) == 1
    assert default_radius(Landscape.from_subfunctions(1, [[]])) == 1


def test_a_short_time_limit_and_little_memory_leave_radius_1():
    landscape = mnk(n=5000, K=3, seed=1)
    seconds = seconds_for_radius_2(landscape)
    assert default_radius(landscape, seconds) == 2
    assert default_radius(landscape, 0.99 * seconds) == 1
    assert default_radius(landscape, memory_limit=10**9) == 2
    assert default_radius(landscape, memory_limit=10**6) == 1


def regular(degree: int, n: int = 1000, k: int = 3, d: int = 2) -> Any:
    """What of a landscape counts, if all variables have as many neighbours."""
    return SimpleNamespace(n=n, k=k, d=d, degrees=np.full(n, degree))


@pytest.mark.plain
def test_up_to_512_affected_moves_by_a_flip_are_few():
    for degree, radius in [(0, 2), (22, 2), (23, 1)]:
        assert default_radius(regular(degree)) == radius
    few = regular(22, n=46)
    few.degrees[:5] = 23  # 41 times 1 + 22 + 22^2 and 5 times 1 + 23 + 23^2
    assert listed_at_radius_2(few) == 46 * 512
    assert default_radius(few) == 2
    few.degrees[5] = 23
    assert default_radius(few) == 1


@pytest.mark.plain
def test_radius_2_is_for_three_variables_at_once_and_up_to_three_objectives():
    for d in range(1, 6):
        assert default_radius(regular(4, d=d)) == (2 if d <= 3 else 1)
    for k in range(1, 6):
        assert default_radius(regular(4, k=k)) == (1 if k <= 2 else 2)


@pytest.mark.plain
def test_limits_are_in_seconds_and_bytes():
    landscape = regular(4)  # whose flips affect 21 moves each
    assert seconds_for_radius_2(landscape) == 21_000 / 500_000
    for seconds, radius in [(0.042, 2), (0.0419, 1), (0.0, 1)]:
        assert default_radius(landscape, time_limit=seconds) == radius
    for limit, radius in [(16 * 21_000, 2), (16 * 21_000 - 1, 1), (0, 1)]:
        assert default_radius(landscape, memory_limit=limit) == radius
        assert default_radius(landscape, 1.0, limit) == radius
        assert default_radius(landscape, 0.04, limit) == 1


@pytest.mark.parametrize("landscape", [mnk(n=60, K=2, seed=1), pairs(20, 0.5)])
def test_no_more_moves_are_affected_than_were_thought(landscape):
    graph, moves = landscape.cooccurrence, Climber(landscape, 2).moves
    affected = 0
    for j in range(landscape.n):
        near = {j, *graph.neighbours[graph.at[j] : graph.at[j + 1]].tolist()}
        affected += sum(not near.isdisjoint(move) for move in moves)
    assert affected <= listed_at_radius_2(landscape) <= 4 * affected


def test_a_run_says_which_radius_it_chose_and_keeps_it(tmp_path):
    path = tmp_path / "run.npz"
    landscape, how = mnk(n=100, K=2, seed=1), {"checkpoint": path, "seed": 1}
    short = solve(landscape, max_climbs=2, time_limit=1e-9, **how)
    assert short.config["radius"] == 1
    assert solve(landscape, max_climbs=2, **how).config["radius"] == 1
    assert resume(path, max_climbs=3).config["radius"] == 1
    assert solve(landscape, max_climbs=2, seed=1).config["radius"] == 2
    with pytest.raises(ValueError, match="its radius is 1, not 2"):
        solve(landscape, max_climbs=3, radius=2, **how)
