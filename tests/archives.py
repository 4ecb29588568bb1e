"""What tests of archives share: vectors to report, and their front by brute force."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from paretoball.archive.nd_tree import ALIVE, FANOUT, NONE, ROOT, USED
from paretoball.archive.points import Points

HUGE = [-(2**62), 1 - 2**62, -1, 0, 1, 2**62 - 1, 2**62]
VALUES = [st.integers(-6, 6), st.integers(0, 1), st.integers(0, 200)]
VALUES += [st.sampled_from(HUGE), st.integers(-(2**62), 2**62)]


def brute_force(vectors: Sequence[Sequence[int]]) -> list[list[int]]:
    """The distinct vectors that no other one dominates, ascending."""
    kept = {
        tuple(p)
        for p in vectors
        if not any(all(a >= b for a, b in zip(q, p)) and q != p for q in vectors)
    }
    return sorted(map(list, kept))


def numbered(vectors: Any, optimum: int = 0) -> Points:
    """Points with these vectors, each the first step of a unit of its own."""
    fx = np.array(vectors, np.int64)
    zeros = np.zeros(len(fx), np.int64)
    return Points(fx, np.arange(len(fx)), zeros, zeros + optimum)


def check_boxes(tree: Any) -> None:
    """Every box is around what is inside, and all points are within reach."""
    d = len(tree.hint)
    high, low = tree.high.reshape(-1, d), tree.low.reshape(-1, d)
    points, nodes, todo = 0, 0, [(int(tree.counts[ROOT]), None)]
    while todo:
        node, box = todo.pop()
        nodes += 1
        for entry in range(node * FANOUT, node * FANOUT + int(tree.size[node])):
            inner = int(tree.inside[entry])
            if box is not None:
                assert (high[box] >= high[entry]).all()
                assert (low[box] <= (low if inner != NONE else high)[entry]).all()
            if inner == NONE:
                points += 1
            else:
                assert tree.parent[inner] == node
                assert 0 < tree.size[inner] <= FANOUT
                todo.append((inner, entry))
    assert points == tree.counts[ALIVE]
    assert nodes < tree.counts[USED]
