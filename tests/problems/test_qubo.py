"""QUBO: xᵀ Q x, whatever Q is."""

from decimal import Decimal
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forms import SHAPES, as_dict, assert_values, matrices, value
from paretoball import ising, qubo

SIZES = st.integers(1, 4)


@given(shape=st.sampled_from(sorted(SHAPES)), Q=SIZES.flatmap(matrices))
@settings(max_examples=110)
def test_all_entries_count(shape, Q):
    assert_values(qubo(SHAPES[shape](Q)), lambda x: value(Q, x))


@given(SIZES.flatmap(lambda n: st.lists(matrices(n), min_size=3, max_size=3)))
def test_shapes_may_be_mixed_and_offsets_are_added(Qs):
    some = [SHAPES[shape](Q) for shape, Q in zip(("csr", "dict", "rows"), Qs)]
    landscape = qubo(
        some, ["min", "max", "min"], [7, 0, -(2**40)], names=["a", "b", "c"]
    )
    assert landscape.sense == ("min", "max", "min")
    assert landscape.names == ("a", "b", "c")
    shifts = (7, 0, -(2**40))
    each = [lambda x, Q=Q, c=c: value(Q, x) + c for Q, c in zip(Qs, shifts)]
    assert_values(landscape, *each)


def test_an_array_of_three_dimensions_is_several():
    Qs = np.arange(18).reshape(2, 3, 3)
    landscape = qubo(Qs)
    assert (landscape.n, landscape.d, landscape.sense) == (3, 2, ("min", "min"))
    assert_values(landscape, *(lambda x, Q=Q: value(Q.tolist(), x) for Q in Qs))
    assert_values(qubo(iter(Qs)), *(lambda x, Q=Q: value(Q.tolist(), x) for Q in Qs))


def test_dicts_may_have_linear_terms_and_a_constant():
    landscape = qubo({("a", "b"): 2, "b": 5, ("a",): -1, ("c", "c"): 4, (): 10})
    assert landscape.labels == ("a", "b", "c")
    found = landscape.evaluate([[0, 0, 0], [1, 1, 0], [0, 1, 1]])
    assert found.ravel().tolist() == [10, 16, 19]


def decimal_entries() -> st.SearchStrategy[float]:
    return st.integers(-99, 99).map(lambda tenths: tenths / 10)


@given(
    shape=st.sampled_from(["rows", "array", "csr", "dict", "graph"]),
    Q=SIZES.flatmap(lambda n: matrices(n, decimal_entries())),
)
def test_decimals_are_exact(shape, Q):
    """Not so if 0.1 + 0.2 were taken as floats."""
    exact = [[Fraction(str(entry)) for entry in row] for row in Q]
    landscape = qubo(SHAPES[shape](Q), offset=0.1)
    assert set(landscape.resolution) <= {1.0, 0.1}
    assert_values(landscape, lambda x: float(value(exact, x) + Fraction(1, 10)))


def test_two_equal_floats_are_one_term_and_two_others_are_two():
    assert qubo([[0, 0.1], [0.1, 0]]).m == 1
    assert qubo([[0, 0.1], [0, 0]]).m == 1
    assert qubo([[0, 0.1], [0.2, 0]]).m == 2
    assert qubo(SHAPES["csr"]([[0, 0.1], [0.1, 0]])).m == 1
    assert qubo(SHAPES["csr"]([[0, 0.1], [0.2, 0]])).m == 2
    assert qubo([[0, 0.1], [0.2, 0]]).evaluate([1, 1]).tolist() == [0.3]


@pytest.mark.parametrize("shape", ["rows", "array", "csr", "dict", "graph"])
def test_large_whole_numbers_do_not_wrap(shape):
    half = 2**61 - 1
    landscape = qubo(SHAPES[shape]([[0, half], [half, 0]]))
    assert landscape.evaluate([1, 1]).tolist() == [2 * half]
    Q = [[0, 2**62], [2**62, 0]]
    with pytest.raises(OverflowError, match="objective 0 can reach"):
        qubo(SHAPES[shape](Q))
    with pytest.raises(OverflowError):
        qubo([[2**70]])
    Q = [[-(2**62), 2**62], [0, 0]]
    with pytest.raises(OverflowError):  # bounded by the sum of both, not by their sum
        qubo(SHAPES[shape](Q))


def test_unsigned_numbers_are_numbers():
    Q = np.array([[1, 2**63 + 5], [0, 1]], np.uint64)
    with pytest.raises(OverflowError, match="entry 3 of its table"):
        qubo(Q)
    assert qubo(np.array([[1, 200], [100, 1]], np.uint8)).evaluate([1, 1]) == [302]


def test_truth_values_are_ones_and_zeros():
    assert qubo(np.array([[True, True], [True, False]])).evaluate([1, 1]) == [3]
    assert qubo([[True, 0.5], [0, False]]).evaluate([1, 1]) == [1.5]


def test_decimals_and_fractions_are_taken_exactly():
    long = Decimal("0.00000000000001")
    landscape = qubo([[long, Fraction(1, 2)], [Fraction(1, 4), 1]])
    assert landscape.evaluate([1, 1]).tolist() == [1.75000000000001]
    with pytest.raises(ValueError, match="multiply its tables by 3"):
        qubo([[Fraction(1, 3)]])


def test_decimals_are_never_rounded():
    """Python rounds sums and products of decimals to 28 digits."""
    almost = Decimal(f"1.{'0' * 40}1")
    with pytest.raises(ValueError, match="no step of 10"):
        qubo([[almost]])
    with pytest.raises(ValueError, match="no step of 10"):
        ising([[0, almost], [0, 0]])
    with pytest.raises(ValueError, match=r"row 0, column 0: .* more than 1,000 digits"):
        qubo([[Decimal("1e-1000000000")]])


def test_polynomials_in_spins_are_no_qubo():
    kind = type("Told", (dict,), {"vartype": "SPIN"})
    told = kind({("a", "b"): 1})
    with pytest.raises(
        ValueError, match="has variables of vartype 'SPIN', not 'BINARY'"
    ):
        qubo([{}, told])
    assert ising(told).evaluate([0, 1]) == [-1]
    kind.vartype = "BINARY"
    with pytest.raises(
        ValueError, match="has variables of vartype 'BINARY', not 'SPIN'"
    ):
        ising(told)


@pytest.mark.parametrize("family", [qubo, ising])
def test_the_factors_of_a_graph_are_an_attribute_of_its_edges(family):
    graph = nx.Graph([("a", "b", {"cost": 3, "weight": 5}), ("b", "c", {"cost": -7})])
    both = family([graph, graph], weight=["weight", "cost"])
    assert both.evaluate([1, 1, 1]).tolist() == [6, -4]
    assert family(graph, weight=None).evaluate([1, 1, 1]) == [2]


def test_zeros_are_no_terms():
    landscape = qubo({(0, 1): 0, (1, 2): 1, (0, 0): 0.0})
    assert (landscape.n, landscape.m) == (3, 1)


def test_a_dense_matrix_has_each_pair_once():
    Q = np.arange(1, 101).reshape(10, 10)
    assert qubo(Q).m == 10 + 45
    assert qubo(SHAPES["csr"](Q.tolist())).m == 10 + 45
    assert qubo(np.triu(Q)).m == 10 + 45


Q2 = [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("matrices", "options", "message"),
    [
        (3, {}, "3 is neither a matrix, a sparse matrix, a dict or a graph, nor a"),
        ("Q", {}, "'Q' is neither a matrix"),
        ([], {}, "an empty list has no objective"),
        ([3], {}, "objective 0 is 3, not a matrix, a sparse matrix, a dict or a graph"),
        ([Q2, None], {}, "objective 1 is None, not a matrix"),
        ([[1, 2], [3]], {}, "objective 0 has 2 rows, and 1 entry in row 1, but a quad"),
        ([[1, 2], None], {}, "objective 0 has None for row 1, not a row of numbers"),
        (np.zeros((2, 3)), {}, r"objective 0 is an array of shape \(2, 3\), but a"),
        (np.zeros(4), {}, r"objective 0 is an array of shape \(4,\), but a"),
        ([Q2, np.eye(3)], {}, "objective 1 has 3 variables, but objective 0 has 2"),
        ([Q2, {(0, 2): 1}], {}, "objective 1 has the label 2, which is not in 0 to 1"),
        (
            [[1, "2"], [3, 4]],
            {},
            "objective 0, row 0, column 1: '2' is not a real number",
        ),
        (
            [[1, 2j], [3, 4]],
            {},
            "objective 0, row 0, column 1: 2j is not a real number",
        ),
        (
            np.array([[1, 2j], [3, 4]]),
            {},
            r"objective 0, row 0, column 0: .*not a real",
        ),
        ([Q2, [[1, 2], [np.nan, 4]]], {}, "objective 1, row 1, column 0: nan is not a"),
        (np.full((2, 2), np.inf), {}, "objective 0, row 0, column 0: inf is not a fin"),
        ([[1, Decimal("NaN")], [0, 0]], {}, "objective 0, row 0, column 1: NaN is not"),
        ({("a", "b"): -np.inf}, {}, r"objective 0, \('a', 'b'\): -inf is not a finite"),
        ({"a": None}, {}, r"objective 0, \('a',\): None is not a real number"),
        ({(0, 1, 2): 1}, {}, r"objective 0 has the key \(0, 1, 2\), but at most two"),
        ({}, {}, "no variable is named: give the variables by labels="),
        ({"a": 1}, {"labels": "a"}, "labels is 'a', not a list of labels"),
        ({"a": 1}, {"labels": ["b"]}, "objective 0 has the label 'a', which is not in"),
        (Q2, {"labels": ["b"]}, "labels has 1 label, but the landscape has n = 2"),
        (Q2, {"offset": "1"}, "the offset of objective 0: '1' is not a real number"),
        (Q2, {"offset": np.nan}, "the offset of objective 0: nan is not a finite num"),
        ([Q2, Q2], {"offset": [1]}, "1 offset given for 2 objectives"),
        ([Q2, Q2], {"weight": ["a"] * 3}, "3 weights given for 2 objectives"),
        (Q2, {"sense": "up"}, "the sense of objective 0 is 'up'"),
        (np.zeros((0, 0)), {}, "n = 0, but it must be at least 1"),
    ],
)
def test_what_is_no_qubo_is_refused(matrices, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        qubo(matrices, **options)


def test_sparse_matrices_are_checked():
    with pytest.raises(ValueError, match="row 1, column 0: nan is not a finite number"):
        qubo(SHAPES["csr"]([[0.0, 0.0], [np.nan, 0.0]]))
    with pytest.raises(ValueError, match=r"array of shape \(2, 3\)"):
        qubo(SHAPES["csr"]([[1, 2, 3], [1, 2, 3]]))


def test_values_are_those_of_dimod():
    dimod = pytest.importorskip("dimod")
    rng = np.random.default_rng(1)
    for _ in range(50):
        n = int(rng.integers(1, 30))
        Q = rng.integers(-50, 50, (n, n)) * (rng.random((n, n)) < 0.5)
        X = rng.integers(0, 2, (1000, n), np.int8)
        model = dimod.BinaryQuadraticModel.from_qubo(as_dict(Q.tolist()), offset=3)
        energies = model.energies((X, list(range(n)))).tolist()
        assert qubo(Q, offset=3).evaluate(X)[:, 0].tolist() == energies
        assert (np.einsum("si,ij,sj->s", X, Q, X) + 3).tolist() == energies
