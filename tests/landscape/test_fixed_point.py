"""Fixed point of real tables: decimals are exact, and other reals very nearly."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from landscapes import built, one_objective, plains, solutions_of
from paretoball import Landscape
from paretoball.landscape import EXACT
from paretoball.landscape.fixed_point import GRID, size_in_words


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
        ([1e-15, 0.0], 1e-15),
        ([2.0**51, 1.0], 1),
    ],
)
def test_decimals_are_exact_and_the_resolution_is_told(table, resolution):
    landscape = one_objective(1, ((0,), table))
    assert landscape.resolution == (resolution,)
    assert landscape.evaluate([[0], [1]])[:, 0].tolist() == table
    assert landscape.real == any(isinstance(value, float) for value in table)


def test_decimals_have_15_places_at_most():
    assert one_objective(1, ((0,), [1e-16, 0.0])).resolution == (2.0**-100,)


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
    for steps in rng.integers(2**50, 2**51, 400).tolist():
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


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("parts", [1, 2, 1000])
@pytest.mark.parametrize("over", [-1, 0, 1, 511, 512, 513])
def test_the_bound_is_compared_in_whole_numbers(over, parts, sign):
    reach = EXACT + over
    entries = [reach // parts + (j < reach % parts) for j in range(parts)]
    large = [((j,), [0, sign * entry]) for j, entry in enumerate(entries)]
    small = [((0,), [0, 1])]
    if over > 0:
        with pytest.raises(
            OverflowError, match=rf"objective 1 can reach 2\*\*62 \+ {over}"
        ):
            Landscape.from_subfunctions(parts, [small, large])
    else:
        landscape = Landscape.from_subfunctions(parts, [small, large])
        assert landscape.evaluate([1] * parts).tolist() == [1, sign * reach]


NEAR = [2**61, 2**62 - 1, 2**62, 2**62 + 1, 2**62 + 512, 2**63 - 1]
ENTRIES = st.sampled_from([sign * v for v in (0, 1, 255, *NEAR) for sign in (1, -1)])


@given(
    st.lists(st.lists(st.tuples(ENTRIES, ENTRIES), max_size=4), min_size=1, max_size=3)
)
def test_landscapes_are_refused_as_ints_of_python_say(tables):
    reaches = [sum(max(map(abs, table)) for table in each) for each in tables]
    objectives = [[((0,), table) for table in each] for each in tables]
    beyond = [i for i, reach in enumerate(reaches) if reach > EXACT]
    if beyond:
        with pytest.raises(OverflowError, match=f"^objective {beyond[0]} can reach "):
            Landscape.from_subfunctions(1, objectives)
        return
    landscape = Landscape.from_subfunctions(1, objectives)
    for x in (0, 1):
        exact = [sum(table[x] for table in each) for each in tables]
        assert landscape.evaluate([x]).tolist() == exact


def test_unsigned_tables_are_compared_in_whole_numbers():
    for over in (0, 1):
        tables = np.array([2**62 - 3, 3 + over], np.uint64)
        arrays = np.array([0, 0]), [0, 0, 0], np.zeros(0, int), [0, 1, 2], tables
        if over:
            with pytest.raises(OverflowError, match=r"2\*\*62 \+ 1 in size"):
                Landscape.from_arrays(1, 1, *arrays)
        else:
            landscape = Landscape.from_arrays(1, 1, *arrays)
            assert landscape.evaluate([0]).tolist() == [2**62]


def test_a_decimal_anywhere_in_a_long_table_is_looked_at():
    """The first hundred entries alone would choose coarser steps."""
    values = [0.5] * 127 + [0.123]
    landscape = one_objective(7, (range(7), values))
    assert landscape.resolution == (0.001,)
    assert landscape.evaluate([1] * 7).tolist() == [0.123]
    values = [0.5] * 127 + [1 / 3]
    landscape = one_objective(7, (range(7), values))
    assert landscape.resolution == (2.0**-48,)
    assert landscape.evaluate([1] * 7).tolist() == pytest.approx([1 / 3], abs=2.0**-48)


def test_sums_beyond_floats_are_refused_without_a_warning(recwarn):
    huge = [((0,), [0, 1e308]), ((1,), [0, 1e308])]
    with pytest.raises(OverflowError, match="objective 1 can reach inf in size"):
        Landscape.from_subfunctions(2, [[], huge])
    assert recwarn.list == []


def test_reals_too_small_for_any_grid_are_refused():
    with pytest.raises(ValueError, match="objective 0 reaches 5e-320 at most"):
        one_objective(1, ((0,), [0, 5e-320]))


def test_the_smallest_reach_is_2_to_the_minus_900():
    least = 2.0**-900
    assert one_objective(1, ((0,), [0, least])).evaluate([1]).tolist() == [least]
    with pytest.raises(ValueError, match=r"objective 1 reaches .* at most, but float"):
        Landscape.from_subfunctions(1, [[], [((0,), [0, np.nextafter(least, 0)])]])


def of_scale(table: list[float], scale: float) -> Landscape:
    """A landscape of one table with these steps per unit."""
    return Landscape.from_arrays(1, 1, [0], [0, 1], [0], [0, 2], table, scale=[scale])


def test_steps_per_unit_are_from_2_to_the_minus_900_to_2_to_the_959():
    for scale, beyond in (2.0**-900, 0), (2.0**959, np.inf):
        assert of_scale([0.0, 0.0], scale).scale.tolist() == [scale]
        with pytest.raises(ValueError, match="the scale of objective 0 is"):
            of_scale([0.0, 0.0], float(np.nextafter(scale, beyond)))


def test_real_objectives_reach_2_to_the_51_steps():
    for sign in (1, -1):
        landscape = of_scale([0.0, sign * 2.0**50], 2.0)
        assert landscape.subfunctions.tables.tolist() == [0, sign * 2**51]
        with pytest.raises(ValueError, match=r"objective 0 can reach 2\.25e\+15 steps"):
            of_scale([0.0, sign * (2.0**50 + 0.5)], 2.0)
    whole = one_objective(1, ((0,), [0, 2**51]))
    assert whole.divided(3).evaluate([1]).tolist() == [2**51 / 3]


def test_sizes_just_above_the_bound_are_told_to_the_digit():
    assert size_in_words(2**62 + 10**6 - 1) == "2**62 + 999999"
    assert size_in_words(2**62 + 10**6) == "4.61e+18"
    assert size_in_words(np.inf) == "inf"


def test_decimals_end_where_floats_could_no_longer_tell_them_apart():
    """2**51 steps are the most; one more, and the grid is a power of two."""
    for steps, is_decimal in ((2**51 - 1, True), (2**51 + 1, False)):
        value = steps / 1000
        (scale,) = Landscape.from_subfunctions(1, [[((0,), [0.0, value])]]).scale
        assert (scale == 1000) == is_decimal


@given(plain=plains(), by=st.integers(1, 1000))
def test_a_landscape_divided_has_exact_quotients(plain, by):
    landscape = built(plain)
    divided = landscape.divided(by)
    x = np.random.default_rng(1).integers(2, size=landscape.n)
    right = [float(Fraction(value, by)) for value in landscape.evaluate(x).tolist()]
    assert divided.evaluate(x).tolist() == right
    assert (
        divided.inside(np.array(right)).tolist()
        == landscape.inside(landscape.evaluate(x)).tolist()
    )


def test_values_are_taken_back_to_the_nearest_step():
    landscape = one_objective(1, ((0,), [0.57, 0.29]))  # 0.29 * 100 is 28.999...
    assert landscape.inside(landscape.evaluate([[0], [1]])).tolist() == [[57], [29]]


def test_a_landscape_beyond_exact_floats_is_not_divided():
    landscape = Landscape.from_subfunctions(1, [[((0,), [0, 2**51 + 1])]])
    with pytest.raises(ValueError, match=r"objective 0 can reach 2\.25e\+15 steps"):
        landscape.divided(3)


@pytest.mark.parametrize("by", [0, -2, 2.5])
def test_a_landscape_is_divided_by_whole_numbers_above_0(by):
    landscape = Landscape.from_subfunctions(1, [[((0,), [0, 1])]])
    with pytest.raises((ValueError, TypeError), match=f"by = {by}"):
        landscape.divided(by)


# What is told of digits that are lost.


def test_a_value_that_loses_digits_is_told_with_what_became_of_it():
    tables = [((0,), [0, 1e12]), ((1,), [0, 0.1234567])]
    text = (
        r"^objective 1, subfunction 1 has 0\.1234567 at entry 1 of its table, which is "
        r"rounded to 0\.125: landscape\.resolution of 'cost' is 0\.0078125, "
    )
    with pytest.warns(UserWarning, match=text) as told:
        landscape = Landscape.from_subfunctions(
            2, [[((0,), [0, 1])], tables], names=["gain", "cost"]
        )
    assert len(told) == 1
    assert told[0].filename == __file__
    assert landscape.evaluate([0, 1]).tolist() == [0, 0.125]


def test_one_warning_tells_the_worst_of_all_values():
    tables = [((j,), [1e12, value]) for j, value in enumerate([0.3, 1e-9, 1e9, 1 / 3])]
    with pytest.warns(UserWarning, match=r"has 1e-09 .* to 0\.0 \(and 2 more") as told:
        one_objective(4, *tables)
    assert len(told) == 1


@pytest.mark.filterwarnings("error")
def test_what_changes_by_less_than_a_billionth_is_not_told():
    step = 2.0**-47  # of an objective that reaches 1
    for part, is_told in ((0.9e-9, False), (1.1e-9, True)):
        steps = int(0.5 / part)  # half a step is that part of so many steps
        value = (steps + 0.5) * step
        rest = 1 - 2 * value
        tables = [((0,), [0, value]), ((1,), [0, value]), ((2,), [0, rest])]
        if is_told:
            with pytest.warns(UserWarning, match="and 1 more"):
                one_objective(3, *tables)
        else:
            one_objective(3, *tables)
    one_objective(2, ((0,), [0, 0.1]), ((1,), [1e12, 0.25]))
