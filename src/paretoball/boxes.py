"""Boxes: which of the vectors seen so far are not dominated, found without a full look.

A tree of bounding boxes (an R-tree) over points, in the spirit of the ND-tree of
Jaszkiewicz and Lust (2018): a vector below the lower corner of a box is dominated by
all inside, one not below its upper corner by none, and only boxes in between are
opened. The tree is balanced, for any number of objectives. Everything is maximised.

Points and boxes share one pool of entries; a point is a box with equal corners. The
pool has room for SPARE more before a report: whoever calls sees to that. When points
leave, boxes stay as wide as they were: a look too many, never a mistake.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined

FANOUT = 16  # entries of a box before it is split
SPARE = 64  # more than one report can use: a point, and a box for every level
NONE = -1
ROOT, USED, FREE, ALIVE, HINT = 0, 1, 2, 3, 4


class Tree(NamedTuple):
    """Non-dominated points, and the boxes around them."""

    counts: np.ndarray  # (5,) int64: root, entries used, first free one, points, hint
    low: np.ndarray  # (room, d) int64: the lower corner of each entry
    high: np.ndarray  # (room, d) int64: the upper corner
    parent: np.ndarray  # (room,) int32: the box around it; NONE for the root and free
    child: np.ndarray  # (room,) int32: the first entry inside; NONE for a point
    sibling: np.ndarray  # (room,) int32: the next entry of its box, or free entry
    children: np.ndarray  # (room,) int32: how many entries are inside
    tags: np.ndarray  # (room, 3) int64: of a point: climb, step, 1 if a local optimum


def new_tree(d: int, room: int) -> Tree:
    """An empty tree: a root with nothing inside."""
    return Tree(
        counts=np.array([0, 1, NONE, 0, NONE], np.int64),
        low=np.zeros((room, d), np.int64),
        high=np.zeros((room, d), np.int64),
        parent=np.full(room, NONE, np.int32),
        child=np.full(room, NONE, np.int32),
        sibling=np.full(room, NONE, np.int32),
        children=np.zeros(room, np.int32),
        tags=np.zeros((room, 3), np.int64),
    )


def points_of(tree: Tree) -> np.ndarray:
    """The entries that are points."""
    used = np.arange(tree.counts[USED])
    return used[(tree.parent[used] != NONE) & (tree.child[used] == NONE)]


@inlined
def report(tree, fx, climb, step, optimum):
    """Take fx in, and out what it dominates, unless it is dominated or there already.

    An equal vector with a lower (climb, step) takes over its place. True if taken in.
    """
    hint = tree.counts[HINT]
    if hint != NONE and tree.parent[hint] != NONE and is_under(fx, tree.low, hint):
        return False
    entry = np.int64(tree.child[tree.counts[ROOT]])
    while entry != NONE:
        if is_under(fx, tree.low, entry):  # all inside dominate fx
            tree.counts[HINT] = first_point(tree, entry)
            return False
        above, below = True, True
        for i in range(len(fx)):
            above &= tree.high[entry, i] >= fx[i]  # something inside may dominate fx
            below &= tree.low[entry, i] <= fx[i]  # fx may dominate something inside
        if tree.child[entry] != NONE and (above or below):
            entry = np.int64(tree.child[entry])
            continue
        following = next_entry(tree, entry)
        if tree.child[entry] == NONE and below:
            if above:
                take_over(tree, entry, climb, step, optimum)
                return False
            remove(tree, entry)
        entry = following
    point = new_entry(tree)
    for i in range(len(fx)):
        tree.low[point, i] = fx[i]
        tree.high[point, i] = fx[i]
    set_tags(tree, point, climb, step, optimum)
    insert(tree, point)
    tree.counts[ALIVE] += 1
    return True


@inlined
def is_under(fx, corners, entry):
    """Whether fx is dominated by a corner of the entry."""
    smaller = False
    for i in range(len(fx)):
        if fx[i] > corners[entry, i]:
            return False
        smaller |= fx[i] < corners[entry, i]
    return smaller


@inlined
def first_point(tree, entry):
    """Some point inside the entry."""
    while tree.child[entry] != NONE:
        entry = np.int64(tree.child[entry])
    return entry


@inlined
def next_entry(tree, entry):
    """What comes after the entry and all inside it; NONE at the end."""
    while entry != tree.counts[ROOT]:
        if tree.sibling[entry] != NONE:
            return np.int64(tree.sibling[entry])
        entry = np.int64(tree.parent[entry])
    return np.int64(NONE)


@inlined
def take_over(tree, point, climb, step, optimum):
    """Give an equal point to the lower (climb, step)."""
    if (climb, step) < (tree.tags[point, 0], tree.tags[point, 1]):
        set_tags(tree, point, climb, step, optimum)


@inlined
def set_tags(tree, point, climb, step, optimum):
    """Note where a point comes from."""
    tree.tags[point, 0] = climb
    tree.tags[point, 1] = step
    tree.tags[point, 2] = optimum


@inlined
def new_entry(tree):
    """A free entry, with nothing inside."""
    entry = tree.counts[FREE]
    if entry == NONE:
        entry = tree.counts[USED]
        tree.counts[USED] = entry + 1
    else:
        tree.counts[FREE] = tree.sibling[entry]
    tree.child[entry] = NONE
    tree.children[entry] = 0
    return entry


@inlined
def link(tree, entry, box):
    """Put the entry into a box, without a look at its corners."""
    tree.parent[entry] = box
    tree.sibling[entry] = tree.child[box]
    tree.child[box] = entry
    tree.children[box] += 1


@inlined
def remove(tree, point):
    """Take a point out, and every box that is left empty by that."""
    tree.counts[ALIVE] -= 1
    entry = point
    while True:
        box = np.int64(tree.parent[entry])
        if tree.child[box] == entry:
            tree.child[box] = tree.sibling[entry]
        else:
            before = tree.child[box]
            while tree.sibling[before] != entry:
                before = tree.sibling[before]
            tree.sibling[before] = tree.sibling[entry]
        tree.children[box] -= 1
        tree.parent[entry] = NONE
        tree.sibling[entry] = tree.counts[FREE]
        tree.counts[FREE] = entry
        if tree.children[box] > 0 or box == tree.counts[ROOT]:
            return
        entry = box


@inlined
def insert(tree, point):
    """Put a point into the box that grows least by it; split boxes that are full."""
    box = tree.counts[ROOT]
    if tree.children[box] == 0:
        copy_corners(tree, point, box)
    else:
        widen(tree, box, point)
        while tree.child[tree.child[box]] != NONE:
            box = least_growth(tree, box, point)
            widen(tree, box, point)
    link(tree, point, box)
    while tree.children[box] > FANOUT:
        if box == tree.counts[ROOT]:
            root = new_entry(tree)
            tree.counts[ROOT] = root
            tree.parent[root] = NONE
            copy_corners(tree, box, root)
            link(tree, box, root)
        split(tree, box)
        box = np.int64(tree.parent[box])


@inlined
def copy_corners(tree, entry, box):
    """Make the box as large as the entry."""
    for i in range(tree.low.shape[1]):
        tree.low[box, i] = tree.low[entry, i]
        tree.high[box, i] = tree.high[entry, i]


@inlined
def widen(tree, box, entry):
    """Let the box reach around the entry."""
    for i in range(tree.low.shape[1]):
        tree.low[box, i] = min(tree.low[box, i], tree.low[entry, i])
        tree.high[box, i] = max(tree.high[box, i], tree.high[entry, i])


@inlined
def least_growth(tree, box, point):
    """The box inside this one whose sides need to grow least to reach the point."""
    best = np.int64(tree.child[box])
    least = np.inf
    inner = np.int64(tree.child[box])
    while inner != NONE:
        growth = 0.0
        for i in range(tree.low.shape[1]):
            growth += max(0, tree.low[inner, i] - tree.low[point, i])
            growth += max(0, tree.high[point, i] - tree.high[inner, i])
        if growth < least:
            best, least = inner, growth
        inner = np.int64(tree.sibling[inner])
    return best


@inlined
def split(tree, box):
    """Move the entries past the middle of the widest side to a new box beside it."""
    axis, cut = widest_side(tree, box)
    twin = new_entry(tree)
    entry = np.int64(tree.child[box])
    tree.child[box] = NONE
    half = tree.children[box] // 2
    tree.children[box] = 0
    while entry != NONE:
        following = np.int64(tree.sibling[entry])
        past = float(tree.low[entry, axis]) + tree.high[entry, axis] >= cut
        if axis == NONE:  # all centres are one: any half will do
            past = tree.children[twin] < half
        home = twin if past else box
        if tree.children[home] == 0:
            copy_corners(tree, entry, home)
        link(tree, entry, home)
        widen(tree, home, entry)
        entry = following
    link(tree, twin, np.int64(tree.parent[box]))


@inlined
def widest_side(tree, box):
    """The objective along which centres spread most, and twice where to cut it.

    At least one centre is below the cut and one is not, whatever floats round to.
    """
    axis, cut, widest = NONE, 0.0, 0.0
    for i in range(tree.low.shape[1]):
        entry = tree.child[box]
        least = greatest = float(tree.low[entry, i]) + tree.high[entry, i]
        while entry != NONE:
            centre = float(tree.low[entry, i]) + tree.high[entry, i]
            least, greatest = min(least, centre), max(greatest, centre)
            entry = tree.sibling[entry]
        if greatest - least > widest:
            middle = (least + greatest) / 2
            axis, widest = i, greatest - least
            cut = middle if middle > least else greatest
    return axis, cut
