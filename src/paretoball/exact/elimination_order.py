"""Elimination order: the order in which exact maximisation eliminates variables.

To eliminate a variable is to maximise over it: all tables that read it become one table
over its neighbours, which are then all neighbours of each other. The width is the
largest number of neighbours that a variable has when it is eliminated. The variable of
least degree is eliminated first; of several, the one whose degree changed last. So
elimination stays in one place of a sparse graph, and follows a ring from one end to the
other. The order of the variables' numbers is tried as well, because many problems are
laid out along it. The better of both orders is used.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.landscape import Graph
from paretoball.numerics import with_room
from paretoball.system import Pulse, counted, nothing

MAX_WIDTH = 24  # the largest table has 2**25 entries: 256 MiB
PAIRS = MAX_WIDTH * (MAX_WIDTH - 1) // 2  # edges that one elimination adds at most
NONE = -1  # no edge, no variable, or no degree
SLICE = 1 << 14  # variables that a kernel eliminates before it pauses: some 50 ms
EDGES, STEPS = 0, 1  # entries of `_Fill.counts`


class _Fill(NamedTuple):
    """A graph that fills up while variables are eliminated; kernels change it."""

    # Edge e has two ends: 2 e at its lower variable, and 2 e + 1 at its higher one.
    newest: np.ndarray  # (n,) int32: the newest end at each variable, or NONE
    older: np.ndarray  # (2 room,) int32: the end added before it at the same variable
    other: np.ndarray  # (2 room,) int32: the variable at the other end of the edge
    slots: np.ndarray  # (2 ** b,) int32: a hash table of edges, or NONE
    degrees: np.ndarray  # (n,) int32: neighbours left; NONE if it is eliminated
    # Variables are in lists by level: their degree, or MAX_WIDTH + 1 if it is larger.
    levels: np.ndarray  # (n,) int32: the level whose list each variable is in
    heads: np.ndarray  # (MAX_WIDTH + 2,) int32: the first variable of each list
    after: np.ndarray  # (n,) int32: the next variable of the list, or NONE
    before: np.ndarray  # (n,) int32: the previous variable of the list, or NONE
    order: np.ndarray  # (n,) int32: the variables in order of elimination
    bag_at: np.ndarray  # (n + 1,) int64: where the bag of each step starts
    bags: np.ndarray  # (room,) int32: the neighbours of the variable then eliminated
    counts: np.ndarray  # (2,) int64: edges and steps so far


def _start_fill(graph: Graph) -> _Fill:
    """The co-occurrence graph before any elimination."""
    n, room = len(graph.at) - 1, len(graph.neighbours) // 2 + 2 * PAIRS
    fill = _Fill(
        newest=np.full(n, NONE, np.int32),
        older=np.empty(2 * room, np.int32),
        other=np.empty(2 * room, np.int32),
        slots=np.full(1 << (2 * room).bit_length(), NONE, np.int32),
        degrees=np.zeros(n, np.int32),
        levels=np.empty(n, np.int32),
        heads=np.full(MAX_WIDTH + 2, NONE, np.int32),
        after=np.empty(n, np.int32),
        before=np.empty(n, np.int32),
        order=np.empty(n, np.int32),
        bag_at=np.zeros(n + 1, np.int64),
        bags=np.empty(room, np.int32),
        counts=np.zeros(2, np.int64),
    )
    _copy_graph(graph, fill)
    return fill


def _with_more_room(fill: _Fill) -> _Fill:
    """The same graph, with room for at least the edges of one more elimination."""
    edges = int(fill.counts[EDGES]) + PAIRS
    fill = fill._replace(
        older=with_room(fill.older, 2 * edges),
        other=with_room(fill.other, 2 * edges),
        bags=with_room(fill.bags, edges),
    )
    size = 1 << (2 * len(fill.bags)).bit_length()
    fill = fill._replace(slots=np.full(size, NONE, np.int32))
    _hash_edges(fill)
    return fill


@kernel
def _copy_graph(graph, fill):
    """Add every edge of the graph to `fill`, and list variables by degree."""
    n = len(fill.order)
    for j in range(n):
        for other in graph.neighbours[graph.at[j] : graph.at[j + 1]]:
            if j < other:
                _connect(fill, j, other)
    for j in range(n - 1, -1, -1):
        _enlist(fill, j)


@kernel
def _hash_edges(fill):
    """Put all edges into a hash table that is still empty."""
    for e in range(fill.counts[EDGES]):
        fill.slots[_slot_of(fill, fill.other[2 * e + 1], fill.other[2 * e])] = e


@inlined
def _slot_of(fill, low, high):
    """The slot of the edge between `low` and `high`, or the free slot for it."""
    at = np.int64(low) * 2654435 + np.int64(high) * 40503
    at = (at ^ at >> 13) & (len(fill.slots) - 1)
    while fill.slots[at] != NONE:
        e = np.int64(fill.slots[at])
        if fill.other[2 * e] == high and fill.other[2 * e + 1] == low:
            break
        at = (at + 1) & (len(fill.slots) - 1)
    return at


@inlined
def _connect(fill, low, high):
    """Add the edge between two variables; False if it is there already."""
    at = _slot_of(fill, low, high)
    if fill.slots[at] != NONE:
        return False
    e = fill.counts[EDGES]
    fill.counts[EDGES] += 1
    fill.slots[at] = e
    fill.other[2 * e] = high
    fill.older[2 * e] = fill.newest[low]
    fill.newest[low] = 2 * e
    fill.other[2 * e + 1] = low
    fill.older[2 * e + 1] = fill.newest[high]
    fill.newest[high] = 2 * e + 1
    fill.degrees[low] += 1
    fill.degrees[high] += 1
    return True


@inlined
def _enlist(fill, j):
    """Put j first in the list of its level."""
    level = min(fill.degrees[j], MAX_WIDTH + 1)
    first = fill.heads[level]
    fill.levels[j] = level
    fill.after[j] = first
    fill.before[j] = NONE
    if first != NONE:
        fill.before[first] = j
    fill.heads[level] = j


@inlined
def _strike(fill, j):
    """Remove j from its list."""
    after, before = fill.after[j], fill.before[j]
    if after != NONE:
        fill.before[after] = before
    if before != NONE:
        fill.after[before] = after
    else:
        fill.heads[fill.levels[j]] = after


@kernel
def _eliminate(fill, by_number):
    """Eliminate some variables, by number or least degree first, while there is room.

    False if the next one has more than MAX_WIDTH neighbours.
    """
    lowest, last = 0, min(fill.counts[STEPS] + SLICE, len(fill.order))
    while fill.counts[STEPS] < last:
        if fill.counts[EDGES] + PAIRS > len(fill.bags):
            return True
        while lowest <= MAX_WIDTH and fill.heads[lowest] == NONE:
            lowest += 1
        j = fill.counts[STEPS] if by_number else np.int64(fill.heads[lowest])
        if fill.degrees[j] > MAX_WIDTH:
            return False
        _take_out(fill, j)
        lowest = max(lowest - 1, 0)
    return True


@inlined
def _take_out(fill, j):
    """Eliminate j: its neighbours become neighbours of each other."""
    first, last = _note_neighbours(fill, j)
    _strike(fill, j)
    fill.degrees[j] = NONE
    for a in range(first, last):
        fill.degrees[fill.bags[a]] -= 1
        for b in range(first, a):
            u, v = fill.bags[a], fill.bags[b]
            _connect(fill, min(u, v), max(u, v))
    for u in fill.bags[first:last]:
        if min(fill.degrees[u], MAX_WIDTH + 1) != fill.levels[u]:
            _strike(fill, u)
            _enlist(fill, u)


@inlined
def _note_neighbours(fill, j):
    """Write the bag of j, the next variable of the order; return its first and end."""
    step = fill.counts[STEPS]
    first = last = fill.bag_at[step]
    end = fill.newest[j]
    while end != NONE:
        if fill.degrees[fill.other[end]] != NONE:
            fill.bags[last] = fill.other[end]
            last += 1
        end = fill.older[end]
    fill.order[step] = j
    fill.bag_at[step + 1] = last
    fill.counts[STEPS] += 1
    return first, last


def elimination_order(graph: Graph, pulse: Pulse = nothing) -> _Fill:
    """The better of two orders, with all bags."""
    n = len(graph.at) - 1
    fills = [_eliminated(graph, by_number, pulse) for by_number in (False, True)]
    done = [fill for fill in fills if fill.counts[STEPS] == n]
    if not done:
        degrees = fills[0].degrees
        raise ValueError(
            f"elimination reaches width {degrees[degrees != NONE].min()} with "
            f"{n - fills[0].counts[STEPS]:,} of {counted(n, 'variable')} left: "
            f"tables have 2**width entries, and width {MAX_WIDTH} is the most"
        )
    return min(done, key=_entries)


def width_of_graph(graph: Graph, pulse: Pulse = nothing) -> int | None:
    """The width of the elimination of a graph; None if it is above MAX_WIDTH."""
    if np.diff(graph.at).min() > MAX_WIDTH:
        return None
    try:
        fill = elimination_order(graph, pulse)
    except ValueError:
        return None
    return int(np.diff(fill.bag_at).max())


def _eliminated(graph: Graph, by_number: bool, pulse: Pulse = nothing) -> _Fill:
    """The graph after all eliminations, or as many as MAX_WIDTH allows."""
    fill = _start_fill(graph)
    while _eliminate(fill, by_number) and fill.counts[STEPS] < len(fill.order):
        pulse()
        if fill.counts[EDGES] + PAIRS > len(fill.bags):
            fill = _with_more_room(fill)
    return fill


def _entries(fill: _Fill) -> int:
    """The number of entries of all tables over bags."""
    return int((1 << np.diff(fill.bag_at)).sum())
