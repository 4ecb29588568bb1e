"""The paper's claims, by name."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import naive
import paretoball as pb
from landscapes import (
    built,
    graph_of,
    masks_of,
    plains,
    random_plain,
    random_solution,
    random_weights,
    ring,
    solutions_of,
)

pytestmark = pytest.mark.plain
SEEDS = st.integers(0, 2**32 - 1)


def in_buckets(climb):
    """The moves in the two buckets, as sets of move numbers."""
    return set(climb.strong.tolist()), set(climb.improving.tolist())


def buckets_by_definition(landscape, moves, x, weights):
    """The same, from the definitions."""
    strong, improving = set(), set()
    for v, move in enumerate(moves):
        score = naive.score(landscape, move, x)
        kind = naive.kind(score, weights, landscape.sense)
        if kind == "strong":
            strong.add(v)
        if kind == "w-improving":
            improving.add(v)
    return strong, improving


def w_value(climb, sense):
    """w · f(x), exact, more is better."""
    return naive.w_score(climb.fx.tolist(), climb.weights.tolist(), sense)


# Section 2


def test_figure_1_has_the_cooccurrence_graph_of_the_paper(figure_1):
    edges = {(1, 2), (2, 3), (3, 4), (2, 4), (4, 5)}  # the paper counts from 1
    expected = [set() for _ in range(5)]
    for a, b in edges:
        expected[a - 1].add(b - 1)
        expected[b - 1].add(a - 1)
    assert naive.cooccurrence(figure_1) == expected
    assert graph_of(figure_1) == expected
    assert (figure_1.n, figure_1.d, figure_1.k) == (5, 2, 2)


# Section 3


def test_figure_1_score_of_134_is_that_of_1_plus_that_of_34_at_every_solution(figure_1):
    moves = pb.Climber(figure_1, radius=3).moves
    whole, one, three_four = (0, 2, 3), (0,), (2, 3)
    assert one in moves
    assert three_four in moves
    assert whole not in moves
    climber = pb.Climber(figure_1, radius=3)
    for x in solutions_of(5):
        scores = climber.start(x, weights=[1, 1]).scores
        assert_array_equal(
            scores[moves.index(one)] + scores[moves.index(three_four)],
            naive.score(figure_1, whole, x),
        )


@given(plain=plains(), seed=SEEDS)
def test_proposition_1_scores_of_moves_that_do_not_co_occur_add_up(plain, seed):
    rng = np.random.default_rng(seed)
    climber = pb.Climber(built(plain), radius=3)
    x = random_solution(rng, plain.n)
    scores = climber.start(x, weights=np.ones(len(plain.sense))).scores
    neighbours = naive.cooccurrence(plain)
    first = int(rng.integers(len(climber.moves)))
    near = set(climber.moves[first])
    near.update(*[neighbours[j] for j in climber.moves[first]])
    for second, move in enumerate(climber.moves):
        if not near.intersection(move):
            assert_array_equal(
                scores[first] + scores[second],
                naive.score(plain, climber.moves[first] + move, x),
            )


@given(plain=plains(), radius=st.integers(1, 4), seed=SEEDS)
def test_algorithm_1_gives_the_scores_of_the_new_solution_for_every_move(
    plain, radius, seed
):
    rng = np.random.default_rng(seed)
    climber = pb.Climber(built(plain), radius=radius)
    x = random_solution(rng, plain.n)
    climb = climber.start(x, weights=random_weights(rng, len(plain.sense)))
    assert_array_equal(climb.scores, naive.scores(plain, climber.moves, x))
    for _ in range(5):
        t = climber.moves[rng.integers(len(climber.moves))]
        x = naive.flipped(x, t)
        climb.flip(t)
        assert_array_equal(climb.x, x)
        assert_array_equal(climb.fx, naive.evaluate(plain, x))
        assert_array_equal(climb.scores, naive.scores(plain, climber.moves, x))


def test_update_gives_the_scores_of_the_new_solution(figure_1):
    climber = pb.Climber(figure_1, radius=3)
    for t in climber.moves:
        climb = climber.start([0, 1, 1, 0, 1], weights=[1, 1])
        climb.flip(t)
        assert_array_equal(climb.scores, naive.scores(figure_1, climber.moves, climb.x))


@given(plain=plains(), radius=st.integers(1, 5))
def test_stored_moves_are_the_connected_ones_of_the_ball(plain, radius):
    landscape = built(plain)
    moves = pb.Climber(landscape, radius=radius).moves
    expected = naive.connected_moves(plain, radius)
    assert sorted(moves, key=lambda v: (len(v), v)) == expected
    assert len(moves) == len(expected) == pb.count_moves(landscape, radius)
    for v, move in enumerate(moves):
        assert moves[v] == move
        assert moves.index(move) == v


@pytest.mark.parametrize(
    ("n", "K"), [(7, 1), (8, 2), (12, 2), (10, 3), (25, 3), (21, 4)]
)
def test_adjacent_mnk_has_n_k_to_the_r_minus_1_over_k_minus_1_moves(n, K):
    landscape = ring(n, K, seed=1)
    for radius in range(1, min(4, (n - 1) // K) + 1):
        expected = sum(n * K ** (size - 1) for size in range(1, radius + 1))
        if K > 1:
            assert expected == n * (K**radius - 1) // (K - 1)
        assert pb.count_moves(landscape, radius) == expected
        assert len(pb.Climber(landscape, radius).moves) == expected


@pytest.mark.parametrize(("n", "K"), [(6, 2), (8, 2), (9, 3), (12, 4), (5, 1)])
def test_where_a_move_reaches_round_the_ring_the_papers_formula_counts_it_r_times(n, K):
    # The paper says r ≤ N/K. At r = N/K the K moves with all gaps equal to K close
    # the ring, and each has r places to begin.
    radius = n // K
    landscape = ring(n, K, seed=1)
    formula = sum(n * K ** (size - 1) for size in range(1, radius + 1))
    expected = len(naive.connected_moves(landscape, radius))
    assert expected == formula - K * (radius - 1)
    assert pb.count_moves(landscape, radius) == expected


# Section 4


def test_two_weak_moves_of_the_paper_make_a_strong_one_that_is_not_missed():
    first = [((0,), [0, -1]), ((1,), [0, 3])]
    second = [((0,), [0, 3]), ((1,), [0, -1])]
    landscape = pb.Landscape.from_subfunctions(2, [first, second])
    climber = pb.Climber(landscape, radius=2)
    climb = climber.start([0, 0], weights=[1, 1])
    assert list(climber.moves) == [(0,), (1,)]
    assert climb.scores.tolist() == [[-1, 3], [3, -1]]
    assert naive.score(landscape, (0, 1), [0, 0]) == (2, 2)
    assert in_buckets(climb) == (set(), {0, 1})
    assert not climb.is_local_optimum
    climb.run()
    assert climb.fx.tolist() == [2, 2]
    assert climb.is_local_optimum
    # From (2, 2) nothing improves, and the first of the two moves was reported.
    assert len(climb.reports.F) == 3
    assert climb.reports.F[0].tolist() == [0, 0]
    assert climb.reports.F[1].tolist() in ([-1, 3], [3, -1])
    assert climb.reports.F[2].tolist() == [2, 2]


def test_proposition_2_a_strong_move_in_the_ball_means_a_stored_w_improving_move():
    rng = np.random.default_rng(2)
    met = missed_by_strong_moves_alone = 0
    for _ in range(150):
        plain = random_plain(rng, max_n=8)
        radius = int(rng.integers(1, 5))
        climber = pb.Climber(built(plain), radius)
        table = naive.full_table(plain) * naive.signs(plain.sense)
        ball = masks_of(naive.ball(plain.n, radius))
        for _ in range(4):
            x = random_solution(rng, plain.n)
            climb = climber.start(x, weights=random_weights(rng, len(plain.sense)))
            gains = table[naive.row_of(x) ^ ball] - table[naive.row_of(x)]
            strong = ((gains >= 0).all(axis=1) & (gains > 0).any(axis=1)).any()
            stored = len(climb.strong) + len(climb.improving)
            assert stored > 0 or not strong
            assert climb.is_local_optimum == (stored == 0)
            met += strong
            missed_by_strong_moves_alone += strong and len(climb.strong) == 0
    assert met > 50
    assert missed_by_strong_moves_alone > 0


@given(plain=plains(), radius=st.integers(1, 3), seed=SEEDS)
def test_a_change_of_w_refiles_moves_and_changes_no_score(plain, radius, seed):
    rng = np.random.default_rng(seed)
    climber = pb.Climber(built(plain), radius=radius)
    d = len(plain.sense)
    x = random_solution(rng, plain.n)
    climb = climber.start(x, weights=random_weights(rng, d), seed=0)
    for _ in range(3):
        before, strong_before = climb.scores, in_buckets(climb)[0]
        weights = random_weights(rng, d)
        climb.set_weights(weights)
        assert_array_equal(climb.scores, before)
        assert_array_equal(climb.x, x)
        assert in_buckets(climb)[0] == strong_before
        fresh = climber.start(x, weights=weights)
        assert_array_equal(climb.weights, fresh.weights)
        assert in_buckets(climb) == in_buckets(fresh)
        expected = buckets_by_definition(
            plain, climber.moves, x, climb.weights.tolist()
        )
        assert in_buckets(climb) == expected
        climb.step()
        x = climb.x


@given(plain=plains(), radius=st.integers(1, 4), seed=SEEDS)
def test_algorithm_2_step_by_step(plain, radius, seed):
    """Strong moves first, of these the smallest; reports where the paper has them."""
    rng = np.random.default_rng(seed)
    climber = pb.Climber(built(plain), radius=radius)
    moves = climber.moves
    x = random_solution(rng, plain.n)
    climb = climber.start(x, weights=random_weights(rng, len(plain.sense)), seed=seed)
    weights = climb.weights.tolist()
    reported = []
    visited = {naive.row_of(x)}
    while True:
        strong, improving = buckets_by_definition(plain, moves, x, weights)
        assert in_buckets(climb) == (strong, improving)
        assert climb.is_local_optimum == (not strong and not improving)
        candidates = strong or improving
        if not strong:
            reported.append((list(naive.evaluate(plain, x)), naive.flipped(x, [])))
        value = w_value(climb, plain.sense)
        t = climb.step()
        assert climb.reports.F.tolist() == [fx for fx, _ in reported]
        assert climb.reports.X.astype(int).tolist() == [bits for _, bits in reported]
        if t is None:
            break
        assert t in candidates
        assert len(moves[t]) == min(len(moves[v]) for v in candidates)
        assert w_value(climb, plain.sense) > value
        x = naive.flipped(x, moves[t])
        assert_array_equal(climb.x, x)
        assert naive.row_of(x) not in visited  # the paper: it cannot cycle
        visited.add(naive.row_of(x))
    assert not candidates
    assert climb.is_local_optimum
    assert naive.is_local_optimum(plain, x, radius)


def test_a_finished_climb_is_a_local_optimum_of_the_whole_ball():
    rng = np.random.default_rng(3)
    for _ in range(100):
        plain = random_plain(rng, max_n=10)
        radius = int(rng.integers(1, 4))
        climber = pb.Climber(built(plain), radius)
        climb = climber.start(seed=int(rng.integers(1000))).run()
        assert climb.is_local_optimum
        assert naive.is_local_optimum(plain, climb.x, radius)


CHI_SQUARE = {2: 18.42, 5: 25.74}  # by degrees of freedom: exceeded 1 in 10,000 times


def assert_uniform(picks, candidates):
    """Pearson's test of picks that should be uniform over the candidates."""
    counts = np.array([picks.count(v) for v in candidates])
    assert counts.sum() == len(picks)
    expected = len(picks) / len(candidates)
    statistic = ((counts - expected) ** 2 / expected).sum()
    assert statistic < CHI_SQUARE[len(candidates) - 1]


@pytest.mark.parametrize("selection", ["next", "uniform"])
def test_selection_is_uniform_among_the_smallest_strong_moves(selection):
    ones = [((j,), [0, 1]) for j in range(6)] + [((6, 7), [2, 0, 0, 3])]
    landscape = pb.Landscape.from_subfunctions(8, [ones])
    climber = pb.Climber(landscape, radius=2, selection=selection)
    firsts, lasts = [], []
    for seed in range(1200):
        climb = climber.start(np.zeros(8), weights=[1], seed=seed)
        steps = [climb.step() for _ in range(7)]
        firsts.append(steps[0])
        lasts.append(steps[5])
        assert climber.moves[steps[6]] == (6, 7)
    singles = [climber.moves.index([j]) for j in range(6)]
    assert_uniform(firsts, singles)
    assert_uniform(lasts, singles)


@pytest.mark.parametrize("selection", ["next", "uniform"])
def test_selection_is_uniform_among_w_improving_moves_of_two_variables(selection):
    pairs = [(0, 1), (2, 3), (4, 5)]
    first = [(pair, [2, 0, 0, 5]) for pair in pairs]
    second = [(pair, [1, 0, 0, 0]) for pair in pairs]
    landscape = pb.Landscape.from_subfunctions(6, [first, second])
    climber = pb.Climber(landscape, radius=3, selection=selection)
    picks = []
    for seed in range(600):
        climb = climber.start([0] * 6, weights=[1, 1], seed=seed)
        assert len(climb.strong) == 0
        picks.append(climb.step())
    assert_uniform(picks, [climber.moves.index(pair) for pair in pairs])
