"""MaxCut: the weight of the edges whose ends are on different sides."""

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from forms import SHAPES, assert_values, matrices
from paretoball import ising, maxcut, qubo


def cut(edges, x):
    """By the definition: edges are (i, j, weight)."""
    return sum(w for i, j, w in edges if x[i] != x[j])


def symmetric(W):
    """The lower triangle of a matrix is that above the diagonal."""
    return [[W[min(i, j)][max(i, j)] for j in range(len(W))] for i in range(len(W))]


def upper(W):
    return [[w if i <= j else 0 for j, w in enumerate(row)] for i, row in enumerate(W)]


def lower(W):
    return [list(row) for row in zip(*upper(W))]


def either(W):
    """Each edge at one of its two places."""
    return [
        [w if (i + j) % 2 == (i < j) else 0 for j, w in enumerate(row)]
        for i, row in enumerate(symmetric(W))
    ]


def edges_of(W):
    return [(i, j, w) for i, row in enumerate(W) for j, w in enumerate(row) if i < j]


@given(
    shape=st.sampled_from(sorted(set(SHAPES) - {"dict", "graph", "twice"})),
    form=st.sampled_from([symmetric, upper, lower, either]),
    W=st.integers(1, 4).flatmap(matrices),
)
@settings(max_examples=100)
def test_a_matrix_says_each_edge_once_or_twice(shape, form, W):
    landscape = maxcut(SHAPES[shape](form(W)))
    assert_values(landscape, lambda x: cut(edges_of(W), x))
    assert landscape.sense == ("max",)


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(-9, 9)), min_size=1
    ),
    st.sampled_from([nx.MultiGraph, nx.MultiDiGraph]),
)
def test_parallel_edges_are_added_and_loops_are_never_cut(edges, kind):
    graph = kind()
    graph.add_nodes_from(range(4))
    graph.add_weighted_edges_from(edges)
    assert_values(maxcut(graph), lambda x: cut(edges, x))


@given(
    st.dictionaries(
        st.tuples(st.integers(0, 3), st.integers(0, 3)), st.integers(-9, 9), min_size=1
    )
)
def test_each_item_of_a_dict_is_an_edge(given_edges):
    edges = [(i, j, w) for (i, j), w in given_edges.items()]
    landscape = maxcut(
        [given_edges, given_edges], sense=["max", "min"], labels=range(4)
    )
    assert_values(landscape, *[lambda x: cut(edges, x)] * 2)


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_weights_are_an_attribute_of_edges(kind):
    graph = kind()
    graph.add_edge("a", "b", cost=3)
    graph.add_edge("b", "c", weight=5, cost=0.5)
    graph.add_node("alone")
    landscape = maxcut([graph] * 4, weight=["weight", "cost", None, "unknown"])
    assert landscape.labels == ("a", "b", "c", "alone")
    assert landscape.evaluate([0, 1, 0, 1]).tolist() == [6, 3.5, 2, 2]
    assert maxcut(graph).evaluate([0, 0, 1, 0]) == [5]


def test_fractions_are_taken_exactly():
    half = Fraction(1, 2)
    assert maxcut([[0, half], [half, 0]]).evaluate([0, 1]) == [0.5]
    assert maxcut({(0, 1): half}).evaluate([0, 1]) == [0.5]


def test_an_edge_is_one_term():
    assert maxcut(np.ones((4, 4))).m == 6
    assert maxcut(sparse.csr_array(np.ones((4, 4), int))).m == 6
    assert maxcut(nx.complete_graph(4)).m == 6


@pytest.mark.parametrize("shape", ["rows", "array", "csr"])
def test_two_weights_of_one_edge_are_refused(shape):
    W = [[0, 0, 1], [0, 0, 2], [1, 3, 0]]
    message = "objective 0 has 2 at row 1, column 2, but 3 at row 2, column 1: a pair"
    with pytest.raises(ValueError, match=message):
        maxcut(SHAPES[shape](W))


def test_edges_of_large_sparse_matrices_are_told_apart():
    n, far, near = 1 << 17, 1 << 15, 5  # far * n is 0 in 32 bits
    ends = ([0, far, far + near], [far + near, far + near, 9])
    W = sparse.coo_array(([1, 2, 4], ends), shape=(n, n))
    x = np.zeros(n, int)
    x[far + near] = 1
    assert maxcut(W).evaluate(x) == [7]


def test_a_zero_that_a_sparse_matrix_stores_says_nothing():
    W = sparse.coo_array(([0, 2], ([0, 1], [1, 0])), shape=(2, 2))
    assert maxcut(W).evaluate([0, 1]) == [2]


def test_a_sparse_matrix_that_says_an_entry_twice_is_refused():
    W = sparse.coo_array(([1, 2], ([0, 0], [1, 1])), shape=(2, 2))
    with pytest.raises(ValueError, match="row 0, column 1 twice: add such entries"):
        maxcut(W)
    W.sum_duplicates()
    assert maxcut(W).evaluate([0, 1]) == [3]


@pytest.mark.parametrize(
    ("graphs", "message"),
    [
        ({"a": 1}, r"objective 0 has the key \('a',\), but an edge has two ends"),
        ({(): 1}, r"objective 0 has the key \(\), but an edge has two ends"),
        (
            nx.Graph([(0, 1, {"weight": "3"})]),
            r"edge \(0, 1\): '3' is not a real number",
        ),
        (nx.Graph([(0, 1, {"weight": np.nan})]), r"edge \(0, 1\): nan is not a finite"),
        ([[0, 1], [1, np.inf]], "objective 0, row 1, column 1: inf is not a finite"),
        (nx.Graph(), "no variable is named"),
        ([nx.path_graph(3), 5], "objective 1 is 5, not a matrix"),
    ],
)
def test_what_is_no_graph_is_refused(graphs, message):
    with pytest.raises((TypeError, ValueError), match=message):
        maxcut(graphs)


def test_nodes_without_edges_are_variables_too():
    graph = nx.Graph()
    graph.add_nodes_from([7, 3])
    assert maxcut(graph).labels == (3, 7)
    with pytest.raises(ValueError, match="has the label 7, which is not in labels"):
        maxcut(graph, labels=[3, "a"])


def random_graph(rng, most):
    """A graph of any kind with weights and loops."""
    kinds = [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph]
    graph = kinds[int(rng.integers(4))]()
    n = int(rng.integers(2, most))
    graph.add_nodes_from(rng.permutation(n).tolist())
    ends = rng.integers(0, n, (2 * n, 2)).tolist()
    weights = rng.integers(-50, 50, 2 * n).tolist()
    graph.add_weighted_edges_from((*pair, w) for pair, w in zip(ends, weights))
    return graph


def assert_cuts_of_networkx(models, solutions):
    rng = np.random.default_rng(3)
    for _ in range(models):
        graph = random_graph(rng, 12)
        X = rng.integers(0, 2, (solutions, len(graph)))
        sides = [(np.flatnonzero(x), np.flatnonzero(1 - x)) for x in X]
        sizes = [nx.cut_size(graph, *both, weight="weight") for both in sides]
        assert maxcut(graph).evaluate(X)[:, 0].tolist() == sizes


def test_values_are_those_of_networkx():
    assert_cuts_of_networkx(models=20, solutions=20)


@pytest.mark.long
def test_values_of_many_are_those_of_networkx():
    assert_cuts_of_networkx(models=50, solutions=1000)


def test_sets_as_keys_give_the_same_masks_in_every_process():
    """The order of a frozenset of texts changes from one process to the next."""
    edges = {frozenset("ba"): 1, frozenset("cb"): 2, frozenset("ac"): 3}
    assert maxcut(edges).subfunctions.masks.tolist() == [0, 1, 1, 2, 0, 2]


@pytest.mark.parametrize("labels", [{"a", "b"}, {"a": 0, "b": 1}, "ab"])
def test_labels_without_an_order_are_refused(labels):
    for make in (maxcut, qubo, ising):
        with pytest.raises(TypeError, match="not a list of labels"):
            make([[0, 1], [1, 0]], labels=labels)
