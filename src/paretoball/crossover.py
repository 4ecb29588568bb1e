"""Crossover: the best, or all the supported, offspring of two solutions.

Where x and y differ in q components, every choice of components to flip makes an
offspring, 2^q in all, and its objectives are those of x plus the sum of its components'
deltas. So the best one for given weights takes the components whose weighted delta is
positive; and as the weights turn from one direction to another, each component
changes its side once: sorted by when, q components give q + 1 offspring.
"""

import numpy as np

from paretoball._jit import inlined
from paretoball.sorting import sort

FINE = 1 << 31  # steps of a turn in which changes of side are told apart


@inlined
def line_up(parts, found, near, far, turns):
    """Which components change side while weights turn from `near` to `far`, in order.

    `turns[:count]` says when, and below FINE which. The others keep their side.
    """
    d, count = len(near), 0
    for p in range(found):
        before, after = side(parts, p, near, d), side(parts, p, far, d)
        if (before > 0.0) != (after > 0.0):
            when = np.int64(before / (before - after) * (FINE - 1))
            turns[count] = when * FINE + p
            count += 1
    sort(turns, 0, count)
    return count


@inlined
def side(parts, p, w, d):
    """Above zero if flipping component p pays in the direction w."""
    total = 0.0
    for i in range(d):
        total += float(w[i]) * float(parts.deltas[p * d + i])
    return total
