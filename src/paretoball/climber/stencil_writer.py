"""The stencil writer: it writes the stencil of one variable after the other.

It finds the moves that the flip of the variable affects, cuts each move to its piece
among the neighbours, lists the terms of each piece, and writes the sections. If an
equal stencil exists already, the new one is dropped and the variable uses the old one.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.climber.moves import Forest, Pulse, nothing
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
from paretoball.landscape import Cliques, Graph
from paretoball.numerics import sort, sums_by_row

MAX_WORDS = 2**32 - 1  # of code: places in `Stencils.anchors` have 32 bits
MOST_ROOM = 1 << 20  # entries of a first draft; if they are too few, it is doubled
CHUNK = 500_000  # affected moves between two calls of `pulse`
DONE, CODE_FULL, DRAFT_FULL = 0, 1, 2


class _Draft(NamedTuple):
    """Scratch space to write a stencil; `seen_*` hold the variable that wrote last."""

    moves: np.ndarray  # int32: the affected moves, ascending
    sums: np.ndarray  # int32: for each of them 2 * piece + (1 if it flips j)
    rows: np.ndarray  # (room, 2) int32: slot and pattern
    piece_ends: np.ndarray  # (room,) int32: where the terms of each piece end
    terms: np.ndarray  # (room,) int32: the rows to sum, piece by piece
    tiers: np.ndarray  # (SECTIONS, r + 1) int64: entries of each section up to a tier
    members: np.ndarray  # (memberships, 3) int32: slot, bit, the neighbour's next one
    patterns: np.ndarray  # int32: the bits of the current piece in each clique's mask
    first_member: np.ndarray  # (n,) int32: the first of `members` of each neighbour
    local: np.ndarray  # (n,) int32: a neighbour's number among the neighbours
    seen_variable: np.ndarray  # (n,) int32: by variable
    seen_move: np.ndarray  # (size,) int32: by move
    keys: np.ndarray  # (2 ** b,) int64: a hash table from keys to numbers
    numbers: np.ndarray  # (2 ** b,) int32: the number of each key
    seen_key: np.ndarray  # (2 ** b,) int32: by place in the hash table


def write_stencils(
    cliques: Cliques, graph: Graph, forest: Forest, pulse: Pulse = nothing
) -> Stencils:
    """The stencils of all variables, equal ones written once."""
    variables = np.arange(len(graph.at) - 1)
    stencils, words = write_for(cliques, graph, forest, variables, pulse)
    return stencils._replace(code=stencils.code[:words].copy())


def write_for(
    cliques: Cliques,
    graph: Graph,
    forest: Forest,
    variables: np.ndarray,
    pulse: Pulse = nothing,
) -> tuple[Stencils, int]:
    """The stencils of these variables, and the words of code they take."""
    n, r = len(graph.at) - 1, forest.flips.shape[1]
    stencils = Stencils(np.zeros((n, r + 2), np.uint32), np.empty(0, np.uint32))
    affected = most_affected(graph, forest)[variables]
    work = np.cumsum(affected)
    room = min(int(affected.max()), MOST_ROOM)
    draft = _new_draft(cliques, graph, forest, variables, room)
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
            room = min(MAX_WORDS, 2 * len(stencils.code) + (1 << 16))
            grown = np.empty(room, np.uint32)
            grown[: progress[1]] = stencils.code[: progress[1]]
            stencils = stencils._replace(code=grown)
        elif full == DRAFT_FULL:
            room = 2 * len(draft.terms)
            draft = _new_draft(cliques, graph, forest, variables, room)
    return stencils, int(progress[1])


def most_affected(graph: Graph, forest: Forest) -> np.ndarray:
    """For each variable, an upper bound on the moves that its flip affects."""
    meets = np.diff(forest.at)
    return np.asarray(meets + sums_by_row(graph.at, meets[graph.neighbours]))


def _new_draft(
    cliques: Cliques,
    graph: Graph,
    forest: Forest,
    variables: np.ndarray,
    room: int,
) -> _Draft:
    """Scratch space for these variables, with `room` rows, pieces and terms."""
    n, size = len(graph.at) - 1, len(forest.flips)
    most = min(int(most_affected(graph, forest)[variables].max()), size)
    reads = np.diff(cliques.reader_at)
    arities = np.diff(cliques.mask_at)
    memberships = sums_by_row(cliques.reader_at, arities[cliques.readers])
    table = 1 << (4 * room).bit_length()
    return _Draft(
        moves=np.empty(most, np.int32),
        sums=np.empty(most, np.int32),
        rows=np.empty((room, 2), np.int32),
        piece_ends=np.empty(room, np.int32),
        terms=np.empty(room, np.int32),
        tiers=np.zeros((SECTIONS, forest.flips.shape[1] + 1), np.int64),
        members=np.empty((int(memberships.max()) + 1, 3), np.int32),
        patterns=np.zeros(int(reads.max()) + 1, np.int32),
        first_member=np.empty(n, np.int32),
        local=np.empty(n, np.int32),
        seen_variable=np.full(n, -1, np.int32),
        seen_move=np.full(size, -1, np.int32),
        keys=np.empty(table, np.int64),
        numbers=np.empty(table, np.int32),
        seen_key=np.full(table, -1, np.int32),
    )


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
            draft.seen_key[:] = -1  # j will be tried again
            draft.seen_move[:] = -1
            return CODE_FULL
        neighbour = variables[max(at - 1, 0)]
        _share(stencils, known, progress, j, length, neighbour)
        progress[0] = at + 1
    return DONE


@inlined
def _find_affected(graph, forest, draft, j):
    """List, ascending, the moves that flip j or a neighbour of j; return the count."""
    count = 0
    for e in range(graph.at[j] - 1, graph.at[j + 1]):
        u = j if e < graph.at[j] else graph.neighbours[e]
        for v in forest.containing[forest.at[u] : forest.at[u + 1]]:
            if draft.seen_move[v] != j:
                draft.seen_move[v] = j
                draft.moves[count] = v
                count += 1
    sort(draft.moves, 0, count)
    return count


@inlined
def _find_members(cliques, graph, draft, j):
    """Number the neighbours of j, and list for each the cliques shared with j."""
    for e in range(graph.at[j], graph.at[j + 1]):
        u = graph.neighbours[e]
        draft.seen_variable[u] = j
        draft.local[u] = e - graph.at[j]
        draft.first_member[u] = -1
    count = 0
    for slot in range(cliques.reader_at[j + 1] - cliques.reader_at[j] - 1, -1, -1):
        c = cliques.readers[cliques.reader_at[j] + slot]
        for b in range(cliques.mask_at[c + 1] - cliques.mask_at[c]):
            u = cliques.masks[cliques.mask_at[c] + b]
            if u != j:
                draft.members[count, 0] = slot
                draft.members[count, 1] = 1 << b
                draft.members[count, 2] = draft.first_member[u]
                draft.first_member[u] = count
                count += 1


@inlined
def _find_pieces(cliques, forest, draft, j, affected):
    """Find the piece of each affected move, and the terms of each new piece.

    Returns False if there is no room.
    """
    r = forest.flips.shape[1]
    draft.tiers[:] = 0
    rows, pieces, terms = 0, 1, 0
    draft.piece_ends[0] = 0
    tier = 1
    for e in range(affected):
        v = draft.moves[e]
        while v >= forest.tier_at[tier + 1]:
            tier += 1
        piece = 0
        own = 0
        for b in range(tier):
            u = forest.flips[v, b]
            if u == j:
                own = 1
            elif draft.seen_variable[u] == j:
                key = np.int64(piece) << 32 | np.int64(draft.local[u])
                known = _number(draft, key, pieces, j)
                if known == pieces:
                    rows, terms = _add_terms(forest, draft, j, v, b, rows, terms)
                    if terms < 0 or pieces == len(draft.piece_ends):
                        return False
                    draft.piece_ends[pieces] = terms
                    pieces += 1
                piece = known
        draft.sums[e] = 2 * piece + own
        draft.tiers[ROWS, tier] = rows
        draft.tiers[PIECES, tier] = pieces
        draft.tiers[ENTRIES, tier] = e + 1
        if own and tier > 1 and _grew_by(forest, v, j):
            draft.tiers[CHILDREN, tier] += 1
    draft.tiers[TERMS, r] = terms
    draft.tiers[SLOTS, 1:] = cliques.reader_at[j + 1] - cliques.reader_at[j]
    for s in range(1, r + 1):
        for kind in (ROWS, PIECES, ENTRIES):
            draft.tiers[kind, s] = max(draft.tiers[kind, s], draft.tiers[kind, s - 1])
    return True


@inlined
def _number(draft, key, fresh, j):
    """The number of `key` in the hash table of variable j, `fresh` if it is new."""
    mask = len(draft.keys) - 1
    at = (key >> 32) * 2654435 + (key & 0xFFFFFFFF) * 40503
    at = (at ^ at >> 13) & mask
    while draft.seen_key[at] == j:
        if draft.keys[at] == key:
            return np.int64(draft.numbers[at])
        at = (at + 1) & mask
    draft.seen_key[at] = j
    draft.keys[at] = key
    draft.numbers[at] = fresh
    return np.int64(fresh)


@inlined
def _add_terms(forest, draft, j, v, last, rows, terms):
    """Add the terms of one piece: the neighbours of j in v up to place `last`.

    Returns the number of rows and of terms; -1 terms if there is no room.
    """
    for b in range(last + 1):
        u = forest.flips[v, b]
        if u != j and draft.seen_variable[u] == j:
            e = draft.first_member[u]
            while e >= 0:
                draft.patterns[draft.members[e, 0]] |= draft.members[e, 1]
                e = draft.members[e, 2]
    room = True
    for b in range(last + 1):
        u = forest.flips[v, b]
        if u != j and draft.seen_variable[u] == j:
            e = draft.first_member[u]
            while e >= 0:
                slot = draft.members[e, 0]
                pattern = draft.patterns[slot]
                draft.patterns[slot] = 0
                if pattern and room:
                    key = ~(np.int64(slot) << 32 | np.int64(pattern))
                    row = _number(draft, key, rows, j)
                    room = row < len(draft.rows) and terms < len(draft.terms)
                    if room and row == rows:
                        draft.rows[rows, 0] = slot
                        draft.rows[rows, 1] = pattern
                        rows += 1
                    if room:
                        draft.terms[terms] = row
                        terms += 1
                e = draft.members[e, 2]
    return rows, terms if room else -1


@inlined
def _grew_by(forest, v, j):
    """Whether move v is its parent plus variable j."""
    parent = forest.parents[v]
    for u in forest.flips[parent]:
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
    """Write the stencil of j at `base` in the code.

    Returns its length, or -1 if there is no room.
    """
    r = forest.flips.shape[1]
    places = r + 1
    code = stencils.code
    length = SECTIONS * places
    children = 0
    for s in range(places):
        children += draft.tiers[CHILDREN, s]
        draft.tiers[CHILDREN, s] = children
    for kind in range(SECTIONS):
        length += WIDTHS[kind] * draft.tiers[kind, r]
    if base + length > len(code):
        return -1
    at = SECTIONS * places
    for kind in range(SECTIONS):
        for s in range(places):
            code[base + kind * places + s] = at + WIDTHS[kind] * draft.tiers[kind, s]
        at += WIDTHS[kind] * draft.tiers[kind, r]
    at = base + SECTIONS * places
    for e in range(draft.tiers[ROWS, r]):
        code[at] = draft.rows[e, 0]
        code[at + 1] = draft.rows[e, 1]
        at += 2
    for e in range(draft.tiers[PIECES, r]):
        code[at] = draft.piece_ends[e]
        at += 1
    for s in range(r):
        for e in range(draft.tiers[ENTRIES, s], draft.tiers[ENTRIES, s + 1]):
            code[at] = draft.moves[e] - stencils.anchors[j, s + 1]
            at += 1
        for e in range(draft.tiers[ENTRIES, s], draft.tiers[ENTRIES, s + 1]):
            code[at] = draft.sums[e]
            at += 1
    for s in range(1, r):
        width = draft.tiers[CHILDREN, s + 1] - draft.tiers[CHILDREN, s]
        for e in range(draft.tiers[ENTRIES, s], draft.tiers[ENTRIES, s + 1]):
            v = draft.moves[e]
            if draft.sums[e] & 1 and _grew_by(forest, v, j):
                code[at] = v - stencils.anchors[j, s + 1]
                code[at + width] = forest.parents[v] - stencils.anchors[j, s]
                code[at + 2 * width] = draft.sums[e] >> 1
                at += 1
        at += 2 * width
    for e in range(draft.tiers[TERMS, r]):
        code[at] = draft.terms[e]
        at += 1
    for e in range(cliques.reader_at[j], cliques.reader_at[j + 1]):
        code[at] = cliques.readers[e] - stencils.anchors[j, 0]
        code[at + 1] = cliques.reader_bits[e]
        at += 2
    return length


@inlined
def _share(stencils, known, progress, j, length, neighbour):
    """Let j use an equal stencil written before, or keep the one just written.

    Successive variables often have equal stencils, so that of `neighbour`, the variable
    written before j, is compared first.
    """
    base = progress[1]
    like = np.int64(stencils.anchors[neighbour, -1])
    if base > 0 and _is_equal(stencils.code, like, base, length):
        stencils.anchors[j, -1] = like
        return
    digest = 0
    for e in range(base, base + length):
        digest = (digest * 31 + np.int64(stencils.code[e])) & 0x3FFFFFFFFFFFFF
        digest ^= digest >> 17
    at = digest & (len(known) - 1)
    while known[at] >= 0:
        if _is_equal(stencils.code, known[at], base, length):
            stencils.anchors[j, -1] = known[at]
            return
        at = (at + 1) & (len(known) - 1)
    known[at] = base
    stencils.anchors[j, -1] = base
    progress[1] = base + length


@inlined
def _is_equal(code, one, other, length):
    """Whether two stretches of code agree."""
    for e in range(length):
        if code[one + e] != code[other + e]:
            return False
    return True
