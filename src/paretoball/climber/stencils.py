"""Stencils: what a flip of one variable changes.

When variable j flips, the score of a move v changes by an amount that depends only on
the piece of v among the neighbours of j, p = v ∩ N(j). Let I(p) be the sum, over the
cliques that read j, of

    delta(q) = f(x ⊕ j ⊕ q) - f(x ⊕ q) - f(x ⊕ j) + f(x),    q = what they read of p.

The score of a move without j changes by I(p). The score of a move with j changes by
-I(p) - 2 S_j(x), because that move now flips j back. So Algorithm 1 computes the deltas
(one row for each clique and q), sums rows once per piece, and looks up the sum of its
piece for each affected move.

Numbers of cliques and moves in a stencil count from the anchors of the variable, so
variables with the same surroundings share one stencil: on a ring nearly all do. Entries
are ordered by tier, the size of the smallest move that needs them, so a climb that does
not use large moves yet skips them.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined

# A stencil is a header, which says for each section and tier where the entries after
# that tier start, and these sections, one after the other. In ENTRIES and CHILDREN each
# tier lies by column: first word 1 of all entries, then word 2, and so on.
ROWS = 0  # slot of a clique, pattern (the paper's v ∧ w_il)
PIECES = 1  # where the terms of the piece end; piece 0 is the empty one
ENTRIES = 2  # affected move, 2 * piece + (1 if the move flips j)
CHILDREN = 3  # move that grew by j, its parent, the parent's piece
TERMS = 4  # row to sum, piece by piece
SLOTS = 5  # clique that reads j, bit of j in it
WIDTHS = (2, 1, 2, 3, 1, 2)  # words of an entry, by section
SECTIONS = len(WIDTHS)
BY_STENCILS = 0  # the layout; `records` and `rows` have the others


class Stencils(NamedTuple):
    """What a flip of each variable changes."""

    # (n, r + 2) uint32: for each variable from where numbers of cliques, and those
    # of moves of size 1, ..., r, count; and where its stencil starts in `code`
    anchors: np.ndarray
    code: np.ndarray  # uint32: the stencils, each a header and its sections


class StencilMoves(NamedTuple):
    """M^r, and what flips change, by stencils."""

    tier_at: np.ndarray  # these two are as in `Forest`
    flips: np.ndarray
    stencils: Stencils


class StencilReading(NamedTuple):
    """What a climb by stencils reads at its solution, and scratch space for a flip."""

    here: np.ndarray  # (cliques,) uint32: the row of the tables that each clique reads
    slot_here: np.ndarray  # uint32: the same of each slot, a clique that reads the flip
    slot_bit: np.ndarray  # uint32: the bit of j in the mask of each slot
    gaps: np.ndarray  # a vector for each slot: f(x ⊕ j) - f(x) of its clique
    deltas: np.ndarray  # a vector for each row of the stencil
    sums: np.ndarray  # two vectors for each piece: for moves without j, and with j


def longest_sections(stencils: Stencils) -> np.ndarray:
    """The most entries that a stencil has in each section: (SECTIONS,) int64."""
    places = stencils.anchors.shape[1] - 1
    first = np.arange(SECTIONS) * places
    headers = np.unique(stencils.anchors[:, -1]).astype(np.int64)[:, None] + first
    ends = stencils.code[headers + places - 1].astype(np.int64)
    words = (ends - stencils.code[headers]).max(axis=0)
    return np.asarray(words // np.array(WIDTHS))


@inlined
def section(stencils, j, kind, tier):
    """Where the entries of a section that come after `tier` start in the code."""
    places = stencils.anchors.shape[1] - 1
    base = np.int64(stencils.anchors[j, places])
    return base + stencils.code[base + kind * places + tier]


@inlined
def span(stencils, j, kind, first_tier, last_tier):
    """Where the entries between two tiers start in the code, and how many they are."""
    first = section(stencils, j, kind, first_tier)
    last = section(stencils, j, kind, last_tier)
    return first, (last - first) // WIDTHS[kind]
