"""Shapes: what a flip of one variable changes.

When variable j flips, the score of a move v changes by an amount that depends only on
the piece of v among the neighbours of j, p = v ∩ N(j). Let I(p) be the sum, over the
cliques that read j, of

    delta(q) = f(x ⊕ j ⊕ q) - f(x ⊕ q) - f(x ⊕ j) + f(x),    q = what they read of p.

A move without j gains I(p), and one with j gains -I(p) - 2 S_j(x): it now flips j back.
So Algorithm 1 works out the deltas (a row for each clique and q), sums rows once per
piece, and gives every affected move one look-up. The shape of j lists the cliques that
read j, rows, pieces, their terms, the affected moves, and the children: the moves that
grew by j.

Numbers of cliques and moves in a shape count from the variable's anchors, so variables
whose surroundings look alike share one shape: on a ring nearly all do, and their shape
stays in the cache. Rows, pieces, affected moves and children are ordered by tier, the
size of the smallest move that needs them, so that a climb which does not use large
moves yet can leave them out.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined

ROWS = 0  # clique slot and pattern, row after row
PIECES = 1  # for each piece where its terms end; piece 0 is the empty one
ENTRIES = 2  # affected moves of the tier, then 2 * piece + (1 if the move flips j)
CHILDREN = 3  # moves that grew by j, then their parents, then the parents' pieces
TERMS = 4  # rows to sum, piece by piece
SLOTS = 5  # clique that reads j, and the bit of j in it, slot after slot
SECTIONS = 6


class Shapes(NamedTuple):
    """What a flip of each variable changes."""

    anchors: np.ndarray  # (n, r + 2) uint32: for each variable what numbers of cliques
    # count from, those of moves of size 1, 2, ..., and where its shape starts in `code`
    code: np.ndarray  # uint32: a header of SECTIONS × (r + 1) places, then the lists


def longest_lists(shapes: Shapes) -> np.ndarray:
    """The length of the longest list of each section, in words: (SECTIONS,) int64."""
    places = shapes.anchors.shape[1] - 1
    first = np.arange(SECTIONS) * places
    headers = np.unique(shapes.anchors[:, -1]).astype(np.int64)[:, None] + first
    ends = shapes.code[headers + places - 1].astype(np.int64)
    return np.asarray((ends - shapes.code[headers]).max(axis=0))


@inlined
def section(shapes, j, kind, tier):
    """Where the part of a list that comes after `tier` starts in `shapes.code`."""
    places = shapes.anchors.shape[1] - 1
    base = np.int64(shapes.anchors[j, places])
    return base + shapes.code[base + kind * places + tier]
