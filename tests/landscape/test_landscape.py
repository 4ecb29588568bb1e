"""Landscapes: sums of subfunctions, exactly, and everything else refused."""

from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from typing import Any

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import naive
from landscapes import built, graph_of, plains, solutions_of
from paretoball import Landscape
from paretoball.landscape import cliques
from paretoball.landscape.fixed_point import GRID
from paretoball.numerics.arrays import offsets

ONES = [((0,), [0, 1]), ((1,), [0, 1])]


def one_objective(n: int, *subfunctions: Any) -> Landscape:
    return Landscape.from_subfunctions(n, [list(subfunctions)])


# --- What a landscape computes.


@given(plains())
def test_merging_and_folding_keep_every_sum(plain):
    X = solutions_of(plain.n)
    expected = [naive.evaluate(plain, x) for x in X]
    assert_array_equal(built(plain).evaluate(X), expected)


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


def test_a_batch_and_its_rows_agree(figure_1):
    X = solutions_of(5)
    batch = figure_1.evaluate(X)
    assert batch.shape == (32, 2)
    assert_array_equal(batch, [figure_1.evaluate(x) for x in X])
    assert figure_1.evaluate(X[:0]).shape == (0, 2)
    assert_array_equal(figure_1.evaluate(X.astype(bool)), batch)
    assert_array_equal(figure_1.evaluate(X.astype(float).tolist()), batch)


def test_each_objective_keeps_its_own_sense():
    landscape = Landscape.from_subfunctions(2, [ONES, ONES], ["max", "min"])
    assert landscape.sense == ("max", "min")
    assert landscape.evaluate([1, 1]).tolist() == [2, 2]
    assert landscape.cliques.tables[:, 0].tolist() == [0, 1, 0, 1]
    assert landscape.cliques.tables[:, 1].tolist() == [0, -1, 0, -1]


def test_objectives_may_have_no_subfunctions_and_variables_no_reader():
    landscape = Landscape.from_subfunctions(3, [[], [((), [7])]], "min")
    assert landscape.evaluate([1, 0, 1]).tolist() == [0, 7]
    assert (landscape.k, landscape.c, landscape.m, landscape.d) == (0, 0, 1, 2)
    assert len(landscape.cliques.mask_at) == 1
    assert graph_of(landscape) == [set(), set(), set()]


@pytest.mark.parametrize("arity", [1, 2, 12, 20])
def test_a_clique_inside_another_is_folded_into_it(arity):
    table = np.arange(1 << arity)
    variables = range(arity)
    ones = [((j,), [0, 1]) for j in range(arity)]
    landscape = one_objective(arity, *ones, (variables, table), ((), [5]))
    x = np.ones(arity, int)
    assert len(landscape.cliques.mask_at) == 2
    assert landscape.evaluate(x).tolist() == [(1 << arity) - 1 + arity + 5]
    assert landscape.evaluate(0 * x).tolist() == [5]


def test_masks_too_wide_for_one_key_are_merged():
    variables = list(range(3, 23))
    table = np.random.default_rng(0).integers(0, 100, 1 << 20)
    turned = table.reshape((2,) * 20).T.ravel()
    landscape = one_objective(50, (variables, table), (variables[::-1], turned))
    assert len(landscape.cliques.mask_at) == 2
    assert_array_equal(landscape.cliques.tables[:, 0], 2 * table)


@given(plains())
def test_shown_and_inside_are_inverse(plain):
    landscape = built(plain)
    F = landscape.evaluate(solutions_of(plain.n))
    assert_array_equal(landscape.shown(landscape.inside(F)), F)


def test_inside_keeps_integers_that_floats_cannot_hold():
    landscape = one_objective(1, ((0,), [0, 2**60 + 1]))
    assert landscape.evaluate([1]).tolist() == [2**60 + 1]
    assert landscape.inside(landscape.evaluate([1])).tolist() == [2**60 + 1]


@given(plains())
def test_the_mean_is_that_of_all_solutions(plain):
    f = naive.full_table(plain).astype(float)
    assert built(plain).mean == pytest.approx(f.mean(axis=0), rel=1e-9, abs=1e-3)


def test_real_landscapes_are_shown_in_their_own_units():
    halves, quarters = [((0,), [0.5, 2])], [((0,), [-0.25, 1])]
    landscape = Landscape.from_subfunctions(1, [halves, quarters], ["max", "min"])
    assert landscape.mean.tolist() == [1.25, 0.375]
    assert landscape.inside(landscape.evaluate([0])).tolist() == [5, 25]
    assert landscape.shown(np.array([5, 25])).tolist() == [0.5, -0.25]


# --- What a landscape tells about itself.


@given(plains())
def test_sizes_are_those_of_the_subfunctions_given(plain):
    landscape = built(plain)
    masks = [mask for objective in plain.objectives for mask, _ in objective]
    read = [j for mask in masks for j in mask]
    assert landscape.n == plain.n
    assert landscape.d == len(plain.objectives)
    assert landscape.m == len(masks)
    assert landscape.k == max(map(len, masks), default=0)
    assert landscape.c == max(map(read.count, range(plain.n)))
    assert landscape.max_occurrence == landscape.c


@given(plains())
def test_the_cooccurrence_graph_joins_what_is_read_together(plain):
    landscape = built(plain)
    neighbours = naive.cooccurrence(plain)
    assert graph_of(landscape) == neighbours
    at = landscape.cooccurrence.at
    for j in range(plain.n):
        row = landscape.cooccurrence.neighbours[at[j] : at[j + 1]].tolist()
        assert row == sorted(neighbours[j])


@given(plains())
def test_networkx_gets_the_same_graph(plain):
    graph = built(plain).to_networkx()
    neighbours = naive.cooccurrence(plain)
    expected = networkx.Graph()
    expected.add_nodes_from(range(plain.n))
    pairs = combinations(range(plain.n), 2)
    expected.add_edges_from((a, b) for a, b in pairs if b in neighbours[a])
    assert networkx.utils.graphs_equal(graph, expected)


def test_the_repr_tells_the_sizes(figure_1):
    assert repr(figure_1) == "Landscape(n=5, d=2 (max/max), k=2, c=5, m=8)"


# --- The grid of real tables.


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


# --- What may be given.


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


# --- What is refused.

BAD_SUBFUNCTIONS = [
    # the second subfunction, its exception, and what the message says
    (((5,), [0, 1]), ValueError, "reads variable 5, but .* variables 0 to 4"),
    (((-1,), [0, 1]), ValueError, "reads variable -1"),
    (((10**30,), [0, 1]), ValueError, "has a number of 100 bits in its variables"),
    (((2, 0, 2), [0] * 8), ValueError, "reads variable 2 twice"),
    (((0.0,), [0, 1]), TypeError, "has 0.0 in its variables"),
    (((True,), [0, 1]), TypeError, "has True in its variables"),
    ((("0",), [0, 1]), TypeError, "has '0' in its variables"),
    (("01", [0, 1, 2, 3]), TypeError, "has '01' for its variables"),
    (({0, 1}, [0, 1, 2, 3]), TypeError, r"has \{0, 1\} for its variables"),
    ((None, [0]), TypeError, "has None for its variables"),
    ((3, [0, 1]), TypeError, "has 3 for its variables"),
    (((0,), [0, 1, 2]), ValueError, "reads 1 variables, .* 2 entries, not 3"),
    (((0, 1), [0, 1]), ValueError, "reads 2 variables, .* 4 entries, not 2"),
    (((), []), ValueError, "reads 0 variables, .* 1 entries, not 0"),
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


BAD_CALLS = [
    ({"n": 0}, ValueError, "n = 0, but a landscape has at least one variable"),
    ({"n": -3}, ValueError, "n = -3"),
    ({"n": 2.0}, TypeError, "n = 2.0 is not a whole number"),
    ({"n": True}, TypeError, "n = True is not a whole number"),
    ({"n": "5"}, TypeError, "n = '5' is not a whole number"),
    ({"n": None}, TypeError, "n = None is not a whole number"),
    ({"n": 10**12}, MemoryError, "n = 1,000,000,000,000 variables need 9.* TiB"),
    ({"n": 10**400}, MemoryError, "variables need"),
    ({"objectives": []}, ValueError, "d = 0, but .* at least one objective"),
    ({"objectives": None}, TypeError, "objectives is None, not a list"),
    ({"objectives": [ONES, 3]}, TypeError, "objective 1 is 3, not a list"),
    ({"objectives": [[], "a"]}, TypeError, "objective 1, subfunction 0 is 'a'"),
    ({"sense": "up"}, ValueError, "sense of objective 0 is 'up', neither"),
    ({"sense": ["max", "down"]}, ValueError, "sense of objective 1 is 'down'"),
    ({"sense": ["max", 1]}, ValueError, "sense of objective 1 is 1"),
    ({"sense": ["max"]}, ValueError, "1 senses given for 2 objectives"),
    ({"sense": None}, TypeError, "sense is None"),
]


@pytest.mark.parametrize(("call", "kind", "text"), BAD_CALLS)
def test_a_bad_call_is_refused_by_name_and_value(call, kind, text):
    with pytest.raises(kind, match=text) as refusal:
        Landscape.from_subfunctions(**{"n": 2, "objectives": [ONES, ONES]} | call)
    assert "\n" not in str(refusal.value)


def test_sums_beyond_floats_are_refused_without_a_warning(recwarn):
    huge = [((0,), [0, 1e308]), ((1,), [0, 1e308])]
    with pytest.raises(OverflowError, match="objective 1 can reach inf in size"):
        Landscape.from_subfunctions(2, [ONES, huge])
    assert recwarn.list == []


def test_tables_of_too_many_objectives_are_refused_before_they_are_merged(monkeypatch):
    monkeypatch.setattr(cliques, "available_memory", lambda: 10**6)
    many = [[(range(8), range(256))], *[[]] * 200]
    with pytest.raises(MemoryError, match=r"256 rows .* 201 objectives .* 976.6 KiB"):
        Landscape.from_subfunctions(8, many)


def test_an_arity_too_large_for_a_table_is_refused():
    with pytest.raises(ValueError, match=r"subfunction 0 reads 25 variables.*2\*\*24"):
        one_objective(30, (range(25), [0, 1]))
    with pytest.raises(ValueError, match="reads 64 variables"):
        one_objective(100, (range(64), [0, 1]))


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


def test_reals_too_small_for_any_grid_are_refused():
    with pytest.raises(ValueError, match="objective 0 reaches 5e-320 at most"):
        one_objective(1, ((0,), [0, 5e-320]))


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


BAD_SOLUTIONS = [
    ([0, 1, 0], ValueError, "x has 3 bits, but the landscape has n = 2"),
    ([[0, 1, 0]], ValueError, "x has 3 bits"),
    ([], ValueError, "x has 0 bits"),
    ([0, 2], ValueError, "x has 2 at bit 1, which is not 0 or 1"),
    ([[0, 1], [-1, 0]], ValueError, "x has -1 at bit 0"),
    ([0.5, 0], ValueError, "x has 0.5 at bit 0"),
    ([float("nan"), 0], ValueError, "x has nan at bit 0"),
    ("01", TypeError, "x is '01', not a vector of 2 bits"),
    (["0", "1"], TypeError, "not a vector of 2 bits"),
    (None, TypeError, "x is None"),
    ([[0, 1], [0]], TypeError, "not a vector of 2 bits"),
    (np.zeros((2, 2, 2)), TypeError, "not a vector of 2 bits"),
]


@pytest.mark.parametrize(("x", "kind", "text"), BAD_SOLUTIONS)
def test_what_is_no_solution_is_refused(x, kind, text):
    with pytest.raises(kind, match=text) as refusal:
        one_objective(2, *ONES).evaluate(x)
    assert "\n" not in str(refusal.value)


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


def test_whole_numbers_that_reals_beside_them_would_round_are_refused():
    objectives = [[((0,), [0, 2**60 + 12345])], [((0,), [0, 0.5])]]
    with pytest.raises(ValueError, match="objective 0, subfunction 0 has 11529"):
        Landscape.from_subfunctions(1, objectives)
