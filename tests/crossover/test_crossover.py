"""Offspring are those of the definition: exact, best, supported, and no others."""

import math
import re
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import naive
import paretoball as pb
from couples import couples, separable, weights_of
from landscapes import built, ring
from naive import Plain
from paretoball.climber.precision import score_bounds
from paretoball.climber.weights import integer_weights
from paretoball.crossover.crossover import LINES, _line_ends, _share_order, _turns_of
from paretoball.landscape import EXACT
from paretoball.system import memory

DOCS = Path(__file__).parents[2] / "docs"

many = settings(max_examples=60)
plain_and_bounds = [pytest.mark.plain, pytest.mark.bounds]
realistic_weights = st.lists(st.floats(1e-3, 1e3), min_size=3, max_size=3)


def w_sum(w, landscape, fx):
    """w · f in whole steps, for the integers that stand for some weights."""
    return sum(a * b for a, b in zip(w, landscape.inside(fx).tolist()))


def maximised(landscape, F):
    """Vectors with all objectives turned so that more is better."""
    return [tuple(naive.gains(fx, landscape.sense)) for fx in F]


# Components


@pytest.mark.plain
@pytest.mark.bounds
@many
@given(couples(), st.data())
def test_components_are_those_of_the_definition_and_their_deltas_add_up(couple, data):
    landscape, x, y = couple
    between = pb.components(landscape, x, y)
    expected = naive.components(landscape, x, y)
    assert [tuple(part.tolist()) for part in between.variables] == expected
    assert_array_equal(between.deltas, naive.scores(landscape, expected, x))
    assert between.deltas.shape == (len(between), landscape.d)
    for (variables, delta), part in zip(between, expected, strict=True):
        assert tuple(variables.tolist()) == part
        assert tuple(delta.tolist()) == naive.score(landscape, part, x)
    q = len(between)
    mask = data.draw(st.lists(st.booleans(), min_size=q, max_size=q))
    chosen = np.flatnonzero(mask)
    child = between.child(chosen.tolist())
    flips = [j for p in chosen for j in expected[p]]
    assert_array_equal(child.x, naive.flipped(x, flips))
    assert_array_equal(child.fx, naive.evaluate(landscape, child.x))
    moved = naive.score(landscape, flips, x)
    assert_array_equal(between.deltas[chosen].sum(axis=0), moved)
    assert_array_equal(between.child(np.array(mask, bool)).x, child.x)


def test_equal_parents_have_no_components():
    landscape = ring(6, K=2, seed=1)
    x = [0, 1, 1, 0, 1, 0]
    between = pb.components(landscape, x, x)
    assert (len(between), between.variables, between.deltas.shape) == (0, [], (0, 2))
    child = pb.partition_crossover(landscape, x, x, weights=[1, 1])
    assert_array_equal(child.x, x)
    offspring = pb.pareto_crossover(landscape, x, x)
    assert_array_equal(offspring.X, [x])
    assert_array_equal(offspring.F, [landscape.evaluate(x)])


def test_parents_may_change_afterwards():
    landscape = ring(6, K=1, seed=1)
    x, y = np.zeros(6, np.uint8), np.ones(6, np.uint8)
    offspring = pb.pareto_crossover(landscape, x, y)
    x[:], y[:] = 1, 0
    assert_array_equal(landscape.evaluate(offspring.X), offspring.F)


# The best offspring


@pytest.mark.plain
@pytest.mark.bounds
@many
@given(couples(), weights_of)
def test_the_best_offspring_is_best_and_what_does_not_matter_is_y(couple, weights):
    landscape, x, y = couple
    weights = weights[: landscape.d]
    child = pb.partition_crossover(landscape, x, y, weights)
    assert child.x.dtype == bool
    assert_array_equal(child.fx, naive.evaluate(landscape, child.x))
    reached = [
        naive.w_score(fx, weights, landscape.sense)
        for _, fx in naive.all_offspring(landscape, x, y)
    ]
    assert naive.w_score(child.fx.tolist(), weights, landscape.sense) == max(reached)
    for part in naive.components(landscape, x, y):
        delta = naive.score(landscape, part, x)
        gain = naive.w_score(delta, weights, landscape.sense)
        parent = y if gain >= 0 else x
        assert [int(child.x[j]) for j in part] == [parent[j] for j in part]


@given(couples(), realistic_weights)
def test_real_weights_are_as_exact_as_those_of_climbs(couple, weights):
    landscape, x, y = couple
    weights = weights[: landscape.d]
    child = pb.partition_crossover(landscape, x, y, weights)
    bounds = score_bounds(landscape, landscape.n)
    w = integer_weights(weights, landscape, bounds).tolist()
    brute = [fx for _, fx in naive.all_offspring(landscape, x, y)]
    best = max(w_sum(w, landscape, fx) for fx in brute)
    assert w_sum(w, landscape, child.fx) == best


def test_a_large_component_has_an_exact_weighted_delta():
    n = 40
    steep = [((j, j + 1), (0, 0, 0, 2**55 if j else 2**55 - 1)) for j in range(n - 1)]
    flat = [((j, j + 1), (2**55, 0, 0, 0)) for j in range(n - 1)]
    landscape = built(Plain(n, [steep, flat], ("max", "max")))
    x, fx = pb.partition_crossover(landscape, [0] * n, [1] * n, weights=[1, 1])
    assert not x.any()
    assert fx.tolist() == [0, 39 * 2**55]
    assert pb.partition_crossover(landscape, [1] * n, [0] * n, [1, 1]).fx[0] == 0


# The supported offspring


def assert_is_front(landscape, x, y, offspring):
    """Offspring are a front of their own solutions, ascending."""
    F = list(map(tuple, offspring.F.tolist()))
    assert naive.pareto_front(F, landscape.sense) == F
    assert_array_equal(landscape.evaluate(offspring.X), offspring.F)
    assert offspring.X.dtype == bool
    brute = naive.all_offspring(landscape, x, y)
    made = {tuple(child): fx for child, fx in brute}
    for fx, child in zip(F, offspring):
        assert made[tuple(child.x.astype(int).tolist())] == fx
        assert tuple(child.fx.tolist()) == fx
    return naive.pareto_front([fx for _, fx in brute], landscape.sense)


@pytest.mark.plain
@pytest.mark.bounds
@many
@given(couples(d=2))
def test_two_objectives_have_all_corners_of_the_hull_and_only_points_on_it(couple):
    landscape, x, y = couple
    offspring = pb.pareto_crossover(landscape, x, y)
    front = maximised(landscape, assert_is_front(landscape, x, y, offspring))
    kept = set(maximised(landscape, offspring.F.tolist()))
    assert all(naive.is_best(fx, front) for fx in kept)
    assert {fx for fx in front if naive.is_only_best(fx, front)} <= kept
    conflicts = np.sign(offspring.between.gains).prod(axis=1) < 0
    assert len(offspring) == 1 + conflicts.sum()


@given(couples(d=1))
def test_one_objective_has_one_best_offspring(couple):
    landscape, x, y = couple
    offspring = pb.pareto_crossover(landscape, x, y)
    front = assert_is_front(landscape, x, y, offspring)
    assert list(map(tuple, offspring.F.tolist())) == front
    assert_array_equal(offspring[0].x, pb.partition_crossover(landscape, x, y, [1]).x)


@pytest.mark.parametrize("d", [3, pytest.param(4, marks=plain_and_bounds)])
@given(st.data())
def test_more_objectives_have_the_best_for_a_spread_of_weights(d, data):
    landscape, x, y = data.draw(couples(d))
    offspring = pb.pareto_crossover(landscape, x, y)
    front = assert_is_front(landscape, x, y, offspring)
    kept = set(map(tuple, offspring.F.tolist()))
    assert kept <= set(front)
    for ends in _turns_of(offspring.between.gains):
        for w in ends.tolist():
            best = max(w_sum(w, landscape, fx) for fx in front)
            assert max(w_sum(w, landscape, fx) for fx in kept) == best


def test_slopes_that_no_float_can_tell_apart_are_in_order():
    rng = np.random.default_rng(1)
    for big in (2**28, 2**53):
        deltas = [(big + k, -(big + k + 1)) for k in range(60)]
        deltas = [deltas[k] for k in rng.permutation(60)]
        landscape = separable(deltas, ("max", "max"))
        offspring = pb.pareto_crossover(landscape, [0] * 60, [1] * 60)
        steps = np.diff(offspring.F, axis=0).tolist()
        assert steps == [[big + k, -(big + k + 1)] for k in reversed(range(60))]


@pytest.mark.parametrize("bits", [*range(2, 56, 3), 19, 20, 21, 22, 30, 31, 32])
def test_shares_are_sorted_exactly(bits):
    rng = np.random.default_rng(bits)
    near = rng.integers(1 << (bits - 1), 1 << bits, 40)
    far = near + rng.integers(-1, 2, 40)
    near, far = np.append(near, near + 1), np.append(far.clip(1), far + 2)
    order = _share_order(near, far).tolist()
    shares = [Fraction(a, a + b) for a, b in zip(near.tolist(), far.tolist())]
    assert order == sorted(range(len(shares)), key=shares.__getitem__)
    assert _share_order(near[:0], far[:0]).tolist() == []


@pytest.mark.parametrize("d", [3, 4, 9, 12])
@pytest.mark.parametrize("reach", [0, 9, 10**6, 2**30, 2**50])
def test_weights_are_as_large_as_sums_in_64_bits_allow(d, reach):
    gains = np.random.default_rng(d).integers(-reach, reach + 1, (30, d))
    gains[:, 0] = abs(gains[:, 0]) // 2  # one objective varies less
    turns, sums = _turns_of(gains), np.abs(gains).sum(axis=0).tolist()
    assert (turns > 0).all()
    for w in turns.reshape(-1, d).tolist():
        whole = sum(a * b for a, b in zip(w, sums))
        assert whole < 2**62
        assert reach == 0 or whole > 2**59
    if reach < 2**50:  # no weight of 1 stands for less
        shares = turns * np.maximum(1.0, sums)
        shares /= shares.sum(axis=2, keepdims=True)
        np.testing.assert_allclose(shares, _line_ends(d), atol=1e-4)


@pytest.mark.parametrize("d", [3, 4, 5, 6])
def test_lines_are_as_many_as_allowed(d):
    """With one step more there would be too many."""
    steps = round(1 / np.diff(np.unique(_line_ends(d).round(4))).max())
    lines = [comb(d, 2) * comb(at + d - 3, d - 2) for at in (steps, steps + 1)]
    assert len(_line_ends(d)) == lines[0] <= LINES < lines[1]
    assert _line_ends(d).min() == pytest.approx(1e-6)


def test_offspring_have_the_shape_and_the_names_of_their_landscape():
    masks = [(j, (j + 1) % 9) for j in range(9)]
    objectives = [[(mask, [3, i, 2, 5 * i]) for mask in masks] for i in range(2)]
    landscape = pb.Landscape.from_subfunctions(
        9, objectives, ["min", "max"], names=["cost", "gain"]
    )
    offspring = pb.pareto_crossover(landscape, [0] * 9, [1, 0, 0] * 3)
    assert (offspring.n, offspring.d) == (9, 2)
    assert offspring.sense == ("min", "max")
    assert offspring.names == ("cost", "gain")
    between = "Components: 3 differing variables in 3 components"
    assert repr(offspring.between) == between
    assert repr(offspring) == f"Offspring: {len(offspring)} non-dominated, of {between}"


def test_equal_slopes_keep_all_points_on_the_edge():
    deltas = [(2, -2), (1, -1), (-3, 3), (0, 0), (1, 0), (-1, 0)]
    landscape = separable(deltas, ("max", "max"))
    offspring = pb.pareto_crossover(landscape, [0] * 6, [1] * 6)
    assert offspring.F.tolist() == [[-2, 3], [0, 1], [1, 0], [4, -3]]
    assert offspring.X[:, 3:].astype(int).tolist() == [[1, 1, 0]] * 4  # 0 is y's


@pytest.mark.parametrize("n", range(8, 40, 3))
def test_weights_are_exact_for_components_of_any_size(n):
    """All of a chain flips at once, and gains far more than any of its variables."""
    chain = [((j, j + 1), [0, 0, 0, 2**20]) for j in range(n - 1)]
    landscape = pb.Landscape.from_subfunctions(n, [chain, chain])
    x, y = np.zeros(n, int), np.ones(n, int)
    best = pb.partition_crossover(landscape, x, y, weights=[1, math.pi])
    assert best.fx.tolist() == [(n - 1) * 2**20] * 2
    ones = [((j,), [0, 2**20]) for j in range(n)]
    weak = [*ones, *(((j, j + 1), [0, 0, 0, 1]) for j in range(n - 1))]
    landscape = pb.Landscape.from_subfunctions(n, [weak, weak])
    best = pb.partition_crossover(landscape, x, y, weights=[1, math.pi])
    assert best.fx.tolist() == [n * 2**20 + n - 1] * 2


def test_there_are_as_many_lines_as_fit():
    """For d weights that are multiples of 1 / steps: some for each pair of weights."""
    for d in range(3, 10):
        pairs = d * (d - 1) // 2
        per_pair = [math.comb(steps + d - 3, d - 2) for steps in range(1, 50)]
        fitting = [pairs * each for each in per_pair if pairs * each <= LINES]
        assert len(_line_ends(d)) == max(fitting)


@pytest.mark.parametrize("d", [3, 4, 5, 6, 9, 10, 12, 40, 41, 90])
def test_lines_cross_a_simplex_of_weights(d):
    ends = _line_ends(d)
    assert len(ends) <= LINES == 40
    assert len(ends) >= min(LINES, d * (d - 1) // 2)
    is_turning = (ends[:, 0] != ends[:, 1]).any(axis=0)
    assert is_turning.sum() >= min(d, LINES + 1)  # not always the same few weights
    assert is_turning[0]
    assert is_turning[-1 - d // LINES :].any()
    assert (ends > 0).all()
    np.testing.assert_allclose(ends.sum(axis=2), 1, atol=1e-4)
    assert ((ends[:, 0] != ends[:, 1]).sum(axis=1) == 2).all()
    assert len({tuple(end.ravel()) for end in ends}) == len(ends)


def test_large_landscapes_are_crossed_exactly():
    landscape = ring(3_000, K=3, seed=1, d=3)
    climber = pb.Climber(landscape, radius=1)
    x, y = (climber.start(seed=seed).run().x for seed in (1, 2))
    offspring = pb.pareto_crossover(landscape, x, y)
    assert len(offspring) > 1_000
    some = range(0, len(offspring), 97)
    X = [offspring[row].x for row in some]
    assert_array_equal(landscape.evaluate(X), offspring.F[some])
    assert_array_equal(offspring[-1].fx, offspring.F[-1])
    between = offspring.between
    assert repr(offspring) == (
        f"Offspring: {len(offspring):,} non-dominated, of Components: "
        f"{len(between.differing):,} differing variables in {len(between):,} components"
    )


def test_solutions_beyond_memory_are_refused_but_one_is_not(monkeypatch):
    offspring = pb.pareto_crossover(ring(60, K=1, seed=1), [0] * 60, [1, 0, 0] * 20)
    monkeypatch.setattr(memory, "available_memory", lambda: 100)
    assert len(offspring[0].x) == 60
    with pytest.raises(MemoryError, match=f"{len(offspring)} solutions of 60 bits"):
        _ = offspring.X


def test_the_examples_of_the_page_run(capsys):
    page = (DOCS / "crossover.md").read_text()
    names: dict[str, object] = {}
    for code in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(code, names)
    first = capsys.readouterr().out.splitlines()[0]
    assert f"print(between)  # {first}" in page


# What is refused


@pytest.mark.parametrize("cross", [pb.components, pb.pareto_crossover])
@pytest.mark.parametrize(
    ("x", "y", "error", "says"),
    [
        ([0, 1], [0, 1, 1], ValueError, "x has 2 bits"),
        ([0, 1, 1], [0, 1, 1, 1], ValueError, "y has 4 bits"),
        ([0, 1, 2], [0, 1, 1], ValueError, "x has 2 at bit 2"),
        ([0, 1, 1], "011", TypeError, "y is '011'"),
        ([[0, 1, 1]], [0, 1, 1], ValueError, r"x has shape \(1, 3\), but a parent is"),
        ([0, 1, 1], [[0, 1, 1]], ValueError, r"y has shape \(1, 3\), but a parent is"),
    ],
)
def test_what_is_no_parent_is_refused(cross, x, y, error, says):
    with pytest.raises(error, match=says) as refusal:
        cross(ring(3, K=1, seed=1), x, y)
    assert "\n" not in str(refusal.value)


def test_weights_and_landscapes_are_checked():
    landscape = ring(3, K=1, seed=1)
    with pytest.raises(ValueError, match="1 weight given for 2 objectives"):
        pb.partition_crossover(landscape, [0, 0, 0], [1, 1, 1], weights=[1])
    with pytest.raises(ValueError, match="weight 1 is 0, but weights are positive"):
        pb.partition_crossover(landscape, [0, 0, 0], [1, 1, 1], weights=[1, 0])
    with pytest.raises(TypeError, match="5 is not a Landscape"):
        pb.components(5, [0], [1])
    huge = separable([(2**61, 2**61)] * 2, ("max", "max"))
    with pytest.raises(OverflowError, match="exact 64-bit arithmetic ends"):
        pb.pareto_crossover(huge, [0, 0], [1, 1])


@pytest.mark.parametrize("d", [2, 3])
def test_offspring_are_made_up_to_sums_that_are_exact(d):
    """All variables together, in all objectives, and no part of them."""
    share, sense = EXACT // (4 * d), ["max", "min", "max"][:d]
    for beyond in (0, 1):
        objectives = [[((j,), [0, share]) for j in range(4)] for _ in range(d)]
        objectives[-1][3] = ((3,), [EXACT - share * (4 * d - 1) + beyond, 0])
        landscape = pb.Landscape.from_subfunctions(4, objectives, sense)
        parents = [0, 0, 0, 0], [1, 1, 1, 1]
        if not beyond:
            offspring = pb.pareto_crossover(landscape, *parents)
            assert_array_equal(landscape.evaluate(offspring.X), offspring.F)
            brute = naive.all_offspring(landscape, *parents)
            front = naive.pareto_front([fx for _, fx in brute], sense)
            assert set(map(tuple, offspring.F.tolist())) <= set(front)
            child = pb.partition_crossover(landscape, *parents, [1] * d)
            best = max(naive.w_score(fx, [1] * d, sense) for _, fx in brute)
            assert naive.w_score(child.fx.tolist(), [1] * d, sense) == best
            continue
        for cross in (pb.components, pb.pareto_crossover):
            with pytest.raises(OverflowError, match="exact 64-bit arithmetic ends"):
                cross(landscape, *parents)
        with pytest.raises(OverflowError, match="exact 64-bit arithmetic ends"):
            pb.partition_crossover(landscape, *parents, [1] * d)
