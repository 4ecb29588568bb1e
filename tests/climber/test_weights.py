"""Weights: exact integers in the direction that was asked for."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paretoball import Landscape, mnk, solve
from paretoball.climber.precision import score_bounds
from paretoball.climber.weights import WeightSource, integer_weights
from paretoball.landscape import EXACT


@pytest.fixture(scope="module")
def mixed() -> Landscape:
    """An objective in whole units beside one on a grid of very small steps."""
    rng = np.random.default_rng(0)
    pairs = [(j, (j + 1) % 100) for j in range(100)]
    coarse = [(pair, [0.0, 1.0, 2.0, 5.0]) for pair in pairs]
    fine = [(pair, rng.random(4).tolist()) for pair in pairs]
    return Landscape.from_subfunctions(100, [coarse, fine])


def test_drawn_directions_are_uniform_per_unit_whatever_the_grids(mixed):
    assert mixed.scale[1] > 1e9 * mixed.scale[0]
    source = WeightSource(None, mixed, score_bounds(mixed, 2), 1)
    per_unit = source.draw(np.arange(4000)) * mixed.scale
    shares = np.sort(per_unit[:, 0] / per_unit.sum(axis=1))
    uniform = (np.arange(4000) + 0.5) / 4000
    assert np.abs(shares - uniform).max() < 0.03  # Kolmogorov and Smirnov


def test_three_weights_are_uniform_on_the_simplex():
    landscape = mnk(n=10, K=1, d=3, seed=1)
    source = WeightSource(None, landscape, score_bounds(landscape, 1), 1)
    weights = source.draw(np.arange(20_000)).astype(float)
    shares = weights / weights.sum(axis=1, keepdims=True)
    assert np.allclose(shares.mean(axis=0), 1 / 3, atol=0.01)
    assert np.allclose((shares**2).mean(axis=0), 1 / 6, atol=0.01)


def test_independent_weights_favour_the_middle():
    landscape = mnk(n=10, K=1, d=2, seed=1)
    source = WeightSource("independent", landscape, score_bounds(landscape, 1), 1)
    weights = source.draw(np.arange(20_000)).astype(float)
    shares = weights[:, 0] / weights.sum(axis=1)
    assert 0.30 < np.mean(np.abs(shares - 0.5) < 0.1) < 0.36  # 1/3; uniform has 0.2


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ([1, 2], [1, 2]),
        ([0.25, 0.75], [1, 3]),
        ([10, 20], [1, 2]),
        ([3.0, 1.0], [3, 1]),
    ],
)
def test_weights_that_fit_are_exact(given, used):
    landscape = mnk(n=10, K=1, d=2, seed=1)
    bounds = score_bounds(landscape, 1)
    assert integer_weights(given, landscape, bounds).tolist() == used


@pytest.mark.plain
@pytest.mark.parametrize(
    ("steps", "given", "used"),
    [
        ((1, 10), [1, 1], [10, 1]),
        ((10, 1), [1, 1], [1, 10]),
        ((100, 1, 10), [3, 1, 2], [3, 100, 20]),
        ((10, 10), [1, 3], [1, 3]),
    ],
)
def test_weights_are_given_per_unit_and_used_per_step(steps, given, used):
    terms = [[((0,), [0.0, 3 / each])] for each in steps]
    landscape = Landscape.from_subfunctions(1, terms)
    assert landscape.scale.tolist() == list(steps)
    bounds = score_bounds(landscape, 1)
    assert integer_weights(given, landscape, bounds).tolist() == used


def test_weights_that_do_not_fit_stay_positive_and_within_the_bound():
    landscape = mnk(n=10, K=1, d=2, seed=1)
    bounds = score_bounds(landscape, 1)
    for weights in ([0.1, 0.3], [1e-300, 1.0], [2**70 + 1, 3**40]):
        used = integer_weights(weights, landscape, bounds)
        assert used.min() >= 1
        assert sum(int(w) * int(b) for w, b in zip(used, bounds)) <= 2**62


@pytest.mark.parametrize(
    ("weights", "error"),
    [
        (np.empty((0, 2)), ValueError),
        ([[1, 2], [3]], TypeError),
        ([1, 0], ValueError),
        ([1, -1], ValueError),
        ([1, float("nan")], ValueError),
        ([1, 2, 3], ValueError),
        ([True, True], TypeError),
        ([1, float("inf")], ValueError),
        ([[1, 2], [1, 0]], ValueError),
        ([[1, 2], [1, 2, 3]], TypeError),
        ("both", ValueError),
    ],
)
def test_weights_that_make_no_sense_are_refused(weights, error):
    with pytest.raises(error) as caught:
        solve(mnk(n=10, K=1, d=2, seed=1), max_climbs=1, weights=weights)
    assert "weight" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_long_text_for_weights_is_refused_in_a_few_words(mixed):
    with pytest.raises(ValueError, match="which is neither 'simplex'") as refusal:
        WeightSource("x" * 10_000, mixed, score_bounds(mixed, 2), 1)
    assert len(str(refusal.value)) < 200


EVEN = [((0, 1), [0, 1, 1, 0])]
TWO_GRIDS = Landscape.from_subfunctions(2, [EVEN, EVEN])


@pytest.mark.plain
def test_weights_are_exact_as_long_as_their_reach_is():
    bounds = np.array([2**60, 2**60])
    assert integer_weights([1, 3], TWO_GRIDS, bounds).tolist() == [1, 3]
    assert integer_weights([2, 6], TWO_GRIDS, bounds).tolist() == [1, 3]
    less = integer_weights([1, 3], TWO_GRIDS, np.array([2**60, 2**60 + 1]))
    assert less.tolist() == [1, 1]


@pytest.mark.plain
@given(
    st.lists(st.integers(1, 2**60), min_size=2, max_size=2),
    st.lists(st.floats(1e-9, 1e9), min_size=2, max_size=2),
)
def test_whatever_is_given_reaches_no_farther_than_64_bits(bounds, weights):
    used = integer_weights(weights, TWO_GRIDS, np.array(bounds)).tolist()
    assert min(used) >= 1
    assert sum(w * bound for w, bound in zip(used, bounds)) <= EXACT


@pytest.mark.plain
@pytest.mark.parametrize("rule", [None, "simplex", "independent"])
@pytest.mark.parametrize("d", [1, 2, 3, 5])
@pytest.mark.parametrize("bound", [1, 2**31, 2**50, 2**58])
def test_whatever_is_drawn_reaches_no_farther_than_64_bits(rule, d, bound):
    landscape = Landscape.from_subfunctions(2, [EVEN] * d)
    bounds = np.full(d, bound)
    source = WeightSource(rule, landscape, bounds, 1)
    weights = source.draw(np.arange(500))
    assert weights.shape == (500, d)
    assert weights.min() >= 1
    assert int(weights.sum(axis=1).max()) * bound <= EXACT
    most = source.unit.tolist()  # of what could be drawn
    assert sum(most) * bound <= EXACT
    assert min(most) == min(2**31, EXACT / 2 / bound / d)


@pytest.mark.plain
def test_rows_of_weights_are_used_in_turn():
    bounds = np.array([1, 1])
    rows = [[1, 2], [3, 1], [5, 4]]
    source = WeightSource(rows, TWO_GRIDS, bounds, 1)
    numbers = np.array([0, 1, 2, 3, 7, 11])
    for some in (numbers, numbers[1:], numbers[2:3]):
        assert source.draw(some).tolist() == [rows[at % 3] for at in some]
    same = WeightSource([1, 2], TWO_GRIDS, bounds, 1).draw(numbers)
    assert same.tolist() == [[1, 2]] * 6
    assert source.draw(numbers).flags.c_contiguous


@pytest.mark.plain
@pytest.mark.parametrize("rule", [None, "independent"])
@pytest.mark.parametrize("steps", [(1, 1), (1, 100), (100, 1), (10, 1, 1000)])
@pytest.mark.parametrize("most", [2**20, 2**45, 2**57])
def test_drawn_weights_are_as_fine_as_the_objective_of_the_longest_reach_allows(
    rule, steps, most
):
    terms = [[((0,), [0.0, 3 / each])] for each in steps]
    landscape = Landscape.from_subfunctions(1, terms)
    assert landscape.scale.tolist() == list(steps)
    d = len(steps)
    for bounds in permutations([most, 3, 2**10][:d]):
        source = WeightSource(rule, landscape, np.array(bounds), 1)
        longest = max(Fraction(b, s) for b, s in zip(bounds, steps))
        finest = min(Fraction(EXACT, 2 * d * s) / longest for s in steps)
        per_unit = (source.unit * landscape.scale).tolist()
        assert per_unit == pytest.approx([per_unit[0]] * d)
        assert source.unit.min() == pytest.approx(float(min(finest, 2**31)))
        reach = sum(int(u) * b for u, b in zip(source.unit.tolist(), bounds))
        assert reach <= EXACT


@pytest.mark.plain
@pytest.mark.parametrize("d", [1, 2, 3])
def test_a_weight_that_is_refused_is_told_with_its_place(d):
    landscape = Landscape.from_subfunctions(2, [EVEN] * d)
    for at in range(d):
        for wrong in (0, -2, 0.0, float("inf"), float("nan"), -(2**80)):
            weights = [1] * d
            weights[at] = wrong
            with pytest.raises(ValueError, match=f"^weight {at} is {wrong}.*positive"):
                integer_weights(weights, landscape, np.ones(d, np.int64))


@pytest.mark.plain
@pytest.mark.parametrize("strange", [None, "1", {}])
def test_weights_beside_large_ones_have_to_be_numbers(strange):
    bounds = np.array([1, 1])
    assert integer_weights([2**70, 2**69], TWO_GRIDS, bounds).tolist() == [2, 1]
    for weights in ([2**70, strange], [strange, 2**70]):
        with pytest.raises(TypeError, match=r"^weights are .*a list of 2 numbers"):
            WeightSource([weights], TWO_GRIDS, bounds, 1)


@pytest.mark.plain
@pytest.mark.parametrize("rule", ["simplex", "independent"])
@pytest.mark.parametrize("d", [2, 3])
def test_what_is_drawn_depends_on_the_climb_and_the_seed_alone(rule, d):
    landscape = Landscape.from_subfunctions(2, [EVEN] * d)
    bounds = np.ones(d, np.int64)
    source = WeightSource(rule, landscape, bounds, 1)
    whole = source.draw(np.arange(200))
    for part in ([0], [7], [199, 3, 50], range(90, 120)):
        numbers = np.array(part)
        assert source.draw(numbers).tolist() == whole[numbers].tolist()
    assert len(np.unique(whole, axis=0)) == 200
    other = WeightSource(rule, landscape, bounds, 2).draw(np.arange(200))
    assert not (other == whole).any()
    shares = whole / source.unit
    if rule == "simplex":
        assert np.allclose(shares.sum(axis=1), 1)
        same = WeightSource(None, landscape, bounds, 1).draw(np.arange(200))
        assert same.tolist() == whole.tolist()
    else:
        assert ((shares > 0) & (shares <= 1)).all()
        assert np.allclose(np.abs(np.corrcoef(shares.T) - np.eye(d)), 0, atol=0.25)
        assert np.allclose(
            np.sort(shares, axis=0)[[50, 100, 150]].mean(axis=1),
            [0.25, 0.5, 0.75],
            atol=0.1,
        )
