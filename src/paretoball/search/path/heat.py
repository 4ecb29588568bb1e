"""Heat: single flips by Metropolis' rule, at a temperature that falls.

A sweep looks at all variables in turn. What counts is w · f, less what flips cost at
the prices of the day. Without constraints, blocks of variables are skipped in which no
flip has a chance. Nothing is filed: buckets are out of date until the climb after it.

Work is counted in looks at variables; a flip counts as many of them. The temperature
follows from the work done, so an escape takes just the work that it is given.
"""

from functools import cache
from math import log

import numpy as np

from paretoball._jit import by_type, inlined
from paretoball.climber import NO_MOVE, TIER
from paretoball.numerics import mixed, next_bits
from paretoball.search.path.clock import new_record, record_type
from paretoball.search.path.ledger import Ledger, NoLedger, look, toll
from paretoball.search.path.unit import Heat, gain_of

BLOCK = 16  # variables that are skipped together
HOPELESS = 11.0  # temperatures: a flip that costs more is not looked at
DRAWS = 1 << 16

NUMBERS = record_type(  # of `Heat`
    np.float64,
    "first_t",  # the temperature of the first sweep
    "last_t",  # and at the end
    "now_t",  # and of this sweep
    "given",  # work to do
    "done",  # and done so far
    "loss",  # a typical loss
    "mild",  # the first temperature of the next leg, in typical losses
    "change",  # what chains changed, in all
    "ended",  # how many of these ended feasible
    "flip_work",  # the work of a flip, in looks
)


def new_heat(d: int, flip_work: float) -> Heat:
    """Room for escapes."""
    numbers = new_record(NUMBERS)
    numbers.flip_work = flip_work
    return Heat(numbers, np.zeros(d, np.float32), _exponential_draws())


@cache
def _exponential_draws() -> np.ndarray:
    """Draws from the exponential distribution, evenly spread and in random order."""
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
        clock.work += ground.sweep
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
def _toll_of(unit, ledger, j):
    """What a flip of j costs."""
    return toll(ledger, look(ledger, unit.state.x, j), True)


_never_quiet = inlined(lambda unit, ledger, first, cut: False)  # prices may pay
_no_cost = inlined(lambda unit, ledger, j: np.float32(0.0))
_is_quiet = by_type("ledger", {NoLedger: _is_quiet_block, Ledger: _never_quiet})
_cost_of = by_type("ledger", {NoLedger: _no_cost, Ledger: _toll_of})
