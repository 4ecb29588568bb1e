"""Cliques: subfunctions merged by what they read, with every sum as it was."""

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_array_equal

import naive
from landscapes import built, graph_of, one_objective, plains, solutions_of
from paretoball import Landscape
from paretoball.system import memory


@given(plains())
def test_merging_and_folding_keep_every_sum(plain):
    X = solutions_of(plain.n)
    expected = [naive.evaluate(plain, x) for x in X]
    assert_array_equal(built(plain).evaluate(X), expected)


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
def test_the_cooccurrence_graph_joins_what_is_read_together(plain):
    landscape = built(plain)
    neighbours = naive.cooccurrence(plain)
    assert graph_of(landscape) == neighbours
    at = landscape.cooccurrence.at
    for j in range(plain.n):
        row = landscape.cooccurrence.neighbours[at[j] : at[j + 1]].tolist()
        assert row == sorted(neighbours[j])


def test_tables_of_too_many_objectives_are_refused_before_they_are_merged(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 10**6)
    many = [[(range(8), range(256))], *[[]] * 200]
    with pytest.raises(MemoryError, match=r"256 rows .* 201 objectives .* 976.6 KiB"):
        Landscape.from_subfunctions(8, many)
