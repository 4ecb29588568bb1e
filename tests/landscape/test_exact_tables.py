"""Tables of fractions and decimals: exact, or refused with what would be right."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from landscape_files import assert_same
from landscapes import one_objective
from paretoball import Landscape, read_landscape, write_landscape
from paretoball.landscape.exact_tables import exact_number

DECIMALS = st.decimals(-1000, 1000, places=6)
BINARY = st.builds(
    lambda a, e: Fraction(a, 2**e), st.integers(-(2**20), 2**20), st.integers(0, 30)
)
WHOLE = st.integers(-(2**20), 2**20)


def steps_of(landscape: Landscape) -> list[Fraction]:
    """The table entries of a landscape of one objective, exactly."""
    scale = Fraction(float(landscape.scale[0]))
    return [Fraction(value) / scale for value in landscape.subfunctions.tables.tolist()]


@given(st.lists(DECIMALS | WHOLE, min_size=8, max_size=8))
def test_decimals_are_taken_exactly(values):
    values[0] = Decimal(values[0])
    landscape = one_objective(3, (range(3), values))
    assert steps_of(landscape) == [Fraction(value) for value in values]
    assert landscape.real


@given(st.lists(BINARY | WHOLE, min_size=8, max_size=8))
def test_binary_fractions_are_taken_exactly(values):
    values[0] = Fraction(values[0])
    landscape = one_objective(3, (range(3), values))
    assert steps_of(landscape) == values


@pytest.mark.parametrize(
    ("table", "resolution"),
    [
        ([Decimal("0.1"), Decimal("0.25")], 0.01),
        ([Decimal("1.50"), 2], 0.1),
        ([Decimal(3), Decimal(4)], 1),
        ([Decimal("0E-50"), 0], 1),
        ([Fraction(1, 2), 0.1], 0.1),
        ([Fraction(1, 4), np.float32(0.5)], 0.01),
        ([Fraction(2**51), 1], 1),
        ([Fraction(2**60), 0], 2**60),
        ([Fraction(1, 2**50), 1], 2.0**-50),
        ([Decimal("123456789012.0001"), 0], 0.0001),
        ([Decimal("1e-15"), 1], 1e-15),
        ([Fraction(2**62), 0], 2**62),
        ([Fraction(-(2**62)), 0], 2**62),
    ],
)
def test_the_step_is_the_largest_that_holds_all(table, resolution, tmp_path):
    landscape = one_objective(1, ((0,), table))
    assert landscape.resolution == (resolution,)
    assert landscape.evaluate([[0], [1]])[:, 0].tolist() == [float(v) for v in table]
    for name in ("a.json", "a.npz"):
        write_landscape(landscape, tmp_path / name)
        assert_same(read_landscape(tmp_path / name), landscape)


def test_objectives_of_floats_keep_their_own_steps():
    thirds, halves = [((0,), [1 / 3, 1])], [((0,), [Fraction(1, 2), 1])]
    landscape = Landscape.from_subfunctions(1, [thirds, halves, [((0,), [1, 2])]])
    assert landscape.resolution == (2.0**-47, 0.1, 1)


REFUSED = [
    (
        [Fraction(1, 3), 0],
        ValueError,
        r"has Fraction\(1, 3\) at entry 0 of its table, .* tables by 3, their",
    ),
    ([Fraction(1, 3), Fraction(1, 7)], ValueError, "multiply its tables by 21, their"),
    (
        [Fraction(1, 2**20), Fraction(1, 5)],
        ValueError,
        "multiply its tables by 5242880",
    ),
    ([Fraction(1, 2**52), 1], ValueError, "multiply its tables by 4503599627370496"),
    ([Decimal("1e-16"), 1], ValueError, "by 10000000000000000, their common"),
    ([Decimal("0.1"), 1 / 3], ValueError, "has 0.333.* at entry 1"),
    ([Fraction(1, 10**30 + 1), 1], ValueError, "round its tables to fewer digits"),
    ([Fraction(2**60 + 1), 1], ValueError, "give whole numbers as ints"),
    ([Fraction(2**62 + 1), 1], OverflowError, r"exact arithmetic ends at 2\*\*62"),
    ([0, Fraction(-(2**62) - 1)], OverflowError, r"exact arithmetic ends at 2\*\*62"),
    ([Fraction(1, 2), -(2**53) - 1], ValueError, r"whole numbers end at 2\*\*53"),
    ([Fraction(1, 2), 2**53 + 1], ValueError, r"whole numbers end at 2\*\*53"),
    ([Decimal("NaN"), 1], ValueError, "has nan at entry 0 .* not a finite number"),
    ([Decimal("sNaN"), 1], ValueError, "has nan at entry 0 .* not a finite number"),
    ([0, Decimal("-Infinity")], ValueError, "has -inf at entry 1 .* not a finite"),
    ([Decimal("1e999999999999"), 1], TypeError, "has more than 1,000 digits"),
    ([Decimal("1e-999999999999"), 1], TypeError, "has more than 1,000 digits"),
]


@pytest.mark.parametrize(("table", "kind", "text"), REFUSED)
def test_what_no_step_holds_is_refused_with_what_would_be_right(table, kind, text):
    with pytest.raises(kind, match="^objective 1, subfunction 1 .*" + text) as refusal:
        Landscape.from_subfunctions(1, [[], [((), [Decimal(1)]), ((0,), table)]])
    assert "\n" not in str(refusal.value)


def test_flat_arrays_may_hold_fractions():
    right = {"objective": [0], "mask_at": [0, 1], "masks": [0], "table_at": [0, 2]}
    quarters = np.array([Fraction(1, 2), Decimal("0.25")], object)
    for scale, steps in (None, [50, 25]), ([8.0], [4, 2]):
        landscape = Landscape.from_arrays(1, 1, **right, tables=quarters, scale=scale)
        assert landscape.subfunctions.tables.tolist() == steps
    nearly = np.array([Fraction(1, 2), Fraction(10**29 + 1, 10**30)], object)
    with pytest.raises(ValueError, match=r"not a whole number of steps .* unit: 10\)"):
        Landscape.from_arrays(1, 1, **right, tables=nearly, scale=[10.0])
    whole = Landscape.from_arrays(
        1, 1, **right, tables=np.array([2**60 + 1, 0], object)
    )
    assert whole.evaluate([0]).tolist() == [2**60 + 1]
    with pytest.raises(
        TypeError, match="has None at entry 1 of its table, which is not"
    ):
        Landscape.from_arrays(1, 1, **right, tables=np.array([1, None], object))


def test_whole_numbers_among_objects_end_where_they_end_elsewhere():
    right = {"objective": [0], "mask_at": [0, 1], "masks": [0], "table_at": [0, 2]}
    for sign in (1, -1):
        for least, beside, error in (2**62, 0, OverflowError), (2**53, 0.5, ValueError):
            tables = np.array([sign * least, beside], object)
            landscape = Landscape.from_arrays(1, 1, **right, tables=tables)
            assert landscape.evaluate([0]).tolist() == [sign * least]
            tables[0] += sign
            with pytest.raises(error, match=r"exact arithmetic|where tables are"):
                Landscape.from_arrays(1, 1, **right, tables=tables)


def test_decimals_of_a_thousand_digits_are_looked_at():
    for digits in (1000, 1001):
        for long in (
            Decimal("1." + "0" * (digits - 2) + "1"),
            Decimal(f"1e-{digits}"),
            Decimal(f"1e{digits}"),
        ):
            if digits == 1000:
                number = exact_number(long)
                assert isinstance(number, Fraction)
                assert number == long
            else:
                assert exact_number(long) is None


@pytest.mark.parametrize("value", [Decimal("1e-16"), Fraction(2**51 + 1)])
def test_what_needs_finer_or_more_steps_than_there_are_is_refused(value):
    with pytest.raises(ValueError, match="no step of"):
        one_objective(1, ((0,), [value, 0]))
