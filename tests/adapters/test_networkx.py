"""networkx: nodes are labels, and cuts weigh the same."""

import sys

import numpy as np
import pytest

import paretoball as pb
from paretoball import Landscape
from paretoball.adapters.networkx import to_networkx

networkx = pytest.importorskip("networkx")


def test_nodes_are_labels_and_edges_join_what_is_read_together():
    objectives = [[((0, 2), [0, 1, 2, 4])], [((1,), [0, 1]), ((2, 0), [3, 1, 2, 4])]]
    for labels in (None, ["a", ("b", 1), "c"]):
        landscape = Landscape.from_subfunctions(3, objectives, labels=labels)
        graph = to_networkx(landscape)
        assert list(graph.nodes) == list(landscape.labels)
        first, _, last = landscape.labels
        assert list(graph.edges) == [(first, last)]


def test_edges_are_all_pairs_that_a_table_reads():
    rng = np.random.default_rng(2)
    for _ in range(20):
        n = int(rng.integers(1, 9))
        masks = [rng.permutation(n)[: rng.integers(4)].tolist() for _ in range(4)]
        tables = [rng.integers(1, 99, 1 << len(mask)).tolist() for mask in masks]
        landscape = Landscape.from_subfunctions(
            n, [list(zip(masks, tables))], labels=[f"v{j}" for j in range(n)]
        )
        graph = to_networkx(landscape)
        right = {frozenset((f"v{i}", f"v{j}")) for m in masks for i in m for j in m}
        assert {frozenset(edge) for edge in graph.edges} == {
            pair for pair in right if len(pair) == 2
        }
        assert len(graph) == n


def test_cuts_weigh_what_networkx_says():
    rng = np.random.default_rng(1)
    for seed in range(50):
        graph = networkx.gnp_random_graph(int(rng.integers(2, 13)), 0.4, seed=seed)
        networkx.relabel_nodes(graph, {0: "zero", 1: ("one", 1)}, copy=False)
        for _, _, data in graph.edges(data=True):
            data["weight"] = int(rng.integers(-9, 10))
        landscape = pb.maxcut(graph)
        X = rng.integers(0, 2, (1000, landscape.n), np.uint8)
        found = landscape.evaluate(X)[:, 0].tolist()
        labels = np.empty(landscape.n, object)
        labels[:] = landscape.labels
        for x, weight in zip(X, found):
            side = set(labels[x == 1])
            assert networkx.cut_size(graph, side, weight="weight") == weight


def test_without_networkx_one_line_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "networkx", None)
    landscape = Landscape.from_subfunctions(1, [[((0,), [0, 1])]])
    with pytest.raises(ImportError, match=r"pip install 'paretoball\[networkx\]'$"):
        to_networkx(landscape)
