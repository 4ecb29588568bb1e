"""Heat: single flips by Metropolis' rule, at a temperature that falls.

A sweep looks at all variables in turn. What counts is w · f, less what flips cost at
the prices of the day if there are constraints. These swing around the bounds: a
resource becomes dearer with each flip that leaves it overdrawn, and cheaper otherwise.
Without constraints, blocks of variables are skipped in which no flip has a chance.

Nothing is filed: buckets are out of date until the climb after it. Work is counted in
looks at variables; a flip counts as many of them. The temperature follows from the work
done, so an escape takes the work that it is given, however many flips it makes.
"""

from functools import cache
from math import log

import numpy as np

from paretoball._jit import by_type, inlined
from paretoball.climber import NO_MOVE, TIER
from paretoball.numerics import mixed, next_bits
from paretoball.search.path.clock import record_of
from paretoball.search.path.ledger import (
    Ledger,
    NoLedger,
    adjust_others,
    look,
    toll,
)
from paretoball.search.path.unit import Heat, gain_of

BLOCK = 16  # variables that are skipped together
HOPELESS = 11.0  # temperatures: a flip that costs more is not looked at
DRAWS = 1 << 16

NUMBERS = (  # of `Heat`
    "first_t",  # the temperature of the first sweep
    "last_t",  # and at the end
    "now_t",  # and of this sweep
    "given",  # work to do
    "done",  # and done so far
    "loss",  # a typical loss
    "mild",  # the first temperature of the next leg, in typical losses
    "flip_work",  # the work of a flip, in looks
)


def new_heat(d: int, flip_work: float) -> Heat:
    """Room for escapes."""
    numbers = record_of(NUMBERS, np.float64)
    numbers.flip_work = flip_work
    return Heat(numbers, np.zeros(d, np.float32), _exponential_draws())


@cache
def _exponential_draws() -> np.ndarray:
    """Draws from the exponential distribution, evenly spread and in random order.

    The array is for all; kernels only read it.
    """
    order = np.argsort(mixed(np.arange(DRAWS, dtype=np.uint64)), kind="stable")
    levels = np.array([-log((draw + 0.5) / DRAWS) for draw in range(DRAWS)])
    return levels[order].astype(np.float32)


@inlined
def begin_heat(unit, first, last, work):
    """Begin an escape with these temperatures, in typical losses, and this work."""
    state, heat = unit.state, unit.heat
    state.clock[TIER] = 1
    total = face(unit)
    heat.numbers.first_t = first * heat.numbers.loss / total
    heat.numbers.last_t = last * heat.numbers.loss / total
    heat.numbers.given = work
    heat.numbers.done = 0.0
    unit.clock.at = 0


@inlined
def face(unit):
    """Let shares be those of w; the sum of w."""
    w, total = unit.state.w, 0.0
    for i in range(len(w)):
        total += float(w[i])
    for i in range(len(w)):
        unit.heat.shares[i] = float(w[i]) / total
    return total


@inlined
def is_hot(unit):
    """Whether there is work left, or a sweep to finish."""
    numbers = unit.heat.numbers
    return numbers.done < numbers.given or unit.clock.at > 0


@inlined
def choose_hot(ground, unit):
    """The next variable to flip, or NO_MOVE at the end of a sweep."""
    n, clock, numbers = len(unit.state.x), unit.clock, unit.heat.numbers
    if clock.at == 0:
        fall = numbers.first_t - numbers.last_t
        numbers.now_t = numbers.first_t - fall * (numbers.done / numbers.given)
        clock.draw = next_bits(unit.state.rng)
    j = _look_on(unit)
    if j == n:
        clock.at = 0
        numbers.done += n
        _end_sweep(ground, unit, unit.ledger)
        return NO_MOVE
    clock.at = j + 1
    numbers.done += numbers.flip_work
    return j


@inlined
def _look_on(unit):
    """The next variable whose flip Metropolis' rule accepts; n if none is left."""
    n, draws, draw = len(unit.state.x), unit.heat.draws, unit.clock.draw
    temperature = np.float32(unit.heat.numbers.now_t)
    cut = -np.float32(HOPELESS) * temperature
    at = unit.clock.at
    while at < n:
        if (
            at % BLOCK == 0
            and at + BLOCK <= n
            and _is_quiet(unit, unit.ledger, at, cut)
        ):
            at += BLOCK
            continue
        end = min(n, at - at % BLOCK + BLOCK)
        while at < end:
            gain = gain_of(unit, at) - _cost_of(unit, unit.ledger, at)
            if gain > cut:
                draw += 1
                if gain >= -temperature * draws[draw & (DRAWS - 1)]:
                    unit.clock.draw = draw
                    return at
            at += 1
    return n


@inlined
def _is_quiet_block(unit, ledger, first, cut):
    """Whether no flip of a block gains more than `cut`; without a branch."""
    d, shares, scores = len(unit.state.objectives), unit.heat.shares, unit.state.scores
    hot = 0
    for b in range(BLOCK):
        gain = np.float32(0.0)
        for i in range(d):
            gain += shares[i] * np.float32(scores[(first + b) * d + i])
        hot |= gain > cut
    return hot == 0


@inlined
def _is_never_quiet(unit, ledger, first, cut):
    """Under constraints a flip may pay because of prices, too."""
    return False


@inlined
def _cost_nothing(unit, ledger, j):
    """Without constraints, flips cost nothing."""
    return np.float32(0.0)


@inlined
def _cost_toll(unit, ledger, j):
    """What a flip of j costs."""
    return toll(ledger, look(ledger, unit.state.x, j))


@inlined
def _end_free_sweep(ground, unit, ledger):
    """Count the looks."""
    unit.clock.work += len(unit.state.x)


@inlined
def _end_priced_sweep(ground, unit, ledger):
    """Count the looks, and change the prices of what is no resource."""
    unit.clock.work += ground.sweep
    adjust_others(ledger)


_is_quiet = by_type("ledger", {NoLedger: _is_quiet_block, Ledger: _is_never_quiet})
_cost_of = by_type("ledger", {NoLedger: _cost_nothing, Ledger: _cost_toll})
_end_sweep = by_type("ledger", {NoLedger: _end_free_sweep, Ledger: _end_priced_sweep})
