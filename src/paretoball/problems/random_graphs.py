"""Random graphs: edges by density, or with the same degree everywhere."""

from math import sqrt

import numpy as np

from paretoball.system import check_memory, counted

COPIES = 10  # copies of all tables in memory, at most, while a landscape is made


def check_pairs(pairs: float, d: int, needed: float | None = None) -> None:
    """Refuse more pairs of variables than there is memory for, for d objectives.

    They need memory for their tables, unless it is told how many bytes they need.
    """
    most = int(pairs)
    words = f"{counted(most, 'pair')} of variables, for {counted(d, 'objective')}, need"
    check_memory(words, COPIES * 8 * 4 * d * most if needed is None else int(needed))


def chosen(count: int, density: float, draw: np.random.Generator) -> np.ndarray:
    """Of the numbers 0 to count - 1 each with this probability, ascending: int64.

    What is drawn are the gaps between them.
    """
    found = np.zeros(0, np.int64)
    last = -1
    while last < count:
        left = density * (count - last)
        gaps = draw.geometric(density, int(left + 4 * sqrt(left)) + 9)
        more = last + np.cumsum(np.minimum(gaps, count + 1))
        found, last = np.concatenate([found, more]), int(more[-1])
    return found[: np.searchsorted(found, count)]


def edges_by_density(n: int, density: float, draw: np.random.Generator) -> np.ndarray:
    """Each pair of n vertices with this probability: (edges, 2), ascending."""
    edges = _pairs(chosen(n * (n - 1) // 2, density, draw))
    return edges[np.lexsort((edges[:, 1], edges[:, 0]))]


def _pairs(numbers: np.ndarray) -> np.ndarray:
    """The pairs of these numbers, of all pairs (0, 1), (0, 2), (1, 2), (0, 3), ...

    Before (0, b) there are b (b - 1) / 2 pairs.
    """
    high = ((1 + np.sqrt(1 + 8.0 * numbers)) / 2).astype(np.int64)
    high -= high * (high - 1) // 2 > numbers  # a root rounded up
    return np.column_stack([numbers - high * (high - 1) // 2, high])


def regular_edges(n: int, degree: int, draw: np.random.Generator) -> np.ndarray:
    """Edges so that each of n vertices has `degree` of them: (edges, 2), ascending.

    The ends of edges are paired at random. Then each loop and each double edge swaps
    an end with a random edge, if that makes neither of them anew. A graph of more than
    half of all edges is made of those that another one lacks.
    """
    if 2 * degree > n - 1:
        return _complement(n, regular_edges(n, n - 1 - degree, draw))
    ends = draw.permutation(np.repeat(np.arange(n), degree)).reshape(-1, 2)
    while True:
        ends.sort(axis=1)
        ends = ends[np.lexsort((ends[:, 1], ends[:, 0]))]
        keys = ends[:, 0] * n + ends[:, 1]
        wrong = ends[:, 0] == ends[:, 1]
        wrong[1:] |= keys[1:] == keys[:-1]
        bad = np.flatnonzero(wrong)
        if len(bad) == 0:
            return ends
        _swap(n, ends, keys, bad, draw)


def _swap(
    n: int,
    ends: np.ndarray,
    keys: np.ndarray,
    bad: np.ndarray,
    draw: np.random.Generator,
) -> None:
    """Turn bad edges (a, b) and other edges (u, v) into (a, u) and (b, v), where right.

    It is right if both are edges that are not there yet. Of swaps that take the same
    edge or make the same edge, the first one is done.
    """
    other = draw.integers(len(ends), size=len(bad))
    turned = draw.integers(2, size=len(bad))
    left, right = ends[bad, 0], ends[bad, 1]
    u = ends[other, turned]
    v = ends[other, 1 - turned]
    new = [np.minimum(a, c) * n + np.maximum(a, c) for a, c in ((left, u), (right, v))]
    fine = (left != u) & (right != v) & (new[0] != new[1])
    for key in new:
        fine &= keys[np.minimum(np.searchsorted(keys, key), len(keys) - 1)] != key
    for taken in (np.column_stack([bad, other]), np.column_stack(new)):
        flat = np.where(fine[:, None], taken, -1 - np.arange(taken.size).reshape(-1, 2))
        _, first, which = np.unique(flat, return_index=True, return_inverse=True)
        owner = first[which.reshape(-1, 2)] // 2
        fine &= (owner == np.arange(len(bad))[:, None]).all(axis=1)
    ends[bad[fine]] = np.column_stack([left, u])[fine]
    ends[other[fine]] = np.column_stack([right, v])[fine]


def _complement(n: int, edges: np.ndarray) -> np.ndarray:
    """All edges that are not in the list."""
    absent = np.ones((n, n), np.bool_)
    absent[edges[:, 0], edges[:, 1]] = False
    return np.argwhere(np.triu(absent, 1))
