"""Heat: single flips by Metropolis' rule, at a temperature that falls.

A sweep looks at all variables in turn. Blocks of variables are skipped in which no flip
has a chance, and nothing is filed: buckets are out of date until the climb after it.
Work is counted in looks at variables; a flip counts as many of them. The temperature
follows from the work done, so an escape takes the work that it is given, however many
flips it makes.
"""

from functools import cache
from math import log
from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined
from paretoball.climber import NO_MOVE, TIER
from paretoball.numerics import mixed, next_bits
from paretoball.search.path.clock import WORK
from paretoball.search.path.journal import is_hidden, note_flip, note_report

BLOCK = 16  # variables that are skipped together
HOPELESS = 11.0  # temperatures: a flip that costs more is not looked at
DRAWS = 1 << 16

# The columns of `Heat.numbers`.
FIRST_T, LAST_T = 0, 1  # temperatures
GIVEN, DONE = 2, 3  # work to do, and done so far
NOW_T = 4  # the temperature of this sweep
NUMBERS = 5
# The columns of `Heat.sweep`.
VARIABLE = 0  # to look at next
DRAW = 1  # the number of the last draw


class Heat(NamedTuple):
    """An escape, and what was found before it."""

    numbers: np.ndarray  # (NUMBERS,) float64: by the names above
    sweep: np.ndarray  # (2,) int64: by the names above
    unsaid: np.ndarray  # (n,) uint8: 1 where the journal lacks a flip of this escape
    shares: np.ndarray  # (d,) float32: weights that add up to 1
    draws: np.ndarray  # draws from the exponential distribution
    front: np.ndarray  # (rows, d) int64: what was found before, where n is small
    hint: np.ndarray  # scratch, (1,) int64: the row that hid the last solution
    flip_work: int  # the work of a flip, in looks


def new_heat(n: int, d: int, flip_work: int) -> Heat:
    """Room for escapes."""
    return Heat(
        numbers=np.zeros(NUMBERS),
        sweep=np.zeros(2, np.int64),
        unsaid=np.zeros(n, np.uint8),
        shares=np.zeros(d, np.float32),
        draws=exponential_draws(),
        front=np.zeros((0, d), np.int64),
        hint=np.zeros(1, np.int64),
        flip_work=flip_work,
    )


@cache
def exponential_draws() -> np.ndarray:
    """Draws from the exponential distribution, evenly spread and in random order.

    The array is for all; kernels only read it.
    """
    order = np.argsort(mixed(np.arange(DRAWS, dtype=np.uint64)), kind="stable")
    levels = np.array([-log((draw + 0.5) / DRAWS) for draw in range(DRAWS)])
    return levels[order].astype(np.float32)


@inlined
def begin_heat(state, heat, first, last, work):
    """Begin an escape with these temperatures, in units of w · S, and this work."""
    state.clock[TIER] = 1
    total = 0.0
    for i in range(len(state.w)):
        total += float(state.w[i])
    for i in range(len(state.w)):
        heat.shares[i] = float(state.w[i]) / total
    heat.numbers[FIRST_T] = first / total
    heat.numbers[LAST_T] = last / total
    heat.numbers[GIVEN] = work
    heat.numbers[DONE] = 0.0
    heat.sweep[VARIABLE] = 0


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
def is_hot(heat):
    """Whether there is work left, or a sweep to finish."""
    return heat.numbers[DONE] < heat.numbers[GIVEN] or heat.sweep[VARIABLE] > 0


@inlined
def choose_hot(state, heat, clock):
    """The next variable to flip, or NO_MOVE at the end of a sweep."""
    n, numbers, sweep = len(state.x), heat.numbers, heat.sweep
    if sweep[VARIABLE] == 0:
        fall = numbers[FIRST_T] - numbers[LAST_T]
        numbers[NOW_T] = numbers[FIRST_T] - fall * (numbers[DONE] / numbers[GIVEN])
        sweep[DRAW] = next_bits(state.rng)
    j = _look_on(state, heat)
    if j == n:
        sweep[VARIABLE] = 0
        numbers[DONE] += n
        clock[WORK] += n
        return NO_MOVE
    sweep[VARIABLE] = j + 1
    numbers[DONE] += heat.flip_work
    return j


@inlined
def _look_on(state, heat):
    """The next variable whose flip Metropolis' rule accepts; n if none is left."""
    n, shares, draws, draw = len(state.x), heat.shares, heat.draws, heat.sweep[DRAW]
    temperature = np.float32(heat.numbers[NOW_T])
    cut = -np.float32(HOPELESS) * temperature
    at = heat.sweep[VARIABLE]
    while at < n:
        if at % BLOCK == 0 and at + BLOCK <= n and _is_quiet(state, shares, at, cut):
            at += BLOCK
            continue
        end = min(n, at - at % BLOCK + BLOCK)
        while at < end:
            gain = _gain_of(state, shares, at)
            if gain > cut:
                draw += 1
                if gain >= -temperature * draws[draw & (DRAWS - 1)]:
                    heat.sweep[DRAW] = draw
                    return at
            at += 1
    return n


@inlined
def note_hot(state, path, j):
    """Note a flip of an escape, and where it leads if nothing found before hides it."""
    heat = path.heat
    heat.unsaid[j] ^= 1
    if len(heat.front) and not is_hidden(heat.front, heat.hint, state.fx):
        note_unsaid(path)
        note_report(state, path, state.fx)


@inlined
def note_unsaid(path):
    """Bring the journal to where the escape has led."""
    unsaid = path.heat.unsaid
    for j in range(len(unsaid)):
        if unsaid[j]:
            note_flip(path, j)
            unsaid[j] = 0
