"""Cores: few variables all of whose combinations are tried, one flip at a time.

With constraints, flips that pay are often several at once: something in, something else
out. Where there are resources, the variables that matter are those whose gain is close
to what they cost. Elsewhere they are those that constraints tie together.
"""

import numpy as np

from paretoball._jit import inlined
from paretoball.numerics import below, next_bits
from paretoball.search.path.clock import AT, BEST, MOST, SIZE, TOTAL
from paretoball.search.path.ledger import is_feasible, look, toll
from paretoball.search.path.walk import CORE, NONE, exact_gain, gain_of

JITTER = 0.3  # how much chance decides which variables are close


@inlined
def choose_core(ground, walk, turn):
    """Choose a core, by turns of either kind where there are resources; its size."""
    if len(walk.ledger.resources) and turn % 2 == 0:
        _choose_close(ground, walk)
        return min(CORE, len(walk.state.x))
    return _choose_tied(ground, walk)


@inlined
def _choose_close(ground, walk):
    """The core: variables whose gain is closest to their costs, with some chance."""
    n = len(walk.state.x)
    for at in range(CORE):
        walk.core.ranks[at] = np.inf
        walk.core.variables[at] = min(at, n - 1)
    for j in range(n):
        changed = look(ground.rows, walk.ledger, walk.state.x, j)
        rank = abs(
            gain_of(walk.heat.shares, walk.state.scores, j)
            - toll(ground.rows, walk.ledger, changed)
        )
        rank *= 1.0 + JITTER * next_bits(walk.state.rng) * 2.0**-32
        if rank < walk.core.ranks[CORE - 1]:
            _insert(walk, j, rank)


@inlined
def _insert(walk, j, rank):
    """Put a variable in its place among the core, which drops its last one."""
    at = CORE - 1
    while at > 0 and walk.core.ranks[at - 1] > rank:
        walk.core.ranks[at] = walk.core.ranks[at - 1]
        walk.core.variables[at] = walk.core.variables[at - 1]
        at -= 1
    walk.core.ranks[at] = rank
    walk.core.variables[at] = j


@inlined
def _choose_tied(ground, walk):
    """The core: a random variable, and others that constraints tie to these."""
    rng, n, count = walk.state.rng, len(walk.state.x), 1
    walk.core.variables[0] = below(rng, n)
    tries = 0
    while count < min(CORE, n) and tries < 8 * CORE:
        tries += 1
        one = np.int64(walk.core.variables[below(rng, count)])
        other = _tied_to(ground.rows, walk, one)
        count = _add(walk, other, count)
    while count < min(CORE, n):
        count = _add(walk, below(rng, n), count)
    return count


@inlined
def _tied_to(rows, walk, j):
    """A variable that stands in a constraint with j; j itself if none does."""
    rng, first = walk.state.rng, rows.column_at[j]
    linear = rows.column_at[j + 1] - first
    count = linear + rows.wide.reader_at[j + 1] - rows.wide.reader_at[j]
    if count == 0:
        return j
    drawn = below(rng, count)
    if drawn < linear:
        c = rows.column_rows[first + drawn]
        at, end = rows.row_at[c], rows.row_at[c + 1]
        return np.int64(rows.row_variables[at + below(rng, end - at)])
    term = rows.wide.readers[rows.wide.reader_at[j] + drawn - linear]
    at, end = rows.wide.mask_at[term], rows.wide.mask_at[term + 1]
    return np.int64(rows.wide.masks[at + below(rng, end - at)])


@inlined
def _add(walk, j, count):
    """Add a variable to the core, unless it is there; how many there are."""
    for at in range(count):
        if walk.core.variables[at] == j:
            return count
    walk.core.variables[count] = j
    return count + 1


@inlined
def begin_combining(walk, size):
    """Begin to try all combinations of the first `size` variables of the core."""
    clock = walk.clock
    clock[SIZE] = size
    clock[AT] = clock[TOTAL] = clock[MOST] = clock[BEST] = 0


@inlined
def choose_combination(walk):
    """The flip that leads to the next combination; NONE once x is back at the first.

    They come in the order of Gray's code. BEST is the one that is best for w: bit b
    stands for variable b of the core, and 0 for the first.
    """
    clock, state = walk.clock, walk.state
    if clock[TOTAL] > clock[MOST] and is_feasible(walk.ledger):
        clock[MOST] = clock[TOTAL]
        clock[BEST] = clock[AT] ^ (clock[AT] >> 1)
    clock[AT] += 1
    if clock[AT] > 1 << clock[SIZE] or clock[SIZE] == 0:
        return NONE
    bit = clock[SIZE] - 1  # from the last combination back to the first
    if clock[AT] < 1 << clock[SIZE]:
        bit = 0
        while (clock[AT] >> bit) & 1 == 0:
            bit += 1
    j = np.int64(walk.core.variables[bit])
    clock[TOTAL] += exact_gain(state.w, state.scores, j)
    return j


@inlined
def choose_best(walk):
    """A variable of what is left of the best combination; NONE if nothing is."""
    for bit in range(walk.clock[SIZE]):
        if (walk.clock[BEST] >> bit) & 1:
            walk.clock[BEST] ^= 1 << bit
            return np.int64(walk.core.variables[bit])
    return NONE


@inlined
def choose_difference(walk, y):
    """The core: all variables in which x and y differ; 0 if these are too many."""
    count = 0
    for j in range(len(y)):
        if walk.state.x[j] != y[j]:
            if count == CORE:
                return 0
            walk.core.variables[count] = j
            count += 1
    return count
