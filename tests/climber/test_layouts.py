"""Layouts of scores at radius 1: all give the same climbs, and all are exact."""

from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import naive
import paretoball as pb
from climbs import assert_exact, assert_same_state, steps_of
from landscapes import built, plains, random_plain, random_solution, random_weights
from naive import Plain
from paretoball.climber import memory_estimate, rows
from paretoball.climber.affected import BY_CLIQUES, BY_ROWS, BY_STENCILS

SPARSE, WHOLE = 1, 10**9  # for DENSE: only full rows are whole; all rows are


@contextmanager
def only(layout, dense=6):
    """Let climbers of radius 1 have this layout; BY_ROWS only where f is quadratic."""
    with pytest.MonkeyPatch.context() as patch:
        pays = 10**9 if layout == BY_CLIQUES else -1
        patch.setattr(memory_estimate, "RECORDS_PAY", pays)
        patch.setattr(rows, "DENSE", dense)
        if layout != BY_ROWS:
            patch.setattr(memory_estimate, "_has_rows", lambda *_: False)
        yield


def climber_by(layout, landscape, selection="next", dense=6):
    """A climber of radius 1 with this layout."""
    with only(layout, dense):
        climber = pb.Climber(landscape, 1, selection)
    assert climber.move_set.layout == layout
    return climber


def random_pairs(rng, max_n=24):
    """A landscape with hubs, dense parts and sparse ones, of pairs and single bits."""
    n, d = int(rng.integers(1, max_n)), int(rng.integers(1, 5))
    shares = rng.choice([0.0, 0.05, 0.3, 1.0], n)
    reach = int(rng.choice([1, 3, 100, 10**6, 2**40]))
    objectives = []
    for _ in range(d):
        terms = []
        for a in range(n):
            if rng.random() < 0.5:
                table = rng.integers(-reach, reach + 1, 2).tolist()
                terms.append(((a,), tuple(table)))
            for b in range(a):
                if rng.random() < max(shares[a], shares[b]):
                    table = rng.integers(-reach, reach + 1, 4).tolist()
                    terms.append(
                        ((a, b) if rng.random() < 0.5 else (b, a), tuple(table))
                    )
        objectives.append(tuple(terms[e] for e in rng.permutation(len(terms))))
    sense = tuple(rng.choice(["max", "min"], d).tolist())
    return Plain(n, tuple(objectives), sense)


def wander(climb, rng):
    """Climb, flip and turn at random; what the climb was after each of these."""
    n, d = climb.climber.landscape.n, climb.climber.landscape.d
    for _ in range(4):
        yield climb.run(max_moves=int(rng.integers(1, 6)))
        yield climb.flip(rng.permutation(n)[: int(rng.integers(1, 4))].tolist())
        yield climb.set_weights(random_weights(rng, d))
    yield climb.run()


@pytest.mark.plain
@pytest.mark.bounds
@pytest.mark.parametrize("number", range(6))
def test_scores_by_rows_are_exact(number):
    rng = np.random.default_rng([1, number])
    plain = random_pairs(rng, max_n=14)
    if number % 2:  # the one kind that is compiled with bounds checks
        plain = Plain(plain.n, plain.objectives[:1] * 2, ("max", "min"))
    dense = int(rng.choice([SPARSE, 2, 6, WHOLE]))
    climber = climber_by(BY_ROWS, built(plain), dense=dense)
    climb = climber.start(random_solution(rng, plain.n), seed=number)
    assert_exact(climb, climber.moves, plain)
    for later in wander(climb, rng):
        assert_exact(later, climber.moves, plain)
    assert naive.is_local_optimum(plain, climb.x, 1)


@pytest.mark.parametrize("number", range(12))
def test_rows_whole_and_listed_climb_like_stencils_move_by_move(number):
    rng = np.random.default_rng([2, number])
    plain = random_pairs(rng, max_n=60)
    landscape = built(plain)
    x, seed = random_solution(rng, plain.n), int(rng.integers(99))
    selection = ("next", "best", "uniform")[number % 3]
    climbers = [
        climber_by(BY_STENCILS, landscape, selection),
        climber_by(BY_CLIQUES, landscape, selection),
        *(climber_by(BY_ROWS, landscape, selection, e) for e in (SPARSE, 3, WHOLE)),
    ]
    weights = random_weights(rng, landscape.d)
    first, *others = [climber.start(x, weights, seed) for climber in climbers]
    steps = steps_of(first)
    for other in others:
        assert steps_of(other) == steps
        assert_same_state(first, other)


@pytest.mark.parametrize("number", range(20))
def test_cliques_climb_like_stencils_move_by_move(number):
    rng = np.random.default_rng([3, number])
    plain = random_plain(rng, max_n=40)
    landscape = built(plain)
    climbers = [climber_by(each, landscape) for each in (BY_STENCILS, BY_CLIQUES)]
    climbs = [climber.start(seed=number) for climber in climbers]
    assert_same_state(*climbs)
    for one, other in zip(*(wander(c, np.random.default_rng(number)) for c in climbs)):
        assert_same_state(one, other)


@given(plains(max_n=6), st.integers(0, 99))
def test_scores_by_cliques_are_exact(plain, seed):
    climber = climber_by(BY_CLIQUES, built(plain))
    climb = climber.start(seed=seed)
    assert_exact(climb, climber.moves, plain)
    for later in wander(climb, np.random.default_rng(seed)):
        assert_exact(later, climber.moves, plain)


@pytest.mark.parametrize("k", [3, 4, 5, 6, 7])
def test_tables_of_every_arity_are_copied_right(k):
    landscape = pb.mnk(n=24, K=k - 1, d=3, q=9, model="random", seed=k)
    stencils, copies = (climber_by(e, landscape) for e in (BY_STENCILS, BY_CLIQUES))
    one, other = stencils.start(seed=k), copies.start(seed=k)
    assert steps_of(one) == steps_of(other)
    assert_same_state(one, other)


@pytest.mark.parametrize("method", ["path", "multistart"])
@pytest.mark.parametrize("number", range(4))
def test_searches_find_the_same_with_every_layout(number, method):
    rng = np.random.default_rng([4, number])
    plain = random_pairs(rng, max_n=40)
    landscape = built(Plain(plain.n, (plain.objectives * 2)[:2], ("max", "min")))
    how = {"radius": 1, "method": method, "max_climbs": 10, "seed": number}
    found = []
    for layout, dense in [
        (BY_STENCILS, 6),
        (BY_CLIQUES, 6),
        *((BY_ROWS, e) for e in (SPARSE, 3, WHOLE)),
    ]:
        with only(layout, dense):
            found.append(pb.solve(landscape, **how, progress=False))
    for other in found[1:]:
        assert_array_equal(other.F, found[0].F)
        assert_array_equal(other.X, found[0].X)
        assert other.moves == found[0].moves


def test_a_square_lends_its_rows():
    rng = np.random.default_rng(5)
    Q = rng.integers(-99, 100, (2, 40, 40))
    landscape = pb.qubo(Q, sense=["min", "max"])
    climber = pb.Climber(landscape, 1)
    assert np.shares_memory(climber.move_set.affected.factors, landscape.square.pairs)
    climb = climber.start(seed=1).run()
    x = climb.x.astype(int)
    assert climb.fx.tolist() == [int(x @ one @ x) for one in Q]
    flipped = [landscape.evaluate(np.arange(40) == j) for j in range(3)]
    start = climber.start(np.zeros(40, int))
    assert_array_equal(start.scores[:3], flipped - landscape.evaluate(np.zeros(40)))


def test_a_square_with_sparse_variables_has_lists_for_them():
    rng = np.random.default_rng(6)
    Q = rng.integers(-99, 100, (60, 60))
    Q[40:, :] = Q[:, 40:] = 0
    Q[40, 41] = Q[0, 59] = 7
    landscape = pb.qubo(Q)
    affected = pb.Climber(landscape, 1).move_set.affected
    assert affected.is_whole.tolist() == [True] * 40 + [False] * 20
    other = pb.Landscape.from_arrays(60, 1, *landscape.subfunctions, sense="min")
    one, two = (pb.Climber(each, 1).start(seed=3) for each in (landscape, other))
    assert steps_of(one) == steps_of(two)
    assert_same_state(one, two)


def test_a_hub_does_not_make_other_rows_whole():
    spokes = [((0, j), [0, 1, 1, 0]) for j in range(1, 500)]
    landscape = pb.Landscape.from_subfunctions(500, [spokes])
    affected = pb.Climber(landscape, 1).move_set.affected
    assert np.flatnonzero(affected.is_whole).tolist() == [0]
    assert len(affected.factors) == 500 + 499 * 2


def test_layouts_follow_from_the_landscape():
    ring = pb.mnk(n=300, K=2, seed=1)
    random = pb.mnk(n=300, K=2, model="random", seed=1)
    cut = pb.random_maxcut(n=300, degree=3, seed=1)
    assert pb.Climber(ring, 1).move_set.layout == BY_STENCILS
    assert pb.Climber(random, 1).move_set.layout == BY_CLIQUES
    assert pb.Climber(cut, 1).move_set.layout == BY_ROWS
    for landscape in (ring, random, cut):
        assert pb.Climber(landscape, 2).move_set.layout == BY_STENCILS
