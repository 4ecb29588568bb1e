"""Tables of fronts: what one step of an elimination makes of earlier tables."""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.exact.front_merging import BLOCK, Seen, merge, new_seen
from paretoball.exact.message_schedule import Schedule
from paretoball.numerics import with_room

RUNS = 64  # of a join: more than it can have, because each is twice as long as the next
DONE, MORE_WORK, MORE_ROOM = 0, 1, 2  # what a join stopped for
STATE, ENTRY = 0, 1  # entries of `Space.state`
FIRST_ROOM = 1 << 12  # numbers


class Fronts(NamedTuple):
    """A front for each assignment of a scope."""

    at: np.ndarray  # (2**scope + 1,) int64: where each front starts, in numbers
    values: np.ndarray  # int64: the vectors of all fronts, end to end

    @property
    def nbytes(self) -> int:
        """The memory that it takes."""
        return self.at.nbytes + self.values.nbytes


class Space(NamedTuple):
    """Room that all steps use again; `values` is where they write their fronts."""

    base: np.ndarray  # int64: a vector for each entry of a table: its cliques
    at: np.ndarray  # int64: where fronts start
    values: np.ndarray  # int64: the numbers of fronts
    work: np.ndarray  # int64: of a join: runs, end to end
    runs: np.ndarray  # (RUNS,) int64: of a join: where each run starts
    state: np.ndarray  # (2,) int64: of a join: why it stopped, and at which entry
    seen: Seen


def new_space(caps: np.ndarray, width: int) -> Space:
    """Room for steps whose tables have up to 2**(width + 1) entries.

    There is no room for the numbers of fronts yet.
    """
    d = len(caps)
    return Space(
        base=np.empty(d * 2 << width, np.int64),
        at=np.zeros((2 << width) + 1, np.int64),
        values=np.empty(0, np.int64),
        work=np.empty(FIRST_ROOM, np.int64),
        runs=np.empty(RUNS, np.int64),
        state=np.zeros(2, np.int64),
        seen=new_seen(caps, FIRST_ROOM // d),
    )


def nothing_read(d: int) -> Fronts:
    """The table of no step: the zero vector, for an empty scope."""
    return Fronts(np.array([0, d]), np.zeros(d, np.int64))


def chosen_room(read: Fronts, bits: int, read_bits: int) -> int:
    """The most numbers that a choice can write, and enough for it."""
    return int(read.at[-1]) << (bits - read_bits.bit_count())


def with_values(space: Space, d: int, room: int) -> Space:
    """The space with room for so many numbers of fronts."""
    if room > len(space.values):
        least = max(FIRST_ROOM, len(space.values) * 5 // 4)
        space = space._replace(values=np.empty(max(room, least), np.int64))
    return _with_seen(space, d, room)


def with_more(space: Space, d: int) -> Space:
    """The space of a join that stopped, with more of the room that it lacks."""
    if space.state[STATE] == MORE_WORK:
        space = space._replace(work=np.empty(2 * len(space.work), np.int64))
        return _with_seen(space, d, len(space.work))
    return space._replace(values=with_room(space.values, 2 * len(space.values) + 2))


def _with_seen(space: Space, d: int, numbers: int) -> Space:
    """The space, with room to merge fronts of so many numbers."""
    if d == 2 or numbers // d <= len(space.seen.sizes) * BLOCK // 2 - BLOCK:
        return space
    return space._replace(seen=new_seen(space.seen.caps, numbers // d))


def copied_fronts(space: Space, bits: int) -> Fronts:
    """The table that was just written."""
    at = space.at[: (1 << bits) + 1].copy()
    return Fronts(at, space.values[: at[-1]].copy())


def add_cliques(
    schedule: Schedule, tables: np.ndarray, space: Space, rank: int
) -> None:
    """Fill `base`: for each entry of the table of a rank, the sum of its cliques."""
    bits = int(schedule.bag_at[rank + 1] - schedule.bag_at[rank]) + 1
    _add_cliques(schedule, tables, space.base[: tables.shape[1] << bits], rank)


@kernel
def _add_cliques(schedule, tables, base, rank):
    """The same, with just the entries that the rank has."""
    d = tables.shape[1]
    base[:] = 0
    for f in range(schedule.factor_at[rank], schedule.factor_at[rank + 1]):
        if schedule.sources[f] >= 0:
            scope, low = np.int64(schedule.scopes[f]), 0
            while scope & 1 == 0:  # lower bits than these make no difference
                scope >>= 1
                low += 1
            for block in range(len(base) // d >> low):
                row = schedule.sources[f] + packed(scope, block)
                for e in range(block << low, block + 1 << low):
                    for i in range(d):
                        base[e * d + i] += tables[row, i]


@inlined
def packed(mask, e):
    """The bits of e that are in the mask, moved together."""
    entry, place = 0, 0
    while mask:
        if mask & 1:
            entry |= (e & 1) << place
            place += 1
        mask >>= 1
        e >>= 1
    return entry


@kernel
def choose(read, bits, read_bits, d, space):
    """Write, for each entry, the better of the fronts with the highest bit 0 and 1."""
    half = 1 << (bits - 1)
    space.at[0] = 0
    for e in range(half):
        a, b = packed(read_bits, e), packed(read_bits, e + half)
        zero = read.values[read.at[a] : read.at[a + 1]]
        one = read.values[read.at[b] : read.at[b + 1]]
        moves = (
            space.base[e * d : (e + 1) * d],
            space.base[(e + half) * d : (e + half + 1) * d],
        )
        out = space.values[space.at[e] :]
        count = merge(zero, one, moves, out, space.seen)
        space.at[e + 1] = space.at[e] + count * d


@kernel
def join(tables, masks, bits, d, space):
    """Write, for each entry, the front of all sums of two vectors, one of each table.

    It starts at an entry, and stops there again if it lacks room: `state` says why.
    """
    space.base[:d] = 0
    space.at[0] = 0
    for e in range(space.state[ENTRY], 1 << bits):
        space.state[ENTRY] = e
        a, b = packed(masks[0], e), packed(masks[1], e)
        one = tables[0].values[tables[0].at[a] : tables[0].at[a + 1]]
        other = tables[1].values[tables[1].at[b] : tables[1].at[b + 1]]
        size = 0
        if len(one) >= len(other):
            size = _add_fronts(one, other, d, space)
        else:
            size = _add_fronts(other, one, d, space)
        if size < 0:
            space.state[STATE] = MORE_WORK
            return
        start = space.at[e]
        if start + size > len(space.values):
            space.state[STATE] = MORE_ROOM
            return
        for place in range(size):
            space.values[start + place] = space.work[place]
        space.at[e + 1] = start + size
    space.state[STATE] = DONE


@inlined
def _add_fronts(long, short, d, space):
    """Write the sums of two fronts to `work`; their numbers, or -1 if there is no room.

    A run is the long front, moved by some vectors of the short one. Two runs made of
    equally many are merged at once, so a vector is merged about log2(short) times.
    """
    work, runs, none = space.work, space.runs, long[:0]
    end, count = 0, 0
    for j in range(0, len(short), 2 * d):
        more = long if j + d < len(short) else none
        if end + len(long) + len(more) > len(work):
            return -1
        moves = (short[j : j + d], short[j + d : j + 2 * d] if len(more) else short[:d])
        runs[count] = end
        end += d * merge(long, more, moves, work[end:], space.seen)
        count += 1
        rest = j // (2 * d) + 1  # runs begun; of those with equally many, two merge
        while rest % 2 == 0:
            end = _merge_runs(space, count, end, d)
            if end < 0:
                return -1
            count -= 1
            rest //= 2
    while count > 1:
        end = _merge_runs(space, count, end, d)
        if end < 0:
            return -1
        count -= 1
    return end


@kernel
def _merge_runs(space, count, end, d):
    """Merge the last two of `count` runs; where the result ends, or -1."""
    work, zero = space.work, space.base[:d]
    first, second = space.runs[count - 2], space.runs[count - 1]
    if end + end - first > len(work):
        return -1
    size = d * merge(
        work[first:second], work[second:end], (zero, zero), work[end:], space.seen
    )
    for place in range(size):
        work[first + place] = work[end + place]
    return first + size
