"""Merging fronts: the non-dominated vectors of two sets, each of them moved.

A front is sorted, the best vector first by the first objective, then by the second, and
so on. So a vector can only be dominated by one that comes earlier, and vectors are
taken in order from both sets. For two objectives, the best second objective so far is
all it takes. For more, the other objectives of what was taken are kept in `Seen`: a
tree whose leaves are blocks of up to BLOCK points. Every node has the upper corner of
its points. A node whose corner is lower than a vector in any objective is not looked
into.

Objectives from some number on may be capped. They are the last ones to be compared, so
vectors stay in order by the others. Among vectors that are equal in those, a dominated
one may be left.

A merge counts its comparisons: one for each vector that it takes, and one for each node
or point that it looks at. It pauses where none is left, and the same call goes on.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel

BLOCK = 32  # points of a block
LOWEST = -(2**63)
# Entries of `Seen.state`; `front_tables` and `front_bounding` use those after these.
NODES, BLOCKS = 0, 1  # of the tree
FIRST, SECOND, TAKEN = 2, 3, 4  # numbers of either set done, numbers written
LEFT = 5  # comparisons until a pause
STATES = 16
PAUSED = -1  # in place of the count of a merge
CALL = 4  # comparisons that take as long as a call
STRETCH = 1 << 16  # numbers of pairs merged between two looks at what is left


class Seen(NamedTuple):
    """The vectors that were taken, without their first objective.

    Node 0 is the root. A node that is no leaf is cut: points whose objective `by` is at
    most `cuts` are in its first child, others in the second, the node after that.
    """

    caps: np.ndarray  # (d,) int64: more than that of an objective makes no difference
    points: np.ndarray  # (blocks * BLOCK * (d - 1),) int64: block by block
    sizes: np.ndarray  # (blocks,) int64: how many points each block has
    corners: np.ndarray  # (nodes * (d - 1),) int64: the upper corner of each node
    children: np.ndarray  # (nodes,) int64: the first child, or ~ the block of a leaf
    by: np.ndarray  # (nodes,) int64: the objective that a node is cut by, or would be
    cuts: np.ndarray  # (nodes,) int64
    stack: np.ndarray  # (nodes,) int64: scratch, nodes to be looked into
    state: np.ndarray  # (STATES,) int64: how far a merge or a step is


def new_seen(caps: np.ndarray, points: int) -> Seen:
    """Room for this many points, with as many objectives as there are caps."""
    d = len(caps)
    blocks = _blocks(d, points)
    nodes, state = 2 * blocks, np.zeros(STATES, np.int64)
    state[LEFT] = 2**62
    return Seen(
        caps=caps,
        points=np.empty(blocks * BLOCK * (d - 1), np.int64),
        sizes=np.zeros(blocks, np.int64),
        corners=np.empty(nodes * (d - 1), np.int64),
        children=np.empty(nodes, np.int64),
        by=np.empty(nodes, np.int64),
        cuts=np.empty(nodes, np.int64),
        stack=np.empty(nodes, np.int64),
        state=state,
    )


def _blocks(d: int, points: int) -> int:
    """How many blocks so many points take at most: half of each is empty."""
    return 2 * points // BLOCK + 2 if d > 2 else 1


def seen_bytes(d: int, points: int) -> int:
    """The memory that room for this many points takes."""
    return 8 * _blocks(d, points) * ((BLOCK + 2) * (d - 1) + 9)


@inlined
def room_of(seen):
    """How many points there is room for."""
    return (len(seen.sizes) - 1) * (BLOCK // 2) - 1


@kernel
def merge(first, second, moves, out, seen):
    """Write the non-dominated of first + moves[0] and second + moves[1]; their count.

    `first`, `second` and `out` have the numbers of their vectors end to end. The count
    is PAUSED if no comparisons are left.
    """
    if seen.state[LEFT] <= 0:
        return PAUSED
    if len(moves[0]) == 2:
        count = _merge_pairs(first, second, moves, out, seen.state)
    else:
        count = _merge_vectors(first, second, moves, out, seen)
    if count != PAUSED:
        seen.state[LEFT] -= CALL
        seen.state[FIRST] = seen.state[SECOND] = seen.state[TAKEN] = 0
    return count


@inlined
def _merge_pairs(first, second, moves, out, state):
    """The same for two objectives; without branches that depend on the numbers."""
    a0, a1, b0, b1 = moves[0][0], moves[0][1], moves[1][0], moves[1][1]
    i, j, at, best = state[FIRST], state[SECOND], state[TAKEN], LOWEST
    if at > 0:
        best = out[at - 1]
    state[LEFT] += (i + j) // 2
    while i < len(first) and j < len(second):
        if state[LEFT] <= (i + j) // 2:
            state[LEFT] -= (i + j) // 2
            state[FIRST], state[SECOND], state[TAKEN] = i, j, at
            return PAUSED
        i_end, j_end = min(len(first), i + STRETCH), min(len(second), j + STRETCH)
        while i < i_end and j < j_end:
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
    state[LEFT] -= (len(first) + len(second)) // 2
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
    d, state = len(moves[0]), seen.state
    i, j, at = state[FIRST], state[SECOND], state[TAKEN]
    if at == 0:
        _forget(seen, d - 1)
    while i < len(first) or j < len(second):
        if state[LEFT] <= 0:
            state[FIRST], state[SECOND], state[TAKEN] = i, j, at
            return PAUSED
        if j == len(second) or (
            i < len(first) and _is_before(first[i:], second[j:], moves)
        ):
            for o in range(d):
                out[at + o] = min(first[i + o] + moves[0][o], seen.caps[o])
            i += d
        else:
            for o in range(d):
                out[at + o] = min(second[j + o] + moves[1][o], seen.caps[o])
            j += d
        other = out[at + 1 : at + d]
        if not _is_covered(seen, other):
            _add(seen, other)
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
def _forget(seen, size):
    """Start again, with one empty block."""
    seen.state[NODES] = seen.state[BLOCKS] = 1
    seen.children[0] = ~0
    seen.by[0] = seen.sizes[0] = 0
    seen.corners[:size] = LOWEST


@inlined
def _is_covered(seen, fx):
    """Whether a point that was seen is at least fx in all objectives."""
    size = len(fx)
    seen.stack[0] = 0
    waiting, looks = 1, 1
    while waiting > 0:
        waiting -= 1
        looks += 1
        node = seen.stack[waiting]
        if not _is_above(seen.corners, node * size, fx):
            continue
        child = seen.children[node]
        if child >= 0:
            seen.stack[waiting] = child
            seen.stack[waiting + 1] = child + 1
            waiting += 2
            continue
        start = ~child * BLOCK
        for point in range(start, start + seen.sizes[~child]):
            looks += 1
            if _is_above(seen.points, point * size, fx):
                seen.state[LEFT] -= looks
                return True
    seen.state[LEFT] -= looks
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
def _add(seen, fx):
    """Add a point to the block where it belongs."""
    size, node = len(fx), 0
    _raise(seen, node, fx)
    while seen.children[node] >= 0:
        node = _child(seen, node, fx)
        _raise(seen, node, fx)
    block = ~seen.children[node]
    seen.state[LEFT] -= seen.sizes[block]
    _drop_covered(seen, block, fx)
    if seen.sizes[block] == BLOCK:
        _cut(seen, node, size)
        node = _child(seen, node, fx)
        _raise(seen, node, fx)
        block = ~seen.children[node]
    point = (block * BLOCK + seen.sizes[block]) * size
    seen.sizes[block] += 1
    for o in range(size):
        seen.points[point + o] = fx[o]


@inlined
def _child(seen, node, fx):
    """The child of a node that a point belongs to."""
    return seen.children[node] + (fx[seen.by[node]] > seen.cuts[node])


@inlined
def _raise(seen, node, fx):
    """Make the corner of a node as high as a point."""
    size = len(fx)
    for o in range(size):
        seen.corners[node * size + o] = max(seen.corners[node * size + o], fx[o])


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
def _cut(seen, node, size):
    """Put the better half of the points of a leaf, by an objective, into a new one."""
    by, block, twin = seen.by[node], ~seen.children[node], seen.state[BLOCKS]
    _sort(seen, block, by, size)
    start, half = block * BLOCK, BLOCK // 2
    for o in range(half * size):
        seen.points[twin * BLOCK * size + o] = seen.points[(start + half) * size + o]
    seen.sizes[block] = seen.sizes[twin] = half
    child = seen.state[NODES]
    seen.cuts[node] = seen.points[(start + half - 1) * size + by]
    seen.children[node] = child
    seen.children[child] = ~block
    seen.children[child + 1] = ~twin
    seen.by[child] = seen.by[child + 1] = (by + 1) % size
    _fit(seen, child, block, size)
    _fit(seen, child + 1, twin, size)
    seen.state[NODES] += 2
    seen.state[BLOCKS] += 1


@inlined
def _sort(seen, block, by, size):
    """Sort the points of a full block by an objective, the worst first."""
    start = block * BLOCK
    for point in range(start + 1, start + BLOCK):
        hole = point
        while hole > start and (
            seen.points[hole * size + by] < seen.points[(hole - 1) * size + by]
        ):
            for o in range(size):
                here, there = hole * size + o, (hole - 1) * size + o
                value = seen.points[here]
                seen.points[here] = seen.points[there]
                seen.points[there] = value
            hole -= 1


@inlined
def _fit(seen, node, block, size):
    """Make the corner of a leaf as low as its points allow."""
    for o in range(size):
        best = LOWEST
        for point in range(block * BLOCK, block * BLOCK + seen.sizes[block]):
            best = max(best, seen.points[point * size + o])
        seen.corners[node * size + o] = best
