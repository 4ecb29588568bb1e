"""Moves: M^r, every connected set of at most r variables, once.

By Proposition 1 the score of every move in the Hamming ball of radius r is a sum of
scores of these moves. They form a forest: a move of two or more variables is its parent
plus the largest variable without which the move is still connected. Moves are numbered
by size, then by parent, then by the variable added: no list of moves is sorted.
"""

from collections.abc import Iterator, Sequence
from math import comb
from operator import mul
from typing import Any, NamedTuple, overload

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.climber.triangles import count_triangles
from paretoball.landscape import Graph, Landscape
from paretoball.numerics import find_place, grown, offsets, sort
from paretoball.system import Pulse, available_memory, checked_whole, nothing

COUNT_LIMIT = 10**8  # moves; beyond, counting stops, as it would take too long
MAX_RADIUS = 30
LARGEST = 2**63 - 1
ROW = 16  # bytes that a move takes for each of its variables, while it is counted
CHUNK = 20_000  # moves grown between two calls of `pulse`, at most
MET = 1 << 20  # neighbours that they meet, for more than one move
LISTED = 1 << 20  # moves listed between two calls of `pulse`


class Forest(NamedTuple):
    """M^r of one co-occurrence graph, each move with the one it grew from."""

    tier_at: np.ndarray  # (r + 2,) int64: moves of size s are tier_at[s]..tier_at[s+1]
    flips: np.ndarray  # (size, r) int32: the variables of each move, ascending, then -1
    parents: np.ndarray  # (size,) int32: the move it grew from; -1 for single flips
    at: np.ndarray  # (n + 1,) int64: where the moves of each variable start
    containing: np.ndarray  # int32: for each variable the moves that flip it, ascending


class Moves(Sequence[tuple[int, ...]]):
    """The moves of a climber, by number, each a tuple of variables.

    Examples
    --------
    >>> path = [((0, 1), [0, 1, 1, 0]), ((1, 2), [0, 1, 1, 0])]
    >>> landscape = Landscape.from_subfunctions(3, [path])
    >>> moves = Moves(enumerate_moves(landscape.cooccurrence, radius=2))
    >>> list(moves), moves.index([2, 1])
    ([(0,), (1,), (2,), (0, 1), (1, 2)], 4)
    """

    def __init__(self, forest: Forest):
        self._forest = forest
        self._lookup: dict[tuple[int, ...], int] | None = None

    def __len__(self) -> int:
        return len(self._forest.flips)

    @overload
    def __getitem__(self, v: int) -> tuple[int, ...]: ...
    @overload
    def __getitem__(self, v: slice) -> list[tuple[int, ...]]: ...
    def __getitem__(self, v: Any) -> Any:
        if isinstance(v, slice):
            return [self[each] for each in range(*v.indices(len(self)))]
        if not -len(self) <= v < len(self):
            raise IndexError(f"move {v} of a set of {len(self)}")
        flips = self._forest.flips[v]
        return tuple(flips[flips >= 0].tolist())

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        for row in self._forest.flips.tolist():
            yield tuple(j for j in row if j >= 0)

    def index(self, variables: Any, *_: Any) -> int:
        """The number of the move that flips exactly these variables."""
        wanted = tuple(sorted(variables))
        if self._lookup is None:
            self._lookup = {move: v for v, move in enumerate(self)}
        if wanted not in self._lookup:
            raise ValueError(
                f"{list(variables)} is not a stored move: moves are connected sets of "
                f"1 to {self._forest.flips.shape[1]} distinct variables"
            )
        return self._lookup[wanted]

    def __contains__(self, variables: object) -> bool:
        try:
            self.index(variables)
        except (TypeError, ValueError):
            return False
        return True


def checked_radius(radius: Any) -> int:
    """The radius as an int."""
    return checked_whole("radius", radius, 1, MAX_RADIUS)


def count_moves(landscape: Landscape, radius: int, pulse: Pulse = nothing) -> int:
    """|M^r|: exact, and without storing a move, for radius 1, 2 and 3.

    For larger radii, moves are grown and counted. Counting stops once there are more
    than 10**8 moves, or more than fit in memory; the result is then a lower bound.
    `pulse` is called now and then; an exception that it raises ends the count.

    Examples
    --------
    >>> ring = [((j, (j + 1) % 9), [0, 1, 1, 0]) for j in range(9)]
    >>> count_moves(Landscape.from_subfunctions(9, [ring]), radius=3)
    27
    """
    return counted_moves(landscape, radius, pulse)[0]


def counted_moves(
    landscape: Landscape, radius: int, pulse: Pulse = nothing
) -> tuple[int, bool]:
    """The same, and whether all moves were counted."""
    radius, degrees = checked_radius(radius), landscape.degrees
    total = landscape.n
    if radius >= 2:
        total += int(degrees.sum()) // 2
    if radius >= 3:
        graph = landscape.cooccurrence
        wedges = sum((degrees * (degrees - 1) // 2).tolist())
        total += wedges - 2 * count_triangles(graph)
    if radius <= 3:
        return total, True
    most = min(COUNT_LIMIT, available_memory() // (ROW * radius))
    total += sum(_fewest(degrees, size) for size in range(4, radius + 1))
    if total > most:
        return total, False
    flips = np.arange(landscape.n, dtype=np.int32)[:, None]
    total = landscape.n
    for size in range(2, radius + 1):
        tier = _grow_tier(graph, flips, size < radius, pulse, most - total)
        total, flips = total + tier.size, tier.flips
        if total > most:
            return total, False
    return total, True


def _fewest(degrees: np.ndarray, size: int) -> int:
    """A lower bound on the moves of a size: a variable with some of its neighbours."""
    # A move is such a set at most once for each of its variables.
    found, counts = np.unique(degrees, return_counts=True)
    stars = [comb(degree, size - 1) for degree in found.tolist()]
    return max(max(stars), sum(map(mul, stars, counts.tolist())) // size)


def single_flips(n: int) -> Forest:
    """The moves of one variable each: M^1."""
    every = np.arange(n, dtype=np.int32)
    parents = np.full(n, -1, np.int32)
    return Forest(np.array([0, 0, n]), every[:, None], parents, np.arange(n + 1), every)


def enumerate_moves(graph: Graph, radius: int, pulse: Pulse = nothing) -> Forest:
    """All connected sets of at most `radius` variables; the paper's M^r."""
    n = len(graph.at) - 1
    tiers = [np.arange(n, dtype=np.int32)[:, None]]
    parents = [np.full(n, -1, np.int32)]
    tier_at = [0, 0, n]
    for _ in range(1, radius):
        tier = _grow_tier(graph, tiers[-1], True, pulse)
        tiers.append(tier.flips)
        parents.append(tier.parents + np.int32(tier_at[-2]))
        tier_at.append(tier_at[-1] + tier.size)
    flips = np.full((tier_at[-1], radius), -1, np.int32)
    for size, tier_flips in enumerate(tiers, start=1):
        pulse()
        flips[tier_at[size] : tier_at[size + 1], :size] = tier_flips
    at, containing = _moves_by_variable(n, flips, pulse)
    return Forest(np.array(tier_at), flips, np.concatenate(parents), at, containing)


def _moves_by_variable(
    n: int, flips: np.ndarray, pulse: Pulse
) -> tuple[np.ndarray, np.ndarray]:
    """The moves that flip each variable, end to end, and where those of each start."""
    chunks = range(0, len(flips), LISTED)
    counts = np.zeros(n + 1, np.int64)
    for first in chunks:
        pulse()
        some = flips[first : first + LISTED].ravel()
        counts += np.bincount(some + 1, minlength=n + 1)  # -1, which is none, at first
    at = offsets(counts[1:])
    cursor, containing = at[:-1].copy(), np.empty(at[-1], np.int32)
    for first in chunks:
        pulse()
        _list_moves(flips[first : first + LISTED], first, cursor, containing)
    return at, containing


@kernel
def _list_moves(flips, first, cursor, containing):
    """List, for each variable, the moves that flip it; they are number `first` on."""
    for v in range(len(flips)):
        for b in range(flips.shape[1]):
            j = flips[v, b]
            if j >= 0:
                containing[cursor[j]] = first + v
                cursor[j] += 1


class _Tier(NamedTuple):
    """The moves of one size."""

    flips: np.ndarray  # (size, variables) int32
    parents: np.ndarray  # (size,) int32: which move of the tier below it grew from
    size: int = 0


def _grow_tier(
    graph: Graph, flips: np.ndarray, stored: bool, pulse: Pulse, most: int = LARGEST
) -> _Tier:
    """The moves one variable larger, or their count if not `stored`, up to `most`."""
    n, size, degrees = len(graph.at) - 1, flips.shape[1], np.diff(graph.at)
    widest = min(n, int(degrees.max(initial=0)) * size)
    seen, candidates = np.full(n, -1, np.int32), np.empty(widest, np.int32)
    space = seen, candidates, np.empty(size + 1, np.int32)
    room = 2 * len(flips) if stored else 0
    tier = _Tier(np.empty((room, size + 1), np.int32), np.empty(room, np.int32))
    first, count = 0, 0
    while first < len(flips) and count <= most:
        pulse()
        met = degrees[flips[first : first + CHUNK]].sum(axis=1).cumsum()
        last = first + max(1, int(np.searchsorted(met, MET, side="right")))
        found = _grow(graph, flips, first, last, tier, count, space)
        if stored and found > len(tier.parents):
            room = 2 * found
            tier = _Tier(grown(tier.flips, room, pulse), grown(tier.parents, room))
            seen[:] = -1
            found = _grow(graph, flips, first, last, tier, count, space)
        first, count = last, found
    return _Tier(tier.flips[:count], tier.parents[:count], count)


@kernel
def _grow(graph, flips, first, last, tier, count, space):
    """Add the children of moves first..last to `tier`, as far as there is room."""
    seen, candidates, move = space  # the last move that met a variable; whom it met
    for v in range(first, last):
        for j in flips[v]:
            seen[j] = v
        found = 0
        for a in flips[v]:
            for e in range(graph.at[a], graph.at[a + 1]):
                j = graph.neighbours[e]
                if seen[j] != v:
                    seen[j] = v
                    candidates[found] = j
                    found += 1
        sort(candidates, 0, found)
        for j in candidates[:found]:
            for b in range(len(move) - 1):
                move[b] = flips[v, b]
            move[len(move) - 1] = j
            sort(move, 0, len(move))
            if _is_child(graph, move, j):
                if count < len(tier.parents):
                    for b in range(len(move)):
                        tier.flips[count, b] = move[b]
                    tier.parents[count] = v
                count += 1
    return count  # of all, those without room included


@inlined
def _is_child(graph, move, j):
    """Whether j is the largest variable without which `move` is still connected."""
    for at in range(len(move) - 1, -1, -1):
        if move[at] == j:
            return True
        if _is_connected_without(graph, move, at):
            return False
    return True


@inlined
def _is_connected_without(graph, move, left_out):
    """Whether `move` is connected without the variable at place `left_out`."""
    others = ((1 << len(move)) - 1) & ~(1 << left_out)  # not reached yet
    frontier = others & -others
    while frontier:
        others &= ~frontier
        found = 0
        for a in range(len(move)):
            for b in range(len(move)):
                if frontier >> a & 1 and others >> b & 1:
                    found |= np.int64(_co_occur(graph, move[a], move[b])) << b
        frontier = found
    return others == 0


@inlined
def _co_occur(graph, a, b):
    """Whether variables a and b are neighbours."""
    last = graph.at[a + 1]
    place = find_place(graph.neighbours, graph.at[a], last, b)
    return place < last and graph.neighbours[place] == b
