"""The climber's contract, beyond what the paper says of it."""

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
from naive import Plain


def steps_of(climb):
    """All moves of a climb, to its end."""
    steps = []
    while (t := climb.step()) is not None:
        steps.append(t)
        assert len(steps) < 10_000
    return steps


def assert_same_state(a, b):
    """Two climbs stand at the same place with the same things known."""
    assert_array_equal(a.x, b.x)
    assert_array_equal(a.fx, b.fx)
    assert_array_equal(a.scores, b.scores)
    assert_array_equal(a.weights, b.weights)
    assert set(a.strong.tolist()) == set(b.strong.tolist())
    assert set(a.improving.tolist()) == set(b.improving.tolist())
    assert_array_equal(a.reports.F, b.reports.F)
    assert_array_equal(a.reports.X, b.reports.X)


# What bad input gets


def assert_one_line(caught, *words):
    """An error message is one line that names place and value."""
    message = str(caught.value)
    assert "\n" not in message
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("radius", "kind"),
    [
        (0, ValueError),
        (-2, ValueError),
        (1.5, TypeError),
        ("2", TypeError),
        (None, TypeError),
        (True, TypeError),
    ],
)
def test_a_strange_radius_is_refused(figure_1, radius, kind):
    with pytest.raises(kind) as caught:
        pb.Climber(figure_1, radius)
    assert_one_line(caught, "radius", repr(radius))
    with pytest.raises(kind) as caught:
        pb.count_moves(figure_1, radius)
    assert_one_line(caught, "radius", repr(radius))


def test_an_unknown_selection_is_refused(figure_1):
    with pytest.raises(ValueError, match="worst") as caught:
        pb.Climber(figure_1, 2, selection="worst")
    assert_one_line(caught, "selection", "next", "best")


def test_an_unknown_climb_is_refused(figure_1):
    with pytest.raises(ValueError, match="weak-only") as caught:
        pb.Climber(figure_1, 2, climb="weak-only")
    assert_one_line(caught, "climb", "full", "strong-only")


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
    ("x", "kind", "words"),
    [
        ([0, 1, 0, 1], ValueError, ["4", "5"]),
        ([0, 1, 0, 1, 0, 1], ValueError, ["6", "5"]),
        ([0, 1, 2, 1, 0], ValueError, ["2"]),
        ([0, 1, -1, 1, 0], ValueError, ["-1"]),
        ([0, 1, 0.5, 1, 0], ValueError, ["0.5"]),
        ([0, 1, float("nan"), 1, 0], ValueError, ["nan"]),
        ("01010", TypeError, ["01010"]),
        (7, (TypeError, ValueError), ["7"]),
        (np.zeros((2, 5), int), (TypeError, ValueError), []),
    ],
)
def test_a_strange_start_is_refused(figure_1, x, kind, words):
    with pytest.raises(kind) as caught:
        pb.Climber(figure_1, radius=1).start(x, weights=[1, 1])
    assert_one_line(caught, *words)


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


def test_what_is_no_landscape_is_refused():
    with pytest.raises(TypeError):
        pb.Climber([[((0,), [0, 1])]], radius=1)


@pytest.mark.parametrize("bits", [28, 29, 30, 31, 32, 40, 53, 59, 60, 61])
def test_tables_at_the_edge_of_a_width_are_climbed_exactly_or_refused(bits):
    reach = 2**bits - 9
    first = [((0, 1), (reach, -reach, -reach, reach)), ((1, 2), (0, 1, 2, 3))]
    second = [((0, 2), (reach // 2, -reach // 2, 1, 0))]
    plain = Plain(3, (tuple(first), tuple(second)), ("max", "min"))
    for radius in (1, 2, 3):
        try:
            climber = pb.Climber(built(plain), radius)
        except OverflowError:
            assert bits > 53
            continue
        for seed in range(4):
            climb = climber.start(seed=seed, weights=[1 + seed, 2])
            for j in (0, 1, 2, 0, 1, 0):
                assert_exact(climb, climber.moves, plain)
                climb.flip([j])
            for _ in range(8):  # no climb can visit more solutions than there are
                climb.step()
                assert_exact(climb, climber.moves, plain)
            assert climb.is_local_optimum
            assert naive.is_local_optimum(plain, climb.x, radius)


def assert_exact(climb, moves, plain):
    """A climb's numbers and buckets are those of the definitions."""
    expected = naive.scores(plain, moves, climb.x)
    assert_array_equal(climb.scores, expected)
    assert_array_equal(climb.fx, naive.evaluate(plain, climb.x))
    weights = climb.weights.tolist()
    kinds = [naive.kind(score, weights, plain.sense) for score in expected.tolist()]
    strong = [v for v, kind in enumerate(kinds) if kind == "strong"]
    improving = [v for v, kind in enumerate(kinds) if kind == "w-improving"]
    assert sorted(climb.strong.tolist()) == strong
    assert sorted(climb.improving.tolist()) == improving


# Starts, seeds, weights


def test_same_seed_same_climb():
    climber = pb.Climber(ring(30, 3, seed=4), radius=2)
    one, other = climber.start(seed=11), climber.start(seed=11)
    assert_same_state(one, other)
    steps = steps_of(one)
    assert steps == steps_of(other)
    assert_same_state(one, other)
    again = pb.Climber(ring(30, 3, seed=4), radius=2).start(seed=11)
    assert steps_of(again) == steps


def test_seeds_give_different_starts_and_choices():
    climber = pb.Climber(ring(30, 3, seed=4), radius=2)
    climbs = [climber.start(seed=seed) for seed in range(20)]
    assert len({climb.x.tobytes() for climb in climbs}) == 20
    same = [climber.start([0] * 30, weights=[1, 1], seed=seed) for seed in range(20)]
    assert len({tuple(steps_of(climb)) for climb in same}) > 10


def test_what_is_given_is_taken():
    climber = pb.Climber(ring(30, 3, seed=4), radius=1)
    x = random_solution(np.random.default_rng(0), 30)
    for given_x in (x, x.astype(bool), x.astype(float), x.tolist(), tuple(x.tolist())):
        climb = climber.start(given_x, weights=[2, 3], seed=1)
        assert_array_equal(climb.x, x)
        assert climb.weights[0] * 3 == climb.weights[1] * 2
    before = x.copy()
    climber.start(x, weights=[2, 3], seed=1).run()
    assert_array_equal(x, before)


def test_weights_are_positive_integers_of_the_same_direction():
    climber = pb.Climber(ring(12, 2, seed=1, d=3), radius=1)
    for weights in ([1, 2, 3], [0.1, 0.2, 0.3], [1e-3, 1, 1e3], [1e300, 2e300, 1e300]):
        exact = climber.start(seed=1, weights=weights).weights
        assert exact.dtype.kind == "i"
        assert (exact > 0).all()
        wanted = np.array(weights) / max(weights)
        assert np.abs(exact / exact.max() - wanted).max() < 1e-6


def test_without_weights_all_objectives_count_the_same():
    climber = pb.Climber(ring(20, 2, seed=1, d=3), radius=1)
    assert climber.start(seed=1).weights.tolist() == [1, 1, 1]


def test_only_the_direction_of_weights_matters():
    climber = pb.Climber(ring(20, 2, seed=1), radius=2)
    one = climber.start([0] * 20, weights=[1, 2], seed=5)
    other = climber.start([0] * 20, weights=[0.5, 1.0], seed=5)
    assert steps_of(one) == steps_of(other)


def test_starts_of_one_climber_do_not_disturb_each_other():
    climber = pb.Climber(ring(20, 2, seed=1), radius=2)
    alone = steps_of(climber.start(seed=1))
    first, second = climber.start(seed=1), climber.start(seed=2)
    steps = []
    while (t := first.step()) is not None:
        steps.append(t)
        second.step()
        second.flip([0, 7])
    assert steps == alone


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
    climb = pb.Climber(figure_1, radius=2).start([0] * 5, weights=[1, 1], seed=0)
    fresh = pb.Climber(figure_1, radius=2).start([0] * 5, weights=[1, 1], seed=0)
    for seen in (climb.scores, climb.fx, climb.x, climb.weights, climb.strong):
        if seen.flags.writeable:
            seen[...] = 1
    assert_same_state(climb, fresh)
    assert steps_of(climb) == steps_of(fresh)


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
        for _ in range(3)
    )
    plain = Plain(6, objectives, ("max", "min", "max"))
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


# Odd landscapes


@pytest.mark.parametrize(
    "objectives",
    [
        [[]],
        [[], []],
        [[((), [3])], [((), [-1]), ((), [5])]],
        [[((0, 1), [2, 2, 2, 2])], [((1, 2), [0, 0, 0, 0])]],
    ],
)
def test_where_all_is_constant_there_is_nothing_to_do(objectives):
    landscape = pb.Landscape.from_subfunctions(3, objectives)
    climber = pb.Climber(landscape, radius=2)
    climb = climber.start([1, 0, 1], weights=[1] * landscape.d)
    assert climb.is_local_optimum
    assert not climb.scores.any()
    assert len(climb.strong) == len(climb.improving) == 0
    assert climb.step() is None
    assert climb.x.astype(int).tolist() == [1, 0, 1]
    assert climb.reports.F.tolist() == [list(naive.evaluate(landscape, [1, 0, 1]))]


def test_one_variable_is_enough():
    landscape = pb.Landscape.from_subfunctions(1, [[((0,), [0, 7])]], sense="min")
    climb = pb.Climber(landscape, radius=1).start([1], weights=[1])
    assert climb.scores.tolist() == [[-7]]
    assert climb.run().fx.tolist() == [0]


@given(plain=plains(max_n=4), seed=st.integers(0, 100))
def test_a_radius_larger_than_n_is_the_whole_space(plain, seed):
    landscape = built(plain)
    wide = pb.Climber(landscape, radius=plain.n + 2)
    exact = pb.Climber(landscape, radius=plain.n)
    assert list(wide.moves) == list(exact.moves)
    one, other = wide.start(seed=seed), exact.start(seed=seed)
    assert steps_of(one) == steps_of(other)
    assert naive.is_local_optimum(plain, one.x, plain.n)


def test_how_subfunctions_are_split_or_ordered_changes_no_score():
    rng = np.random.default_rng(8)
    for _ in range(30):
        plain = random_plain(rng, max_n=8)
        objectives = []
        for objective in plain.objectives:
            rewritten = []
            for mask, table in objective:
                order = rng.permutation(len(mask))
                turned = [0] * len(table)
                for entry, value in enumerate(table):
                    bits = [entry >> j & 1 for j in range(len(mask))]
                    turned[sum(bits[j] << b for b, j in enumerate(order))] = value
                some = rng.integers(-3, 4, len(table)).tolist()
                rest = [value - part for value, part in zip(turned, some)]
                new_mask = [mask[j] for j in order]
                rewritten += [(new_mask, some), (new_mask, rest)]
            rng.shuffle(rewritten)
            objectives.append(rewritten)
        other = pb.Landscape.from_subfunctions(plain.n, objectives, plain.sense)
        climber = pb.Climber(other, radius=3)
        x = random_solution(rng, plain.n)
        climb = climber.start(x, weights=np.ones(len(plain.sense)))
        assert_array_equal(climb.scores, naive.scores(plain, climber.moves, x))


@pytest.mark.parametrize("number", range(6))
def test_scores_stay_exact_where_no_full_table_fits(number):
    rng = np.random.default_rng(number)
    if number % 2:
        landscape, radius = ring(200, 3, seed=number, d=1 + number // 2), 3
    else:
        landscape, radius = built(random_plain(rng, max_n=60, min_n=40)), 2
    climber = pb.Climber(landscape, radius)
    climb = climber.start(seed=number)
    for _ in range(5):
        climb.run(max_moves=20)
        climb.flip(rng.permutation(landscape.n)[:7])
        chosen = rng.permutation(len(climber.moves))[:100]
        moves = [climber.moves[v] for v in chosen]
        expected = naive.scores(landscape, moves, climb.x)
        assert_array_equal(climb.scores[chosen], expected)
        assert_array_equal(climb.fx, naive.evaluate(landscape, climb.x))


# Strong moves only


@pytest.mark.plain
@given(plain=plains(), seed=st.integers(0, 1000), radius=st.integers(1, 3))
def test_a_strong_only_climb_takes_strong_moves_while_there_are_any(
    plain, seed, radius
):
    climber = pb.Climber(built(plain), radius, climb="strong-only")
    climb = climber.start(seed=seed)
    while True:
        strong, before = climb.strong.tolist(), climb.fx.tolist()
        t = climb.step()
        if t is None:
            break
        assert t in strong
        assert naive.dominates(climb.fx.tolist(), before, plain.sense)
    moves = naive.connected_moves(plain, radius)
    scores = naive.scores(plain, moves, climb.x).tolist()
    assert not any(naive.is_strong(score, plain.sense) for score in scores)
    assert_array_equal(climb.reports.F, [climb.fx])


def test_a_strong_only_climb_begins_as_a_full_one():
    landscape = ring(n=60, K=3, seed=1)
    full = pb.Climber(landscape, 2).start(seed=5)
    cut = pb.Climber(landscape, 2, climb="strong-only").start(seed=5)
    steps = steps_of(cut)
    assert "without strong moves" in repr(cut)
    assert steps_of(full)[: len(steps)] == steps
    assert full.steps > cut.steps


# Selection of the best


@given(plain=plains(), seed=st.integers(0, 1000), radius=st.integers(1, 3))
def test_best_improvement_also_ends_in_local_optima(plain, seed, radius):
    climber = pb.Climber(built(plain), radius, selection="best")
    climb = climber.start(seed=seed)
    weights = climb.weights.tolist()
    while True:
        strong, improving = climb.strong.tolist(), climb.improving.tolist()
        before = climb.fx.tolist()
        t = climb.step()
        if t is None:
            break
        assert t in (strong or improving)
        gain = [b - a for a, b in zip(before, climb.fx.tolist())]
        assert naive.w_score(gain, weights, plain.sense) > 0
        assert_array_equal(climb.scores, naive.scores(plain, climber.moves, climb.x))
    assert climb.is_local_optimum
    assert naive.is_local_optimum(plain, climb.x, radius)
    assert_array_equal(climb.reports.F[-1], climb.fx)


def test_best_improvement_takes_fewer_and_larger_steps():
    landscape = ring(300, 3, seed=9)
    steps = {}
    for selection in ("next", "best"):
        climber = pb.Climber(landscape, 1, selection=selection)
        climbs = [climber.start(seed=seed) for seed in range(10)]
        steps[selection] = sum(len(steps_of(climb)) for climb in climbs)
    assert steps["best"] < steps["next"]


def arrays_in(thing):
    """All arrays in tuples of tuples of arrays."""
    if isinstance(thing, np.ndarray):
        yield thing
    elif isinstance(thing, tuple):
        for part in thing:
            yield from arrays_in(part)


@pytest.mark.parametrize("radius", [1, 2, 3])
@pytest.mark.parametrize("model", ["adjacent", "random"])
def test_memory_is_told_within_a_tenth(model, radius):
    landscape = pb.mnk(n=2000, K=2, d=2, model=model, seed=1)
    climber = pb.Climber(landscape, radius)
    state = climber.new_state(journal=1, reports=1)
    held = climber.move_set, climber.moves._forest, climber.cliques.tables, state
    taken = {id(array): array.nbytes for array in arrays_in(held)}
    told = pb.climber_memory(landscape, radius)
    assert told == pytest.approx(sum(taken.values()), rel=0.1)
