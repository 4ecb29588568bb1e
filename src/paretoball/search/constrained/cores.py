"""Cores: few variables all of whose combinations are tried, one flip at a time.

With constraints, flips that pay are often several at once: something in, something else
out. Where there are resources, the variables that matter are those whose gain is close
to what they cost. Elsewhere they are those that constraints tie together.
"""

import numpy as np

from paretoball._jit import inlined
from paretoball.numerics import next_bits
from paretoball.search.constrained.ledger import look, toll
from paretoball.search.constrained.walk import (
    CORE,
    exact_gain,
    gain_of,
    is_feasible,
    offer,
    step,
)

JITTER = 0.3  # how much chance decides which variables are close


@inlined
def choose_close(ground, walk):
    """The core: variables whose gain is closest to their costs, with some chance."""
    n = len(walk.state.x)
    for at in range(CORE):
        walk.ranks[at] = np.inf
        walk.core[at] = min(at, n - 1)
    for j in range(n):
        changed = look(ground.rows, walk.ledger, walk.state.x, j)
        rank = abs(gain_of(walk, j) - toll(ground.rows, walk.ledger, changed))
        rank *= 1.0 + JITTER * next_bits(walk.state.rng) * 2.0**-32
        if rank < walk.ranks[CORE - 1]:
            _insert(walk, j, rank)


@inlined
def _insert(walk, j, rank):
    """Put a variable in its place among the core, which drops its last one."""
    at = CORE - 1
    while at > 0 and walk.ranks[at - 1] > rank:
        walk.ranks[at] = walk.ranks[at - 1]
        walk.core[at] = walk.core[at - 1]
        at -= 1
    walk.ranks[at] = rank
    walk.core[at] = j


@inlined
def choose_tied(ground, walk):
    """The core: a random variable, and others that constraints tie to these."""
    rows, n, count = ground.rows, len(walk.state.x), 1
    walk.core[0] = (next_bits(walk.state.rng) * n) >> 32
    tries = 0
    while count < min(CORE, n) and tries < 8 * CORE:
        tries += 1
        j = np.int64(walk.core[(next_bits(walk.state.rng) * count) >> 32])
        other = _tied_to(rows, walk, j)
        count = _add(walk, other, count)
    while count < min(CORE, n):
        other = (next_bits(walk.state.rng) * n) >> 32
        count = _add(walk, other, count)
    return count


@inlined
def _tied_to(rows, walk, j):
    """A variable that stands in a constraint with j; j itself if none does."""
    first = rows.column_at[j]
    linear, terms = rows.column_at[j + 1] - first, rows.terms_at[j + 1] - rows.terms_at[j]
    if linear + terms == 0:
        return j
    drawn = (next_bits(walk.state.rng) * (linear + terms)) >> 32
    if drawn < linear:
        c = rows.column_rows[first + drawn]
        at, end = rows.row_at[c], rows.row_at[c + 1]
        return np.int64(rows.row_variables[at + ((next_bits(walk.state.rng) * (end - at)) >> 32)])
    term = rows.terms[rows.terms_at[j] + drawn - linear]
    at, end = rows.mask_at[term], rows.mask_at[term + 1]
    return np.int64(rows.masks[at + ((next_bits(walk.state.rng) * (end - at)) >> 32)])


@inlined
def _add(walk, j, count):
    """Add a variable to the core, unless it is there; how many there are."""
    for at in range(count):
        if walk.core[at] == j:
            return count
    walk.core[count] = j
    return count + 1


@inlined
def combine(ground, walk, size):
    """Offer all combinations of the first `size` variables of the core.

    They come in the order of Gray's code, one flip from each to the next, and end where
    they began. Returns the combination that is best for w: bit b stands for variable b
    of the core, and 0 for where they began.
    """
    best, most, total = 0, 0, 0
    for number in range(1, 1 << size):
        at = 0
        while (number >> at) & 1 == 0:
            at += 1
        j = np.int64(walk.core[at])
        total += exact_gain(walk, j)
        step(ground, walk, j)
        offer(walk)
        if total > most and is_feasible(walk):
            best, most = number, total
    step(ground, walk, np.int64(walk.core[size - 1]))
    return best ^ (best >> 1)


@inlined
def take(ground, walk, combination):
    """Flip the variables of a combination."""
    for at in range(CORE):
        if (combination >> at) & 1:
            step(ground, walk, np.int64(walk.core[at]))


@inlined
def choose_difference(walk, y):
    """The core: all variables in which x and y differ; 0 if these are too many."""
    count = 0
    for j in range(len(y)):
        if walk.state.x[j] != y[j]:
            if count == CORE:
                return 0
            walk.core[count] = j
            count += 1
    return count
