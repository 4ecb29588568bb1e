"""Fixed point of real tables: decimals are exact, and other reals very nearly."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from landscapes import one_objective, plains, solutions_of
from paretoball import Landscape
from paretoball.landscape.fixed_point import GRID


@given(plains(), st.integers(0, 9))
def test_decimal_tables_are_summed_without_rounding(plain, digits):
    tenths = 10**digits
    objectives = [
        [(mask, [float(Fraction(v % 10**6, tenths)) for v in table])
         for mask, table in objective]
        for objective in plain.objectives
    ]  # fmt: skip
    landscape = Landscape.from_subfunctions(plain.n, objectives, plain.sense)
    for x in solutions_of(plain.n):
        exact = [
            sum(Fraction(table[naive.index(mask, x.tolist())] % 10**6, tenths)
                for mask, table in objective)
            for objective in plain.objectives
        ]  # fmt: skip
        assert landscape.evaluate(x).tolist() == [float(value) for value in exact]


@pytest.mark.parametrize(
    ("table", "resolution"),
    [
        ([0, 3], 1),
        ([0.0, 3.0], 1),
        ([0.5, -3], 0.1),
        ([0.1, 0.25], 0.01),
        ([1e-9, 123456.789], 1e-9),
    ],
)
def test_decimals_are_exact_and_the_resolution_is_told(table, resolution):
    landscape = one_objective(1, ((0,), table))
    assert landscape.resolution == (resolution,)
    assert landscape.evaluate([[0], [1]])[:, 0].tolist() == table
    assert landscape.real == any(isinstance(value, float) for value in table)


def test_each_objective_has_its_own_grid():
    halves, thirds = [((0,), [0.5, 1])], [((0,), [1 / 3, 1])]
    landscape = Landscape.from_subfunctions(1, [halves, thirds, [((0,), [1, 2])]])
    assert landscape.resolution == (0.1, 2.0**-47, 1)
    assert landscape.evaluate([0]).tolist() == pytest.approx([0.5, 1 / 3, 1])


@given(st.lists(st.floats(-1e12, 1e12), min_size=4, max_size=4))
def test_reals_lose_less_than_one_step_and_steps_are_fine(values):
    reach = max(abs(value) for value in values)
    if 0 < reach < 1e-100:
        return
    landscape = one_objective(2, ((0, 1), values))
    found = landscape.evaluate(solutions_of(2))[:, 0]
    (resolution,) = landscape.resolution
    assert (np.abs(found - values) <= resolution / 2).all()
    assert resolution <= max(2 * reach / GRID, 0) or np.array_equal(found, values)


def test_a_decimal_is_found_up_to_the_bound():
    rng = np.random.default_rng(1)
    for steps in rng.integers(2**50, 2**51, 2000).tolist():
        value = float(Decimal(steps) / 10**9)
        landscape = one_objective(1, ((), [value]))
        (found,), (scale,) = landscape.subfunctions.tables.tolist(), landscape.scale
        assert found * 10**9 == steps * int(scale)


def test_float32_tables_are_taken_at_their_exact_value():
    table = np.array([0.1, 0.25], np.float32)
    landscape = one_objective(1, ((0,), table))
    assert landscape.evaluate([0])[0] == pytest.approx(float(table[0]), abs=1e-12)


@pytest.mark.parametrize("sign", [1, -1])
def test_overflow_is_refused_with_the_bound_named(sign):
    near = [((j,), [0, sign * 2**60]) for j in range(4)]
    assert one_objective(4, *near).evaluate([1] * 4).tolist() == [sign * 2**62]
    with pytest.raises(
        OverflowError, match=r"objective 0 can reach 5.76e\+18.*2\*\*62"
    ):
        one_objective(4, *near, ((), [sign * 2**60]))
    with pytest.raises(OverflowError, match=r"objective 0 can reach 9\.22e"):
        one_objective(1, ((), [-(2**63)]))
    with pytest.raises(OverflowError, match=r"objective 0 can reach 1e\+300"):
        one_objective(1, ((), [sign * 1e300]))


def test_sums_beyond_floats_are_refused_without_a_warning(recwarn):
    huge = [((0,), [0, 1e308]), ((1,), [0, 1e308])]
    with pytest.raises(OverflowError, match="objective 1 can reach inf in size"):
        Landscape.from_subfunctions(2, [[], huge])
    assert recwarn.list == []


def test_reals_too_small_for_any_grid_are_refused():
    with pytest.raises(ValueError, match="objective 0 reaches 5e-320 at most"):
        one_objective(1, ((0,), [0, 5e-320]))


def test_decimals_end_where_floats_could_no_longer_tell_them_apart():
    """2**51 steps are the most; one more, and the grid is a power of two."""
    for steps, is_decimal in ((2**51 - 1, True), (2**51 + 1, False)):
        value = steps / 1000
        (scale,) = Landscape.from_subfunctions(1, [[((0,), [0.0, value])]]).scale
        assert (scale == 1000) == is_decimal
