"""Numbering: numbers for variables, such that neighbours lie close together.

Then what a flip needs lies close together in memory, and variables with alike
surroundings share a stencil. The numbers are those of a maximum cardinality search
(Tarjan and Yannakakis, 1984): the next variable is the one with the most numbered
neighbours; of several, the one that was met last. That is linear in the edges. Whether
there are new numbers depends on the graph alone, so every worker decides alike.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.landscape.cliques import Graph
from paretoball.system import Pulse, nothing

FEWEST = 1000  # variables: fewer keep their numbers, as all they need is in the cache
DENSEST = 100  # neighbours of a variable, on average; more keep their numbers, too
FAR = 32  # neighbours are far apart if their numbers differ by more than n / FAR
DISORDER = 0.25  # the share of such neighbours above which new numbers are tried
HELP = 0.25  # of that share, what may be left of it for new numbers to be taken
CHUNK = 50_000  # variables numbered between two calls of `pulse`

# The entries of `_Search.progress`.
NUMBERED = 0  # variables that have their number
MET = 1  # entries of `met` in use
MOST = 2  # no variable without a number has more numbered neighbours than this
FIRST = 3  # all variables below have their number
PROGRESS = 4  # entries in all


class Numbering(NamedTuple):
    """Other numbers for the variables of a landscape."""

    number: np.ndarray  # (n,) int32: the new number of each variable
    variable: np.ndarray  # (n,) int32: the variable of each new number

    def inward(self, X: np.ndarray) -> np.ndarray:
        """Solutions, from the variables' own order to that of the new numbers."""
        return np.ascontiguousarray(X[..., self.variable])

    def outward(self, X: np.ndarray) -> np.ndarray:
        """The inverse of `inward`."""
        return np.ascontiguousarray(X[..., self.number])


class _Search(NamedTuple):
    """Where the search stands: a variable met for the c-th time is put on stack c."""

    number: np.ndarray  # (n,) int32: -1 for variables without a number
    variable: np.ndarray  # (n,) int32
    counts: np.ndarray  # (n,) int32: numbered neighbours, for those without a number
    top: np.ndarray  # (largest degree + 1,) int64: the last entry of each stack, or -1
    met: np.ndarray  # (edges,) int32: the variable of each entry
    below: np.ndarray  # (edges,) int64: the entry below in its stack, or -1
    progress: np.ndarray  # (PROGRESS,) int64: by the names above


def is_large_and_sparse(graph: Graph) -> bool:
    """Whether numbers may matter at all."""
    n = len(graph.at) - 1
    return n >= FEWEST and len(graph.neighbours) <= DENSEST * n


def better_numbering(graph: Graph, pulse: Pulse = nothing) -> Numbering | None:
    """Numbers that bring neighbours together; None if there is no need or no use."""
    n = len(graph.at) - 1
    if not is_large_and_sparse(graph):
        return None
    before = _share_of_far(graph, np.arange(n, dtype=np.int32))
    if before <= DISORDER:
        return None
    found = _new_numbering(graph, pulse)
    return found if _share_of_far(graph, found.number) <= HELP * before else None


def _new_numbering(graph: Graph, pulse: Pulse = nothing) -> Numbering:
    """The numbers of a maximum cardinality search."""
    n, edges = len(graph.at) - 1, len(graph.neighbours) // 2
    search = _Search(
        number=np.full(n, -1, np.int32),
        variable=np.empty(n, np.int32),
        counts=np.zeros(n, np.int32),
        top=np.full(int(np.diff(graph.at).max()) + 1, -1, np.int64),
        met=np.empty(edges, np.int32),
        below=np.empty(edges, np.int64),
        progress=np.zeros(PROGRESS, np.int64),
    )
    while search.progress[NUMBERED] < n:
        pulse()
        _number_some(graph, search, min(n, search.progress[NUMBERED] + CHUNK))
    return Numbering(search.number, search.variable)


def _share_of_far(graph: Graph, number: np.ndarray) -> float:
    """Of all pairs of neighbours, the share that these numbers leave far apart."""
    distances = np.repeat(number, np.diff(graph.at)) - number[graph.neighbours]
    far = np.count_nonzero(np.abs(distances) > len(number) // FAR)
    return far / max(1, len(distances))


@kernel
def _number_some(graph, search, last):
    """Number variables until `last` have their number."""
    for next_ in range(search.progress[NUMBERED], last):
        j = _pick(search)
        search.number[j] = next_
        search.variable[next_] = j
        for e in range(graph.at[j], graph.at[j + 1]):
            u = graph.neighbours[e]
            if search.number[u] < 0:
                _meet(search, u)
    search.progress[NUMBERED] = last


@inlined
def _pick(search):
    """A variable with the most numbered neighbours: the one that was met last.

    If none has any, the first without a number. A higher stack is popped first.
    """
    for most in range(search.progress[MOST], 0, -1):
        search.progress[MOST] = most
        while search.top[most] >= 0:
            entry = search.top[most]
            search.top[most] = search.below[entry]
            j = search.met[entry]
            if search.number[j] < 0:
                return np.int64(j)
    while search.number[search.progress[FIRST]] >= 0:
        search.progress[FIRST] += 1
    return search.progress[FIRST]


@inlined
def _meet(search, j):
    """Variable j has one more numbered neighbour: put it on the next stack."""
    search.counts[j] += 1
    most = search.counts[j]
    entry = search.progress[MET]
    search.met[entry] = j
    search.below[entry] = search.top[most]
    search.top[most] = entry
    search.progress[MET] = entry + 1
    search.progress[MOST] = max(search.progress[MOST], most)
