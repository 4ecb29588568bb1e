"""networkx: the co-occurrence graph of a landscape."""

from typing import TYPE_CHECKING

import numpy as np

from paretoball.landscape import Landscape

if TYPE_CHECKING:
    import networkx


def to_networkx(landscape: Landscape) -> "networkx.Graph":
    """The co-occurrence graph, with a node for each variable."""
    try:
        import networkx
    except ImportError:
        raise ImportError("to_networkx needs networkx: pip install networkx") from None
    at, neighbours = landscape.cooccurrence
    graph = networkx.Graph()
    graph.add_nodes_from(range(landscape.n))
    tails = np.repeat(np.arange(landscape.n), np.diff(at))
    ends = np.column_stack([tails, neighbours])
    graph.add_edges_from(ends[ends[:, 0] < ends[:, 1]].tolist())
    return graph
