"""Maximisation: the best solution for given weights, exactly, by dynamic programming.

Ranks are eliminated as a schedule says. If w · f fits into 64 bits, tables hold w · f.
Otherwise there are two tables, one for each objective, and values of w · f are compared
without being computed.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.exact.message_schedule import Schedule

LOW_BITS = 8  # bits of a table's index for which packed bits are looked up
LOWEST = (1 << LOW_BITS) - 1  # the mask of these bits
UNROLLED = 2  # bits: four entries at a time
ROUNDING = 1e-15  # the largest error of u a + v b, as a share of u |a| + v |b|


class Work(NamedTuple):
    """The arrays that one maximisation fills."""

    w: np.ndarray  # (d,) int64: the weights
    values: np.ndarray  # int64: all messages; at the end, w · the table of one clique
    table: np.ndarray  # int64: the table of the rank being eliminated
    choices: np.ndarray  # uint8: the best bit of a rank for each assignment of its bag
    x: np.ndarray  # (n,) uint8: the best solution, by rank
    fx: np.ndarray  # (d,) int64: f of the best solution, minus the lower bounds of f
    packed: np.ndarray  # (256, 256) uint8: see `_bit_extraction`


def new_work(schedule: Schedule, room: int, w: np.ndarray) -> Work:
    """Space for maximisations whose messages take `room` entries."""
    spare = int(schedule.lengths[schedule.sources >= 0].max(initial=0))
    return Work(
        w=w,
        values=np.empty(room + spare, np.int64),
        table=np.empty(max(2 << schedule.width, 1 << UNROLLED), np.int64),
        choices=np.empty(schedule.choice_at[-1], np.uint8),
        x=np.empty(len(schedule.variables), np.uint8),
        fx=np.empty(len(w), np.int64),
        packed=_bit_extraction(),
    )


@cache
def _bit_extraction() -> np.ndarray:
    """Row m, column e: the bits of e that are in the mask m, moved together."""
    e = np.arange(1 << LOW_BITS)
    packed = np.zeros((len(e), len(e)), np.int64)
    places = np.zeros((len(e), 1), np.int64)
    for b in range(LOW_BITS):
        read = (e >> b & 1)[:, None]
        packed += (read * (e >> b & 1)) << places
        places += read
    return packed.astype(np.uint8)


@kernel
def maximise(schedule, tables, work, span):
    """Eliminate a span of ranks, where w · f fits into 64 bits.

    After the last one, `work.x` is a solution with the largest w · f.
    """
    for r in range(span[0] - 1, span[1] - 1, -1):
        _sum_factors(schedule, tables, work, r)
        _keep_better(schedule, work, r)
    if span[1] == 0:
        _trace_back(schedule, tables, work)


@kernel
def maximise_wide(schedule, tables, w, works, span):
    """The same for two objectives with a `Work` each, and any positive weights."""
    first, second = works
    for r in range(span[0] - 1, span[1] - 1, -1):
        _sum_factors(schedule, tables, first, r)
        _sum_factors(schedule, tables, second, r)
        _keep_better_pair(schedule, w, first, second, r)
    if span[1] == 0:
        _trace_back(schedule, tables, first)


@inlined
def _sum_factors(schedule, tables, work, r):
    """Fill the table of rank r: the sum of its factors."""
    bits = schedule.bag_at[r + 1] - schedule.bag_at[r] + 1
    first = schedule.factor_at[r]
    if first == schedule.factor_at[r + 1]:  # nothing reads the variable
        work.table[:2] = 0
    for f in range(first, schedule.factor_at[r + 1]):
        source = ~schedule.sources[f]
        if source < 0:
            source = len(work.values) - schedule.lengths[f]
            _weigh(tables[schedule.sources[f] :], work.w, work.values[source:])
        _add_factor(work, source, np.int64(schedule.scopes[f]), bits, f == first)


@inlined
def _weigh(rows, w, values):
    """values[e] = w · row e of a clique's table, for each e."""
    for e in range(len(values)):
        value = w[0] * rows[e, 0]
        for i in range(1, len(w)):
            value += w[i] * rows[e, i]
        values[e] = value


@inlined
def _add_factor(work, source, scope, bits, is_first):
    """Add a factor to a table of `bits` bits; the factor reads the bits in `scope`.

    The table is a row of blocks. From one block to the next, one bit becomes 1 and all
    lower bits become 0. If the factor reads that bit, the next block starts at the next
    value of the factor; otherwise it starts again at an earlier value.
    """
    low = max(UNROLLED, min(bits, LOW_BITS))
    packed = work.packed[scope & LOWEST]
    run = np.int64(packed[LOWEST]) + 1
    for block in range(1 << max(0, bits - low)):
        table = work.table[block << low : block + 1 << low]
        _add_block(table, work.values[source : source + run], packed, is_first)
        source += run
        bit, behind = low, run
        while block & 1:
            behind <<= scope >> bit & 1
            bit += 1
            block >>= 1
        if not scope >> bit & 1:
            source -= behind


@inlined
def _add_block(table, part, packed, is_first):
    """Add part[packed[e]] to table[e], or set table[e] to it for the first factor.

    The loop does four entries at a time. The compiler turns a loop of one entry at a
    time into gather instructions, which wait for the message that was just written; it
    takes twice as long.
    """
    for e in range(0, len(table), 1 << UNROLLED):
        a, b = part[packed[e]], part[packed[e + 1]]
        c, d = part[packed[e + 2]], part[packed[e + 3]]
        if not is_first:
            a, b = a + table[e], b + table[e + 1]
            c, d = c + table[e + 2], d + table[e + 3]
        table[e], table[e + 1] = a, b
        table[e + 2], table[e + 3] = c, d


@inlined
def _keep_better(schedule, work, r):
    """The message of rank r: the better half of its table, and which half it is."""
    first, last = schedule.choice_at[r], schedule.choice_at[r + 1]
    choices, message = work.choices[first:last], work.values[schedule.places[r] :]
    zeros, ones = work.table[: last - first], work.table[last - first :]
    for e in range(len(choices)):
        message[e] = max(zeros[e], ones[e])
        choices[e] = ones[e] > zeros[e]


@inlined
def _keep_better_pair(schedule, w, first, second, r):
    """The same for two objectives; the choices are in `first`."""
    at, place = schedule.choice_at[r], schedule.places[r]
    half = schedule.choice_at[r + 1] - at
    for e in range(half):
        gain = first.table[half + e] - first.table[e]
        other_gain = second.table[half + e] - second.table[e]
        one = _is_gain(w[0], gain, w[1], other_gain)
        first.values[place + e] = first.table[e] + one * gain
        second.values[place + e] = second.table[e] + one * other_gain
        first.choices[at + e] = one


@inlined
def _is_gain(u, a, v, b):
    """Whether u a + v b > 0, for positive u and v: exact, even if products overflow."""
    near, size = float(u) * a + float(v) * b, float(u) * abs(a) + float(v) * abs(b)
    if abs(near) > ROUNDING * size:
        return near > 0
    if a > 0 and b < 0:
        return _is_larger(a, -b, v, u)
    return a < 0 and b > 0 and _is_larger(b, -a, u, v)


@inlined
def _is_larger(a, b, c, d):
    """Whether a / b > c / d, for positive numbers, by their continued fractions."""
    while a // b == c // d:
        a, c = a % b, c % d
        if a == 0 or c == 0:
            return a > c
        a, b, c, d = d, c, b, a
    return a // b > c // d


@inlined
def _trace_back(schedule, tables, work):
    """Fill x and fx from the choices; the rank eliminated last comes first."""
    work.fx[:] = 0
    for r in range(len(schedule.variables)):
        bits = schedule.bag_at[r + 1] - schedule.bag_at[r]
        here = np.int64(0)
        for b in range(bits):
            here |= np.int64(work.x[schedule.bags[schedule.bag_at[r] + b]]) << b
        work.x[r] = work.choices[schedule.choice_at[r] + here]
        here |= np.int64(work.x[r]) << bits
        for f in range(schedule.factor_at[r], schedule.factor_at[r + 1]):
            if schedule.sources[f] >= 0:
                row = schedule.sources[f] + _pack(work, schedule.scopes[f], here)
                for i in range(len(work.fx)):
                    work.fx[i] += tables[row, i]


@inlined
def _pack(work, scope, here):
    """The bits of `here` that are in `scope`, moved together."""
    entry, scale = 0, 1
    while scope:
        packed = work.packed[scope & LOWEST]
        entry += scale * packed[here & LOWEST]
        scale *= np.int64(packed[LOWEST]) + 1
        scope >>= LOW_BITS
        here >>= LOW_BITS
    return entry
