"""Tracing: the solutions of a front, from the last step of its elimination to the first.

Each vector of the front has a target in each table that was just read: the part of it
that this table is to account for. A choice finds the bit of its rank, and what is left
for the table that it reads. A join splits the target in two. Vectors are looked up in
the tables, so nothing but the tables has to be kept.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.exact.front_steps import Step
from paretoball.exact.front_tables import Fronts, packed
from paretoball.landscape import packed_bits

TURNED = 1 << 26  # bits that are unpacked at a time


class Trace(NamedTuple):
    """Solutions, as far as they are known: bit j % 8 of byte j / 8 is solution j's."""

    bits: np.ndarray  # (n, size / 8) uint8: the bits of each rank
    targets: dict[int, np.ndarray]  # for each table to be read, (size, d) int64


def new_trace(n: int, step: int, front: np.ndarray) -> Trace:
    """Nothing is known yet but the front of the last step."""
    return Trace(np.zeros((n, -(-len(front) // 8)), np.uint8), {step: front})


def trace_choice(
    trace: Trace, number: int, step: Step, read: Fronts, base: np.ndarray
) -> None:
    """Find the bits of a rank; what is left becomes the target of the table read."""
    target = trace.targets.pop(number)
    bag = np.array(step.scope, np.int64)
    size, d = target.shape
    base = base[: d << step.bits].reshape(-1, d)
    _choose_bits(trace.bits, (bag, step.rank), (step.first_bits, read), base, target)
    if step.first >= 0:
        trace.targets[step.first] = target


def trace_join(
    trace: Trace, number: int, step: Step, first: Fronts, second: Fronts
) -> None:
    """Split the target of a join into the targets of the two tables read."""
    target = trace.targets.pop(number)
    scope, masks = np.array(step.scope, np.int64), (step.first_bits, step.second_bits)
    part = np.empty_like(target)
    _split_targets(trace.bits, (scope, masks), (first, second), target, part)
    trace.targets[step.first] = part
    trace.targets[step.second] = target


@kernel
def _choose_bits(bits, where, reading, base, target):
    """Set the bit of the rank where 1 is right; subtract the cliques from targets."""
    (bag, rank), (mask, read), d = where, reading, target.shape[1]
    for j in range(len(target)):
        here = _assigned(bits, bag, j)
        for bit in range(2):
            e = here | bit << len(bag)
            for i in range(d):
                target[j, i] -= base[e, i]
            if _is_there(read, packed(mask, e), target[j]):
                bits[rank, j >> 3] |= bit << (j & 7)
                break
            for i in range(d):
                target[j, i] += base[e, i]


@kernel
def _split_targets(bits, reading, tables, target, part):
    """Find vectors of two tables that add up to the target: `part` and the rest."""
    (scope, masks), (first, second) = reading, tables
    for j in range(len(target)):
        here = _assigned(bits, scope, j)
        a, b = packed(masks[0], here), packed(masks[1], here)
        sizes = first.at[a + 1] - first.at[a], second.at[b + 1] - second.at[b]
        if sizes[0] <= sizes[1]:
            _split(first, a, second, b, target[j], part[j])
        else:
            _split(second, b, first, a, target[j], part[j])
            for i in range(target.shape[1]):  # the part is that of the first table
                value = part[j, i]
                part[j, i] = target[j, i]
                target[j, i] = value


@inlined
def _split(one, a, other, b, target, part):
    """Find a vector of one front so that the rest of the target is in the other."""
    d = len(target)
    for at in range(one.at[a], one.at[a + 1], d):
        for i in range(d):
            part[i] = one.values[at + i]
            target[i] -= part[i]
        if _is_there(other, b, target):
            return
        for i in range(d):
            target[i] += part[i]


@inlined
def _assigned(bits, ranks, j):
    """The bits that solution j has at these ranks, as a number."""
    here = 0
    for b in range(len(ranks)):
        here |= (np.int64(bits[ranks[b], j >> 3]) >> (j & 7) & 1) << b
    return here


@inlined
def _is_there(fronts, entry, fx):
    """Whether a front has this vector: a binary search in what descends."""
    d = len(fx)
    low, high = fronts.at[entry] // d, fronts.at[entry + 1] // d
    while low < high:
        middle = (low + high) // 2
        order = 0
        for i in range(d):
            value = fronts.values[middle * d + i]
            if value != fx[i]:
                order = 1 if value > fx[i] else -1
                break
        if order == 0:
            return True
        if order > 0:
            low = middle + 1
        else:
            high = middle
    return False


def solutions_of(trace: Trace, variables: np.ndarray, size: int) -> np.ndarray:
    """The solutions, each as packed bits by variable: (size, n / 8) uint8."""
    n = len(variables)
    rows = np.empty((size, -(-n // 8)), np.uint8)
    some = max(8, TURNED // n // 8 * 8)
    for first in range(0, size, some):
        last = min(first + some, size)
        columns = trace.bits[:, first // 8 : -(-last // 8)]
        x = np.empty((last - first, n), np.uint8)
        x[:, variables] = np.unpackbits(columns, axis=1, bitorder="little").T[
            : last - first
        ]
        rows[first:last] = packed_bits(x)
    return rows
