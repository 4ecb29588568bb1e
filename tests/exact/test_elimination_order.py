"""Elimination orders: bags are neighbours, and narrow graphs stay narrow."""

import numpy as np
import pytest

import naive
import paretoball as pb
from hulls import pairwise
from landscapes import built, random_plain
from paretoball.exact.elimination_order import (
    SLICE,
    _eliminated,
    elimination_order,
)


@pytest.mark.parametrize("by_number", [False, True])
def test_every_elimination_connects_its_bag(by_number):
    for seed in range(30):
        landscape = built(random_plain(np.random.default_rng(seed), 14))
        left = [set(each) for each in naive.cooccurrence(landscape)]
        fill = _eliminated(landscape.cooccurrence, by_number)
        for step, j in enumerate(fill.order.tolist()):
            bag = fill.bags[fill.bag_at[step] : fill.bag_at[step + 1]].tolist()
            assert sorted(bag) == sorted(left[j])
            least = min(len(left[i]) for i in fill.order[step:].tolist())
            assert j == step if by_number else len(bag) == least
            for i in bag:
                left[i] |= set(bag) - {i}
                left[i].discard(j)


def test_windows_on_a_ring_have_no_more_than_twice_their_width():
    for seed in range(5):
        landscape = pb.mnk(300, K=3, model=6, seed=seed)
        fill = elimination_order(landscape.cooccurrence)
        assert np.diff(fill.bag_at).max() <= 12


@pytest.mark.long
def test_large_sparse_graphs_are_ordered_at_once():
    n = 30_000
    rng = np.random.default_rng(1)
    star = [(0, j) for j in range(1, n)]
    tree = [(int(rng.integers(j)), j) for j in range(1, n)]
    for edges in star, tree:
        landscape = pairwise(rng, n, edges)
        fill = elimination_order(landscape.cooccurrence)
        assert np.diff(fill.bag_at).max() == 1
        assert sorted(fill.order.tolist()) == list(range(n))


def test_orders_of_many_variables_are_found_slice_by_slice():
    n, pulses = 5 * SLICE // 2, []
    graph = pb.Landscape.from_subfunctions(n, [[((j,), [0, 1]) for j in range(n)]])
    fill = elimination_order(graph.cooccurrence, lambda: pulses.append(1))
    assert len(pulses) == 2 * 2  # for two orders
    assert sorted(fill.order.tolist()) == list(range(n))
