"""Merging fronts: the non-dominated vectors of two sets, each of them moved.

A front is sorted, the best vector first by the first objective, then by the second, and
so on. So a vector can only be dominated by one that comes earlier, and vectors are
taken in order from both sets. For two objectives, the best second objective so far is
all it takes. For more, the other objectives of what was taken are kept in `Seen`:
blocks of up to BLOCK points by their second objective, each with its upper corner. A
block whose corner is lower than a vector in any objective is not looked into.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel

BLOCK = 32  # points of a block
LOWEST = -(2**63)


class Seen(NamedTuple):
    """The vectors that were taken, without their first objective."""

    points: np.ndarray  # (blocks * BLOCK * (d - 1),) int64: block by block
    corners: np.ndarray  # (blocks * (d - 1),) int64: the upper corner of each block
    sizes: np.ndarray  # (blocks,) int64: how many points each block has
    order: np.ndarray  # (blocks,) int64: blocks by second objective, best first


def new_seen(d: int, points: int) -> Seen:
    """Room for this many points of d objectives."""
    blocks = 2 * points // BLOCK + 2 if d > 2 else 1
    return Seen(
        points=np.empty(blocks * BLOCK * (d - 1), np.int64),
        corners=np.empty(blocks * (d - 1), np.int64),
        sizes=np.zeros(blocks, np.int64),
        order=np.empty(blocks, np.int64),
    )


@kernel
def merge(first, second, moves, out, seen):
    """Write the non-dominated of first + moves[0] and second + moves[1]; their count.

    `first`, `second` and `out` have the numbers of their vectors end to end.
    """
    if len(moves[0]) == 2:
        return _merge_pairs(first, second, moves, out)
    return _merge_vectors(first, second, moves, out, seen)


@inlined
def _merge_pairs(first, second, moves, out):
    """The same for two objectives; without branches that depend on the numbers."""
    a0, a1, b0, b1 = moves[0][0], moves[0][1], moves[1][0], moves[1][1]
    i, j, at, best = 0, 0, 0, LOWEST
    while i < len(first) and j < len(second):
        u0, u1 = first[i] + a0, first[i + 1] + a1
        v0, v1 = second[j] + b0, second[j + 1] + b1
        is_first = (u0 > v0) | ((u0 == v0) & (u1 >= v1))
        f1 = u1 if is_first else v1
        out[at] = u0 if is_first else v0
        out[at + 1] = f1
        at += 2 * (f1 > best)
        best = max(best, f1)
        i += 2 * is_first
        j += 2 - 2 * is_first
    at = _copy_rest(first, i, (a0, a1), out, at, best)
    return _copy_rest(second, j, (b0, b1), out, at, best) // 2


@inlined
def _copy_rest(front, i, move, out, at, best):
    """Write what is left of a front, from the first vector that is not dominated."""
    while i < len(front) and front[i + 1] + move[1] <= best:
        i += 2
    while i < len(front):
        out[at] = front[i] + move[0]
        out[at + 1] = front[i + 1] + move[1]
        i += 2
        at += 2
    return at


@inlined
def _merge_vectors(first, second, moves, out, seen):
    """The same for three objectives or more."""
    d = len(moves[0])
    i, j, at, blocks = 0, 0, 0, 0
    while i < len(first) or j < len(second):
        if j == len(second) or (
            i < len(first) and _is_before(first[i:], second[j:], moves)
        ):
            for o in range(d):
                out[at + o] = first[i + o] + moves[0][o]
            i += d
        else:
            for o in range(d):
                out[at + o] = second[j + o] + moves[1][o]
            j += d
        other = out[at + 1 : at + d]
        if not _is_covered(seen, blocks, other):
            blocks = _add(seen, blocks, other)
            at += d
    return at // d


@inlined
def _is_before(first, second, moves):
    """Whether the first vector comes before the second, or is equal."""
    for o in range(len(moves[0])):
        u, v = first[o] + moves[0][o], second[o] + moves[1][o]
        if u != v:
            return u > v
    return True


@inlined
def _is_covered(seen, blocks, fx):
    """Whether a point that was seen is at least fx in all objectives."""
    size = len(fx)
    for at in range(blocks):
        block = seen.order[at]
        if seen.corners[block * size] < fx[0]:
            return False  # and so are those of all blocks that follow
        if _is_above(seen.corners, block * size, fx):
            start = block * BLOCK
            for point in range(start, start + seen.sizes[block]):
                if _is_above(seen.points, point * size, fx):
                    return True
    return False


@inlined
def _is_above(values, at, fx):
    """Whether the vector at this place is at least fx in all objectives."""
    above = True
    for o in range(len(fx)):
        above &= values[at + o] >= fx[o]
    return above


@inlined
def _is_below(values, at, fx):
    """Whether the vector at this place is at most fx in all objectives."""
    below = True
    for o in range(len(fx)):
        below &= values[at + o] <= fx[o]
    return below


@inlined
def _add(seen, blocks, fx):
    """Add a point to the block where it belongs; how many blocks there are then."""
    if blocks == 0:
        seen.order[0] = 0
        seen.sizes[0] = 0
        seen.corners[: len(fx)] = LOWEST
        blocks = 1
    size, at = len(fx), 0
    while at + 1 < blocks and seen.corners[seen.order[at + 1] * size] >= fx[0]:
        at += 1
    block = seen.order[at]
    _drop_covered(seen, block, fx)
    if seen.sizes[block] == BLOCK:
        _split(seen, blocks, at, size)
        blocks += 1
        if seen.corners[seen.order[at + 1] * size] >= fx[0]:
            block = seen.order[at + 1]
    point = (block * BLOCK + seen.sizes[block]) * size
    seen.sizes[block] += 1
    for o in range(size):
        seen.points[point + o] = fx[o]
        corner = seen.corners[block * size + o]
        seen.corners[block * size + o] = max(corner, fx[o])
    return blocks


@inlined
def _drop_covered(seen, block, fx):
    """Remove the points of a block that are at most fx: fx does for them."""
    size, start = len(fx), block * BLOCK
    point = start
    while point < start + seen.sizes[block]:
        if _is_below(seen.points, point * size, fx):
            seen.sizes[block] -= 1
            last = start + seen.sizes[block]
            for o in range(size):
                seen.points[point * size + o] = seen.points[last * size + o]
        else:
            point += 1


@inlined
def _split(seen, blocks, at, size):
    """Put the worse half of the block at this place, by objective, into a new one."""
    for place in range(blocks, at + 1, -1):
        seen.order[place] = seen.order[place - 1]
    block, twin = seen.order[at], blocks
    seen.order[at + 1] = twin
    start = block * BLOCK
    for point in range(start + 1, start + BLOCK):  # sort them, best first
        hole = point
        while hole > start and (
            seen.points[hole * size] > seen.points[(hole - 1) * size]
        ):
            for o in range(size):
                here, there = hole * size + o, (hole - 1) * size + o
                value = seen.points[here]
                seen.points[here] = seen.points[there]
                seen.points[there] = value
            hole -= 1
    half = BLOCK // 2
    for o in range(half * size):
        seen.points[twin * BLOCK * size + o] = seen.points[(start + half) * size + o]
    seen.sizes[block] = seen.sizes[twin] = half
    _fit(seen, block, size)
    _fit(seen, twin, size)


@inlined
def _fit(seen, block, size):
    """Make the corner of a block as low as its points allow."""
    for o in range(size):
        best = LOWEST
        for point in range(block * BLOCK, block * BLOCK + seen.sizes[block]):
            best = max(best, seen.points[point * size + o])
        seen.corners[block * size + o] = best
