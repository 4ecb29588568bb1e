"""Constraints with floats of many digits: their bounds are widened, and it is told."""

import math
import warnings
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import paretoball as pb
from landscapes import solutions_of
from paretoball import Landscape
from paretoball.landscape import (
    StoredConstraints,
    constraints_of_file,
    constraints_of_stored,
    landscape_digest,
    to_be_stored,
)
from paretoball.verification.limits import Limits

ONES = [((0,), [0, 1]), ((1,), [0, 1])]
RELATIONS = ["<=", ">=", "=="]


def limited(*constraints: Any, n: int = 3) -> Landscape:
    """A landscape with these constraints."""
    return Landscape.from_subfunctions(n, [ONES], constraints=constraints)


IS_WIDENED = r"widened by .* floats of up to 15 digits, and whole numbers, are exact$"


def row(*factors: Any) -> list[Any]:
    """The terms of a linear constraint."""
    return [((j,), [0, factor]) for j, factor in enumerate(factors)]


@pytest.mark.parametrize("relation", RELATIONS)
def test_a_sum_in_floats_is_a_bound_that_its_solution_keeps(relation):
    rng = np.random.default_rng(1)
    for digits in [None] * 20 + list(range(20)):
        n = int(rng.integers(2, 60))
        factors = 10.0 ** rng.integers(-9, 9) * rng.normal(size=n)
        if digits is not None:
            factors = rng.normal(size=n).round(digits)
        x = rng.integers(0, 2, n)
        for bound in (float(factors @ x), sum(factors[x == 1].tolist())):
            landscape = limited((row(*factors), relation, bound), n=n)
            assert landscape.is_feasible(x)


def test_a_decimal_stays_exact_beside_a_long_float():
    short = [-0.07, 0.5, -1.5, -0.6]
    assert limited((row(*short), "==", -1.67), n=4).is_feasible([1] * 4)
    with pytest.warns(UserWarning, match=IS_WIDENED):
        landscape = limited((row(*short, 1.7 * 9), "==", -1.67, "sum"), n=5)
    assert landscape.is_feasible([1, 1, 1, 1, 0])
    assert landscape.is_feasible(solutions_of(5)).sum() == 1
    tables = [table for _, table in landscape.constraints[0].terms]
    assert [table[1] for table in tables[:4]] == short


def test_a_long_float_leaves_other_constraints_exact():
    with pytest.warns(UserWarning, match=r"^constraint 1 has 0\.333") as told:
        landscape = limited(
            (row(0.1, 0.2), "==", 0.3), (row(1 / 3, 1), "<=", 1), (ONES, "<=", 1.5)
        )
    assert len(told) == 1
    assert told[0].filename == __file__
    assert landscape.constraints.rounded.tolist() == [False, True, False]
    assert landscape.constraints.scale.tolist()[::2] == [10, 1]
    assert [each.tolerance for each in landscape.constraints] == [0, 3e-14, 0]


MIXED = [
    (row(1 / 3, 1), "<=", 1, "long"),
    (row(0.1, 0.2), "==", 0.3, "short"),
    (row(2**60, -3), ">=", 2**60 - 3, "whole"),
    (row(1, 2), ">=", -(10**30), "low"),
    (row(1, 2), "<=", 10**30, "high"),
    (row(1.234567890123456, Fraction(1, 10)), "<=", 1.3, "exact"),
]


@pytest.mark.parametrize("order", [*permutations(range(3)), (3, 0, 5, 2, 1, 4)])
def test_a_constraint_is_the_same_whatever_stands_beside_it(order):
    alone = [limited(each).constraints for each in MIXED]
    assert [each.rounded.tolist() for each in alone] == [[True], *[[False]] * 5]
    order = [*order, *(set(range(len(MIXED))) - set(order))]
    every = limited(*(MIXED[c] for c in order)).constraints
    stored = constraints_of_stored(3, to_be_stored(every))
    for place, c in enumerate(order):
        assert every[place] == alone[c][0]
        assert stored[place]._replace(bound=every[place].bound) == alone[c][0]
        for found in (every, stored):
            for name in ("real", "scale", "rounded"):
                assert getattr(found, name)[place] == getattr(alone[c], name)[0]
            for name in ("lower", "upper"):
                own, other = found.arrays, alone[c].arrays
                assert getattr(own, name)[place] == getattr(other, name)[0]


@pytest.mark.parametrize("name", StoredConstraints._fields[1:])
def test_stored_constraints_have_as_many_entries_of_each_kind(name):
    stored = to_be_stored(limited(*MIXED).constraints)
    own = getattr(stored, name)
    for wrong in (own[:-1], [*own, own[0]], own[:0]):
        field = np.array(wrong) if name == "bound" else wrong
        with pytest.raises(ValueError, match="entries, but there are"):
            constraints_of_stored(3, stored._replace(**{name: field}))


@pytest.mark.parametrize(
    ("name", "c", "value", "kind", "text"),
    [
        ("real", 2, 1, TypeError, r"^real of constraint 2 \('whole'\) is 1, not true"),
        ("real", 2, None, TypeError, r"^real of constraint 2 \('whole'\) is None, not"),
        ("rounded", 1, 1, TypeError, r"constraint 1 \('short'\) is 1, not true or f"),
        ("rounded", 2, True, TypeError, r"constraint 2 \('whole'\) is True, not false"),
        (
            "scale",
            2,
            10.0,
            ValueError,
            r"scale of constraint 2 \('whole'\) is 10.0",
        ),
        ("scale", 1, 0.0, ValueError, r"scale of constraint 1 \('short'\) is 0.0, not"),
        ("real", 2, True, ValueError, r"^constraint 2 \('whole'\) can reach 1.15e\+18"),
        ("names", 2, "short", ValueError, r"^constraints 1 and 2 have the same name"),
        ("relations", 2, "<", ValueError, r"^constraint 2 \('whole'\) has the relatio"),
    ],
)
def test_a_stored_constraint_with_something_wrong_is_refused(
    name, c, value, kind, text
):
    stored = to_be_stored(limited(*MIXED).constraints)
    wrong = list(getattr(stored, name))
    wrong[c] = value
    with pytest.raises(kind, match=text):
        constraints_of_stored(3, stored._replace(**{name: wrong}))


def test_bounds_beyond_reach_are_stored_as_such():
    thirds = row(1 / 3, 1)
    constraints = limited((thirds, ">=", -1e30), (thirds, "<=", 1e30)).constraints
    assert constraints.rounded.all()
    assert to_be_stored(constraints).bound.tolist() == [-(2**62), 2**62]


@pytest.mark.parametrize("excess", [0, 1])
def test_stored_reals_reach_no_more_steps_than_are_exact(excess):
    constraints = limited(([((1,), [0, 2**51 + excess])], "<=", 1)).constraints
    stored = to_be_stored(constraints)._replace(real=[True])
    if excess:
        with pytest.raises(ValueError, match=r"^constraint 0 can reach 2.25e\+15"):
            constraints_of_stored(3, stored)
    else:
        assert constraints_of_stored(3, stored).shown(np.array([1])).dtype == float


def test_one_warning_tells_of_all_widened_bounds():
    thirds = (row(1 / 3, 2 / 3), "<=", 1)
    with pytest.warns(UserWarning, match=r"lost \(the same for 2 more\);") as told:
        limited(thirds, thirds, thirds)
    assert len(told) == 1
    text = (
        r"^constraint 1 \('w'\) has 0\.(333|666)\d+, .* \(the same for 1 more\); floats"
    )
    with pytest.warns(UserWarning, match=text):
        limited((ONES, "<=", 1), (*thirds, "w"), thirds)
    with pytest.warns(UserWarning, match=r"feasible solution is lost; floats of up"):
        limited((ONES, "<=", 1), thirds)


@pytest.mark.filterwarnings("error")
def test_nothing_is_widened_that_has_15_digits():
    for factors in ([0.1, 0.2], [1.23456789012345, 0.1], [2**-30, 3 * 2**-30], [1e9]):
        landscape = limited((row(*factors), "<=", sum(factors)))
        assert landscape.constraints[0].tolerance == 0
        assert not landscape.constraints.rounded.any()


def test_a_widened_bound_holds_all_that_is_feasible_and_little_else():
    rng = np.random.default_rng(2)
    for _ in range(100):
        n = int(rng.integers(2, 7))
        factors = (rng.normal(size=n) * 10.0 ** rng.integers(-3, 3, n)).tolist()
        exact = [Fraction(repr(each)) for each in factors]
        X = solutions_of(n)
        sums = [sum(e for e, bit in zip(exact, x) if bit) for x in X.tolist()]
        relation = str(rng.choice(RELATIONS))
        bound = float(sums[rng.integers(len(sums))]) * float(rng.choice([1, 0.999]))
        try:
            landscape = limited((row(*factors), relation, bound), n=n)
        except ValueError:
            below, above = min(sums) <= Fraction(bound), max(sums) >= Fraction(bound)
            assert not {"<=": below, ">=": above, "==": below and above}[relation]
            continue
        room = Fraction(landscape.constraints[0].tolerance)
        reach = sum(map(abs, exact))
        assert room <= (n + 1) * reach / 10**14
        for found, each in zip(landscape.is_feasible(X), sums):
            over = each - Fraction(repr(bound))
            away = {"<=": over, ">=": -over, "==": abs(over)}[relation]
            if away <= 0:
                assert found
            if away > 2 * room:
                assert not found


def test_a_bound_of_few_digits_is_not_taken_for_a_sum():
    wide = row(*[123456789.1] * 3)
    assert limited((wide, ">=", 0.00005)).constraints.arrays.lower.tolist() == [1]
    assert limited((wide, ">=", 0.3 - 0.1 - 0.2)).constraints.arrays.lower[0] == 0
    ones = limited((ONES, ">=", 1 + 2**-50), (ONES, "<=", 2 - 2**-50))
    assert ones.constraints.arrays.lower.tolist() == [2, -(2**62)]
    assert ones.constraints.arrays.upper.tolist() == [2**62, 1]
    whole = limited((row(10**15), ">=", 123456789012.1))  # nothing there is a float
    assert whole.constraints.arrays.lower.tolist() == [123456789013]


@pytest.mark.parametrize(
    ("bound", "steps"),
    [
        (0.5, 5 * 10**13),
        (0.500000000000004, 5 * 10**13),
        (0.500000000000006, 5 * 10**13 + 1),
        (-0.500000000000006, -5 * 10**13 - 1),
    ],
)
def test_a_widened_bound_has_as_much_room_on_both_sides_of_the_nearest_step(
    bound, steps
):
    thirds = row(1 / 3, -2 / 3, 7.5)
    landscape = limited((thirds, "<=", bound), (thirds, ">=", bound))
    assert landscape.constraints.scale.tolist() == [1e14, 1e14]
    assert landscape.constraints.tolerances().tolist() == [4, 4]
    assert [each.tolerance for each in landscape.constraints] == [4e-14, 4e-14]
    arrays = landscape.constraints.arrays
    assert (arrays.upper[0], arrays.lower[1]) == (steps + 4, steps - 4)


# Terms of a quadrillion steps each, a tenth the step: sums of floats are wrong by up to
# 2/9 of a step where there is one of these, and by a quarter of it, the most that
# counts, where there are two.
@pytest.mark.parametrize(
    ("terms", "bound", "steps"),
    [
        (1, 12345678901.2, [123456789012, 123456789012]),
        (1, 1234567890.21, [12345678902, 12345678903]),  # 12 digits
        (1, 12345678901.21, [123456789012, 123456789012]),  # 13 digits
        (1, 12345678901.19, [123456789012, 123456789012]),
        (1, 1234567890.122, [12345678901, 12345678901]),
        (1, 1234567890.124, [12345678901, 12345678902]),
        (2, 1234567890.124, [12345678901, 12345678901]),
        (2, 1234567890.126, [12345678901, 12345678902]),
        (1, -1234567890.122, [-12345678901, -12345678901]),
        (1, -1234567890.124, [-12345678902, -12345678901]),
    ],
)
def test_a_long_bound_is_a_step_if_sums_of_floats_may_be_that_wrong(
    terms, bound, steps
):
    sign = 1 if bound > 0 else -1
    wide = row(*[sign * 99999999999999.9] * terms)
    landscape = limited((wide, "<=", bound), (wide, ">=", bound))
    arrays = landscape.constraints.arrays
    assert [arrays.upper[0], arrays.lower[1]] == steps
    assert landscape.constraints.scale.tolist() == [10, 10]


@pytest.mark.parametrize("suffix", [".json", ".npz"])
def test_files_keep_bounds_to_the_step(tmp_path, suffix):
    rng = np.random.default_rng(3)
    for case in range(20):
        factors = rng.normal(size=6) * 10.0 ** rng.integers(-9, 9)
        kept = factors.round(case % 5) if case % 2 else factors
        rows = [(row(*kept), each, float(kept[:3].sum())) for each in RELATIONS]
        rows += [(row(*kept), "<=", float(9 * abs(kept).sum() + 1)), (ONES, "<=", 1.5)]
        landscape = limited(*rows, n=6)
        path = tmp_path / f"{case}{suffix}"
        pb.write_landscape(landscape, path)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            again = pb.read_landscape(path)
        for one, other in zip(landscape.constraints.arrays, again.constraints.arrays):
            for mine, read in zip(one, other):
                assert_array_equal(mine, read)
        assert landscape_digest(again) == landscape_digest(landscape)
        tolerances = [
            [each.tolerance for each in some.constraints] for some in (landscape, again)
        ]
        assert tolerances[0] == tolerances[1]
        assert list(Limits(again).bound_failures()) == []


def test_a_search_and_an_exact_front_find_the_known_solution():
    rng = np.random.default_rng(4)
    factors, x = rng.random(12), rng.integers(0, 2, 12)
    ones = [((j,), [0, 1]) for j in range(12)]
    landscape = Landscape.from_subfunctions(
        12, [ones], constraints=[(row(*factors), "==", float(factors @ x))]
    )
    for method in ("exact", "path"):
        result = pb.solve(landscape, method=method, max_climbs=20, seed=1)
        assert result.X.tolist() == [x.tolist()]
        assert pb.verify(landscape, result).failures == []


def test_the_step_of_a_widened_bound_is_as_small_as_it_may_be():
    with pytest.warns(UserWarning, match="steps of 1e-14"):
        landscape = limited((row(1 / 3, 2 / 3, 7.5), "<=", 8))
    assert landscape.constraints.scale.tolist() == [1e14]
    with pytest.warns(UserWarning, match="widened"):
        tiny = limited((row(1e-200 / 3, 1e-200), "<=", 1e-200))
    (scale,) = tiny.constraints.scale.tolist()
    assert math.frexp(scale)[0] == 0.5
    assert 2**48 < scale * 1e-200 < 2**50


def test_the_step_is_a_power_of_10_as_far_as_these_are_floats():
    for size, scale in ((5e-8, 1e22), (5e-9, 2.0**77), (1e16, 2.0**-4)):
        with pytest.warns(UserWarning, match="widened"):
            landscape = limited((row(size, min(size, 1) / 3), "<=", size))
        assert landscape.constraints.scale.tolist() == [scale]
        assert landscape.is_feasible([1, 0, 0])


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    ("factor", "scale", "is_rounded"),
    [
        (99999999999999.9, 10, False),
        (100000000000000.0, 10, True),
        (100000000000000.1, 10, True),
        (2.0**51 - 1.5, 2.0**-1, True),
        (2.0**51 - 1, 1, False),
        (2.0**50, 1, False),
    ],
)
def test_floats_are_long_from_16_digits_on_unless_they_are_whole(
    factor, scale, is_rounded, sign
):
    factors = [sign * factor] if factor > 2**49 else [sign * factor, 0.7]
    landscape = limited((row(*factors), "<=", sum(factors)))
    assert landscape.constraints.scale.tolist() == [scale]
    assert landscape.constraints.rounded.tolist() == [is_rounded]
    assert (landscape.constraints[0].tolerance > 0) == is_rounded


def test_what_a_file_tells_of_rounding_is_not_told_again():
    row = ([((0,), [0, 1 / 3])], "<=", 0.5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for rounded in (True, False):
            found = constraints_of_file(3, [row], [3e15], [rounded])
            assert found.rounded.tolist() == [rounded]
