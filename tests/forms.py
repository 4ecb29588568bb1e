"""Quadratic forms in every shape that the families take, and their definitions."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

import networkx as nx
import numpy as np
import scipy.sparse as sparse
from hypothesis import strategies as st

from landscapes import solutions_of
from paretoball import Landscape

Matrix = list[list[Any]]


def matrices(n: int, entries: Any = None) -> st.SearchStrategy[Matrix]:
    """Square matrices with many zeros; ints unless told otherwise."""
    some = st.integers(-9, 9) if entries is None else entries
    row = st.lists(st.one_of(st.just(0), some), min_size=n, max_size=n)
    return st.lists(row, min_size=n, max_size=n)


def value(Q: Matrix, x: Any) -> Any:
    """xᵀ Q x, by the definition."""
    places = range(len(Q))
    return sum(Q[i][j] * int(x[i]) * int(x[j]) for i, j in product(places, places))


def as_dict(Q: Matrix) -> dict[tuple[int, int], Any]:
    """All entries by row and column, so that all variables appear."""
    return {(i, j): entry for i, row in enumerate(Q) for j, entry in enumerate(row)}


def as_graph(Q: Matrix) -> nx.MultiDiGraph:
    """An arc for each entry."""
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(range(len(Q)))
    graph.add_weighted_edges_from((*key, entry) for key, entry in as_dict(Q).items())
    return graph


def as_twice(Q: Matrix) -> sparse.coo_array:
    """A sparse matrix that has each entry as two halves, e and 2 e - e."""
    places = np.array([*as_dict(Q)] * 2).T
    data = np.array([*as_dict(Q).values()])
    return sparse.coo_array((np.concatenate([-data, 2 * data]), (*places,)))


SHAPES: Mapping[str, Any] = {
    "rows": lambda Q: Q,
    "array": np.array,
    "column-major": lambda Q: np.asfortranarray(np.array(Q)),
    "int8": lambda Q: np.array(Q, np.int8),
    "objects": lambda Q: np.array([[Fraction(e) for e in row] for row in Q], object),
    "decimals": lambda Q: [[Decimal(e) for e in row] for row in Q],
    "csr": lambda Q: sparse.csr_array(np.array(Q)),
    "coo matrix": lambda Q: sparse.coo_matrix(np.array(Q)),
    "twice": as_twice,
    "dict": as_dict,
    "graph": as_graph,
}


def assert_values(landscape: Landscape, *definitions: Any) -> None:
    """All solutions have the values that the definitions say, exactly."""
    X = solutions_of(landscape.n)
    expected = [[definition(x) for definition in definitions] for x in X.tolist()]
    assert landscape.evaluate(X).tolist() == expected
