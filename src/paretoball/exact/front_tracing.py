"""Tracing: the solutions of a front, from its last step back to the first.

Each vector of the front has a target in each table that was just read: the part of it
that this table is to account for. A choice finds the bit of its rank, and what is left
for the table that it reads. A join splits the target in two. Vectors are looked up in
the tables, so nothing but the tables has to be kept.

Columns of constraints may be capped, so a vector that is looked up has the objectives
of the target, and in all other columns at least as much. What was found becomes the
next target.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.exact.front_steps import Step
from paretoball.exact.front_tables import Fronts, packed
from paretoball.landscape import packed_bits
from paretoball.system import Pulse

TURNED = 1 << 26  # bits that are unpacked at a time
LOOKUPS = 1 << 16  # vectors that a kernel looks up before it pauses: some 50 ms


class Trace(NamedTuple):
    """Solutions, as far as they are known: bit j % 8 of byte j / 8 is solution j's."""

    bits: np.ndarray  # (n, size / 8) uint8: the bits of each rank
    targets: dict[int, np.ndarray]  # for each table to be read, (size, columns) int64
    d: int  # columns that are objectives; others are of constraints


def new_trace(n: int, step: int, front: np.ndarray, d: int) -> Trace:
    """Nothing is known yet but the front of the last step."""
    return Trace(np.zeros((n, -(-len(front) // 8)), np.uint8), {step: front}, d)


def trace_choice(
    trace: Trace,
    number: int,
    step: Step,
    read: Fronts,
    base: np.ndarray,
    pulse: Pulse,
) -> None:
    """Find the bits of a rank; what is left becomes the target of the table read."""
    target = trace.targets.pop(number)
    bag = np.array(step.scope, np.int64)
    columns = target.shape[1]
    base = base[: columns << step.bits].reshape(-1, columns)
    reading = step.first_bits, read, np.zeros(len(read.at), np.int64), trace.d
    for first in range(0, len(target), LOOKUPS):
        if first:
            pulse()
        where = bag, step.rank, (first, min(first + LOOKUPS, len(target)))
        _choose_bits(trace.bits, where, reading, base, target)
    if step.first >= 0:
        trace.targets[step.first] = target


def trace_join(
    trace: Trace, number: int, step: Step, first: Fronts, second: Fronts, pulse: Pulse
) -> None:
    """Split the target of a join into the targets of the two tables read."""
    target = trace.targets.pop(number)
    scope, masks = np.array(step.scope, np.int64), (step.first_bits, step.second_bits)
    part = np.empty_like(target)
    places = np.zeros(max(len(first.at), len(second.at)), np.int64)
    done = 0
    while done < len(target):
        reading = scope, masks, places, trace.d, done
        done = _split_targets(trace.bits, reading, (first, second), target, part)
        pulse()
    trace.targets[step.first] = part
    trace.targets[step.second] = target


@kernel
def _choose_bits(bits, where, reading, base, target):
    """Set the bit of the rank where 1 is right; targets become what is read."""
    (bag, rank, span), (mask, read, places, d) = where, reading
    for j in range(span[0], span[1]):
        here = _assigned(bits, bag, j)
        for bit in range(2):
            e = here | bit << len(bag)
            for i in range(target.shape[1]):
                target[j, i] -= base[e, i]
            if _find(read, packed(mask, e), target[j], places, d):
                bits[rank, j >> 3] |= bit << (j & 7)
                break
            for i in range(target.shape[1]):
                target[j, i] += base[e, i]


@kernel
def _split_targets(bits, reading, tables, target, part):
    """Find vectors of two tables that add up to the target: `part` and the rest.

    It starts at a target, and returns where it stopped after some lookups.
    """
    (scope, masks, places, d, done), (first, second) = reading, tables
    lookups = 0
    for j in range(done, len(target)):
        if lookups > LOOKUPS:
            return j
        here = _assigned(bits, scope, j)
        a, b = packed(masks[0], here), packed(masks[1], here)
        sizes = first.at[a + 1] - first.at[a], second.at[b + 1] - second.at[b]
        if sizes[0] <= sizes[1]:
            lookups += _split((first, a), (second, b), (target[j], part[j]), places, d)
        else:
            lookups += _split((second, b), (first, a), (target[j], part[j]), places, d)
            for i in range(target.shape[1]):  # the part is that of the first table
                value = part[j, i]
                part[j, i] = target[j, i]
                target[j, i] = value
    return len(target)


@inlined
def _split(smaller, larger, vectors, places, d):
    """Find a vector of one front so that the rest of the target is in the other.

    Returns how many were looked up.
    """
    (one, a), (other, b), (target, part) = smaller, larger, vectors
    lookups = 0
    for at in range(one.at[a], one.at[a + 1], len(target)):
        for i in range(len(target)):
            part[i] = one.values[at + i]
            target[i] -= part[i]
        lookups += 1
        if _find(other, b, target, places, d):
            break
        for i in range(len(target)):
            target[i] += part[i]
    return lookups


@inlined
def _assigned(bits, ranks, j):
    """The bits that solution j has at these ranks, as a number."""
    here = 0
    for b in range(len(ranks)):
        here |= (np.int64(bits[ranks[b], j >> 3]) >> (j & 7) & 1) << b
    return here


@inlined
def _find(fronts, entry, fx, places, d):
    """Whether a front has this vector, or one with more in the columns after d.

    If so, fx becomes that vector. It is sought around the place of the last one.
    Vectors descend. One solution after the other is traced, in the order of the front,
    so places of two in a row are often close together.
    """
    start, end = fronts.at[entry] // len(fx), fronts.at[entry + 1] // len(fx)
    low = high = min(max(places[entry], start), end)
    step = 1
    while low > start and _order(fronts, low - 1, fx, d) <= 0:
        low = max(low - step, start)
        step *= 2
    step = 1
    while high < end and _order(fronts, high, fx, d) > 0:
        high = min(high + step, end)
        step *= 2
    while low < high:
        middle = (low + high) // 2
        if _order(fronts, middle, fx, d) > 0:
            low = middle + 1
        else:
            high = middle
    places[entry] = low
    while low < end and _order(fronts, low, fx, d) == 0:
        if _is_enough(fronts, low, fx, d):
            return True
        low += 1
    return False


@inlined
def _order(fronts, place, fx, d):
    """Above 0 if the vector at this place comes before fx by objectives, 0 if equal."""
    for i in range(d):
        value = fronts.values[place * len(fx) + i]
        if value != fx[i]:
            return 1 if value > fx[i] else -1
    return 0


@inlined
def _is_enough(fronts, place, fx, d):
    """Whether the vector at this place has as much after d; if so, it becomes fx."""
    start = place * len(fx)
    for i in range(d, len(fx)):
        if fronts.values[start + i] < fx[i]:
            return False
    for i in range(d, len(fx)):
        fx[i] = fronts.values[start + i]
    return True


def solutions_of(
    trace: Trace, variables: np.ndarray, size: int, pulse: Pulse
) -> np.ndarray:
    """The solutions, each as packed bits by variable: (size, n / 8) uint8."""
    n = len(variables)
    rows = np.empty((size, -(-n // 8)), np.uint8)
    some = max(8, TURNED // n // 8 * 8)
    for first in range(0, size, some):
        pulse()
        last = min(first + some, size)
        columns = trace.bits[:, first // 8 : -(-last // 8)]
        x = np.empty((last - first, n), np.uint8)
        x[:, variables] = np.unpackbits(columns, axis=1, bitorder="little").T[
            : last - first
        ]
        rows[first:last] = packed_bits(x)
    return rows
