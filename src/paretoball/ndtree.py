"""ND-trees: which of the vectors seen so far are not dominated.

A tree of boxes over points (Jaszkiewicz and Lust, 2018). A vector below the lower corner
of a box is dominated by all inside, one not below its upper corner by none; only boxes
in between are opened. So most reports are settled after a few boxes, for any number of
objectives. Everything is maximised.

Arrays have room; `report` must find some free, and whoever calls it makes more. Corners
only ever move outwards when points leave, which costs a look but never a mistake.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import kernel

LEAF = 20  # points in a leaf before it is split
NONE = -1
POINTS, NODES, FREE_POINT, FREE_NODE, HINT, ALIVE = 0, 1, 2, 3, 4, 5


class Tree(NamedTuple):
    """Points and the boxes around them; `next` of a leaf's points form its list."""

    counts: np.ndarray  # (6,) int64: points and nodes used, freed ones, hint, alive
    fx: np.ndarray  # (room, d) int64: the points
    tags: np.ndarray  # (room, 3) int64: climb, step, 1 if a local optimum
    leaf: np.ndarray  # (room,) int32: the leaf of each point, NONE if it has left
    after: np.ndarray  # (room,) int32: the next point of its leaf, or next free one
    low: np.ndarray  # (nodes, d) int64: below every point inside
    high: np.ndarray  # (nodes, d) int64: above every point inside
    parent: np.ndarray  # (nodes,) int32: NONE for the root, node 0
    child: np.ndarray  # (nodes,) int32: the first box inside, NONE for a leaf
    sibling: np.ndarray  # (nodes,) int32: the next box inside the parent, or next free
    first: np.ndarray  # (nodes,) int32: the first point of a leaf
    size: np.ndarray  # (nodes,) int32: points of a leaf, boxes otherwise
