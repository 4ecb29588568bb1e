"""Numbering: neighbours come close together, where they are not and where they can."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import naive
import paretoball as pb
from landscapes import built, plains, random_plain, ring, shuffled
from paretoball.landscape import Landscape, numbering
from paretoball.landscape.cliques import Graph
from paretoball.landscape.numbering import better_numbering

N = 1200


def graph_landscape(graph: nx.Graph) -> Landscape:
    """One objective over the edges of a graph, with nodes as they come."""
    return pb.maxcut(nx.convert_node_labels_to_integers(graph))


def mean_distance(graph: Graph, number: np.ndarray) -> float:
    """Of numbers of neighbours."""
    own = np.repeat(number, np.diff(graph.at))
    return float(np.abs(own - number[graph.neighbours]).mean())


@pytest.mark.plain
@given(st.integers(0, 2**32 - 1), st.sampled_from([1, 3, 50_000]))
def test_variables_with_most_numbered_neighbours_come_next(seed, chunk):
    plain = random_plain(np.random.default_rng(seed), max_n=30)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numbering, "CHUNK", chunk)
        found = numbering._new_numbering(built(plain).cooccurrence)
    order = naive.maximum_cardinality(naive.cooccurrence(plain))
    assert found.variable.tolist() == order
    assert_array_equal(found.number[found.variable], np.arange(plain.n))


@pytest.mark.plain
@given(plains())
def test_solutions_come_back_as_they_went_in(plain):
    found = numbering._new_numbering(built(plain).cooccurrence)
    X = np.random.default_rng(1).integers(0, 2, (2, 3, plain.n), np.uint8)
    assert_array_equal(found.outward(found.inward(X)), X)
    assert_array_equal(found.inward(X)[..., found.number], X)


SHUFFLED = {
    "ring": lambda: shuffled(ring(N, K=3, seed=1), seed=2),
    "ring of 1,000": lambda: shuffled(ring(1000, K=1, seed=1), seed=2),
    "several rings": lambda: shuffled(
        graph_landscape(nx.disjoint_union_all([nx.cycle_graph(300)] * 4)), seed=2
    ),
    "tree": lambda: shuffled(graph_landscape(nx.balanced_tree(2, 9)), seed=2),
    "grid": lambda: shuffled(graph_landscape(nx.grid_2d_graph(100, 12)), seed=2),
}


@pytest.mark.parametrize("name", SHUFFLED)
def test_a_landscape_in_disorder_gets_other_numbers(name):
    graph = SHUFFLED[name]().cooccurrence
    found = better_numbering(graph)
    assert found is not None
    before = mean_distance(graph, np.arange(len(found.number)))
    assert mean_distance(graph, found.number) < before / 10


def test_a_ring_is_numbered_along_itself():
    landscape = shuffled(ring(N, K=3, seed=1), seed=2)
    found = better_numbering(landscape.cooccurrence)
    assert found is not None
    distances = [
        np.diff(np.sort(found.number[mask])).tolist()
        for mask in landscape.subfunctions.masks.reshape(-1, 4)
    ]
    assert distances.count([1, 1, 1]) > 0.98 * len(distances)


LEFT_ALONE = {
    "ring in order": lambda: ring(N, K=3, seed=1),
    "grid by rows": lambda: graph_landscape(nx.grid_2d_graph(30, 40)),
    "few variables": lambda: shuffled(ring(999, K=3, seed=1), seed=2),
    "random masks": lambda: pb.mnk(n=N, K=3, model="random", seed=1),
    "3-SAT": lambda: pb.random_sat(N, 5 * N, seed=1),
    "random graph": lambda: graph_landscape(nx.random_regular_graph(3, N, seed=1)),
    "no neighbours": lambda: pb.maxcut(nx.empty_graph(N)),
    "dense": lambda: shuffled(
        graph_landscape(nx.circulant_graph(N, range(1, 52))), seed=2
    ),
}


@pytest.mark.parametrize("name", LEFT_ALONE)
def test_what_is_in_order_or_cannot_be_keeps_its_numbers(name):
    assert better_numbering(LEFT_ALONE[name]().cooccurrence) is None


def test_a_ring_with_some_variables_out_of_place_keeps_its_numbers():
    """One in twenty: nine in ten neighbours are where they belong."""
    number = np.arange(N)
    some = np.random.default_rng(1).permutation(N)[: N // 20]
    number[np.sort(some)] = some
    masks = number[(np.arange(N)[:, None] + np.arange(2)) % N]
    landscape = Landscape.from_subfunctions(N, [[(m, [0, 1, 2, 0]) for m in masks]])
    assert better_numbering(landscape.cooccurrence) is None


def test_a_graph_of_too_many_neighbours_keeps_its_numbers(monkeypatch):
    graph = SHUFFLED["ring"]().cooccurrence
    monkeypatch.setattr(numbering, "DENSEST", 6)
    assert better_numbering(graph) is not None
    monkeypatch.setattr(numbering, "DENSEST", 5)
    assert better_numbering(graph) is None


def matched(n: int, pairs: list[tuple[int, int]]) -> Graph:
    """Each variable has one neighbour at most."""
    partner = dict(pairs) | {b: a for a, b in pairs}
    degrees = np.isin(np.arange(n), list(partner))
    at = np.concatenate([[0], np.cumsum(degrees)]).astype(np.int64)
    return Graph(at, np.array([partner[j] for j in sorted(partner)], np.int32))


def test_neighbours_are_far_apart_beyond_a_32nd_of_all_variables():
    for distance, share in ((31, 0), (32, 1)):
        graph = matched(1000, [(5, 5 + distance)])
        assert numbering._share_of_far(graph, np.arange(1000, dtype=np.int32)) == share


def far_pairs(far: int) -> list[tuple[int, int]]:
    """500 pairs of 1,000 variables, and so many of them are far apart."""
    last = 1000 - 2 * far
    near = [(j, j + 1) for j in range(0, last, 2)]
    return near + [(last + q, last + far + q) for q in range(far)]


def test_more_than_a_quarter_of_all_neighbours_must_be_far_apart():
    assert better_numbering(matched(1000, far_pairs(125))) is None
    assert better_numbering(matched(1000, far_pairs(126))) is not None


@pytest.mark.parametrize(("left", "is_taken"), [(125, True), (126, False)])
def test_numbers_that_leave_more_than_a_quarter_are_no_help(
    left, is_taken, monkeypatch
):
    number = np.empty(1000, np.int32)
    for j, (a, b) in enumerate(far_pairs(left)):
        number[j], number[j + 500] = a, b
    found = numbering.Numbering(number, np.argsort(number).astype(np.int32))
    monkeypatch.setattr(numbering, "_new_numbering", lambda *_: found)
    graph = matched(1000, [(j, j + 500) for j in range(500)])
    assert (better_numbering(graph) is found) == is_taken


def test_a_hundred_neighbours_on_average_are_not_too_many(monkeypatch):
    monkeypatch.setattr(numbering, "_new_numbering", lambda *_: None)
    at = np.arange(1001) * 100
    for more in (0, 1):
        neighbours = np.zeros(at[-1] + more, np.int32)
        graph = Graph(np.append(at[:-1], at[-1] + more), neighbours)
        if more:
            assert better_numbering(graph) is None
        else:
            with pytest.raises(AttributeError, match="number"):
                better_numbering(graph)


def test_the_pulse_ends_it():
    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        better_numbering(SHUFFLED["ring"]().cooccurrence, stop)
