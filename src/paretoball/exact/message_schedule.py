"""Schedules: the part of a maximisation that does not depend on the weights.

Variables are eliminated in order of rank, the highest rank first. The bag of a rank is
the set of neighbours that it has at that time, all of lower rank. The factors of a rank
are the cliques in which it is the highest rank, and the messages sent to it. The table
of a rank, over the rank and its bag, is the sum of its factors. Maximised over the
rank, it becomes the message of the rank, a table over the bag, which is sent to the
highest rank in the bag. A message is read once, then its place is free. In every table
the lowest rank is at bit 0, so the rank to be eliminated is at the highest bit.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import kernel
from paretoball.exact.elimination_order import MAX_WIDTH, NONE, elimination_order
from paretoball.landscape import Cliques, Graph, sorted_index
from paretoball.numerics import offsets
from paretoball.system import Pulse, check_memory, nothing

SLICE = 1 << 24  # entries of messages that one kernel call writes: about 50 ms


class Schedule(NamedTuple):
    """How to maximise a landscape, for any weights."""

    variables: np.ndarray  # (n,) int32: the variable of each rank
    bag_at: np.ndarray  # (n + 1,) int64: where each bag starts in `bags`
    bags: np.ndarray  # int32: the ranks in the bag of each rank, ascending
    choice_at: np.ndarray  # (n + 1,) int64: where the choices of each rank start
    places: np.ndarray  # (n,) int64: where the message of each rank starts
    factor_at: np.ndarray  # (n + 1,) int64: where the factors of each rank start
    sources: np.ndarray  # int64: the first row of a clique, or ~ the place of a message
    lengths: np.ndarray  # int64: how many entries each factor has
    scopes: np.ndarray  # int32: which bits of the rank's table each factor reads

    @property
    def width(self) -> int:
        """The most ranks in a bag."""
        return int(np.diff(self.bag_at).max())


def schedule_of(
    cliques: Cliques, graph: Graph, pulse: Pulse = nothing
) -> tuple[Schedule, int]:
    """The schedule of these cliques, and the entries that its messages take."""
    n, fill = len(graph.at) - 1, elimination_order(graph, pulse)
    sizes = np.diff(fill.bag_at)[::-1]
    variables = fill.order[::-1].copy()
    ranks = _ranks_of(variables)
    owner = np.repeat(np.arange(n)[::-1], sizes[::-1])
    bags = _sorted_rows(ranks[fill.bags[: len(owner)]], owner)
    arities = np.diff(cliques.mask_at)
    clique = np.repeat(np.arange(len(arities)), arities)
    masks = _sorted_rows(ranks[cliques.masks], clique)
    heirs = np.flatnonzero(sizes)  # ranks whose messages are read
    counts = np.concatenate([arities, sizes[heirs]])
    members = np.concatenate([masks, bags])
    ends = np.cumsum(counts)
    reader = members[ends - 1]  # of all members, it is eliminated first
    order = np.argsort(reader, kind="stable")
    schedule = Schedule(
        variables=variables,
        bag_at=offsets(sizes),
        bags=bags,
        choice_at=offsets(1 << sizes),
        places=np.empty(n, np.int64),
        factor_at=offsets(np.bincount(reader, minlength=n)),
        sources=np.concatenate([cliques.table_at[:-1], ~heirs])[order],
        lengths=1 << counts[order],
        scopes=np.zeros(len(order), np.int32),
    )
    _find_scopes(schedule, (ends - counts)[order], members)
    free = np.full(MAX_WIDTH + 1, NONE, np.int64)
    return schedule, int(_place_messages(schedule, free, np.empty(n, np.int64)))


def _ranks_of(variables: np.ndarray) -> np.ndarray:
    """The rank of each variable."""
    ranks = np.empty(len(variables), np.int32)
    ranks[variables] = np.arange(len(variables))
    return ranks


def _sorted_rows(values: np.ndarray, row: np.ndarray) -> np.ndarray:
    """The values sorted by row, and within a row ascending."""
    return np.asarray(values[np.lexsort((values, row))])


@kernel
def _find_scopes(schedule, first, members):
    """Fill `scopes`; the members of factor f start at `first[f]` and are ascending."""
    for r in range(len(schedule.variables)):
        bits = schedule.bag_at[r + 1] - schedule.bag_at[r]
        for f in range(schedule.factor_at[r], schedule.factor_at[r + 1]):
            e = first[f]
            for b in range(bits):
                if schedule.bags[schedule.bag_at[r] + b] == members[e]:
                    schedule.scopes[f] |= 1 << b
                    e += 1
            schedule.scopes[f] |= 1 << bits


@kernel
def _place_messages(schedule, free, after):
    """Find a place for each message; return the entries that all places take.

    Until now `sources` have the rank of a message, afterwards its place. `free[size]`
    is a list, linked by `after`, of the ranks whose places may be used again.
    """
    room = 0
    for r in range(len(schedule.variables) - 1, -1, -1):
        for f in range(schedule.factor_at[r], schedule.factor_at[r + 1]):
            if schedule.sources[f] < 0:
                read = ~schedule.sources[f]
                size = schedule.bag_at[read + 1] - schedule.bag_at[read]
                after[read] = free[size]
                free[size] = read
                schedule.sources[f] = ~schedule.places[read]
        size = schedule.bag_at[r + 1] - schedule.bag_at[r]
        if free[size] == NONE:
            schedule.places[r] = room
            room += 1 << size
        else:
            schedule.places[r] = schedule.places[free[size]]
            free[size] = after[free[size]]
    return room


def spans_of(schedule: Schedule) -> list[tuple[int, int]]:
    """Ranks for each kernel call: (high, low) for high - 1 down to low."""
    slices = schedule.choice_at[:-1] // SLICE
    ends = np.flatnonzero(np.diff(slices, prepend=-1)).tolist()
    return list(zip([*ends[1:], len(slices)], ends))[::-1]


def check_fits(schedule: Schedule, room: int, tables: np.ndarray) -> None:
    """Refuse a schedule whose maximisations would not fit in memory."""
    of_messages = 2 * tables.itemsize * (room + (2 << schedule.width))
    needed = 4 * tables.nbytes + 2 * int(schedule.choice_at[-1]) + of_messages
    check_memory(f"elimination of width {schedule.width} takes tables of", needed)


def tables_by_rank(cliques: Cliques, variables: np.ndarray) -> np.ndarray:
    """The tables with bits by rank, each with a lowest entry of 0: (rows, d) int64."""
    ranks = _ranks_of(variables)
    tables = np.empty(cliques.tables.shape, np.int64)
    arities = np.diff(cliques.mask_at)
    for arity in np.unique(arities):
        members = np.flatnonzero(arities == arity)
        masks = cliques.masks[cliques.mask_at[members, None] + np.arange(arity)]
        index = sorted_index(np.argsort(ranks[masks], axis=1))
        starts = cliques.table_at[members, None]
        own = cliques.tables[starts + index].astype(np.int64)
        tables[starts + np.arange(1 << arity)] = own - own.min(axis=1, keepdims=True)
    return tables
