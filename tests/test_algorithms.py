"""The paper's two algorithms, word for word in `naive`, and the package's beside them.

First the copies in `naive` are held against the paper's definitions and claims, then
the package is held against the copies.
"""

from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import naive
import paretoball as pb
from landscapes import (
    built,
    plains,
    random_plain,
    random_solution,
    random_weights,
    ring,
)

SEEDS = st.integers(0, 2**32 - 1)
RADII = st.integers(1, 4)


def random_flips(rng, n):
    """Any set of variables: none, some or all, connected or not."""
    return rng.permutation(n)[: rng.integers(n + 1)].tolist()


# Algorithm 1


def assert_algorithm_1_gives_the_scores(plain, M, rng, flips=3):
    """From the scores of one solution to those of the next, a few times."""
    x = random_solution(rng, plain.n).tolist()
    S = naive.compute_scores(plain, M, x)
    for _ in range(flips):
        t = random_flips(rng, plain.n)
        naive.update_scores(plain, S, x, t)
        x = naive.flipped(x, t)
        assert {v: tuple(S[v]) for v in S} == {v: naive.score(plain, v, x) for v in M}


@given(plain=plains(), radius=RADII, seed=SEEDS)
def test_algorithm_1_gives_the_scores_of_the_definition(plain, radius, seed):
    M = naive.connected_moves(plain, radius)
    assert_algorithm_1_gives_the_scores(plain, M, np.random.default_rng(seed))


def test_algorithm_1_gives_the_scores_whatever_moves_are_stored():
    """Also of the whole ball, the paper's naive case for M^r, and of a few moves."""
    rng = np.random.default_rng(1)
    for number in range(60):
        plain = random_plain(rng, max_n=8)
        M = list(naive.ball(plain.n, radius=2))
        if number % 2:
            M = [v for v in M if rng.random() < 0.3]
        assert_algorithm_1_gives_the_scores(plain, M, rng, flips=2)


def test_algorithm_1_takes_every_connected_and_unconnected_move(figure_1):
    M = naive.connected_moves(figure_1, radius=3)
    x = [0, 1, 1, 0, 1]
    moves = list(naive.ball(5, radius=5))
    assert len(M) < len(moves) == 31
    for t in moves:
        S = naive.compute_scores(figure_1, M, x)
        naive.update_scores(figure_1, S, x, t)
        assert naive.compute_scores(figure_1, M, naive.flipped(x, t)) == S


def assert_flips_are_algorithm_1(plain, radius, rng, flips):
    """`flip` and Algorithm 1 side by side: the same scores after every t.

    A new climb holds the scores of single flips only, and works out the others on
    demand. A climb at its end holds all of them, so `flip` has to update all.
    """
    climber = pb.Climber(built(plain), radius)
    climb = climber.start(random_solution(rng, plain.n))
    if rng.random() < 0.7:
        climb.run(max_moves=100)
    x = climb.x.astype(int).tolist()
    S = naive.compute_scores(plain, naive.connected_moves(plain, radius), x)
    for number in range(flips):
        t = random_flips(rng, plain.n)
        if number % 2:
            t = climber.moves[rng.integers(len(climber.moves))]
        climb.flip(t)
        naive.update_scores(plain, S, x, t)
        x = naive.flipped(x, t)
        assert_array_equal(climb.x, x)
        assert climb.scores.tolist() == [S[v] for v in climber.moves]


@pytest.mark.plain
@given(plain=plains(), radius=RADII, seed=SEEDS)
def test_a_flip_changes_the_scores_as_algorithm_1_does(plain, radius, seed):
    assert_flips_are_algorithm_1(plain, radius, np.random.default_rng(seed), flips=4)


def test_flips_of_larger_landscapes_change_the_scores_as_algorithm_1_does():
    rng = np.random.default_rng(2)
    for number in range(60):
        plain = random_plain(rng, max_n=12, min_n=8)
        assert_flips_are_algorithm_1(plain, 1 + number % 3, rng, flips=2)


# Algorithm 2


def climbed(plain, M, w, x, seed):
    """Algorithm 2 at random: all solutions it was at, in order, and the reported."""
    rng = Random(seed)
    path, reported = [naive.flipped(x, ())], []

    def choose(moves):
        assert moves == selectable(plain, M, w, path[-1])
        t = rng.choice(moves)
        path.append(naive.flipped(path[-1], t))
        return t

    end = naive.hill_climber(plain, M, w, x, choose, reported.append)
    assert end == path[-1]
    return path, reported


def selectable(plain, M, w, x):
    """The moves that the paper may select at x, from the definitions."""
    kinds = {v: naive.kind(naive.score(plain, v, x), w, plain.sense) for v in M}
    for kind in ("strong", "w-improving"):
        moves = [v for v in M if kinds[v] == kind]
        if moves:
            return [v for v in moves if len(v) == min(map(len, moves))]
    return []


def has_strong(plain, M, x):
    """Whether a stored move is strong at x."""
    return any(naive.is_strong(naive.score(plain, v, x), plain.sense) for v in M)


def assert_what_the_paper_claims(plain, radius, w, x, seed):
    """The claims of Section 4 about one climb.

    The paper calls what is reported on the way "potentially non-dominated": a later
    solution of the climb may dominate it. An earlier one cannot, since w · f rises.
    What is not reported is dominated by the next solution.
    """
    M, sense = naive.connected_moves(plain, radius), plain.sense
    path, reported = climbed(plain, M, w, x, seed)
    F = [naive.evaluate(plain, x) for x in path]
    values = [naive.w_score(fx, w, sense) for fx in F]
    assert all(a < b for a, b in pairwise(values))  # so it cannot cycle
    assert naive.is_local_optimum(plain, path[-1], radius)
    assert selectable(plain, M, w, path[-1]) == []
    on_the_way = [x for x in path[:-1] if not has_strong(plain, M, x)]
    assert reported == [*on_the_way, path[-1]]
    for here, (x, fx) in enumerate(zip(path, F)):
        assert not any(naive.dominates(fy, fx, sense) for fy in F[:here])
        if x not in reported:
            assert naive.dominates(F[here + 1], fx, sense)
    return path, reported


@given(plain=plains(), radius=RADII, seed=SEEDS)
def test_algorithm_2_does_what_the_paper_claims(plain, radius, seed):
    rng = np.random.default_rng(seed)
    w = rng.integers(1, 6, len(plain.sense)).tolist()
    x = random_solution(rng, plain.n)
    assert_what_the_paper_claims(plain, radius, w, x, seed)


def test_algorithm_2_takes_both_kinds_of_moves_as_the_paper_claims():
    rng = np.random.default_rng(3)
    strong_steps = w_steps = 0
    for number in range(60):
        plain = random_plain(rng, max_n=10, min_n=6)
        radius = 1 + number % 3
        w = rng.integers(1, 6, len(plain.sense)).tolist()
        x = random_solution(rng, plain.n)
        path, reported = assert_what_the_paper_claims(plain, radius, w, x, number)
        strong_steps += len(path) - len(reported)
        w_steps += len(reported) - 1
    assert strong_steps > 20
    assert w_steps > 20


def test_a_reported_solution_may_be_dominated_later_as_in_the_papers_example():
    first = [((0,), [0, -1]), ((1,), [0, 3])]
    second = [((0,), [0, 3]), ((1,), [0, -1])]
    plain = naive.Plain(2, (first, second), ("max", "max"))
    ways = set()
    for seed in range(20):
        _, reported = climbed(plain, [(0,), (1,)], [1, 1], [0, 0], seed)
        ways.add(tuple(naive.evaluate(plain, x) for x in reported))
    assert ways == {((0, 0), (-1, 3), (2, 2)), ((0, 0), (3, -1), (2, 2))}


def assert_follows_algorithm_2(climber, climb, M, plain):
    """Algorithm 2 can take the moves of this climb, and then ends where it ends.

    Both report the same, before the same moves.
    """
    start, w = climb.x, climb.weights.tolist()
    reported = []

    def choose(moves):
        assert len(climb.reports.F) == len(reported)  # from the moves before
        number = climb.step()
        assert number is not None
        t = climber.moves[number]
        assert t in moves
        return t

    x = naive.hill_climber(plain, M, w, start, choose, reported.append)
    assert len(climb.reports.F) == len(reported) - 1
    assert climb.step() is None
    assert_array_equal(climb.x, x)
    assert climb.fx.tolist() == list(naive.evaluate(plain, x))
    F, X = climb.reports
    assert F.tolist() == [list(naive.evaluate(plain, y)) for y in reported]
    assert X.astype(int).tolist() == reported


@pytest.mark.plain
@given(plain=plains(), radius=RADII, seed=SEEDS)
def test_a_climb_takes_and_reports_what_algorithm_2_may(plain, radius, seed):
    rng = np.random.default_rng(seed)
    climber = pb.Climber(built(plain), radius)
    M = naive.connected_moves(plain, radius)
    x = random_solution(rng, plain.n)
    weights = random_weights(rng, len(plain.sense))
    climb = climber.start(x, weights=weights, seed=seed)
    assert_follows_algorithm_2(climber, climb, M, plain)


def test_climbs_of_larger_landscapes_take_and_report_what_algorithm_2_may():
    rng = np.random.default_rng(4)
    for number in range(60):
        plain = random_plain(rng, max_n=12, min_n=8)
        radius = 1 + number % 3
        climber = pb.Climber(built(plain), radius)
        M = naive.connected_moves(plain, radius)
        weights = random_weights(rng, len(plain.sense))
        climb = climber.start(weights=weights, seed=number)
        assert_follows_algorithm_2(climber, climb, M, plain)


@pytest.mark.parametrize("radius", [1, 2, 3])
def test_a_long_climb_takes_and_reports_what_algorithm_2_may(radius):
    landscape = ring(50, K=2, seed=radius)
    climber = pb.Climber(landscape, radius)
    climb = climber.start(weights=[2, 3], seed=radius)
    M = naive.connected_moves(landscape, radius)
    assert_follows_algorithm_2(climber, climb, M, landscape)
    assert len(climb.reports.F) > 3
    whole = climber.start(weights=[2, 3], seed=radius).run()
    assert_array_equal(whole.x, climb.x)
    assert_array_equal(whole.reports.F, climb.reports.F)
    assert_array_equal(whole.reports.X, climb.reports.X)
