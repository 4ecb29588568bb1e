"""Node-link JSON: cuts of graphs as networkx writes them."""

import json
from itertools import product

import networkx as nx
import pytest

from paretoball import read_landscape

GRAPH = {
    "directed": False,
    "multigraph": False,
    "graph": {},
    "nodes": [{"id": "a"}, {"id": 7}, {"id": ["b", 2]}],
    "edges": [
        {"source": "a", "target": 7, "weight": 2.5},
        {"source": ["b", 2], "target": 7},
    ],
}


def read_graph(path, graph):
    path.write_text(json.dumps(graph))
    return read_landscape(path)


@pytest.mark.parametrize("key", ["edges", "links"])
@pytest.mark.parametrize("kind", [nx.Graph, nx.MultiGraph])
def test_cuts_are_those_of_networkx(tmp_path, key, kind):
    graph = kind(nx.gnm_random_graph(6, 9, seed=1))
    for e, (_, _, data) in enumerate(graph.edges(data=True)):
        data["weight"] = e - 3
    graph.add_edge(0, 0, weight=50)
    if kind is nx.MultiGraph:
        graph.add_edge(*next(iter(graph.edges()))[:2], weight=11)
    landscape = read_graph(tmp_path / "a.json", nx.node_link_data(graph, edges=key))
    assert landscape.sense == ("max",)
    for x in product((0, 1), repeat=6):
        half = [node for node, bit in zip(graph, x) if bit]
        right = nx.cut_size(graph, half, weight="weight")
        assert landscape.evaluate(x).tolist() == [right]


def test_ids_become_labels_and_a_missing_weight_is_1(tmp_path):
    landscape = read_graph(tmp_path / "a.txt", GRAPH)
    assert landscape.labels == ("a", 7, ("b", 2))
    assert landscape.evaluate([[1, 0, 1], [0, 0, 1]]).tolist() == [[3.5], [1.0]]


@pytest.mark.parametrize("said", [{}, {"multigraph": True}])
def test_edges_add_up_unless_it_is_said_that_there_are_no_such(tmp_path, said):
    nodes = [{"id": 9}, {"id": 4}, {"id": 6}]
    ends = [(9, 4, 2), (4, 9, -7), (6, 6, 100), (6, 9, 30)]
    edges = [{"source": i, "target": j, "weight": w} for i, j, w in ends]
    graph = {"nodes": nodes, "edges": edges} | said
    landscape = read_graph(tmp_path / "a.json", graph)
    assert landscape.labels == (4, 6, 9)
    cuts = landscape.evaluate([[1, 0, 0], [0, 1, 0], [0, 0, 1]]).tolist()
    assert cuts == [[-5], [30], [25]]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"directed": True}, "the graph is directed"),
        ({"directed": 1}, "the graph is directed"),
        ({"directed": "no"}, "the graph is directed"),
        (
            {
                "multigraph": False,
                "edges": [
                    {"source": "a", "target": 7},
                    {"source": 7, "target": "a"},
                ],
            },
            "edge 1 has the nodes of edge 0, but the graph is no multigraph",
        ),
        ({"links": []}, "it has both edges and links"),
        ({"edges": {}}, "edges is {}, not a list"),
        ({"nodes": 3}, "nodes is 3, not a list"),
        ({"nodes": []}, "nodes is empty"),
        ({"nodes": [{"id": 1}, 2]}, "node 1 is 2, not an object with an id"),
        ({"nodes": [{"id": {}}]}, "node 0 has the id {}: give a text or a number"),
        ({"nodes": [{"id": None}]}, "node 0 has the id None"),
        ({"nodes": [{"id": 1}, {"id": 1}]}, "two nodes have the id 1"),
        (
            {"nodes": [{"id": "a"}]},
            "edge 0 has source 'a' and target 7, not ids of two",
        ),
        ({"edges": [5]}, "edge 0 is 5, not an object"),
        ({"edges": [{"source": "a"}]}, "edge 0 has source 'a' and target None"),
        ({"edges": [{"source": {}, "target": 7}]}, "edge 0 has source {} and target 7"),
        (
            {"edges": [{"source": "a", "target": 7, "weight": 10**400}]},
            "edge 0 has the weight 1000.*, but numbers end at",
        ),
        (
            {"edges": [{"source": "a", "target": 7, "weight": "1"}]},
            "the weight '1', not",
        ),
        (
            {"edges": [{"source": "a", "target": 7, "weight": float("nan")}]},
            "edge 0 has the weight nan, not a number",
        ),
    ],
)
def test_damaged_graphs_are_refused(tmp_path, changed, said):
    with pytest.raises(ValueError, match=said) as refusal:
        read_graph(tmp_path / "a.json", GRAPH | changed)
    assert str(refusal.value).startswith(f"{tmp_path / 'a.json'}: ")


def test_a_graph_without_edges_has_no_cut(tmp_path):
    landscape = read_graph(tmp_path / "a.json", GRAPH | {"edges": []})
    assert landscape.evaluate([0, 1, 0]).tolist() == [0]


@pytest.mark.parametrize("wrong", [{}, ["a", {}], ["a"], None, 7, "c"])
def test_an_edge_of_unknown_nodes_is_named(tmp_path, wrong):
    nodes = [{"id": ["a", 1]}, {"id": "b"}]
    edges = [{"source": ["a", 1], "target": "b"}, {"source": "b", "target": wrong}]
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"nodes": nodes, "edges": edges}))
    with pytest.raises(
        ValueError, match=r"edge 1 has source 'b' and target .*, not id"
    ):
        read_landscape(path)
    path.write_text(json.dumps({"nodes": nodes, "edges": edges[:1]}))
    assert read_landscape(path).labels == (("a", 1), "b")
