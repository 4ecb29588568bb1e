"""Node-link JSON, as networkx writes graphs: the cut, maximised.

The edges are in `edges`, or in `links`, as files older than networkx 3.4 have them. An
edge without `weight` has weight 1. Ids of nodes become labels; if all are whole
numbers, variables are sorted by them. Edges between the same two nodes add up, unless
the file says that it is no multigraph: then they are refused. An edge from a node to
itself is never cut. A directed graph is refused: its cuts are another problem.
"""

from collections.abc import Hashable
from itertools import repeat
from typing import Any

import numpy as np

from paretoball.formats.headers import check_kind
from paretoball.formats.source import Source
from paretoball.formats.triplets import first_repeat
from paretoball.formats.weights import checked_weights
from paretoball.landscape import Landscape, cuts, in_order
from paretoball.system import brief

EDGES = ("edges", "links")
ENDS = ("source", "target")
HASHABLE = {int, str, float, bool, type(None)}  # the kinds of ids, but for lists
NAME = "node-link"
TITLE = "a MaxCut graph in node-link JSON"
SUFFIXES = (".json",)


def sniff(source: Source) -> bool:
    """Whether it is an object of JSON with nodes and edges."""
    return source.json is not None and (
        "nodes" in source.json and any(key in source.json for key in EDGES)
    )


def read(source: Source) -> Landscape:
    """The landscape of a graph."""
    graph = source.json
    if graph is None or "nodes" not in graph:
        raise ValueError("it has no nodes")
    check_kind(graph, "nodes", list)
    if graph.get("directed", False) is not False:
        raise ValueError("the graph is directed: cuts are for undirected graphs")
    place_of = _places(graph["nodes"])
    edges = _edges(graph)
    ends = _ends(edges, place_of)
    again = first_repeat(ends[:, 0], ends[:, 1])
    if again is not None and graph.get("multigraph") is False:
        first, second = again
        what = f"edge {second} has the nodes of edge {first}"
        raise ValueError(f"{what}, but the graph is no multigraph")
    weights = checked_weights([edge.get("weight", 1) for edge in edges], "edge")
    kept = ends[:, 0] != ends[:, 1]
    terms = cuts(ends[kept], weights[kept])
    labels = list(place_of)
    return Landscape.from_terms(len(labels), [[terms]], "max", labels=labels)


def _edges(graph: dict[str, Any]) -> list[Any]:
    """The edges, whatever they are called."""
    found = [key for key in EDGES if key in graph]
    if len(found) != 1:
        raise ValueError("it has both edges and links" if found else "it has no edges")
    check_kind(graph, found[0], list)
    edges: list[Any] = graph[found[0]]
    return edges


def _places(nodes: list[Any]) -> dict[Hashable, int]:
    """The variable of each node."""
    place_of = dict[Hashable, int]()
    for j, node in enumerate(nodes):
        if not isinstance(node, dict) or "id" not in node:
            raise ValueError(f"node {j} is {brief(node)}, not an object with an id")
        label = _label(node["id"])
        if not isinstance(label, Hashable) or label is None:
            raise ValueError(
                f"node {j} has the id {brief(label)}: give a text or a number"
            )
        if place_of.setdefault(label, j) != j:
            raise ValueError(f"two nodes have the id {brief(label)}")
    if not nodes:
        raise ValueError("nodes is empty: there is at least one node")
    return {label: j for j, label in enumerate(in_order(place_of))}


def _label(found: Any) -> Any:
    """The id of a node; tuples are lists in JSON."""
    return tuple(map(_label, found)) if isinstance(found, list) else found


def _ends(edges: list[Any], place_of: dict[Hashable, int]) -> np.ndarray:
    """The variables of all edges' nodes: (m, 2)."""
    for e, edge in enumerate(edges):
        if type(edge) is not dict:
            raise TypeError(f"edge {e} is {brief(edge)}, not an object")
    columns = [_column([edge.get(key) for edge in edges], place_of) for key in ENDS]
    ends = np.stack(columns, axis=1)
    is_wrong = (ends < 0).any(axis=1)
    if is_wrong.any():
        e = int(np.argmax(is_wrong))
        found = [brief(edges[e].get(key)) for key in ENDS]
        raise ValueError(
            f"edge {e} has source {found[0]} and target {found[1]}, "
            "not ids of two nodes"
        )
    return ends


def _column(ids: list[Any], place_of: dict[Hashable, int]) -> np.ndarray:
    """The variable of each id; -1 where there is no such node."""
    if set(map(type, ids)) <= HASHABLE:
        return np.fromiter(map(place_of.get, ids, repeat(-1)), np.int64, len(ids))
    return np.array([_place(found, place_of) for found in ids], np.int64)


def _place(found: Any, place_of: dict[Hashable, int]) -> int:
    """The variable of an id of any kind, or -1."""
    try:
        return place_of.get(_label(found), -1)
    except TypeError:
        return -1
