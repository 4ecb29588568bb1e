"""Triangles of a graph, which tell |M^3|, counted fast enough to refuse a dense one.

Each edge points to the vertex of higher degree; the CORE vertices of highest degree
have their edges as bits.
"""

import numpy as np

from paretoball._jit import kernel
from paretoball.landscape import Graph
from paretoball.numerics import offsets

CORE = 8192  # vertices that have their edges as bits: 8 MiB
WORD = 16  # bits of a word
ONES = np.array([bin(word).count("1") for word in range(1 << WORD)], np.uint8)


def count_triangles(graph: Graph) -> int:
    """The number of sets of three variables that all co-occur."""
    degrees = np.diff(graph.at)
    n, rank = len(degrees), np.argsort(np.argsort(degrees, kind="stable"))
    tail = rank[np.repeat(np.arange(n), degrees)]
    head = rank[graph.neighbours]
    up = tail < head
    order = np.argsort(tail[up], kind="stable")
    at = offsets(np.bincount(tail[up], minlength=n))
    out, core = Graph(at, head[up][order].astype(np.int32)), max(0, n - CORE)
    bits = np.zeros((n - core, (n - core) // WORD + 1), np.uint16)
    return int(_close_triangles(out, core, bits, ONES, np.full(n, -1, np.int32)))


@kernel
def _close_triangles(out, core, bits, ones, marked):
    """Count the pairs of edges u → v and v → t that an edge u → t closes."""
    triangles = 0
    for u in range(len(out.at) - 2, -1, -1):  # bits of v before those of u
        for v in out.neighbours[out.at[u] : out.at[u + 1]]:
            marked[v] = u
            if u >= core:
                bit = np.uint16(1 << ((v - core) % WORD))
                bits[u - core, (v - core) // WORD] |= bit
        for v in out.neighbours[out.at[u] : out.at[u + 1]]:
            if u >= core:
                for word in range((v - core) // WORD, bits.shape[1]):
                    both = bits[u - core, word] & bits[v - core, word]
                    triangles += np.int64(ones[both])
            else:
                for t in out.neighbours[out.at[v] : out.at[v + 1]]:
                    triangles += marked[t] == u
    return triangles
