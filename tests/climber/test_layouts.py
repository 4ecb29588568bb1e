"""Layouts of scores at radius 1: all give the same climbs, and all are exact."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import naive
import paretoball as pb
from climbs import assert_exact, assert_same_state, steps_of
from landscapes import (
    built,
    drawn_selection,
    one_objective,
    plains,
    random_pairs,
    random_plain,
    random_solution,
    random_weights,
    solutions_of,
)
from layouts import (
    QUADRATIC,
    SPARSE,
    WHOLE,
    climber_by,
    every_climber,
    only,
    used_layout,
)
from naive import Plain
from paretoball.climber import BY_CLIQUES, BY_ROWS, records
from paretoball.climber.moves import enumerate_moves, single_flips
from paretoball.climber.records import SEVERAL
from paretoball.climber.stencils import BY_STENCILS
from shares import first

CHECKED = [pytest.mark.plain, pytest.mark.bounds]  # of the common kind only


def wander(climb, rng):
    """Climb, flip and turn at random; what the climb was after each of these."""
    n, d = climb.climber.landscape.n, climb.climber.landscape.d
    for _ in range(4):
        yield climb.run(max_moves=int(rng.integers(1, 6)))
        yield climb.flip(rng.permutation(n)[: int(rng.integers(1, 4))].tolist())
        yield climb.set_weights(random_weights(rng, d))
    yield climb.run()


@pytest.mark.parametrize(
    ("number", "is_common"),
    [
        *(pytest.param(e, True, marks=CHECKED) for e in range(4)),
        *((e, False) for e in range(4, 10)),
    ],
)
def test_scores_by_rows_are_exact(number, is_common):
    rng = np.random.default_rng([1, number])
    plain = random_pairs(rng, 14, is_common)
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
    selection = drawn_selection(("next", "best", "uniform")[number % 3], landscape.d)
    weights = random_weights(rng, landscape.d)
    climbers = every_climber(landscape, selection)
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


@pytest.mark.plain
@pytest.mark.bounds
def test_cliques_of_the_common_kind_are_read_within_bounds():
    for number in range(3):
        landscape = pb.mnk(n=12, K=number + 1, d=2, q=9, model="random", seed=number)
        climber = climber_by(BY_CLIQUES, landscape)
        climb = climber.start(seed=number).run()
        expected = naive.scores(landscape, climber.moves, climb.x)
        assert_array_equal(climb.scores, expected)


@given(plains(max_n=6), st.integers(0, 99))
def test_scores_by_cliques_are_exact(plain, seed):
    climber = climber_by(BY_CLIQUES, built(plain))
    climb = climber.start(seed=seed)
    assert_exact(climb, climber.moves, plain)
    for later in wander(climb, np.random.default_rng(seed)):
        assert_exact(later, climber.moves, plain)


@pytest.mark.parametrize(
    ("largest", "dtype"),
    [(2**28 - 1, np.int32), (2**28, np.int64), (2**61, np.int64)],
)
def test_the_largest_scores_of_each_width_are_exact(largest, dtype):
    """The factor of a pair is up to twice as large as a score: here, up to 2^63."""
    for signs in itertools.product([-1, 1], repeat=4):
        table = [sign * largest for sign in signs]
        landscape = one_objective(3, ((0, 1), table))
        if not any(landscape.spreads[0]):
            continue
        for climber in every_climber(landscape):
            assert climber.cliques.tables.dtype == dtype
            for x in solutions_of(3):
                climb = climber.start(x).flip([0]).flip([1])
                f = landscape.evaluate(climb.x)
                flipped = landscape.evaluate(climb.x ^ np.eye(3, dtype=np.bool_))
                assert_array_equal(climb.fx, f)
                assert_array_equal(climb.scores, flipped - f)


@pytest.mark.parametrize("k", [3, 4, 5, 6, 7])
def test_tables_of_every_arity_are_read_right(k):
    landscape = pb.mnk(n=24, K=k - 1, d=2, q=9, model="random", seed=k)
    one, other = (
        climber_by(layout, landscape).start(seed=k)
        for layout in (BY_STENCILS, BY_CLIQUES)
    )
    assert steps_of(one) == steps_of(other)
    assert_same_state(one, other)


@pytest.mark.parametrize("entry", range(8))
def test_a_table_with_one_odd_entry_is_copied_for_its_objective(entry):
    peak = [int(e == entry) for e in range(8)]
    tables = [3, 1, 4, 1, 5, 9, 2, 6]
    objectives = [[((0, 1, 2), tables)], [((0, 1, 2), peak), ((3,), [0, 1])]]
    landscape = pb.Landscape.from_subfunctions(4, objectives)
    climb = climber_by(BY_CLIQUES, landscape).start([0, 0, 0, 0])
    for x in solutions_of(4)[1:]:
        climb.flip(np.flatnonzero(climb.x != x))
        flipped = landscape.evaluate(x ^ np.eye(4, dtype=np.uint8))
        assert_array_equal(climb.scores, flipped - landscape.evaluate(x))


@pytest.mark.parametrize("method", ["path", "multistart"])
@pytest.mark.parametrize("number", first(2, range(4)))
def test_searches_find_the_same_with_every_layout(number, method):
    rng = np.random.default_rng([4, number])
    plain = random_pairs(rng, 40, is_common=number < 2)
    landscape = built(Plain(plain.n, (plain.objectives * 2)[:2], ("max", "min")))
    how = {"radius": 1, "method": method, "max_climbs": 10, "seed": number}
    found = []
    for layout, dense in QUADRATIC:
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


def test_a_sixth_of_all_variables_for_neighbours_makes_a_row_whole():
    objective = [((0, 1), [0, 1, 1, 0]), ((0, 2), [0, 1, 1, 0])]
    for n, is_whole in [(12, True), (13, False)]:
        landscape = pb.Landscape.from_subfunctions(n, [objective])
        affected = pb.Climber(landscape, 1).move_set.affected
        assert affected.is_whole.tolist() == [is_whole] + [False] * (n - 1)


def test_single_flips_are_the_moves_of_radius_1():
    landscape = pb.random_maxcut(n=20, degree=3, seed=1)
    for own, other in zip(single_flips(20), enumerate_moves(landscape.cooccurrence, 1)):
        assert own.dtype == other.dtype
        assert_array_equal(own, other)


def test_layouts_follow_from_the_landscape():
    ring = pb.mnk(n=300, K=2, seed=1)
    random = pb.mnk(n=300, K=2, model="random", seed=1)
    cut = pb.random_maxcut(n=300, degree=3, seed=1)
    assert used_layout(pb.Climber(ring, 1)) == BY_STENCILS
    assert used_layout(pb.Climber(random, 1)) == BY_CLIQUES
    assert used_layout(pb.Climber(cut, 1)) == BY_ROWS
    for landscape in (ring, random, cut):
        assert used_layout(pb.Climber(landscape, 2)) == BY_STENCILS


@pytest.mark.plain
@pytest.mark.parametrize("d", [1, 2])
def test_every_clique_finds_its_table_in_the_pool(d):
    """Tables are short and much alike, of several sizes."""
    rng = np.random.default_rng(d)
    for _ in range(60):
        terms = [
            (
                sorted(rng.choice(5, arity, replace=False).tolist()),
                rng.integers(0, 2, 1 << arity).tolist(),
            )
            for arity in rng.integers(1, 4, 12).tolist()
        ]
        landscape = pb.Landscape.from_subfunctions(5, [terms[i::d] for i in range(d)])
        cliques = landscape.cliques
        owners = records._owners(cliques)
        values, starts = records._pooled(cliques, owners, np.dtype(np.int32))
        for c, owner in enumerate(owners.tolist()):
            table = cliques.tables[cliques.table_at[c] : cliques.table_at[c + 1]]
            changes = table - table[0]
            varied = np.flatnonzero(changes.any(axis=0)).tolist()
            assert owner == (varied[0] if len(varied) == 1 else SEVERAL)
            own = (changes[:, owner] if owner != SEVERAL else changes).ravel()
            start = starts[c]
            assert values[start : start + len(own)].tolist() == own.tolist()
