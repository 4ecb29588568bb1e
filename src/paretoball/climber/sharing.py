"""Stretches of numbers that are kept once, however often they occur."""

import numpy as np

from paretoball._jit import inlined


@inlined
def place_of(values, known, base, length):
    """Where numbers equal to the last ones, values[base : base + length], stand first.

    `known` is a hash table of such places, or -1, with more entries than are ever used.
    """
    digest = 0
    for e in range(base, base + length):
        digest = (digest * 31 + np.int64(values[e])) & 0x3FFFFFFFFFFFFF
        digest ^= digest >> 17
    at = digest & (len(known) - 1)
    while known[at] >= 0:
        if is_equal(values, known[at], base, length):
            return known[at]
        at = (at + 1) & (len(known) - 1)
    known[at] = base
    return base


@inlined
def is_equal(values, place, base, length):
    """Whether the last numbers stand before `base`, too, at this place."""
    if place + length > base:
        return False
    for e in range(length):
        if values[place + e] != values[base + e]:
            return False
    return True
