"""The stencil writer: it writes the stencil of one variable after the other.

First a draft: the moves that the flip of the variable affects, the piece of each among
the neighbours, and what pieces sum. Then the sections, unless an equal stencil exists.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.climber.moves import Forest
from paretoball.climber.sharing import is_equal, place_of
from paretoball.climber.stencils import (
    CHILDREN,
    ENTRIES,
    PIECES,
    ROWS,
    SECTIONS,
    SLOTS,
    TERMS,
    WIDTHS,
    Stencils,
)
from paretoball.landscape import Cliques, Graph, Landscape
from paretoball.numerics import grown, sort, sums_by_row
from paretoball.system import Pulse, nothing

MAX_WORDS = 2**32 - 1  # of code: places in `Stencils.anchors` have 32 bits
MOST_ROOM = 1 << 20  # entries of a first draft; if they are too few, it is doubled
MORE_WORDS = 1 << 16  # by which code that is full grows, beside being doubled
CHUNK = 500_000  # affected moves between two calls of `pulse`
DONE, CODE_FULL, DRAFT_FULL = 0, 1, 2


class _Met(NamedTuple):
    """What was met on the way from one variable."""

    variables: np.ndarray  # (n,) int32: of which variable each was a neighbour last
    members: np.ndarray  # (n,) int32: the first of `members` of each neighbour
    moves: np.ndarray  # (size,) int32: which variable affected each move last


class _Table(NamedTuple):
    """A hash table from keys to numbers."""

    keys: np.ndarray  # (2 ** b,) int64
    numbers: np.ndarray  # (2 ** b,) int32: the number of each key
    seen: np.ndarray  # (2 ** b,) int32: the variable that wrote last


class _Draft(NamedTuple):
    """Scratch space to write a stencil."""

    moves: np.ndarray  # int32: the affected moves, ascending
    sums: np.ndarray  # int32: for each of them 2 * piece + (1 if it flips j)
    rows: np.ndarray  # (room, 2) int32: slot and pattern
    piece_ends: np.ndarray  # (room,) int32: where the terms of each piece end
    terms: np.ndarray  # (room,) int32: the rows to sum, piece by piece
    tiers: np.ndarray  # (SECTIONS, r + 1) int64: entries of each section up to a tier
    children: np.ndarray  # int32: the places in `moves` of those that grew by j
    members: np.ndarray  # (memberships, 3) int32: slot, bit, the neighbour's next one
    patterns: np.ndarray  # int32: the bits of the current piece in each slot's mask
    slots: np.ndarray  # int32: the slots that the current piece meets
    met: _Met
    table: _Table


def write_stencils(
    landscape: Landscape,
    forest: Forest,
    pulse: Pulse = nothing,
    variables: np.ndarray | None = None,
) -> Stencils:
    """The stencils of all variables, or of some; equal ones are written once."""
    cliques, graph = landscape.cliques, landscape.cooccurrence
    n, r = landscape.n, forest.flips.shape[1]
    if variables is None:
        variables = np.arange(n)
    stencils = Stencils(np.zeros((n, r + 2), np.uint32), np.empty(0, np.uint32))
    affected = most_affected(graph, forest)[variables]
    work, most = np.cumsum(affected), int(affected.max())
    draft = _new_draft(cliques, forest, most, min(most, MOST_ROOM))
    known = np.full(1 << (4 * len(variables)).bit_length(), -1, np.int64)
    progress = np.zeros(2, np.int64)  # variables done, code written
    while progress[0] < len(variables):
        pulse()
        due = work[progress[0]] + CHUNK
        some = variables[: max(progress[0] + 1, np.searchsorted(work, due))]
        full = _write_some(
            cliques, graph, forest, stencils, draft, known, some, progress
        )
        if full == CODE_FULL:
            if len(stencils.code) == MAX_WORDS:
                raise MemoryError(f"the stencils of {n:,} variables exceed 16 GiB")
            room = min(MAX_WORDS, 2 * len(stencils.code) + MORE_WORDS)
            code = grown(stencils.code[: progress[1]], room, pulse)
            stencils = stencils._replace(code=code)
        elif full == DRAFT_FULL:
            draft = _new_draft(cliques, forest, most, 2 * len(draft.terms))
    return stencils._replace(code=stencils.code[: progress[1]])


@kernel
def _write_some(cliques, graph, forest, stencils, draft, known, variables, progress):
    """Write the stencils of `variables[progress[0]:]`, until done or out of room."""
    for at in range(progress[0], len(variables)):
        j = variables[at]
        affected = _find_affected(graph, forest, draft, j)
        _find_members(cliques, graph, draft, j)
        if not _find_pieces(cliques, forest, draft, j, affected):
            return DRAFT_FULL  # the caller makes a larger draft
        _set_anchors(cliques, stencils, draft, j)
        length = _lay_out(cliques, forest, stencils, draft, j, progress[1])
        if length < 0:
            draft.table.seen[:] = -1  # j will be tried again
            draft.met.moves[:] = -1
            return CODE_FULL
        base = progress[1]
        place = np.int64(stencils.anchors[variables[at - 1], -1])  # often an equal one
        if not is_equal(stencils.code, place, base, length):
            place = place_of(stencils.code, known, base, length)
        stencils.anchors[j, -1] = place
        progress[0] = at + 1
        if place == base:
            progress[1] = base + length
    return DONE


def most_affected(graph: Graph, forest: Forest) -> np.ndarray:
    """For each variable, an upper bound on the moves that its flip affects."""
    meets = np.diff(forest.at)
    return np.asarray(meets + sums_by_row(graph.at, meets[graph.neighbours]))


def _new_draft(cliques: Cliques, forest: Forest, affected: int, room: int) -> _Draft:
    """Scratch space for `affected` moves, and for `room` rows, pieces and terms."""
    n, size = len(forest.at) - 1, len(forest.flips)
    most = min(affected, size)
    slots = int(np.diff(cliques.reader_at).max())
    arities = np.diff(cliques.mask_at)
    memberships = sums_by_row(cliques.reader_at, arities[cliques.readers])
    table = 1 << (4 * room).bit_length()
    return _Draft(
        moves=np.empty(most, np.int32),
        sums=np.empty(most, np.int32),
        children=np.empty(most, np.int32),
        rows=np.empty((room, 2), np.int32),
        piece_ends=np.empty(room, np.int32),
        terms=np.empty(room, np.int32),
        tiers=np.zeros((SECTIONS, forest.flips.shape[1] + 1), np.int64),
        members=np.empty((int(memberships.max()) + 1, 3), np.int32),
        patterns=np.zeros(slots, np.int32),
        slots=np.empty(slots, np.int32),
        met=_Met(*(np.full(each, -1, np.int32) for each in (n, n, size))),
        table=_Table(np.empty(table, np.int64), *np.full((2, table), -1, np.int32)),
    )


@inlined
def _find_affected(graph, forest, draft, j):
    """List, ascending, the moves that flip j or a neighbour of j; return the count."""
    count = 0
    for e in range(graph.at[j] - 1, graph.at[j + 1]):
        u = j if e < graph.at[j] else graph.neighbours[e]
        for v in forest.containing[forest.at[u] : forest.at[u + 1]]:
            if draft.met.moves[v] != j:
                draft.met.moves[v] = j
                draft.moves[count] = v
                count += 1
    sort(draft.moves, 0, count)
    return count


@inlined
def _find_members(cliques, graph, draft, j):
    """List, for each neighbour of j, the cliques that it shares with j."""
    for e in range(graph.at[j], graph.at[j + 1]):
        u = graph.neighbours[e]
        draft.met.variables[u] = j
        draft.met.members[u] = -1
    count = 0
    for slot in range(cliques.reader_at[j + 1] - cliques.reader_at[j] - 1, -1, -1):
        c = cliques.readers[cliques.reader_at[j] + slot]
        for b in range(cliques.mask_at[c + 1] - cliques.mask_at[c]):
            u = cliques.masks[cliques.mask_at[c] + b]
            if u != j:
                draft.members[count, 0] = slot
                draft.members[count, 1] = 1 << b
                draft.members[count, 2] = draft.met.members[u]
                draft.met.members[u] = count
                count += 1


@inlined
def _find_pieces(cliques, forest, draft, j, affected):
    """Find the piece of each affected move, and its terms; False if out of room."""
    r = forest.flips.shape[1]
    draft.tiers[:] = 0
    rows, pieces, terms, children = 0, 1, 0, 0
    draft.piece_ends[0] = 0
    tier = 1
    for e in range(affected):
        v = draft.moves[e]
        while v >= forest.tier_at[tier + 1]:
            tier += 1
        piece, own = 0, 0
        for b in range(tier):
            u = forest.flips[v, b]
            if u == j:
                own = 1
            elif draft.met.variables[u] == j:
                key = np.int64(piece) << 32 | u
                piece = _number(draft, key, pieces, j)
                if piece == pieces:
                    rows, terms = _add_terms(forest, draft, j, v, b, rows, terms)
                    if terms < 0 or pieces == len(draft.piece_ends):
                        return False
                    draft.piece_ends[pieces] = terms
                    pieces += 1
        draft.sums[e] = 2 * piece + own
        if own and tier > 1 and _grew_by(forest, v, j):
            draft.children[children] = e
            children += 1
        draft.tiers[ROWS, tier] = rows
        draft.tiers[PIECES, tier] = pieces
        draft.tiers[ENTRIES, tier] = e + 1
        draft.tiers[CHILDREN, tier] = children
    draft.tiers[TERMS, r] = terms
    draft.tiers[SLOTS, 1:] = cliques.reader_at[j + 1] - cliques.reader_at[j]
    for s in range(1, r + 1):
        for kind in (ROWS, PIECES, ENTRIES, CHILDREN):
            draft.tiers[kind, s] = max(draft.tiers[kind, s], draft.tiers[kind, s - 1])
    return True


@inlined
def _number(draft, key, fresh, j):
    """The number of `key` in the hash table of variable j, `fresh` if it is new."""
    mask = len(draft.table.keys) - 1
    at = (key >> 32) * 2654435 + (key & 0xFFFFFFFF) * 40503
    at = (at ^ at >> 13) & mask
    while draft.table.seen[at] == j:
        if draft.table.keys[at] == key:
            return np.int64(draft.table.numbers[at])
        at = (at + 1) & mask
    draft.table.seen[at] = j
    draft.table.keys[at] = key
    draft.table.numbers[at] = fresh
    return np.int64(fresh)


@inlined
def _add_terms(forest, draft, j, v, last, rows, terms):
    """Add the terms of one piece: the neighbours of j in v up to place `last`.

    Returns the number of rows and of terms; -1 terms if there is no room.
    """
    met = 0
    for b in range(last + 1):
        u = forest.flips[v, b]
        if draft.met.variables[u] == j:
            e = draft.met.members[u]
            while e >= 0:
                slot = draft.members[e, 0]
                if draft.patterns[slot] == 0:
                    draft.slots[met] = slot
                    met += 1
                draft.patterns[slot] |= draft.members[e, 1]
                e = draft.members[e, 2]
    for slot in draft.slots[:met]:
        if rows == len(draft.rows) or terms == len(draft.terms):
            return rows, -1
        pattern = draft.patterns[slot]
        draft.patterns[slot] = 0
        key = ~(np.int64(slot) << 32 | np.int64(pattern))
        draft.terms[terms] = _number(draft, key, rows, j)
        if draft.terms[terms] == rows:
            draft.rows[rows, 0] = slot
            draft.rows[rows, 1] = pattern
            rows += 1
        terms += 1
    return rows, terms


@inlined
def _grew_by(forest, v, j):
    """Whether move v is its parent plus variable j."""
    for u in forest.flips[forest.parents[v]]:
        if u == j:
            return False
    return True


@inlined
def _set_anchors(cliques, stencils, draft, j):
    """The anchors of j: the first clique that reads j, the first moves by size."""
    if draft.tiers[SLOTS, 1] > 0:
        stencils.anchors[j, 0] = cliques.readers[cliques.reader_at[j]]
    for s in range(1, stencils.anchors.shape[1] - 1):
        first = draft.tiers[ENTRIES, s - 1]
        if first < draft.tiers[ENTRIES, s]:
            stencils.anchors[j, s] = draft.moves[first]


@inlined
def _lay_out(cliques, forest, stencils, draft, j, base):
    """Write the stencil of j at `base`; return its length, or -1 if out of room."""
    r, code, tiers = forest.flips.shape[1], stencils.code, draft.tiers
    length = SECTIONS * (r + 1)
    for kind in range(SECTIONS):
        length += WIDTHS[kind] * tiers[kind, r]
    if base + length > len(code):
        return -1
    at = SECTIONS * (r + 1)
    for kind in range(SECTIONS):
        for s in range(r + 1):
            code[base + kind * (r + 1) + s] = at + WIDTHS[kind] * tiers[kind, s]
        at += WIDTHS[kind] * tiers[kind, r]
    at = base + SECTIONS * (r + 1)
    for e in range(tiers[ROWS, r]):
        code[at] = draft.rows[e, 0]
        code[at + 1] = draft.rows[e, 1]
        at += 2
    for e in range(tiers[PIECES, r]):
        code[at] = draft.piece_ends[e]
        at += 1
    for s in range(r):
        width = tiers[ENTRIES, s + 1] - tiers[ENTRIES, s]
        for e in range(tiers[ENTRIES, s], tiers[ENTRIES, s + 1]):
            code[at] = draft.moves[e] - stencils.anchors[j, s + 1]
            code[at + width] = draft.sums[e]
            at += 1
        at += width
    for s in range(1, r):
        width = tiers[CHILDREN, s + 1] - tiers[CHILDREN, s]
        for e in draft.children[tiers[CHILDREN, s] : tiers[CHILDREN, s + 1]]:
            v = draft.moves[e]
            code[at] = v - stencils.anchors[j, s + 1]
            code[at + width] = forest.parents[v] - stencils.anchors[j, s]
            code[at + 2 * width] = draft.sums[e] >> 1
            at += 1
        at += 2 * width
    for e in range(tiers[TERMS, r]):
        code[at] = draft.terms[e]
        at += 1
    for e in range(cliques.reader_at[j], cliques.reader_at[j + 1]):
        code[at] = cliques.readers[e] - stencils.anchors[j, 0]
        code[at + 1] = cliques.reader_bits[e]
        at += 2
    return length
