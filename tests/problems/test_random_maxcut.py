"""Random MaxCut: graphs by density or degree, and weights for each objective."""

from math import sqrt

import numpy as np
import pytest

from paretoball import random_maxcut
from paretoball.landscape import Landscape
from paretoball.problems.random_graphs import _pairs, edges_by_density, regular_edges
from paretoball.system import memory


def weights_of(landscape: Landscape) -> list[dict[tuple[int, int], int]]:
    """The weight of each edge, for each objective, off its table."""
    given = landscape.subfunctions
    found: list[dict[tuple[int, int], int]] = [{} for _ in range(landscape.d)]
    pairs, tables = given.masks.reshape(-1, 2).tolist(), given.tables.reshape(-1, 4)
    for i, (a, b), table in zip(given.objective.tolist(), pairs, tables.tolist()):
        assert a < b
        assert table[0] == table[3] == 0
        assert table[1] == table[2]
        assert (a, b) not in found[i]
        found[i][a, b] = table[1]
    return found


@pytest.mark.parametrize("graph", [{"density": 0.4}, {"degree": 3}, {}])
def test_an_objective_is_the_weight_of_the_cut(graph):
    landscape = random_maxcut(10, **graph, d=3, weights=(-5, 9), seed=2)
    X = np.random.default_rng(1).integers(0, 2, (40, 10))
    weights = weights_of(landscape)
    assert weights[0].keys() == weights[1].keys() == weights[2].keys()
    right = [
        [sum(w for (a, b), w in own.items() if x[a] != x[b]) for own in weights]
        for x in X
    ]
    assert landscape.evaluate(X).tolist() == right
    assert landscape.sense == ("max",) * 3


@pytest.mark.parametrize("density", [0.01, 0.3, 1])
def test_each_pair_is_an_edge_with_the_same_probability(density):
    draw = np.random.default_rng(1)
    counts = np.zeros((30, 30))
    for _ in range(300):
        edges = edges_by_density(30, density, draw)
        assert (edges[:, 0] < edges[:, 1]).all()
        counts[edges[:, 0], edges[:, 1]] += 1
    found = counts[np.triu_indices(30, 1)]
    spread = sqrt(300 * density * (1 - density))
    assert np.abs(found - 300 * density).max() <= 4.5 * spread
    assert counts.sum() == found.sum()


def test_pairs_are_numbered_one_by_one():
    right = [(a, b) for b in range(60) for a in range(b)]
    assert _pairs(np.arange(len(right))).tolist() == [list(pair) for pair in right]
    b = np.array([10**7, 67_108_865, 94_906_267, 10**9])
    first = b * (b - 1) // 2
    assert (_pairs(first) == np.column_stack([0 * b, b])).all()
    assert (_pairs(first - 1) == np.column_stack([b - 2, b - 1])).all()


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6, 7, 8, 11, 60])
def test_in_a_regular_graph_every_vertex_has_the_degree(n):
    draw = np.random.default_rng(1)
    for degree in range(1, n):
        if n * degree % 2 == 0:
            edges = regular_edges(n, degree, draw)
            assert (edges[:, 0] < edges[:, 1]).all()
            assert len(np.unique(edges, axis=0)) == len(edges)
            assert (np.bincount(edges.ravel(), minlength=n) == degree).all()


def test_regular_graphs_differ_and_have_all_edges_equally_often():
    draw = np.random.default_rng(1)
    counts = np.zeros((8, 8))
    for _ in range(700):
        edges = regular_edges(8, 2, draw)
        counts[edges[:, 0], edges[:, 1]] += 1
    found = counts[np.triu_indices(8, 1)]  # 28 pairs, 8 edges
    assert np.abs(found - 200).max() < 4.5 * sqrt(700 * 2 / 7 * 5 / 7)


@pytest.mark.parametrize(
    ("bounds", "values"),
    [
        ((1, 3), {1, 2, 3}),
        ((-1, 1), {-1, 1}),
        ((0, 2), {1, 2}),
        ((-2, 0), {-1, -2}),
        ((-3, -3), {-3}),
        ((4, 4), {4}),
    ],
)
def test_weights_are_equally_likely_and_never_0(bounds, values):
    landscape = random_maxcut(80, density=1, weights=bounds, d=1, seed=1)
    (own,) = weights_of(landscape)
    found, counts = np.unique(list(own.values()), return_counts=True)
    assert set(found.tolist()) == values
    assert np.abs(counts / 3160 - 1 / len(values)).max() < 5 / sqrt(3160) / 2


@pytest.mark.parametrize(
    ("arguments", "right"),
    [
        ({"n": 5, "density": 0.0}, "density = 0.0"),
        ({"n": 5, "degree": 3}, "degree = 3 and n = 5 are both odd"),
        ({"n": 5, "degree": 5}, "degree = 5, but it must be from 1 to 4"),
        ({"n": 5, "degree": 2, "density": 0.5}, "both given"),
        ({"n": 5, "weights": (3, 1)}, r"weights = \(3, 1\): there is no number"),
        ({"n": 5, "weights": (0, 0)}, "other than 0"),
        ({"n": 5, "weights": 7}, "weights = 7, but it must be the lowest and the"),
        ({"n": 5, "d": 0}, "d = 0"),
    ],
)
def test_bad_arguments_are_refused(arguments, right):
    with pytest.raises(ValueError, match=right):
        random_maxcut(**arguments)


@pytest.mark.parametrize(
    ("graph", "pairs"),
    [({"density": 0.2}, "9,999,000"), ({"degree": 2000}, "10,000,000")],
)
def test_too_many_edges_are_refused_before_they_are_drawn(graph, pairs, monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 10**9)
    words = f"^{pairs} pairs of variables, for 2 objectives, need [5-9].. GiB"
    with pytest.raises(MemoryError, match=words):
        random_maxcut(10**4, **graph)
