"""Crowding: which points of a front to keep when there are too many.

The crowding distance is that of NSGA-II (Deb et al. 2002): along each objective, the
gap between the two neighbours of a point over the range of all points given, added up;
infinite for the first and the last point of an objective. Points equal in an objective
stand in lexicographic order there. The point with the least distance is removed, and so
on, one by one; of equal distances that with the least hash, which depends on the vector
alone, and of equal hashes the lexicographically smallest. So on coarse fronts, where
most distances are 0, points are removed from all over the front.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.numerics import mixed
from paretoball.system import Pulse, nothing

NOBODY = -1  # no neighbour
FARTHEST = np.finfo(np.float64).max / 2  # reals up to this have a finite difference
AT_ONCE = 1 << 18  # looks at the top of the heap, some 50 ms, between two pulses
STRIDE = np.uint64(0x9E3779B97F4A7C15)  # the increment of SplitMix64


class _Crowd(NamedTuple):
    """Points sorted by hash, then lexicographically, and neighbours of those left."""

    values: np.ndarray  # (size, d): float64, or uint64 from the least of each objective
    ranges: np.ndarray  # (d,) float64: of each objective; 1 where all are equal
    before: np.ndarray  # (size, d) int64: the next lower point in each objective
    after: np.ndarray  # (size, d) int64: the next higher point in each objective
    distance: np.ndarray  # (size,) float64: as computed last; 0 before that
    heap: np.ndarray  # (size,) int64: the points left, the most crowded on top


def least_crowded(points: np.ndarray, keep: int, pulse: Pulse = nothing) -> np.ndarray:
    """Which points to keep, as ascending row numbers; points are distinct.

    Examples
    --------
    >>> least_crowded(np.array([[0, 9], [1, 8], [2, 7], [6, 1], [9, 0]]), keep=4)
    array([0, 2, 3, 4])
    """
    if len(points) <= keep:
        return np.arange(len(points))
    order = np.lexsort((*points.T[::-1], _hashes(points)))
    crowd, left = _new_crowd(points[order], pulse), len(points)
    while left > keep:
        pulse()
        left = _thin_out(crowd, left, keep, AT_ONCE)
    return np.sort(order[crowd.heap[:keep]])


def _hashes(points: np.ndarray) -> np.ndarray:
    """A 64-bit word for each point, mixed from its values in turn."""
    kind = np.float64 if points.dtype.kind == "f" else np.int64
    bits = (points.astype(kind) + 0).view(np.uint64)  # + 0 makes -0.0 the same as 0.0
    word = np.zeros(len(points), np.uint64)
    for column in bits.T:
        word = mixed((word ^ column) + STRIDE)
    return word


def _new_crowd(points: np.ndarray, pulse: Pulse) -> _Crowd:
    """The crowd of all points, with their neighbours and no distance computed yet."""
    values = _subtractable(points)
    ranges = (values.max(axis=0) - values.min(axis=0)).astype(np.float64)
    before, after = np.full((2, *values.shape), NOBODY, np.int64)
    rank = np.argsort(np.lexsort(points.T[::-1]))
    for i, column in enumerate(values.T):
        pulse()
        line = np.lexsort((rank, column))
        before[line[1:], i] = line[:-1]
        after[line[:-1], i] = line[1:]
    ranges = np.where(ranges > 0, ranges, 1.0)
    distance, heap = np.zeros(len(values)), np.arange(len(values))
    return _Crowd(values, ranges, before, after, distance, heap)


def _subtractable(points: np.ndarray) -> np.ndarray:
    """The points, shifted or clipped so that no difference overflows."""
    if points.dtype.kind == "f":
        return np.clip(points, -FARTHEST, FARTHEST, order="C")
    whole = np.ascontiguousarray(points, np.int64)
    return whole.view(np.uint64) - whole.min(axis=0).view(np.uint64)


@kernel
def _thin_out(crowd, left, keep, looks):
    """Remove the most crowded of `heap[:left]`; how many are left after so many looks.

    Distances only grow, so that of the point on top is computed again: if it is the
    same as before, no other point has a smaller one.
    """
    for _ in range(looks):
        if left == keep:
            break
        v = crowd.heap[0]
        known = crowd.distance[v]
        crowd.distance[v] = _distance_of(crowd, v)
        if crowd.distance[v] == known:
            _unlink(crowd, v)
            left -= 1
            crowd.heap[0] = crowd.heap[left]
        _sift_down(crowd, left)
    return left


@inlined
def _distance_of(crowd, v):
    """The crowding distance of v among the points left."""
    total = 0.0
    for i in range(len(crowd.ranges)):
        before, after = crowd.before[v, i], crowd.after[v, i]
        if before == NOBODY or after == NOBODY:
            return np.inf
        gap = crowd.values[after, i] - crowd.values[before, i]
        total += float(gap) / crowd.ranges[i]
    return total


@inlined
def _unlink(crowd, v):
    """Make the neighbours of v neighbours of each other."""
    for i in range(len(crowd.ranges)):
        before, after = crowd.before[v, i], crowd.after[v, i]
        if before != NOBODY:
            crowd.after[before, i] = after
        if after != NOBODY:
            crowd.before[after, i] = before


@inlined
def _sift_down(crowd, left):
    """Move the point on top of the heap down to its place."""
    heap = crowd.heap
    v, at = heap[0], 0
    while 2 * at + 1 < left:
        child = 2 * at + 1
        if child + 1 < left and _goes_before(crowd, heap[child + 1], heap[child]):
            child += 1
        if _goes_before(crowd, v, heap[child]):
            break
        heap[at] = heap[child]
        at = child
    heap[at] = v


@inlined
def _goes_before(crowd, u, v):
    """Whether u is to be removed before v: by distance, then by hash."""
    if crowd.distance[u] == crowd.distance[v]:
        return u < v
    return crowd.distance[u] < crowd.distance[v]
