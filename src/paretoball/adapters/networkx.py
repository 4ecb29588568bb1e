"""networkx: the co-occurrence graph of a landscape."""

from typing import TYPE_CHECKING

import numpy as np

from paretoball.adapters.missing import missing
from paretoball.landscape import Landscape

if TYPE_CHECKING:
    import networkx


def to_networkx(landscape: Landscape) -> "networkx.Graph":
    """The co-occurrence graph, with the label of each variable as a node."""
    try:
        import networkx
    except ImportError:
        raise missing("to_networkx", "networkx") from None
    at, neighbours = landscape.cooccurrence
    graph = networkx.Graph()
    graph.add_nodes_from(landscape.labels)
    tails = np.repeat(np.arange(landscape.n), np.diff(at))
    ends = np.column_stack([tails, neighbours])
    edges = ends[ends[:, 0] < ends[:, 1]].tolist()
    labels = landscape.labels
    graph.add_edges_from((labels[i], labels[j]) for i, j in edges)
    return graph
