"""Constraints: sums within bounds, exactly, and everything else refused."""

import pickle
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import naive
import paretoball as pb
from landscapes import ring, shuffled, solutions_of
from paretoball import Landscape
from paretoball.landscape import (
    Terms,
    constraint_values,
    constraints_of_file,
    in_good_order,
    joined,
    products,
)

ONES = [((0,), [0, 1]), ((1,), [0, 1])]
SOME = 3 * [((0, 2), [0, 3, 5, 1])]
RELATIONS = ["<=", ">=", "=="]


def limited(*constraints: Any, n: int = 3, **options: Any) -> Landscape:
    """A landscape with these constraints."""
    return Landscape.from_subfunctions(n, [ONES], constraints=constraints, **options)


@st.composite
def constraint_lists(draw: Any, n: int) -> list[tuple[list[Any], str, Any]]:
    """Up to four constraints of all kinds over n variables."""
    variables = st.lists(st.integers(0, n - 1), max_size=3)
    tenths = st.integers(-30, 30).map(lambda tens: tens / 10)
    eighths = st.integers(-30, 30).map(lambda eight: Fraction(eight, 8))
    kinds = [
        (st.integers(-9, 9), 1),
        (st.integers(-(2**45), 2**45), 1),
        (tenths, 0.1),
        (eighths, Fraction(1, 8)),
    ]

    def terms(values: Any, step: Any) -> Any:
        def pair(mask: list[int]) -> Any:
            size = 1 << len(mask)
            return st.tuples(
                st.just(mask), st.lists(values, min_size=size, max_size=size)
            )

        some = st.lists(variables.flatmap(pair), max_size=6)
        return some.map(lambda some: [*some, ([], [step])])  # bounds are whole steps

    constraint = st.sampled_from(kinds).flatmap(
        lambda kind: st.tuples(terms(*kind), st.sampled_from(RELATIONS), kind[0])
    )
    return draw(st.lists(constraint, max_size=4))


@st.composite
def cases(draw: Any) -> tuple[Landscape, list[Any]]:
    """A landscape, and its constraints as given; none is hopeless alone."""
    n = draw(st.integers(1, 5))
    constraints = draw(constraint_lists(n))
    try:
        landscape = Landscape.from_subfunctions(n, [[]], constraints=constraints)
    except ValueError as error:
        assume("no solution is feasible" not in str(error))
        raise
    return landscape, constraints


# What constraints compute.


@given(cases())
def test_violations_are_those_of_the_definition(case):
    landscape, constraints = case
    X = solutions_of(landscape.n)
    own = landscape.violation(X)
    assert own.shape == (len(X), len(constraints))
    for x, row in zip(X, own):
        expected = naive.violation(constraints, x)
        assert row.tolist() == [float(each) for each in expected]
        assert_array_equal(landscape.violation(x), row)
        assert landscape.is_feasible(x) is (not any(expected))
    assert_array_equal(landscape.is_feasible(X), (own == 0).all(axis=1))


@given(cases())
def test_rows_have_the_layout_that_they_promise(case):
    landscape, _ = case
    rows, m = landscape.constraint_rows, len(landscape.constraints)
    by_row = [
        (c, int(rows.row_variables[e]), int(rows.row_factors[e]))
        for c in range(m)
        for e in range(rows.row_at[c], rows.row_at[c + 1])
    ]
    by_column = [
        (int(rows.column_rows[e]), j, int(rows.column_factors[e]))
        for j in range(landscape.n)
        for e in range(rows.column_at[j], rows.column_at[j + 1])
    ]
    assert by_row == sorted(by_column)
    assert by_column == sorted(by_column, key=lambda cell: (cell[1], cell[0]))
    assert all(factor for _, _, factor in by_row)
    masks = [
        rows.wide.masks[first:end].tolist()
        for first, end in zip(rows.wide.mask_at, rows.wide.mask_at[1:])
    ]
    assert all(len(mask) > 1 and mask == sorted(set(mask)) for mask in masks)
    assert np.diff(rows.wide.table_at).tolist() == [1 << len(mask) for mask in masks]
    readers = [
        rows.wide.readers[rows.wide.reader_at[j] : rows.wide.reader_at[j + 1]].tolist()
        for j in range(landscape.n)
    ]
    assert readers == [
        [t for t, mask in enumerate(masks) if j in mask] for j in range(landscape.n)
    ]


def test_values_are_those_of_one_solution():
    landscape = limited((SOME, "<=", 9), (ONES, ">=", 1))
    values = np.empty(2, np.int64)
    constraint_values(landscape.constraint_rows, np.array([0, 1, 1], np.uint8), values)
    assert values.tolist() == [15, 1]


def test_a_hopeless_bound_is_one_that_no_solution_meets_alone():
    for bound in range(-2, 5):
        for relation in RELATIONS:
            reach = {"<=": bound >= 0, ">=": bound <= 2, "==": 0 <= bound <= 2}
            if reach[relation]:
                assert (
                    limited((ONES, relation, bound)).is_feasible(solutions_of(3)).any()
                )
            else:
                with pytest.raises(ValueError, match="constraint 0 asks for"):
                    limited((ONES, relation, bound))


def test_a_bound_between_two_steps_is_the_step_within():
    halves = [((0,), [0, 0.5]), ((1,), [0, 1.5])]
    landscape = limited((halves, "<=", 1.7), (ONES, ">=", Fraction(1, 3)))
    arrays = landscape.constraints.arrays
    assert arrays.upper.tolist() == [17, 2**62]
    assert arrays.lower.tolist() == [-(2**62), 1]
    assert landscape.constraints[1].bound == Fraction(1, 3)
    with pytest.raises(ValueError, match=r"== 0.5, but its terms add up to multiples"):
        limited((ONES, "==", 0.5))


def test_decimals_add_up_as_they_are_written():
    tenths = [((j,), [0, 0.1 * (j + 1)]) for j in range(2)]
    assert limited((tenths, "<=", 0.3)).is_feasible([1, 1, 0])
    exact = [((0,), [0, Decimal("0.1")]), ((1,), [0, Fraction(1, 5)])]
    assert limited((exact, "==", Decimal("0.3"))).is_feasible([1, 1, 1])


def test_a_bound_of_exact_fractions_is_not_rounded():
    tenths = [((0,), [0, Fraction(1, 10)]), ((1,), [0, Fraction(3, 10)])]
    landscape = limited((tenths, ">=", Fraction(1, 3)), (tenths, "<=", Fraction(1, 3)))
    assert landscape.constraints.arrays.lower.tolist() == [4, -(2**62)]
    assert landscape.constraints.arrays.upper.tolist() == [2**62, 3]


def test_bounds_are_rounded_like_the_tables():
    odd = 0.1234567890123456
    terms = [((0,), [0, odd]), ((1,), [0, 1 / 3])]
    landscape = limited((terms, "<=", odd), (terms, ">=", odd), (terms, "==", odd))
    assert landscape.is_feasible([[1, 0, 0]]).all()
    assert not landscape.is_feasible([[0, 1, 0], [1, 1, 0]]).any()


def test_integers_beside_reals_stay_exact():
    large = [((0,), [0, 2**60 + 1])]
    landscape = limited(([((1,), [0, 0.5])], "<=", 1), (large, "<=", 2**60))
    assert landscape.constraints.real.tolist() == [True, False]
    assert landscape.is_feasible([[1, 1, 1], [0, 1, 1]]).tolist() == [False, True]
    assert landscape.violation([1, 0, 0]).tolist() == [0.0, 1.0]
    assert landscape.constraints[1].terms == (((0,), (0, 2**60 + 1)),)


def test_violations_of_integers_are_integers():
    violation = limited((ONES, "<=", 1), (SOME, "==", 3)).violation([1, 1, 0])
    assert violation.dtype == np.int64
    assert violation.tolist() == [1, 6]


def test_a_bound_far_beyond_what_is_reached_is_none():
    arrays = limited((ONES, "<=", 10**30), (ONES, ">=", -(10**30))).constraints.arrays
    assert arrays.upper.tolist() == [2**62, 2**62]
    assert arrays.lower.tolist() == [-(2**62), -(2**62)]


def test_bounds_of_reals_are_none_beyond_what_reals_may_reach():
    halves = [((0,), [0, 0.5])]
    for steps, kept in ((2**51, 2**51), (2**51 + 1, 2**62)):
        bound = steps / 10
        landscape = limited((halves, "<=", bound), (halves, ">=", -bound))
        arrays = landscape.constraints.arrays
        assert (arrays.upper[0], arrays.lower[1]) == (kept, -kept)


def test_a_constraint_ranges_over_no_more_than_exact_arithmetic():
    for over in (0, 1):
        wide = [((0,), [-(2**61), 2**61 + over])]
        if over:
            with pytest.raises(OverflowError, match=r"ranges from .* 2\*\*62"):
                limited((wide, "<=", 0))
        else:
            assert limited((wide, "<=", 0)).violation([1, 0, 0]).tolist() == [2**61]


def test_bounds_over_whole_numbers_are_the_whole_numbers_within():
    for bound in (1.2, 1.5, 1.7, Fraction(4, 3), Decimal("1.9")):
        assert limited((ONES, "<=", bound)).constraints.arrays.upper.tolist() == [1]
        assert limited((ONES, ">=", bound)).constraints.arrays.lower.tolist() == [2]
    halves = [((0,), [0, 0.5]), ((1,), [0, 1.5])]
    assert limited((halves, "<=", 1.99)).constraints.arrays.upper.tolist() == [19]
    assert limited((halves, ">=", 1.51)).constraints.arrays.lower.tolist() == [16]


# What a landscape says of its constraints.


def test_constraints_are_told_as_given():
    landscape = limited((SOME, "=", 9, "budget"), (ONES, ">=", 1.5))
    one, other = landscape.constraints
    assert (one.name, one.relation, one.bound) == ("budget", "==", 9)
    assert one.terms == tuple((mask, tuple(table)) for mask, table in SOME)
    assert repr(one) == "Constraint('budget': 3 terms == 9)"
    assert (other.name, other.relation, other.bound) == ("c1", ">=", 1.5)
    assert landscape.constraints[-1] == other
    assert landscape.constraints[:1] == [one]
    assert repr(landscape.constraints) == "Constraints(2: 'budget', 'c1')"
    assert repr(landscape).endswith("m=2, constraints=2)")
    with pytest.raises(IndexError):
        landscape.constraints[2]


def test_a_landscape_without_constraints_has_none(figure_1):
    assert not figure_1.constraints
    assert list(figure_1.constraints) == []
    assert figure_1.violation(solutions_of(5)).shape == (32, 0)
    assert figure_1.is_feasible([0] * 5) is True
    assert figure_1.is_feasible(solutions_of(5)).all()
    assert figure_1.unconstrained is figure_1
    assert "constraints" not in repr(figure_1)


def test_objectives_know_nothing_of_constraints():
    landscape = limited((SOME, "<=", 9))
    bare = landscape.unconstrained
    assert bare is landscape.unconstrained
    assert not bare.constraints
    assert bare.cliques is landscape.cliques
    assert landscape.cooccurrence.neighbours.tolist() == []
    assert (landscape.k, landscape.m, landscape.mean.tolist()) == (1, 2, [1.0])
    assert bare.is_feasible([1, 1, 1])
    assert bare.violation([1, 1, 1]).tolist() == []


def test_constraints_read_variables_by_label():
    landscape = limited(
        ([(("b", "c"), lambda b, c: b + c)], "<=", 1), labels=["a", "b", "c"]
    )
    assert landscape.is_feasible({"a": 1, "b": 1, "c": 0})
    assert landscape.violation({"a": 0, "b": 1, "c": 1}).tolist() == [1]


def test_terms_and_subfunctions_make_the_same_constraints():
    masks, factors = np.array([[0], [1], [2]]), np.array([2, 3, 4])
    pairs = Terms(np.array([[0, 2]]), np.array([[0, 1, 2, 3]]))
    fast = Landscape.from_terms(
        3,
        [[products(masks, factors)]],
        constraints=[([products(masks, factors), pairs], "<=", 5, "load")],
    )
    given = [((j,), [0, j + 2]) for j in range(3)] + [((0, 2), [0, 1, 2, 3])]
    slow = limited((given, "<=", 5, "load"))
    *one, one_wide = fast.constraint_rows
    *other, other_wide = slow.constraint_rows
    for own, theirs in zip([*one, *one_wide], [*other, *other_wide]):
        assert_array_equal(own, theirs)
    assert fast.constraints[0] == slow.constraints[0]


@pytest.mark.parametrize("order", [[0, 1, 2], [1, 2, 0], [2, 1, 0]])
def test_terms_of_whole_and_real_tables_stand_beside_each_other(order):
    masks = np.array([[0], [2]])
    tables = [[2, 3], [0.5, 0.25], [Fraction(1, 8), 2]]
    given = [
        (products(masks, np.array(own)), row, bound)
        for own, row, bound in zip(tables, RELATIONS, [4, 0.3, Fraction(17, 8)])
    ]
    kinds = ["i", "f", "O"]
    assert [terms.tables.dtype.kind for terms, _, _ in given] == kinds
    rows = [([given[c][0]], *given[c][1:], f"g{c}") for c in order]
    fast = Landscape.from_terms(3, [[]], constraints=rows).constraints
    for place, c in enumerate(order):
        pairs = [((j,), [0, one]) for j, one in zip((0, 2), tables[c])]
        slow = limited((pairs, *given[c][1:], f"g{c}")).constraints
        assert fast[place] == slow[0]
        assert fast.real[place] == slow.real[0]
        assert fast.arrays.lower[place] == slow.arrays.lower[0]
        assert fast.arrays.upper[place] == slow.arrays.upper[0]


@pytest.mark.parametrize(
    "bound", [np.int64(2**60 + 1), np.uint64(2**60 + 1), 2**60 + 1]
)
def test_a_whole_bound_of_any_kind_is_exact(bound):
    landscape = limited(([((0,), [2**60, 2**60 + 1])], ">=", bound))
    assert landscape.is_feasible([[0, 0, 0], [1, 0, 0]]).tolist() == [False, True]
    assert type(landscape.constraints[0].bound) is int


def test_a_constraint_in_a_file_without_a_scale_is_rounded_if_need_be():
    long, short = [((0,), [0, 1 / 3])], [((1,), [0, 0.5])]
    rows = [(short, "<=", 0.5), (long, "<=", 0.5), (short, "<=", 0.5)]
    found = constraints_of_file(3, rows, [10.0, None, 10.0], [True, False, False])
    assert found.rounded.tolist() == [True, True, False]
    assert found.tolerances().tolist() == [2, 2, 0]


def test_a_square_may_have_constraints():
    Q = np.arange(9).reshape(1, 3, 3)
    square = pb.qubo(Q).square
    assert square is not None
    weights = products(np.arange(3)[:, None], np.array([2, 3, 4]))
    landscape = Landscape.from_square(square, constraints=[([weights], "<=", 5)])
    assert landscape.is_feasible(solutions_of(3)).sum() == 5


def test_copies_keep_constraints():
    landscape = limited((ONES, "<=", 1), labels=["a", "b", "c"])
    assert landscape.divided(3).violation([1, 1, 1]).tolist() == [1]
    assert pickle.loads(pickle.dumps(landscape)).violation([1, 1, 1]).tolist() == [1]


def test_what_has_constraints_keeps_its_numbers():
    tangled = shuffled(ring(1200, K=3, seed=1), seed=1)
    constraints = limited((ONES, "<=", 1)).constraints
    landscape = Landscape.from_arrays(
        1200, 2, *tangled.subfunctions, constraints=constraints
    )
    assert in_good_order(tangled) is not tangled
    assert in_good_order(landscape) is landscape


def test_joined_landscapes_keep_the_constraints_of_all_parts():
    parts = [
        limited((ONES, "<=", 1, "light"), labels=["a", "b", "c"]),
        limited((ONES, ">=", 1, "heavy"), (SOME, "<=", 9), labels=["c", "d", "a"]),
    ]
    both = joined(parts)
    assert both.constraints.names == ("light", "heavy", "c2")
    for x in solutions_of(4):
        bits = dict(zip(both.labels, x.tolist()))
        own = [p.violation([{j: bits[j] for j in p.labels}])[0].tolist() for p in parts]
        assert both.violation(bits).tolist() == own[0] + own[1]
    assert joined([parts[0], parts[0]]).constraints.names == ("light", "light_2")


# What is refused.

WRONG = [
    (7, TypeError, r"constraints is 7, not a list"),
    ("<=", TypeError, r"constraints is '<=', not a list"),
    ([(ONES, "<=")], TypeError, r"constraint 0 is \(.*\), not \(terms, relation"),
    ([(ONES, "<", 1)], ValueError, r"constraint 0 has the relation '<', not '<='"),
    ([(ONES, 1, 1)], ValueError, r"constraint 0 has the relation 1, not"),
    ([(ONES, "<=", "1")], TypeError, r"constraint 0 has the bound '1', which is not"),
    ([(ONES, "<=", True)], TypeError, r"constraint 0 has the bound True"),
    ([(ONES, "<=", np.inf)], ValueError, r"the bound inf, not a finite number"),
    ([(ONES, "<=", Decimal("nan"))], ValueError, r"the bound nan, not a finite"),
    ([(ONES, "<=", 1, "w", 5)], TypeError, r"constraint 0 is \(.*\), not \(terms, re"),
    ([(ONES, "<=", 1), (ONES, "<=")], TypeError, r"constraint 1 is \(.*\), not"),
    ([(ONES, "<=", 1), (ONES, "=>", 1)], ValueError, r"constraint 1 has the relation"),
    ([(ONES, "<=", 1), (ONES, "<=", None)], TypeError, r"constraint 1 has the bound N"),
    ([(ONES, "<=", -np.inf)], ValueError, r"the bound -inf, not a finite number"),
    ([(ONES, "<=", Decimal("1e-1001"))], TypeError, r"more than 1,000 digits"),
    ([(ONES, "<=", 1, " ")], TypeError, r"the name of constraint 0 is ' ', which is"),
    ([(ONES, "<=", 1, 7)], TypeError, r"the name of constraint 0 is 7, which is no"),
    (
        [(ONES, "<=", 1, "c1"), (ONES, "<=", 1)],
        ValueError,
        r"constraints 0 and 1 have the same name 'c1'",
    ),
    ([(7, "<=", 1, "w")], TypeError, r"constraint 0 \('w'\) has 7 for its terms"),
    (
        [(ONES, "<=", 1, "a"), (ONES, "<=", 1, "b"), (SOME, "<=", 1, "a")],
        ValueError,
        r"constraints 0 and 2 have the same name 'a'",
    ),
    (
        [(ONES, "<=", 1), (ONES, "==", 0.5, "w")],
        ValueError,
        r"constraint 1 \('w'\) asks for == 0.5, but its terms add up to multiples of 1",
    ),
    (
        [([((0,), [0.25, 0.5])], ">=", 0.6)],
        ValueError,
        r"asks for >= 0.6, but its terms add up to 0.25 to 0.5: no solution",
    ),
    (
        [([((0,), [0, 0.5])], "==", 0.25)],
        ValueError,
        r"asks for == 0.25, but its terms add up to multiples of 0.1: no solution",
    ),
    ([([7], "<=", 1)], TypeError, r"constraint 0, subfunction 0 is 7, not"),
    (
        [(ONES, "<=", 1), ([((9,), [0, 1])], "<=", 1, "w")],
        ValueError,
        r"constraint 1 \('w'\), subfunction 0 reads variable 9, but a landscape of n",
    ),
    ([([((0,), [0])], "<=", 1)], ValueError, r"constraint 0, subfunction 0 reads 1 va"),
    (
        [(ONES, "<=", 1), ([((0,), [0.5, np.nan])], "<=", 1)],
        ValueError,
        r"constraint 1, subfunction 0 has nan at entry 1",
    ),
    (
        [(ONES, "<=", 1), ([((0,), [Fraction(1, 3), 1])], "<=", 1)],
        ValueError,
        r"constraint 1, subfunction 0 has Fraction\(1, 3\) .* holds constraint 1 exact",
    ),
    (
        [([((0,), [0, 2**62]), ((1,), [0, 1])], "<=", 1, "w")],
        OverflowError,
        r"constraint 0 \('w'\) can reach 2\*\*62 \+ 1 in size",
    ),
    (
        [([((0,), [-(2**61) - 1, 2**61])], "<=", 1)],
        OverflowError,
        r"constraint 0 ranges from -2.31e\+18 to 2.31e\+18 steps, but exact",
    ),
    (
        [(ONES, ">=", 3, "cover")],
        ValueError,
        r"constraint 0 \('cover'\) asks for >= 3, but its terms add up to 0 to 2: no",
    ),
    (
        [([((0,), [0, 0.5])], "<=", 1), ([((0,), [1, 2**60 + 1])], "<=", 0)],
        ValueError,
        r"^constraint 1 asks for <= 0, .* add up to 1 to 1152921504606846977: no",
    ),
    (
        [([((0,), [0.25, 0.5])], "<=", 0.2)],
        ValueError,
        r"asks for <= 0.2, but its terms add up to 0.25 to 0.5: no solution",
    ),
]


@pytest.mark.parametrize(("constraints", "kind", "text"), WRONG)
def test_what_is_no_constraint_is_refused(constraints, kind, text):
    with pytest.raises(kind, match=text):
        Landscape.from_subfunctions(3, [ONES], constraints=constraints)
