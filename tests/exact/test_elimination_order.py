"""Elimination orders: bags are neighbours, and narrow graphs stay narrow."""

import numpy as np
import pytest

import naive
import paretoball as pb
from hulls import pairwise
from landscapes import built, random_plain
from paretoball.exact.elimination_order import (
    MAX_WIDTH,
    SLICE,
    _eliminated,
    elimination_order,
    width_of_graph,
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


def entries(fill):
    """The entries of all tables over bags."""
    return sum(2**size for size in np.diff(fill.bag_at).tolist())


def test_the_order_with_fewer_entries_is_taken():
    """A twisted ring is laid out along its numbers, until they are mixed."""
    twisted = [(a, (a + b) % 60) for a in range(60) for b in (1, 5)]
    mixed = np.random.default_rng(1).permutation(60).tolist()
    gains = []
    for edges in twisted, [(mixed[a], mixed[b]) for a, b in twisted]:
        graph = pairwise(np.random.default_rng(1), 60, edges).cooccurrence
        by_degree, by_number = (entries(_eliminated(graph, one)) for one in (0, 1))
        gains.append(by_degree - by_number)
        assert entries(elimination_order(graph)) == min(by_degree, by_number)
        bags = np.diff(elimination_order(graph).bag_at)
        assert width_of_graph(graph) == bags.max()
    assert gains[0] > 0 > gains[1]


def complete_with_a_tail(n, tail):
    """A complete graph, and a path from its last variable on."""
    edges = [(a, b) for a in range(n) for b in range(a + 1, n)]
    edges += [(a, a + 1) for a in range(n - 1, n - 1 + tail)]
    return pairwise(np.random.default_rng(1), n + tail, edges).cooccurrence


@pytest.mark.parametrize("tail", [0, 1, 40])
def test_the_largest_width_is_allowed_and_what_is_left_of_a_larger_one_is_told(tail):
    most = complete_with_a_tail(MAX_WIDTH + 1, tail)
    assert width_of_graph(most) == MAX_WIDTH
    assert sorted(elimination_order(most).order.tolist()) == list(range(25 + tail))
    more = complete_with_a_tail(MAX_WIDTH + 2, tail)
    assert width_of_graph(more) is None
    words = f"width 25 with 26 of {26 + tail} variables left: .* width 24 is the most"
    with pytest.raises(ValueError, match=words):
        elimination_order(more)


def test_the_width_told_is_the_least_that_was_left():
    """All pairs of 27 variables but one: two of them have 25 neighbours each."""
    edges = [(a, b) for a in range(27) for b in range(a + 1, 27)][1:]
    graph = pairwise(np.random.default_rng(1), 27, edges).cooccurrence
    with pytest.raises(ValueError, match=r"width 25 with 27 of 27 variables left"):
        elimination_order(graph)


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
