"""The radius for those who give none: a function of the landscape and the limits."""

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
