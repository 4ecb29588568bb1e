"""Landscapes: sums of subfunctions, exactly, and everything else refused."""

from itertools import combinations

import networkx
import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_array_equal

import naive
from landscapes import built, graph_of, one_objective, plains, solutions_of
from paretoball import Landscape

ONES = [((0,), [0, 1]), ((1,), [0, 1])]


# What a landscape computes.


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


def test_the_mean_is_exact_where_floats_would_lose_digits():
    up, down = [2**60 + 1] * 4, [-(2**60)] * 2
    landscape = one_objective(3, ((0, 1), up), ((2,), down), ((1,), [0, 1]))
    assert landscape.mean.tolist() == [1.5]
    tenths = one_objective(4, *(((j,), [0.1, 0.4]) for j in range(4)), ((), [-0.7]))
    assert tenths.mean.tolist() == [0.3]


def test_real_landscapes_are_shown_in_their_own_units():
    halves, quarters = [((0,), [0.5, 2])], [((0,), [-0.25, 1])]
    landscape = Landscape.from_subfunctions(1, [halves, quarters], ["max", "min"])
    assert landscape.mean.tolist() == [1.25, 0.375]
    assert landscape.inside(landscape.evaluate([0])).tolist() == [5, 25]
    assert landscape.shown(np.array([5, 25])).tolist() == [0.5, -0.25]


# What a landscape tells about itself.


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


# What is refused.


BAD_CALLS = [
    ({"n": 0}, ValueError, "n = 0, but it must be at least 1"),
    ({"n": -3}, ValueError, "n = -3"),
    ({"n": 2.0}, TypeError, "n = 2.0 is not a whole number"),
    ({"n": True}, TypeError, "n = True is not a whole number"),
    ({"n": "5"}, TypeError, "n = '5' is not a whole number"),
    ({"n": None}, TypeError, "n = None is not a whole number"),
    ({"n": 10**12}, MemoryError, "n = 1,000,000,000,000 variables, .* takes 90.9 TiB"),
    ({"n": 10**400}, MemoryError, "variables, before any subfunction, takes"),
    ({"objectives": []}, ValueError, "d = 0, but it must be at least 1"),
    ({"objectives": None}, TypeError, "objectives is None, not a list"),
    ({"objectives": [ONES, 3]}, TypeError, "objective 1 is 3, not a list"),
    ({"objectives": [[], "a"]}, TypeError, "objective 1, subfunction 0 is 'a'"),
    ({"sense": "up"}, ValueError, "sense of objective 0 is 'up', neither"),
    ({"sense": ["max", "down"]}, ValueError, "sense of objective 1 is 'down'"),
    ({"sense": ["max", 1]}, ValueError, "sense of objective 1 is 1"),
    ({"sense": ["max"]}, ValueError, "1 sense given for 2 objectives"),
    ({"sense": None}, TypeError, "sense is None"),
]


@pytest.mark.parametrize(("call", "kind", "text"), BAD_CALLS)
def test_a_bad_call_is_refused_by_name_and_value(call, kind, text):
    with pytest.raises(kind, match=text) as refusal:
        Landscape.from_subfunctions(**{"n": 2, "objectives": [ONES, ONES]} | call)
    assert "\n" not in str(refusal.value)
