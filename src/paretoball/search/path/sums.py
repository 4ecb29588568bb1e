"""Sums: all non-dominated offspring of two solutions, for two objectives.

Two solutions differ in q components, so they have 2^q offspring. Their objectives are
sums of what components change. Adding one component after the other, and dropping what
is dominated each time, finds all that are not: two sorted lists are merged into one.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined

MOST_COMPONENTS = 62  # bits of a mask
MOST_SUMS = 4096


class Sums(NamedTuple):
    """Two lists of sums, each with ascending first and descending second objectives."""

    first: np.ndarray  # (2, MOST_SUMS) int64: what is added to the first objective
    second: np.ndarray  # (2, MOST_SUMS) int64: and to the second
    masks: np.ndarray  # (2, MOST_SUMS) int64: bit p is set if component p is flipped


@inlined
def add_up(sums, deltas, found):
    """All non-dominated sums of the first components; which list has them, how many.

    Once there might be no room for twice as many, further components are left out.
    """
    here, count = 0, 1
    sums.first[0, 0] = sums.second[0, 0] = sums.masks[0, 0] = 0
    for p in range(min(found, MOST_COMPONENTS)):
        a, b = deltas[2 * p], deltas[2 * p + 1]
        if a <= 0 and b <= 0:
            continue
        if 2 * count > MOST_SUMS:
            break
        count = _merge(sums, here, count, a, b, np.int64(1) << np.int64(p))
        here = 1 - here
    return here, count


@inlined
def _merge(sums, here, count, a, b, bit):
    """Merge a list with itself plus (a, b) into the other list; its length.

    Both are read from their ends, where first objectives are largest. Then a sum is
    dominated if its second objective is no larger than the largest so far. What is
    kept is written from the end, and moved to the front at last.
    """
    first, second, masks = sums.first, sums.second, sums.masks
    there, kept, highest = 1 - here, 0, np.int64(-(2**62))
    old, new = count - 1, count - 1
    while old >= 0 or new >= 0:
        is_new = old < 0
        if old >= 0 and new >= 0:
            x, y = first[here, old], first[here, new] + a
            is_new = y > x or (y == x and second[here, new] + b > second[here, old])
        if is_new:
            x, y, mask = first[here, new] + a, second[here, new] + b, masks[here, new]
            mask |= bit
            new -= 1
        else:
            x, y, mask = first[here, old], second[here, old], masks[here, old]
            old -= 1
        if y > highest:
            highest = y
            first[there, kept], second[there, kept], masks[there, kept] = x, y, mask
            kept += 1
    for at in range(kept // 2):
        other = kept - 1 - at
        for numbers in (first, second, masks):
            numbers[there, at], numbers[there, other] = (
                numbers[there, other],
                numbers[there, at],
            )
    return kept
