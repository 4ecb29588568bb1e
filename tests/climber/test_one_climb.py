"""One climb: in pieces or at once, with flips in between, and seen from outside."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import naive
import paretoball as pb
from climbs import assert_one_line, assert_same_state, steps_of
from landscapes import (
    built,
    plains,
    random_plain,
    random_solution,
    random_weights,
    ring,
)
from naive import Plain
from paretoball.climber import one_climb

# What bad input gets


@pytest.mark.parametrize(
    ("weights", "kind", "word"),
    [
        ([1, 0], ValueError, "0"),
        ([-1.5, 1], ValueError, "-1.5"),
        ([1, float("nan")], ValueError, "nan"),
        ([float("inf"), 1], ValueError, "inf"),
        ([1], ValueError, "1"),
        ([1, 2, 3], ValueError, "3"),
        ([[1, 2]], (ValueError, TypeError), ""),
        ([1, [2]], TypeError, "not a list of 2 numbers"),
        (["a", "b"], (ValueError, TypeError), "a"),
        ([1, None], (ValueError, TypeError), ""),
        (3, (ValueError, TypeError), "3"),
    ],
)
def test_strange_weights_are_refused_and_change_nothing(figure_1, weights, kind, word):
    climber = pb.Climber(figure_1, radius=2)
    with pytest.raises(kind) as caught:
        climber.start([0] * 5, weights=weights)
    assert_one_line(caught, "weight", word)
    climb = climber.start([0] * 5, weights=[1, 2])
    with pytest.raises(kind) as caught:
        climb.set_weights(weights)
    assert_one_line(caught, "weight", word)
    assert_same_state(climb, climber.start([0] * 5, weights=[1, 2]))


@pytest.mark.parametrize(
    ("variables", "kind", "word"),
    [
        ([5], ValueError, "5"),
        ([-1], ValueError, "-1"),
        ([1, 3, 1], ValueError, "1"),
        ([0.5], (TypeError, ValueError), "0.5"),
        ("1", (TypeError, ValueError), "1"),
        (2, TypeError, "2"),
    ],
)
def test_flips_that_make_no_sense_are_refused_and_change_nothing(
    figure_1, variables, kind, word
):
    climb = pb.Climber(figure_1, radius=2).start([0] * 5, weights=[1, 1])
    with pytest.raises(kind) as caught:
        climb.flip(variables)
    assert_one_line(caught, word)
    assert_array_equal(climb.x, np.zeros(5))
    assert_array_equal(climb.fx, naive.evaluate(figure_1, [0] * 5))


@pytest.mark.parametrize("max_moves", [-1, 1.5, "3"])
def test_a_strange_number_of_moves_is_refused(figure_1, max_moves):
    climb = pb.Climber(figure_1, radius=2).start(seed=0)
    with pytest.raises((ValueError, TypeError)) as caught:
        climb.run(max_moves=max_moves)
    assert_one_line(caught, "max_moves", str(max_moves))


# Runs, steps, flips


@given(plain=plains(), seed=st.integers(0, 1000), piece=st.integers(1, 3))
def test_a_run_in_pieces_is_one_run(plain, seed, piece):
    climber = pb.Climber(built(plain), radius=2)
    whole = climber.start(seed=seed)
    assert whole.run() is whole
    pieces = climber.start(seed=seed)
    while not pieces.is_local_optimum:
        pieces.run(max_moves=piece)
    pieces.run()
    assert_same_state(whole, pieces)
    stepped = climber.start(seed=seed)
    steps_of(stepped)
    assert_same_state(whole, stepped)


def test_looking_changes_nothing():
    rng = np.random.default_rng(4)
    for seed in range(40):
        landscape = ring(24, 2, seed) if seed % 2 else built(random_plain(rng))
        climber = pb.Climber(landscape, radius=3)
        watched, steps = climber.start(seed=seed), []
        while True:
            every = (watched.scores, watched.strong, watched.improving, watched.fx)
            assert len(every) == 4
            assert len(watched.reports.F) == len(watched.reports.X)
            if watched.is_local_optimum:
                break
            steps.append(watched.step())
        watched.run()
        assert steps == steps_of(climber.start(seed=seed))
        assert_same_state(watched, climber.start(seed=seed).run())


def test_max_moves_is_kept():
    climber = pb.Climber(ring(60, 3, seed=2), radius=2)
    steps = steps_of(climber.start(seed=1))
    for most in (0, 1, 5, len(steps) - 1, len(steps), len(steps) + 10):
        climb = climber.start(seed=1)
        x = climb.x
        for t in steps[:most]:
            x = naive.flipped(x, climber.moves[t])
        assert_array_equal(climb.run(max_moves=most).x, x)


def test_nothing_happens_after_the_end():
    climb = pb.Climber(ring(30, 3, seed=2), radius=2).start(seed=1).run()
    before = (climb.x, climb.fx, climb.scores, climb.reports.F)
    assert climb.step() is None
    climb.run()
    for old, new in zip(before, (climb.x, climb.fx, climb.scores, climb.reports.F)):
        assert_array_equal(old, new)


@given(plain=plains(), seed=st.integers(0, 1000))
def test_any_set_of_variables_can_be_flipped(plain, seed):
    rng = np.random.default_rng(seed)
    climber = pb.Climber(built(plain), radius=2)
    x = random_solution(rng, plain.n)
    climb = climber.start(x, weights=random_weights(rng, len(plain.sense)))
    for form in (list, tuple, np.array, set):
        variables = rng.permutation(plain.n)[: rng.integers(plain.n + 1)].tolist()
        x = naive.flipped(x, variables)
        climb.flip(form(variables))
        fresh = climber.start(x, weights=climb.weights)
        assert_array_equal(climb.x, x)
        assert_array_equal(climb.fx, fresh.fx)
        assert_array_equal(climb.scores, fresh.scores)
        assert set(climb.strong.tolist()) == set(fresh.strong.tolist())
        assert set(climb.improving.tolist()) == set(fresh.improving.tolist())


def test_a_climb_goes_on_after_a_flip_and_after_new_weights():
    landscape = ring(12, 3, seed=3)
    climb = pb.Climber(landscape, radius=2).start(seed=1).run()
    for number in range(10):
        reports = len(climb.reports.F)
        climb.flip([number, (number + 5) % 12])
        climb.set_weights([1 + number, 10 - number])
        climb.run()
        assert climb.is_local_optimum
        assert naive.is_local_optimum(landscape, climb.x, 2)
        assert len(climb.reports.F) > reports
        assert_array_equal(climb.reports.F[-1], climb.fx)
    assert_array_equal(landscape.evaluate(climb.reports.X), climb.reports.F)


@pytest.mark.plain
@given(plains(max_n=6), st.integers(0, 1000), st.booleans())
def test_a_climb_is_over_only_where_no_move_improves(plain, seed, is_flipped):
    """After a flip alone, and after new weights alone."""
    rng = np.random.default_rng(seed)
    climber = pb.Climber(built(plain), radius=2)
    climb = climber.start(seed=seed).run()
    for _ in range(3):
        if is_flipped:
            climb.flip([int(rng.integers(plain.n))])
        else:
            weights = random_weights(rng, len(plain.sense))
            climb.set_weights(weights)
            fresh = climber.start(climb.x, weights=weights)
            assert climb.weights.tolist() == fresh.weights.tolist()
        assert "under way" in repr(climb)
        assert climb.run().is_local_optimum
        assert "at a local optimum" in repr(climb)


def test_reported_solutions_evaluate_to_reported_objectives():
    rng = np.random.default_rng(5)
    for _ in range(60):
        plain = random_plain(rng, max_n=10)
        climb = pb.Climber(built(plain), radius=2).start(seed=3).run()
        F, X = climb.reports.F, climb.reports.X
        assert F.shape == (len(F), len(plain.sense))
        assert X.shape == (len(F), plain.n)
        for fx, x in zip(F.tolist(), X):
            assert tuple(fx) == naive.evaluate(plain, x)


# What a user sees


def test_what_is_seen_is_a_copy(figure_1):
    climb = pb.Climber(figure_1, radius=2).start([0] * 5, weights=[3, 2], seed=0)
    fresh = pb.Climber(figure_1, radius=2).start([0] * 5, weights=[3, 2], seed=0)
    for _ in range(2):
        seen = climb.scores, climb.fx, climb.x, climb.weights, climb.neighbours()
        found = climb.strong, climb.improving, climb.reports.F, climb.reports.steps
        for array in (*seen, *found, climb.reports.X):
            if array.flags.writeable:
                array[...] = 1 - array
        assert_same_state(climb, fresh)
        assert steps_of(climb) == steps_of(fresh)
    assert len(climb.reports.F) > 0


@pytest.mark.plain
@pytest.mark.parametrize("size", [1, 2, 5])
@pytest.mark.parametrize("radius", [1, 2])
def test_a_climb_has_room_for_all_that_it_takes_and_reports(monkeypatch, size, radius):
    climber = pb.Climber(ring(16, 2, seed=1), radius)
    whole = climber.start(seed=1)
    monkeypatch.setattr(one_climb, "SLICE", size)
    pieces = climber.start(seed=1)
    for number in range(8):
        for climb in (whole, pieces):
            climb.set_weights([1 + number, 8 - number]).run()
        assert pieces.steps == whole.steps > size
        assert_array_equal(pieces.reports.steps, whole.reports.steps)
        assert_same_state(whole, pieces)
        for climb in (whole, pieces):
            climb.flip(range(number, 16))
        assert_same_state(whole, pieces)
    reports = pieces.reports
    assert len(reports.F) > 8
    assert_array_equal(climber.landscape.evaluate(reports.X), reports.F)


@pytest.mark.plain
@pytest.mark.parametrize("senses", ["max", "min max", "max min min"])
def test_reports_have_the_shape_and_the_names_of_their_landscape(senses):
    sense = senses.split()
    terms = [[((j,), [0, 1 + i + j]) for j in range(5)] for i in range(len(sense))]
    names = [f"goal {i}" for i in range(len(sense))]
    landscape = pb.Landscape.from_subfunctions(5, terms, sense, names=names)
    reports = pb.Climber(landscape, 1).start([0] * 5).run().reports
    assert (reports.n, reports.d) == (5, len(sense))
    assert (reports.sense, reports.names) == (tuple(sense), tuple(names))
    F, X = reports
    assert_array_equal(landscape.evaluate(X), F)
    assert F.shape == (len(reports.steps), len(sense))


def test_integer_tables_give_integers(figure_1):
    climb = pb.Climber(figure_1, radius=2).start(seed=0).run()
    assert climb.fx.dtype == climb.scores.dtype == climb.reports.F.dtype == np.int64


def test_a_minimised_objective_is_its_negative_maximised():
    rng = np.random.default_rng(6)
    for _ in range(40):
        plain = random_plain(rng, max_n=10)
        objectives = [
            [
                (mask, table if sense == "max" else tuple(-value for value in table))
                for mask, table in objective
            ]
            for objective, sense in zip(plain.objectives, plain.sense)
        ]
        turned = pb.Landscape.from_subfunctions(plain.n, objectives)
        signs = naive.signs(plain.sense)
        own = pb.Climber(built(plain), radius=2).start(seed=1)
        other = pb.Climber(turned, radius=2).start(seed=1)
        assert_array_equal(own.scores, other.scores * signs)
        assert steps_of(own) == steps_of(other)
        assert_array_equal(own.fx, other.fx * signs)
        assert_array_equal(own.reports.F, other.reports.F * signs)


def test_decimal_tables_give_the_decimals_one_would_write():
    first = [((0,), [0.1, 0.35]), ((1,), [0.2, 0.0])]
    second = [((0, 1), [1.5, 0.25, 3, 1.125])]
    landscape = pb.Landscape.from_subfunctions(2, [first, second], ["max", "min"])
    climb = pb.Climber(landscape, radius=2).start([0, 0], weights=[1, 1])
    assert climb.fx.tolist() == [0.3, 1.5]
    by_move = dict(zip(pb.Climber(landscape, radius=2).moves, climb.scores.tolist()))
    assert by_move == {(0,): [0.25, -1.25], (1,): [-0.2, 1.5], (0, 1): [0.05, -0.375]}
    assert climb.run().fx.tolist() == [0.55, 0.25]


def test_real_tables_agree_with_the_definition():
    rng = np.random.default_rng(7)
    masks = [(0, 1, 2), (2, 3), (3, 4, 5), (5, 0), ()]
    objectives = tuple(
        tuple((mask, tuple(rng.normal(size=1 << len(mask)).tolist())) for mask in masks)
        for _ in range(2)
    )
    plain = Plain(6, objectives, ("max", "min"))
    climber = pb.Climber(built(plain), radius=3)
    climb = climber.start(seed=1)
    while True:
        expected = naive.scores(plain, climber.moves, climb.x)
        assert climb.scores.dtype == climb.fx.dtype == np.float64
        assert np.abs(climb.scores - expected).max() < 1e-9
        assert np.abs(climb.fx - naive.evaluate(plain, climb.x)).max() < 1e-9
        if climb.step() is None:
            break
    assert naive.is_local_optimum(plain, climb.x, 3)


@pytest.mark.plain
@given(plains(max_n=6), st.integers(1, 3), st.integers(0, 2**32 - 1))
def test_neighbours_have_the_objectives_of_all_moves(plain, radius, seed):
    rng = np.random.default_rng(seed)
    climber = pb.Climber(built(plain), radius)
    climb = climber.start(random_solution(rng, plain.n), seed=1)
    for _ in range(2):
        moved = [naive.flipped(climb.x, v) for v in climber.moves]
        expected = [naive.evaluate(plain, x) for x in moved]
        found = climb.neighbours()
        assert found.shape == (len(climber.moves), len(plain.sense))
        assert found.tolist() == list(map(list, expected))
        climb.run(max_moves=2)


def test_neighbours_have_real_objectives_where_f_is_real():
    landscape = pb.mnk(n=12, K=2, q=None, seed=1)
    climb = pb.Climber(landscape, 2).start(seed=1)
    moved = np.array([naive.flipped(climb.x, v) for v in climb.climber.moves])
    assert_array_equal(climb.neighbours(), landscape.evaluate(moved))


@pytest.mark.plain
@pytest.mark.parametrize("extra", [-1, 0, 1, 2])
def test_any_number_of_flips_at_once_is_noted(monkeypatch, extra):
    monkeypatch.setattr(one_climb, "SLICE", 8)
    n = 8 + extra
    landscape = pb.Landscape.from_subfunctions(n, [[((j,), [0, 1]) for j in range(n)]])
    climb = pb.Climber(landscape, 1).start([0] * n, seed=1).flip(range(n))
    assert (climb.steps, climb.fx.tolist()) == (n, [n])
    assert climb.run().reports.X.tolist() == [[True] * n]
    assert climb.flip(range(n)).run().steps == 3 * n
