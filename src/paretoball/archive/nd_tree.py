"""The ND-tree: non-dominated vectors, searched without looking at all of them.

It is a balanced tree of bounding boxes (an R-tree), in the spirit of the ND-tree of
Jaszkiewicz and Lust (2018), for any number of objectives, all maximised. A box is
opened only if a point in it may dominate fx, or fx a point. A node has up to FANOUT
entries side by side, so that memory is read in order: points in a leaf, elsewhere boxes
around nodes. The caller of `report` makes room for SPARE more nodes. When points are
removed, boxes stay as wide as they were, which costs time but changes no result.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined
from paretoball.archive.points import Points

FANOUT = 16  # entries of a node
UNROLLED = 15  # loops over up to so many objectives are unrolled; for more it is no use
LEAST = FANOUT // 4  # entries of either node after a split
SPARE = 64  # more nodes than one report can use, which is one for every level
NEARER = 0.1  # weight of the distance to a centre; the distance to a box has weight 1
NONE = 0  # no node
DOMINATED, INCOMPARABLE = -1, -2

# The entries of `NdTree.counts`.
ROOT = 0  # the node at the top
USED = 1  # the number of the first node that was never in use
FREE = 2  # the first node of the list of those that are free again, or NONE
ALIVE = 3  # points in the tree
TAKEN = 4  # points added so far, removed ones included


class NdTree(NamedTuple):
    """Non-dominated points, and the boxes around them.

    Vectors of d numbers lie end to end: number i of entry e is at e * d + i.
    """

    # only its length d counts; if it is a tuple, the compiler unrolls loops over it
    objectives: tuple | np.ndarray
    counts: np.ndarray  # (5,) int64: by the names above
    hint: np.ndarray  # (d,) int64: the point that dominated the last vector refused
    high: np.ndarray  # (room * FANOUT * d,) int64: points, or upper corners of boxes
    low: np.ndarray  # the same size: lower corners; of a point, where it was found
    inside: np.ndarray  # (room * FANOUT,) uint32: the node in a box; NONE for a point
    parent: np.ndarray  # (room,) uint32: the node around it; of a free node, the next
    size: np.ndarray  # (room,) uint32: entries of each node
    opened: np.ndarray  # scratch, uint32: nodes still to be searched
    centre: np.ndarray  # scratch, (FANOUT,) float64: twice the centre of each entry


def new_tree(d: int, room: int) -> NdTree:
    """An empty tree: a root with nothing inside."""
    entries = room * FANOUT
    return NdTree(
        objectives=(0,) * d if d <= UNROLLED else np.zeros(d, np.int8),
        counts=np.array([1, 2, NONE, 0, 0], np.int64),
        hint=np.full(d, np.iinfo(np.int64).min),
        high=np.zeros(entries * d, np.int64),
        low=np.zeros(entries * d, np.int64),
        inside=np.zeros(entries, np.uint32),
        parent=np.zeros(room, np.uint32),
        size=np.zeros(room, np.uint32),
        opened=np.zeros(SPARE * FANOUT, np.uint32),
        centre=np.zeros(FANOUT),
    )


def larger(tree: NdTree, nodes: int) -> NdTree:
    """The same tree with room for at least `nodes` more nodes."""
    grown = new_tree(len(tree.hint), 2 * len(tree.size) + nodes)
    for old, new in zip(tree[1:], grown[1:]):
        new[: len(old)] = old
    return grown


@inlined
def _set_origin(tree, point, unit, step, optimum):
    """Write where a point was found in place of its lower corner: two numbers."""
    at = point * len(tree.objectives)
    tree.low[at] = unit
    # If d = 1, the tree has a single point, and the next entry is unused.
    tree.low[at + 1] = 2 * step + optimum


def points_of(tree: NdTree) -> Points:
    """All points of the tree, with where they were found."""
    d, nodes = len(tree.hint), np.arange(tree.counts[USED])[:, None]
    held = np.arange(FANOUT) < tree.size[nodes]
    entries = (nodes * FANOUT + np.arange(FANOUT))[held]
    first = entries[tree.inside[entries] == NONE] * d
    packed = tree.low[first + 1]  # as `_set_origin` has it
    vectors = tree.high[first[:, None] + np.arange(d)]
    return Points(vectors, tree.low[first], packed >> 1, packed & 1)


@inlined
def room_left(tree):
    """How many more nodes there is room for, without those that are free again."""
    return len(tree.size) - tree.counts[USED]


@inlined
def is_refused(tree, fx):
    """Whether the point that dominated the last vector refused dominates fx, too."""
    under, equal = True, True
    for i in range(len(tree.objectives)):
        under &= fx[i] <= tree.hint[i]
        equal &= fx[i] == tree.hint[i]
    return under and not equal


@inlined
def report(tree, fx, unit, step, optimum):
    """Add fx and remove what it dominates, unless it is dominated or there already."""
    tree.opened[0] = tree.counts[ROOT]
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = np.int64(tree.opened[waiting])
        if tree.inside[node * FANOUT] != NONE:
            waiting = _open_boxes(tree, node, fx, waiting)
            continue
        point = _compare_points(tree, node, fx)
        if point == DOMINATED:
            return
        if point != INCOMPARABLE:
            at = point * len(tree.objectives)
            # Of equal vectors the lower (unit, step) is kept.
            if (unit, step) < (tree.low[at], tree.low[at + 1] >> 1):
                _set_origin(tree, point, unit, step, optimum)
            return
    _set_origin(tree, _insert(tree, fx), unit, step, optimum)
    tree.counts[TAKEN] += 1


@inlined
def _open_boxes(tree, node, fx, waiting):
    """Add to `opened` the boxes where a point may dominate fx, or fx a point."""
    d = len(tree.objectives)
    for at in range(np.int64(tree.size[node])):
        box = node * FANOUT + at
        above, below = True, True
        for i in range(d):
            above &= tree.high[box * d + i] >= fx[i]
            below &= tree.low[box * d + i] <= fx[i]
        tree.opened[waiting] = tree.inside[box]
        waiting += above | below
    return waiting


@inlined
def _compare_points(tree, node, fx):
    """Remove what fx dominates in a leaf; DOMINATED, INCOMPARABLE, or fx's equal."""
    d = len(tree.objectives)
    for at in range(np.int64(tree.size[node]) - 1, -1, -1):
        point = node * FANOUT + at
        above, below = True, True
        for i in range(d):
            above &= tree.high[point * d + i] >= fx[i]
            below &= tree.high[point * d + i] <= fx[i]
        if above and below:
            return point
        if above:
            for i in range(d):
                tree.hint[i] = tree.high[point * d + i]
            return DOMINATED
        if below:
            tree.counts[ALIVE] -= 1
            _remove(tree, node, point)
    return INCOMPARABLE


@inlined
def _remove(tree, node, entry):
    """Remove an entry from its node, and every node that this leaves empty."""
    _drop(tree, node, entry)
    while tree.size[node] == 0 and node != tree.counts[ROOT]:
        empty, node = node, np.int64(tree.parent[node])
        box = node * FANOUT
        while tree.inside[box] != empty:
            box += 1
        _drop(tree, node, box)
        tree.parent[empty] = tree.counts[FREE]
        tree.counts[FREE] = empty
    if tree.size[node] == 0:  # an empty root is a leaf
        tree.inside[node * FANOUT] = NONE


@inlined
def _drop(tree, node, entry):
    """Remove an entry: the last entry of its node takes its place."""
    tree.size[node] -= 1
    _copy_entry(tree, node * FANOUT + np.int64(tree.size[node]), entry)


@inlined
def _copy_entry(tree, entry, to):
    """Copy an entry: its vectors and its node."""
    d = len(tree.objectives)
    for i in range(d):
        tree.high[to * d + i] = tree.high[entry * d + i]
        tree.low[to * d + i] = tree.low[entry * d + i]
    tree.inside[to] = tree.inside[entry]


@inlined
def _insert(tree, fx):
    """Add a point in the nearest boxes, splitting full nodes on the way; its entry."""
    d = len(tree.objectives)
    node = tree.counts[ROOT]
    if tree.size[node] == FANOUT:
        node = _new_node(tree)
        _add_box(tree, node, tree.counts[ROOT])
        _split(tree, node, node * FANOUT)
        tree.counts[ROOT] = node
    while tree.inside[node * FANOUT] != NONE:
        box = _nearest(tree, node, fx)
        if tree.size[tree.inside[box]] == FANOUT:
            twin = _split(tree, node, box)
            box = twin if _distance(tree, twin, fx) < _distance(tree, box, fx) else box
        for i in range(d):
            tree.low[box * d + i] = min(tree.low[box * d + i], fx[i])
            tree.high[box * d + i] = max(tree.high[box * d + i], fx[i])
        node = np.int64(tree.inside[box])
    point = node * FANOUT + np.int64(tree.size[node])
    tree.size[node] += 1
    tree.counts[ALIVE] += 1
    for i in range(d):
        tree.high[point * d + i] = fx[i]
    tree.inside[point] = NONE
    return point


@inlined
def _nearest(tree, node, fx):
    """The box of a node that is nearest to fx."""
    first = node * FANOUT
    best, least = first, np.inf
    for box in range(first, first + np.int64(tree.size[node])):
        far = _distance(tree, box, fx)
        if far < least:
            best, least = box, far
    return best


@inlined
def _distance(tree, box, fx):
    """The distance of fx to a box, plus NEARER times that to the centre; doubled."""
    d = len(tree.objectives)
    total = 0.0
    for i in range(d):
        low, high = float(tree.low[box * d + i]), float(tree.high[box * d + i])
        off = abs(2.0 * fx[i] - low - high)
        total += max(0.0, off - (high - low)) + NEARER * off
    return total


@inlined
def _new_node(tree):
    """A free node, with nothing inside."""
    node = tree.counts[FREE]
    if node == NONE:
        node = tree.counts[USED]
        tree.counts[USED] = node + 1
    else:
        tree.counts[FREE] = tree.parent[node]
    return node


@inlined
def _split(tree, around, box):
    """Split the node of a box along its widest side; return the new box beside it."""
    node = np.int64(tree.inside[box])
    cut = _find_centres(tree, node)
    twin = _new_node(tree)
    for at in range(FANOUT - 1, -1, -1):
        if _rank(tree.centre, at) >= cut:
            entry = node * FANOUT + at
            to = twin * FANOUT + np.int64(tree.size[twin])
            tree.size[twin] += 1
            _copy_entry(tree, entry, to)
            tree.parent[tree.inside[to]] = twin
            _drop(tree, node, entry)
    _fit(tree, box)
    return _add_box(tree, around, twin)


@inlined
def _add_box(tree, node, inner):
    """Add a box around the node `inner` to a node; return that box."""
    box = node * FANOUT + np.int64(tree.size[node])
    tree.size[node] += 1
    tree.inside[box] = inner
    tree.parent[inner] = node
    _fit(tree, box)
    return box


@inlined
def _fit(tree, box):
    """Make a box as small as the entries of its node allow."""
    d = len(tree.objectives)
    node = np.int64(tree.inside[box])
    first = node * FANOUT
    for i in range(d):
        least, greatest = _lower(tree, first, i), tree.high[first * d + i]
        for entry in range(first + 1, first + np.int64(tree.size[node])):
            least = min(least, _lower(tree, entry, i))
            greatest = max(greatest, tree.high[entry * d + i])
        tree.low[box * d + i] = least
        tree.high[box * d + i] = greatest


@inlined
def _lower(tree, entry, i):
    """The lower corner of an entry in objective i; a point is its own corner."""
    at = entry * len(tree.objectives) + i
    return tree.high[at] if tree.inside[entry] == NONE else tree.low[at]


@inlined
def _find_centres(tree, node):
    """Fill `centre` along the widest side of a full node; how many entries stay."""
    d = len(tree.objectives)
    first = node * FANOUT
    axis, widest, middle = 0, -1.0, 0.0
    for i in range(d):
        least, greatest = np.inf, -np.inf
        for entry in range(first, first + FANOUT):
            centre = float(_lower(tree, entry, i)) + tree.high[entry * d + i]
            least, greatest = min(least, centre), max(greatest, centre)
        if greatest - least > widest:
            axis, widest, middle = i, greatest - least, (least + greatest) / 2
    before = 0
    for at in range(FANOUT):
        low = float(_lower(tree, first + at, axis))
        tree.centre[at] = low + tree.high[(first + at) * d + axis]
        before += tree.centre[at] < middle
    return min(max(before, LEAST), FANOUT - LEAST)


@inlined
def _rank(centre, at):
    """How many entries come before this one in ascending order; ties by place."""
    before = 0
    for other in range(FANOUT):
        before += centre[other] < centre[at]
        before += centre[other] == centre[at] and other < at
    return before
