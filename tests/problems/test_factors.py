"""Numbers of any kind: none is rounded, and none wraps."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paretoball.problems.factors import checked_factors, exact_sums_of_two


def checked(values):
    return checked_factors(values, lambda e: f"number {e}")


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, -2], np.int64),
        ([True, 2], np.int64),
        ([np.int8(5), np.True_], np.int64),
        ([2**63 - 1], np.int64),
        ([2**63], object),
        ([0.5, 1.0], np.float64),
        ([0.5, 2**53], np.float64),
        ([0.5, 2**53 + 1], object),
        ([np.float32(0.5), 1], np.float64),
        ([Fraction(1, 3), 1, 0.5], object),
        ([Fraction(4, 2), Decimal("3.0")], np.int64),
        ([], np.int64),
        (np.array([1, 2], np.uint8), np.int64),
        (np.array([1, 2**63 - 1], np.uint64), np.int64),
        (np.array([1, 2**63], np.uint64), object),
        (np.array([True, False]), np.int64),
        (np.array([0.1], np.float32), np.float64),
        (np.array([1, 0.5], object), np.float64),
    ],
)
def test_numbers_stay_what_they_are(values, kind):
    found = checked(values)
    assert found.dtype == kind
    assert found.tolist() == list(values)


def test_decimals_become_fractions():
    assert checked([Decimal("0.1"), 1]).tolist() == [Fraction(1, 10), 1]


def test_decimals_have_a_thousand_digits_at_most():
    for digits in (1000, 1001):
        for text in ("1." + "0" * (digits - 2) + "1", f"1e{digits}", f"-1e-{digits}"):
            long = Decimal(text)
            if digits == 1000:
                assert checked([1, long]).tolist() == [1, Fraction(long)]
                continue
            with pytest.raises(ValueError, match=r"^number 1: .* more than 1,000 dig"):
                checked([1, long])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1, 2, float("nan")], "number 2: nan is not a finite number"),
        ([0.5, float("inf")], "number 1: inf is not a finite number"),
        ([np.float32("inf")], "number 0: inf is not a finite number"),
        ([Decimal("-inf")], "number 0: -Infinity is not a finite number"),
        ([Decimal("sNaN")], "number 0: sNaN is not a finite number"),
        ([1, "1"], "number 1: '1' is not a real number"),
        ([1j], "number 0: 1j is not a real number"),
        (np.array(["1"]), r"number 0: np.str_\('1'\) is not a real number"),
        (np.array([1, None]), "number 1: None is not a real number"),
        ([[1]], r"number 0: \[1\] is not a real number"),
    ],
)
def test_what_is_no_number_is_refused_by_place(values, message):
    with pytest.raises((TypeError, ValueError), match=message):
        checked(values)


NUMBERS = st.one_of(
    st.tuples(*[st.integers(-(2**63), 2**63 - 1)] * 2),
    st.tuples(*[st.floats(allow_nan=False, allow_infinity=False)] * 2),
    st.floats(allow_nan=False, allow_infinity=False).map(lambda one: (one, one)),
    st.tuples(st.just(0), st.fractions()),
    st.tuples(*[st.fractions()] * 2),
)


@given(NUMBERS, st.booleans())
def test_a_sum_is_exact_or_not_made(two, swapped):
    a, b = reversed(two) if swapped else two
    total, is_exact = exact_sums_of_two(checked([a]), checked([b]))
    if is_exact[0]:
        assert Fraction(total[0].item() if hasattr(total[0], "item") else total[0]) == (
            Fraction(a) + Fraction(b)
        )
    else:
        assert total[0] == a
        assert a != 0
        assert b != 0


def test_sums_that_would_be_exact_are_made():
    total, is_exact = exact_sums_of_two(
        np.array([0.1, 0, 0.1]), np.array([0.1, 3, 0.2])
    )
    assert is_exact.tolist() == [True, True, False]
    assert total.tolist() == [0.2, 3, 0.1]
    half = 2**62
    total, is_exact = exact_sums_of_two(
        np.array([half, -half]), np.array([half, -half])
    )
    assert is_exact.tolist() == [False, True]
    total, is_exact = exact_sums_of_two(
        np.array([0.3, 1e308, 0.5]), np.array([0, 1e308, -0.5])
    )
    assert is_exact.tolist() == [True, False, False]
    assert total.tolist() == [0.3, 1e308, 0.5]
