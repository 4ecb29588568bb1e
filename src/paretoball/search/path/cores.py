"""Cores: few variables all of whose combinations are tried, one flip at a time.

With constraints, flips that pay are often several at once: something in, something else
out. Where there are resources, the variables that matter are those whose gain is close
to what they cost. Elsewhere they are those that constraints tie together.
"""

import numpy as np

from paretoball._jit import inlined
from paretoball.climber import NO_MOVE
from paretoball.numerics import below, next_bits
from paretoball.search.path.ledger import is_feasible, look, toll
from paretoball.search.path.unit import CORE, exact_gain, gain_of

CORES = 3  # of a leg that none of them helped; of a visit
JITTER = 0.3  # how much chance decides which variables are close


@inlined
def choose_core(ground, unit, turn):
    """Choose a core, by turns of either kind where there are resources; its size."""
    unit.clock.work += ground.sweep
    if len(unit.ledger.resources) and turn % 2 == 0:
        _choose_close(unit)
        return min(CORE, len(unit.state.x))
    return _choose_tied(unit)


@inlined
def _choose_close(unit):
    """The core: variables whose gain is closest to their costs, with some chance."""
    variables, ranks = unit.mixed.variables, unit.mixed.ranks
    n = len(unit.state.x)
    for at in range(CORE):
        ranks[at], variables[at] = np.inf, min(at, n - 1)
    for j in range(n):
        changed = look(unit.ledger, unit.state.x, j)
        rank = abs(gain_of(unit, j) - toll(unit.ledger, changed, True))
        rank *= 1.0 + JITTER * next_bits(unit.state.rng) * 2.0**-32
        if rank >= ranks[CORE - 1]:
            continue
        at = CORE - 1  # the last one is dropped
        while at > 0 and ranks[at - 1] > rank:
            ranks[at], variables[at] = ranks[at - 1], variables[at - 1]
            at -= 1
        ranks[at], variables[at] = rank, j


@inlined
def _choose_tied(unit):
    """The core: a random variable, and others that constraints tie to these."""
    rng, n, count = unit.state.rng, len(unit.state.x), 1
    unit.mixed.variables[0] = below(rng, n)
    tries = 0
    while count < min(CORE, n) and tries < 8 * CORE:
        tries += 1
        one = np.int64(unit.mixed.variables[below(rng, count)])
        other = _tied_to(unit, one)
        count = _add(unit, other, count)
    while count < min(CORE, n):
        count = _add(unit, below(rng, n), count)
    return count


@inlined
def _tied_to(unit, j):
    """A variable that stands in a constraint with j; j itself if none does."""
    rng, rows = unit.state.rng, unit.ledger.rows
    first = rows.column_at[j]
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
def _add(unit, j, count):
    """Add a variable to the core, unless it is there; how many there are."""
    for at in range(count):
        if unit.mixed.variables[at] == j:
            return count
    unit.mixed.variables[count] = j
    return count + 1


@inlined
def begin_combining(unit, size):
    """Begin to try all combinations of the first `size` variables of the core."""
    clock = unit.clock
    clock.core = size
    clock.at = clock.total = clock.most = clock.best = 0


@inlined
def choose_combination(unit):
    """The flip that leads to the next combination; NO_MOVE once x is back at the first.

    They come in the order of Gray's code. `best` is the one that is best for w: bit b
    stands for variable b of the core, and 0 for the first.
    """
    clock = unit.clock
    if clock.total > clock.most and is_feasible(unit.ledger):
        clock.most = clock.total
        clock.best = clock.at ^ (clock.at >> 1)
    clock.at += 1
    if clock.at > 1 << clock.core or clock.core == 0:
        return NO_MOVE
    bit = clock.core - 1  # from the last combination back to the first
    if clock.at < 1 << clock.core:
        bit = 0
        while (clock.at >> bit) & 1 == 0:
            bit += 1
    j = np.int64(unit.mixed.variables[bit])
    clock.total += exact_gain(unit, j)
    return j


@inlined
def choose_best(unit):
    """Choose what flips to the best combination."""
    count = 0
    for bit in range(unit.clock.core):
        if (unit.clock.best >> bit) & 1:
            unit.chosen[count] = unit.mixed.variables[bit]
            count += 1
    unit.clock.chosen = count
    unit.clock.next = 0


@inlined
def choose_difference(unit, y):
    """The core: all variables in which x and y differ; 0 if these are too many."""
    count = 0
    for j in range(len(y)):
        if unit.state.x[j] != y[j]:
            if count == CORE:
                return 0
            unit.mixed.variables[count] = j
            count += 1
    return count
