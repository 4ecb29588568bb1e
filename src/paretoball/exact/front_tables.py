"""Tables of fronts: what one step of an elimination makes of earlier tables."""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.exact.front_merging import (
    LEFT,
    PAUSED,
    Seen,
    merge,
    new_seen,
    room_of,
    seen_bytes,
)
from paretoball.exact.message_schedule import Schedule
from paretoball.numerics import grown
from paretoball.system import Pulse, nothing

RUNS = 64  # of a join: more than it can have, because each is twice as long as the next
DONE, PAUSE, MORE_WORK, MORE_ROOM = 0, 1, 2, 3  # what a join stopped for
# Entries of `Seen.state` that are those of a step:
WHY = 6  # it stopped, if it is a join
ENTRY = 7  # the entry of its table that it is at
BEGUN, COUNT, END = 8, 9, 10  # of a join: runs begun, runs there, where the last ends
NEEDED = 11  # of a join: the numbers that the next merge may write
FIRST_ROOM = 1 << 10  # numbers
SLICE = 1 << 23  # comparisons that a kernel makes before it pauses: some 50 ms


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
    seen: Seen

    @property
    def nbytes(self) -> int:
        """The memory that it takes."""
        return sum(each.nbytes for each in (*self[:-1], *self.seen))

    @property
    def compared(self) -> int:
        """The comparisons that were made since the last `allow_more`."""
        return SLICE - int(self.seen.state[LEFT])

    def allow_more(self) -> None:
        """Let the next kernel make some comparisons."""
        self.seen.state[LEFT] = SLICE

    def start_step(self) -> None:
        """Let the next kernel start at the first entry."""
        self.seen.state[WHY:] = 0


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
        seen=new_seen(caps, FIRST_ROOM // d),
    )


def nothing_read(d: int) -> Fronts:
    """The table of no step: the zero vector, for an empty scope."""
    return Fronts(np.array([0, d]), np.zeros(d, np.int64))


def chosen_room(read: Fronts, bits: int, read_bits: int) -> int:
    """The most numbers that a choice can write, and enough for it."""
    return int(read.at[-1]) << (bits - read_bits.bit_count())


def more_bytes(space: Space, values: int, work: int, points: int) -> int:
    """The bytes that `with_more` allocates for the same room."""
    more = sum(
        8 * need
        for have, need in ((space.values, values), (space.work, work))
        if need > len(have)
    )
    d = len(space.seen.caps)
    return more + seen_bytes(d, points) * (d > 2 and points > room_of(space.seen))


def with_more(space: Space, values: int, work: int, points: int) -> Space:
    """The space with room for so many numbers, and so many points in `seen`.

    What is in `work` and `values` is kept.
    """
    if points > room_of(space.seen) and len(space.seen.caps) > 2:
        seen = new_seen(space.seen.caps, points)._replace(state=space.seen.state)
        space = space._replace(seen=seen)
    if values > len(space.values):
        space = space._replace(values=grown(space.values, values))
    if work > len(space.work):
        space = space._replace(work=grown(space.work, work))
    return space


def copied_fronts(space: Space, bits: int) -> Fronts:
    """The table that was just written."""
    at = space.at[: (1 << bits) + 1].copy()
    return Fronts(at, space.values[: at[-1]].copy())


def add_cliques(
    schedule: Schedule,
    tables: np.ndarray,
    space: Space,
    rank: int,
    pulse: Pulse = nothing,
) -> None:
    """Fill `base`: for each entry of the table of a rank, the sum of its cliques."""
    bits = int(schedule.bag_at[rank + 1] - schedule.bag_at[rank]) + 1
    base = space.base[: tables.shape[1] << bits]
    for start in range(0, len(base), SLICE):
        if start:
            pulse()
        base[start : start + SLICE] = 0
    first, last = schedule.factor_at[rank : rank + 2].tolist()
    some = max(1, SLICE // len(base))
    for factor in range(first, last, some):
        if factor > first:
            pulse()
        span = factor, min(factor + some, last)
        add_factors(schedule, tables, base, span)


@kernel
def add_factors(schedule, tables, base, span):
    """Add those of a span of factors that are cliques, to all entries of a rank."""
    d = tables.shape[1]
    for f in range(span[0], span[1]):
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
    """Write, for each entry, the better of the fronts with the highest bit 0 and 1.

    False if it paused: the same call goes on.
    """
    half = 1 << (bits - 1)
    space.at[0] = 0
    for e in range(space.seen.state[ENTRY], half):
        a, b = packed(read_bits, e), packed(read_bits, e + half)
        zero = read.values[read.at[a] : read.at[a + 1]]
        one = read.values[read.at[b] : read.at[b + 1]]
        moves = (
            space.base[e * d : (e + 1) * d],
            space.base[(e + half) * d : (e + half + 1) * d],
        )
        out = space.values[space.at[e] :]
        count = merge(zero, one, moves, out, space.seen)
        if count == PAUSED:
            space.seen.state[ENTRY] = e
            return False
        space.at[e + 1] = space.at[e] + count * d
    return True


@kernel
def join(tables, masks, bits, d, space):
    """Write, for each entry, the front of all sums of two vectors, one of each table.

    If it lacks room, or pauses, the same call goes on: `state` says why it stopped.
    """
    state = space.seen.state
    space.base[:d] = 0
    space.at[0] = 0
    while state[ENTRY] < 1 << bits:
        e = state[ENTRY]
        a, b = packed(masks[0], e), packed(masks[1], e)
        long = tables[0].values[tables[0].at[a] : tables[0].at[a + 1]]
        short = tables[1].values[tables[1].at[b] : tables[1].at[b + 1]]
        if len(long) < len(short):
            long, short = short, long
        state[WHY] = _add_fronts(long, short, d, space)
        start, size = space.at[e], state[END]
        if state[WHY] == DONE and start + size > len(space.values):
            state[WHY] = MORE_ROOM
        if state[WHY] != DONE:
            return
        for place in range(size):
            space.values[start + place] = space.work[place]
        space.at[e + 1] = start + size
        state[ENTRY] += 1
        state[BEGUN] = state[COUNT] = state[END] = 0


@inlined
def _add_fronts(long, short, d, space):
    """Write the sums of two fronts to `work`: DONE, or why it stopped.

    A run is the long front, moved by some vectors of the short one. Two runs made of
    equally many are merged at once, so a vector is merged about log2(short) times.
    """
    work, runs, zero, state = space.work, space.runs, space.base[:d], space.seen.state
    while True:
        count, end = state[COUNT], state[END]
        j = state[BEGUN] * 2 * d
        is_last = j >= len(short)
        are_runs = count > (1 if is_last else _ones(state[BEGUN]))
        if are_runs:
            start = runs[count - 2]
            first, second = work[start : runs[count - 1]], work[runs[count - 1] : end]
            moves = (zero, zero)
        elif is_last:
            return DONE
        else:
            start = end
            first, second = long, long if j + d < len(short) else long[:0]
            moves = (
                short[j : j + d],
                short[j + d : j + 2 * d] if len(second) else zero,
            )
        state[NEEDED] = len(first) + len(second)
        if end + state[NEEDED] > len(work) or (
            d > 2 and state[NEEDED] // d > room_of(space.seen)
        ):
            return MORE_WORK
        merged = merge(first, second, moves, work[end:], space.seen)
        if merged == PAUSED:
            return PAUSE
        if are_runs:
            for place in range(merged * d):
                work[start + place] = work[end + place]
            state[COUNT] -= 1
        else:
            runs[count] = start
            state[COUNT] += 1
            state[BEGUN] += 1
        state[END] = start + merged * d


@inlined
def _ones(number):
    """How many bits of a number are 1: as many runs wait for another of their size."""
    count = 0
    while number:
        count += number & 1
        number >>= 1
    return count
