"""Heat: single flips by Metropolis' rule, at a temperature that falls.

A sweep looks at all variables in turn. Blocks of variables are skipped in which no flip
has a chance, and nothing is filed: buckets are out of date until the climb after it.
Work is counted in looks at variables; a flip counts as many of them. The temperature
follows from the work done, so an escape takes the work that it is given, however many
flips it makes.
"""

from math import log

import numpy as np

from paretoball._jit import inlined
from paretoball.climber import TIER, flip_unfiled
from paretoball.numerics import mixed, next_bits
from paretoball.search.path.journal import (
    has_room,
    is_hidden,
    note_flip,
    note_report,
)

BLOCK = 16  # variables that are skipped together
HOPELESS = 11.0  # temperatures: a flip that costs more is not looked at
DRAWS = 1 << 16
MANY = 1 << 22  # work between two returns to Python

# The columns of `Heating.numbers`.
FIRST_T, LAST_T = 0, 1  # temperatures
WORK, DONE = 2, 3  # work to do, and done so far
NOW_T = 4  # the temperature of this sweep
NUMBERS = 5


def exponential_draws() -> np.ndarray:
    """Draws from the exponential distribution, evenly spread and in random order."""
    order = np.argsort(mixed(np.arange(DRAWS, dtype=np.uint64)), kind="stable")
    levels = np.array([-log((draw + 0.5) / DRAWS) for draw in range(DRAWS)])
    return levels[order].astype(np.float32)


@inlined
def begin_heat(state, path, first, last, work):
    """Begin an escape with these temperatures, in units of w · S, and this work."""
    state.clock[TIER] = 1
    total = 0.0
    for i in range(len(state.w)):
        total += float(state.w[i])
    for i in range(len(state.w)):
        path.shares[i] = float(state.w[i]) / total
    path.heat[FIRST_T] = first / total
    path.heat[LAST_T] = last / total
    path.heat[WORK] = work
    path.heat[DONE] = 0.0
    path.sweep[0] = 0


@inlined
def _gain_of(state, shares, j):
    """w · S_j, rounded."""
    d, gain = len(state.objectives), np.float32(0.0)
    for i in range(d):
        gain += shares[i] * np.float32(state.scores[j * d + i])
    return gain


@inlined
def _is_quiet(state, shares, first, cut):
    """Whether no flip of a block gains more than `cut`; without a branch."""
    d, hot = len(state.objectives), 0
    for b in range(BLOCK):
        gain = np.float32(0.0)
        for i in range(d):
            gain += shares[i] * np.float32(state.scores[(first + b) * d + i])
        hot |= gain > cut
    return hot == 0


@inlined
def is_hot(path):
    """Whether there is work left, or a sweep to finish."""
    return path.heat[DONE] < path.heat[WORK] or path.sweep[0] > 0


@inlined
def sweep_on(cliques, moves, state, path, flips):
    """Sweep until the work is done, or much of it, or `flips` flips; how many flips."""
    n, heat, taken = len(state.x), path.heat, 0
    until = heat[DONE] + MANY
    while is_hot(path) and heat[DONE] < until and taken < flips:
        if len(path.front) and not has_room(state, path, BLOCK * n, BLOCK):
            break
        if path.sweep[0] == 0:
            fall = (heat[FIRST_T] - heat[LAST_T]) * (heat[DONE] / heat[WORK])
            heat[NOW_T] = heat[FIRST_T] - fall
            path.sweep[1] = next_bits(state.rng)
        before = taken
        taken += _sweep(cliques, moves, state, path, flips - taken)
        heat[DONE] += path.flip_work * (taken - before)
        if path.sweep[0] < n:
            break
        path.sweep[0] = 0
        heat[DONE] += n
    return taken


@inlined
def note_unsaid(path):
    """Bring the journal to where the escape has led."""
    for j in range(len(path.unsaid)):
        if path.unsaid[j]:
            note_flip(path, j)
            path.unsaid[j] = 0


@inlined
def _tell(state, path):
    """Report where the escape is, if nothing that was found before hides it."""
    if not is_hidden(path.front, path.hint, state.fx):
        note_unsaid(path)
        note_report(state, path, state.fx)


@inlined
def _sweep(cliques, moves, state, path, flips):
    """Look at all variables from sweep[0] on, for at most `flips` flips; how many."""
    n, d, taken = len(state.x), len(state.objectives), 0
    shares, draws, draw = path.shares, path.draws, path.sweep[1]
    temperature = np.float32(path.heat[NOW_T])
    cut = -np.float32(HOPELESS) * temperature
    at = path.sweep[0]
    while at < n and taken < flips:
        if len(path.front) and not has_room(state, path, BLOCK * n, BLOCK):
            break
        if at % BLOCK == 0 and at + BLOCK <= n and _is_quiet(state, shares, at, cut):
            at += BLOCK
            continue
        end = min(n, at - at % BLOCK + BLOCK)
        while at < end and taken < flips:
            gain = _gain_of(state, shares, at)
            if gain > cut:
                draw += 1
                if gain >= -temperature * draws[draw & (DRAWS - 1)]:
                    for i in range(d):
                        state.fx[i] += state.scores[at * d + i]
                    flip_unfiled(cliques, moves, state, at)
                    path.unsaid[at] ^= 1
                    taken += 1
                    if len(path.front):
                        _tell(state, path)
            at += 1
    path.sweep[0] = at
    path.sweep[1] = draw
    return taken
