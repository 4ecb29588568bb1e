"""The climber's contract, beyond what the paper says of it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import naive
import paretoball as pb
from climbs import assert_exact, assert_one_line, assert_same_state, steps_of
from landscapes import (
    built,
    plains,
    random_plain,
    random_solution,
    ring,
    with_few_kinds,
)
from layouts import every_climber
from naive import Plain
from paretoball.climber.buckets import RECENT
from paretoball.climber.scores import REPORTS, TAG_OPTIMUM

# What bad input gets


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
    assert_one_line(caught, "selection", "next", "best", "uniform")


def test_an_unknown_climb_is_refused(figure_1):
    with pytest.raises(ValueError, match="weak-only") as caught:
        pb.Climber(figure_1, 2, climb="weak-only")
    assert_one_line(caught, "climb", "full", "strong-only")


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


# What is told


@pytest.mark.plain
def test_a_climber_and_its_climbs_say_what_they_are():
    landscape = ring(6, 1, seed=1)
    climber = pb.Climber(landscape, 2, "best")
    said = f"Climber({landscape!r}, radius=2, selection='best', climb='full'): 12 moves"
    assert repr(climber) == said
    one = pb.Landscape.from_subfunctions(1, [[((0,), [0, 7])]])
    lone = pb.Climber(one, 1, climb="strong-only")
    assert repr(lone).endswith("selection='next', climb='strong-only'): 1 move")
    climb = pb.Climber(one, 1).start([0])
    assert repr(climb) == "Climb under way after 0 moves: f(x) = [0]"
    climb.run(max_moves=1)
    assert repr(climb) == "Climb under way after 1 move: f(x) = [7]"
    assert repr(climb.run()) == "Climb at a local optimum after 1 move: f(x) = [7]"
    assert repr(climb.flip([0])) == "Climb under way after 2 moves: f(x) = [0]"
    assert "under way" in repr(climb.run().set_weights([2]))
    end = lone.start([0]).run()
    assert repr(end) == "Climb without strong moves after 1 move: f(x) = [7]"


@pytest.mark.plain
def test_the_bytes_of_a_climber_are_those_of_all_its_arrays():
    for landscape in (ring(9, 2, seed=1), pb.random_qubo(n=9, seed=1)):
        climbers = [pb.Climber(landscape, 1), pb.Climber(landscape, 2)]
        if landscape.square is None:
            climbers += every_climber(landscape)
        for climber in climbers:
            tier_at, flips, change = climber.move_set
            arrays = [tier_at, flips, *change]
            cliques = sum(np.asarray(each).nbytes for each in climber.cliques)
            assert climber.nbytes == cliques + sum(array.nbytes for array in arrays)


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


@pytest.mark.parametrize(
    "seed",
    [
        lambda: 11,
        lambda: np.int64(11),
        lambda: np.random.SeedSequence(11),
        lambda: np.random.default_rng(11),
        lambda: np.random.PCG64(11),
    ],
    ids=["int", "numpy", "sequence", "generator", "bits"],
)
def test_a_seed_is_the_same_under_either_of_its_names(seed):
    climber = pb.Climber(ring(30, 3, seed=4), radius=2)
    one, other = climber.start(seed=seed()), climber.start(rng=seed())
    assert_same_state(one, other)
    assert steps_of(one) == steps_of(other)


def test_a_seed_is_given_under_one_of_its_names_only():
    climber = pb.Climber(ring(30, 3, seed=4), radius=2)
    with pytest.raises(TypeError) as caught:
        climber.start(seed=1, rng=np.random.default_rng(2))
    assert_one_line(caught, "seed = 1", "rng = Generator(PCG")


@pytest.mark.parametrize("name", ["seed", "rng"])
@pytest.mark.parametrize(
    ("seed", "kind"), [(-1, ValueError), (1.5, TypeError), (True, TypeError)]
)
def test_what_is_no_seed_is_refused(name, seed, kind):
    climber = pb.Climber(ring(30, 3, seed=4), radius=2)
    with pytest.raises(kind) as caught:
        climber.start(**{name: seed})
    assert_one_line(caught, f"{name} = {seed}")


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


@pytest.mark.plain
@pytest.mark.parametrize("climb", ["full", "strong-only"])
@pytest.mark.parametrize("selection", ["next", "best", "uniform"])
def test_only_a_local_optimum_is_reported_as_one(selection, climb):
    seen = set()
    for seed in range(12):
        landscape = ring(7, 2, seed=seed)
        climber = pb.Climber(landscape, 1 + seed % 2, selection, climb=climb)
        end = climber.start(seed=seed).run()
        count = end._state.clock[REPORTS]
        *others, last = end._state.notes.tags[:count, TAG_OPTIMUM].tolist()
        assert not any(others)
        moves = naive.connected_moves(landscape, climber.radius)
        scores = naive.scores(landscape, moves, end.x).tolist()
        weights = end.weights.tolist()
        is_optimum = not any(
            naive.w_score(each, weights, landscape.sense) > 0 for each in scores
        )
        assert last == is_optimum == end.is_local_optimum
        seen.add(is_optimum)
    assert seen == ({True} if climb == "full" else {True, False})


# Selection of the best


@given(plain=plains(), seed=st.integers(0, 1000), radius=st.integers(1, 3))
def test_best_improvement_also_ends_in_local_optima(plain, seed, radius):
    plain = with_few_kinds(plain)
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


# Uniform selection


@pytest.mark.plain
@given(plain=plains(), seed=st.integers(0, 1000), radius=st.integers(1, 3))
def test_of_few_moves_uniform_selection_takes_the_same_as_next(plain, seed, radius):
    landscape = built(plain)
    uniform = pb.Climber(landscape, radius, selection="uniform").start(seed=seed)
    climb = pb.Climber(landscape, radius, selection="next").start(seed=seed)
    assert steps_of(uniform) == steps_of(climb)
    assert_same_state(uniform, climb)


def test_of_just_as_many_moves_as_next_looks_at_both_take_the_same():
    landscape = ring(RECENT, 2, seed=1)
    climbs = [
        pb.Climber(landscape, 1, selection).start(seed=3)
        for selection in ("next", "uniform")
    ]
    assert steps_of(climbs[0]) == steps_of(climbs[1])
    assert climbs[0].steps > 1000


EARLY = 900  # moves filed before the last of those that next looks at


def first_moves(selection, climbs):
    """The first moves of climbs that all have more to choose from than RECENT."""
    n = RECENT + EARLY
    ones = [((j,), [0, 1]) for j in range(n)]
    climber = pb.Climber(pb.Landscape.from_subfunctions(n, [ones]), 1, selection)
    starts = [climber.start([0] * n, seed=seed) for seed in range(climbs)]
    assert len(starts[0].strong) == n
    return [start.step() for start in starts]


def test_of_more_moves_only_uniform_selection_takes_those_filed_first():
    early = [t for t in first_moves("uniform", 200) if t < EARLY]
    assert len(early) > 10  # of 200, about 36
    assert min(first_moves("next", 200)) >= EARLY


def test_uniform_selection_takes_one_of_the_smallest_strong_moves():
    landscape = ring(RECENT + EARLY, 1, seed=2)
    climber = pb.Climber(landscape, 2, selection="uniform")
    climb = climber.start(seed=1)
    for _ in range(30):
        strong = climb.strong
        least = min(len(climber.moves[v]) for v in strong)
        t = climb.step()
        assert t in strong
        assert len(climber.moves[t]) == least
