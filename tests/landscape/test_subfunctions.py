"""Subfunctions: any collection of numbers will do, and what is none is refused."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from landscapes import built, one_objective, plains, solutions_of
from paretoball import Landscape
from paretoball.landscape import steps
from paretoball.numerics.arrays import offsets

ONES = [((0,), [0, 1]), ((1,), [0, 1])]


# What may be given.


@pytest.mark.parametrize("kind", [tuple, list, iter, np.array, np.uint8])
@pytest.mark.parametrize(
    "table",
    [
        (1, 2, 3, 4),
        np.array([1, 2, 3, 4], np.uint8),
        np.array([1.0, 2, 3, 4]),
        range(1, 5),
        [np.int64(1), 2, np.float32(3), 4.0],
    ],
)
def test_any_ordered_collection_of_numbers_will_do(kind, table):
    objective = iter([(kind([0, 2]), table)])
    landscape = Landscape.from_subfunctions(3, iter([objective]))
    values = landscape.evaluate([[0, 0, 0], [1, 0, 0], [0, 0, 1], [1, 1, 1]])
    assert values[:, 0].tolist() == [1, 2, 3, 4]


def test_a_generator_may_give_variables_or_tables():
    pair = ((j for j in (1, 0)), (v for v in (1, 2, 3, 4)))
    landscape = one_objective(2, pair)
    assert landscape.evaluate([[0, 1], [1, 0]])[:, 0].tolist() == [2, 3]


@given(st.data())
def test_a_variable_that_is_named_twice_has_one_value(data):
    variables = data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=6))
    table = data.draw(st.permutations(range(1 << len(variables))))
    others = [((3, 0), [5, 6, 7, 8])]
    landscape = Landscape.from_subfunctions(4, [others, [(variables, table), *others]])
    for x in solutions_of(4).tolist():
        right = table[sum(x[v] << j for j, v in enumerate(variables))]
        assert landscape.evaluate(x)[1] - landscape.evaluate(x)[0] == right


def test_a_diagonal_of_a_quadratic_form_is_linear():
    Q = [[1, 2], [3, 4]]
    terms = [((i, j), [0, 0, 0, Q[i][j]]) for i in range(2) for j in range(2)]
    landscape = one_objective(2, *terms)
    assert landscape.evaluate(solutions_of(2))[:, 0].tolist() == [
        sum(Q[i][j] * x[i] * x[j] for i in range(2) for j in range(2))
        for x in solutions_of(2).tolist()
    ]


def arrays(**changed: Any) -> dict[str, Any]:
    """A right call of `from_arrays`: two subfunctions of one variable each."""
    right = {
        "n": 2,
        "d": 1,
        "objective": np.array([0, 0]),
        "mask_at": np.array([0, 1, 2]),
        "masks": np.array([0, 1]),
        "table_at": np.array([0, 2, 4]),
        "tables": np.array([0, 1, 0, 1]),
    }
    return right | changed


def test_flat_arrays_give_the_same_landscape():
    landscape = Landscape.from_arrays(**arrays())
    assert landscape.evaluate([1, 1]).tolist() == [2]
    small = {name: np.asarray(array, np.uint8) for name, array in arrays().items()}
    landscape = Landscape.from_arrays(**small | {"n": 2, "d": 1})
    assert landscape.evaluate([1, 1]).tolist() == [2]


@given(plains(max_n=5))
def test_flat_arrays_and_subfunctions_agree(plain):
    pairs = [pair for objective in plain.objectives for pair in objective]
    landscape = Landscape.from_arrays(
        plain.n,
        len(plain.objectives),
        np.repeat(np.arange(len(plain.objectives)), [len(o) for o in plain.objectives]),
        offsets(np.array([len(mask) for mask, _ in pairs], int)),
        np.array([j for mask, _ in pairs for j in mask], int),
        offsets(np.array([len(table) for _, table in pairs], int)),
        np.array([value for _, table in pairs for value in table], int),
        plain.sense,
    )
    for one, other in zip(landscape.subfunctions, built(plain).subfunctions):
        assert_array_equal(one, other)


# What is refused.


BAD_SUBFUNCTIONS = [
    # the second subfunction, its exception, and what the message says
    (((5,), [0, 1]), ValueError, "reads variable 5, but .* variables 0 to 4"),
    (((-1,), [0, 1]), ValueError, "reads variable -1"),
    (((10**30,), [0, 1]), ValueError, "has a number of 100 bits in its variables"),
    (((2, 0, 2), [0] * 4), ValueError, "reads 3 variables, .* 8 entries, not 4"),
    (((0,), [Fraction(1, 2), None]), TypeError, "has None in its table"),
    (((0,), [Decimal(1), True]), TypeError, "has True in its table"),
    (((Fraction(1),), [0, 1]), TypeError, r"has Fraction\(1, 1\) in its variables"),
    (((0.0,), [0, 1]), TypeError, "has 0.0 in its variables"),
    (((True,), [0, 1]), TypeError, "has True in its variables"),
    ((("0",), [0, 1]), TypeError, "has '0' in its variables"),
    (("01", [0, 1, 2, 3]), TypeError, "has '01' for its variables"),
    (({0, 1}, [0, 1, 2, 3]), TypeError, r"has \{0, 1\} for its variables"),
    ((None, [0]), TypeError, "has None for its variables"),
    ((3, [0, 1]), TypeError, "has 3 for its variables"),
    (((0,), [0, 1, 2]), ValueError, "reads 1 variable, .* 2 entries, not 3"),
    (((0, 1), [0, 1]), ValueError, "reads 2 variables, .* 4 entries, not 2"),
    (((), []), ValueError, "reads 0 variables, .* 1 entry, not 0"),
    ((range(5), np.zeros((2, 16))), TypeError, r"has \[0.0, .*\] in its table"),
    (((0,), [0, float("nan")]), ValueError, "has nan at entry 1 of its table"),
    (((0,), [float("-inf"), 1]), ValueError, "has -inf at entry 0 of its table"),
    (((0,), [0, None]), TypeError, "has None in its table"),
    (((0,), [False, 1]), TypeError, "has False in its table"),
    (((0,), np.array([False, True])), TypeError, "has False in its table"),
    (((0,), ["0", "1"]), TypeError, "has '0' in its table"),
    (((0,), [0, 1j]), TypeError, "has 1j in its table"),
    (((0,), [0, [1]]), TypeError, r"has \[1\] in its table"),
    (((0,), "01"), TypeError, "has '01' for its table"),
    (((0,), np.array(3)), TypeError, "has 3 for its table"),
    (((0,), {0: 1, 1: 2}), TypeError, "has .* for its table"),
    (((0,), [0, 10**30]), OverflowError, "has a number of 100 bits in its table"),
    (((0,), [0.5, 10**400]), OverflowError, "has a number of 1329 bits in its table"),
    (((0,), [1e999, 10**30]), OverflowError, "has a number of 100 bits in its table"),
    (((0,),), TypeError, r"is \(\(0,\),\), not \(variables, table\)"),
    (7, TypeError, r"is 7, not \(variables, table\)"),
    ("ab", TypeError, r"is 'ab', not \(variables, table\)"),
]


@pytest.mark.parametrize(("bad", "kind", "text"), BAD_SUBFUNCTIONS)
def test_a_bad_subfunction_is_refused_by_place_and_value(bad, kind, text):
    with pytest.raises(kind, match="^objective 1, subfunction 1 " + text) as refusal:
        Landscape.from_subfunctions(5, [ONES, [((0, 3), [0, 1, 2, 3]), bad]])
    assert "\n" not in str(refusal.value)


def test_an_arity_too_large_for_a_table_is_refused():
    with pytest.raises(ValueError, match=r"subfunction 0 reads 25 variables.*2\*\*24"):
        one_objective(30, (range(25), [0, 1]))
    with pytest.raises(ValueError, match="reads 64 variables"):
        one_objective(100, (range(64), [0, 1]))


def test_tables_may_be_as_wide_as_the_bound(monkeypatch):
    monkeypatch.setattr(steps, "MAX_ARITY", 3)
    wide = (range(3), range(8))
    assert one_objective(4, wide, wide).k == 3
    with pytest.raises(ValueError, match="subfunction 1 reads 4 variables, but"):
        one_objective(5, wide, (range(4), [0] * 16), (range(5), [0] * 32))


def test_the_first_of_several_wrong_subfunctions_is_told():
    right, short, long = ((0,), [0, 1]), ((0,), [0]), ((0, 1), [0] * 5)
    with pytest.raises(ValueError, match=r"^objective 0, subfunction 1 reads 1 varia"):
        one_objective(2, right, short, right, long)
    nan, inf = ((0,), [0.0, np.nan]), ((0,), [np.inf, 0.0])
    with pytest.raises(ValueError, match=r"^objective 0, subfunction 2 has nan at en"):
        one_objective(1, right, right, nan, inf)


BAD_ARRAYS = [
    ({"d": 0}, ValueError, "d = 0"),
    ({"d": 1.0}, TypeError, "d = 1.0 is not a whole number"),
    ({"objective": np.array([0, 1])}, ValueError, "objective does not rise .* 0"),
    ({"objective": np.array([-1, 0])}, ValueError, "objective does not rise"),
    ({"d": 2, "objective": np.array([1, 0])}, ValueError, "objective does not rise"),
    ({"objective": np.array([0.0, 0])}, TypeError, "objective is an array of float64"),
    ({"mask_at": np.array([0, 2])}, ValueError, "mask_at has 2 entries"),
    ({"mask_at": np.array([0, 3, 2])}, ValueError, "mask_at does not rise"),
    ({"mask_at": np.array([1, 1, 2])}, ValueError, "mask_at does not rise"),
    ({"mask_at": np.array([0, 1, 3])}, ValueError, "mask_at does not rise"),
    ({"table_at": np.array([0, -2, 4])}, ValueError, "table_at does not rise"),
    ({"table_at": np.array([0, 1, 4])}, ValueError, "subfunction 0 .* 2 entries"),
    ({"masks": np.array([0.0, 1.0])}, TypeError, "masks is an array of float64"),
    ({"masks": np.array([[0], [1]])}, TypeError, r"masks .* shape \(2, 1\)"),
    ({"tables": np.array([True] * 4)}, TypeError, "tables is an array of bool"),
    ({"tables": np.array([0, 1, 0, 2**63], np.uint64)}, OverflowError, "9.22e"),
]


@pytest.mark.parametrize(("changed", "kind", "text"), BAD_ARRAYS)
def test_flat_arrays_laid_out_wrongly_are_refused(changed, kind, text):
    with pytest.raises(kind, match=text):
        Landscape.from_arrays(**arrays(**changed))


TWICE = {"masks": np.array([1, 1]), "mask_at": np.array([0, 2, 2])}
TWICE |= {"table_at": np.array([0, 4, 5]), "tables": np.arange(5)}


def test_flat_arrays_name_a_variable_once():
    with pytest.raises(ValueError, match="subfunction 0 reads variable 1 twice: name"):
        Landscape.from_arrays(**arrays(**TWICE))


def test_whole_numbers_that_reals_beside_them_would_round_are_refused():
    objectives = [[((0,), [0, 2**60 + 12345])], [((0,), [0, 0.5])]]
    with pytest.raises(ValueError, match="objective 0, subfunction 0 has 11529"):
        Landscape.from_subfunctions(1, objectives)


@pytest.mark.parametrize("sign", [1, -1])
def test_whole_numbers_beside_reals_end_at_2_to_the_53(sign):
    landscape = one_objective(1, ((0,), [sign * 2**53, 0.5]))
    assert landscape.evaluate([0]).tolist() == [sign * 2**53]
    for size, kind in (
        (2**53 + 1, ValueError),
        (2**62, ValueError),
        (2**62 + 1, OverflowError),
    ):
        with pytest.raises(kind, match=r"whole numbers end at|exact arithmetic ends"):
            one_objective(1, ((0,), [sign * size, 0.5]))


@pytest.mark.parametrize("kind", [int, np.int64, np.uint64])
def test_whole_numbers_beside_reals_are_never_rounded(kind):
    table = [kind(2**53 + 1), 0.5]
    with pytest.raises(ValueError, match="whole numbers end at"):
        Landscape.from_subfunctions(1, [[((0,), table)]])


@pytest.mark.parametrize("kind", [np.int64, np.float64, object])
def test_no_tables_of_any_kind_are_whole(kind):
    none = np.zeros(0, np.int64)
    at = np.zeros(1, np.int64)
    landscape = Landscape.from_arrays(2, 2, none, at, none, at, none.astype(kind))
    assert not landscape.real
    assert landscape.resolution == (1, 1)
    assert landscape.evaluate([0, 1]).dtype == np.int64
