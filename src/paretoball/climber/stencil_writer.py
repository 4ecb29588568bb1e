"""The stencil writer: it writes the stencil of one variable after the other.

From the draft of a variable it writes the sections of its stencil. If an equal stencil
exists already, the new one is dropped and the variable uses the old one.
"""

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.climber.moves import Forest
from paretoball.climber.sharing import is_equal, place_of
from paretoball.climber.stencil_draft import (
    find_affected,
    find_members,
    find_pieces,
    most_affected,
    new_draft,
)
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
from paretoball.numerics import grown
from paretoball.system import Pulse, nothing

MAX_WORDS = 2**32 - 1  # of code: places in `Stencils.anchors` have 32 bits
MOST_ROOM = 1 << 20  # entries of a first draft; if they are too few, it is doubled
MORE_WORDS = 1 << 16  # by which code that is full grows, beside being doubled
CHUNK = 500_000  # affected moves between two calls of `pulse`
DONE, CODE_FULL, DRAFT_FULL = 0, 1, 2


def write_stencils(
    cliques: Cliques,
    graph: Graph,
    forest: Forest,
    pulse: Pulse = nothing,
    variables: np.ndarray | None = None,
) -> Stencils:
    """The stencils of all variables, or of some; equal ones are written once."""
    if variables is None:
        variables = np.arange(len(graph.at) - 1)
    n, r = len(graph.at) - 1, forest.flips.shape[1]
    stencils = Stencils(np.zeros((n, r + 2), np.uint32), np.empty(0, np.uint32))
    affected = most_affected(graph, forest)[variables]
    work, most = np.cumsum(affected), int(affected.max())
    room = min(most, MOST_ROOM)
    draft = new_draft(cliques, forest, most, room)
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
            room = 2 * len(draft.terms)
            draft = new_draft(cliques, forest, most, room)
    return stencils._replace(code=stencils.code[: progress[1]])


@kernel
def _write_some(cliques, graph, forest, stencils, draft, known, variables, progress):
    """Write the stencils of `variables[progress[0]:]`, until done or out of room."""
    for at in range(progress[0], len(variables)):
        j = variables[at]
        affected = find_affected(graph, forest, draft, j)
        find_members(cliques, graph, draft, j)
        if not find_pieces(cliques, forest, draft, j, affected):
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
