"""Node-link JSON, as networkx writes graphs: the cut, maximised.

The edges are in `edges`, or in `links`, as files older than networkx 3.4 have them. An
edge without `weight` has weight 1. Ids of nodes become labels; if all are whole
numbers, variables are sorted by them. Edges between the same two nodes add up, and one
from a node to itself is never cut. A directed graph is refused: its cuts are another
problem.
"""

from collections.abc import Hashable
from typing import Any

import numpy as np

from paretoball.formats.headers import check_kind
from paretoball.formats.source import Source
from paretoball.formats.weights import checked_weights
from paretoball.landscape import Landscape, cuts, in_order
from paretoball.system import brief

EDGES = ("edges", "links")
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
    ends = np.array(
        [_ends(edge, e, place_of) for e, edge in enumerate(edges)], np.int64
    )
    ends = ends.reshape(-1, 2)
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


def _ends(edge: Any, e: int, place_of: dict[Hashable, int]) -> tuple[int, int]:
    """The variables of an edge's nodes."""
    if not isinstance(edge, dict):
        raise TypeError(f"edge {e} is {brief(edge)}, not an object")
    try:
        return place_of[_label(edge["source"])], place_of[_label(edge["target"])]
    except (KeyError, TypeError):
        ends = brief(edge.get("source")), brief(edge.get("target"))
        raise ValueError(
            f"edge {e} has source {ends[0]} and target {ends[1]}, not ids of two nodes"
        ) from None
