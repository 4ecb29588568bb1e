"""Chains: moves under constraints, of a few flips each, from feasible to feasible.

A chain begins with one flip. As long as a constraint is violated, one of them is drawn,
and of the flips that bring it closer to its bounds the one follows that leaves the
least violation, ties by w · f and chance. So an assignment gets its exchanges, a choice
of k variables its swaps, a colouring its new colours, and nobody names them. A chain
that is feasible within LONGEST flips is one move, which Metropolis' rule accepts or
not. What it led to is offered before that, whatever it is worth in this direction.

Any other is taken back. Temperatures follow from what the first chains change.
"""

from math import exp, log

import numpy as np

from paretoball._jit import called, inlined
from paretoball.climber import NO_MOVE
from paretoball.numerics import below, next_bits
from paretoball.search.path.clock import BRANCHING
from paretoball.search.path.heat import DRAWS
from paretoball.search.path.ledger import is_feasible, look, read_by, violation_after
from paretoball.search.path.menders import menders_of
from paretoball.search.path.unit import gain_of

LONGEST = 10  # flips of a chain
PROBES = 200  # chains that tell the temperatures
HOT, MILD, COLD = 0.5, 0.2, 0.005  # temperatures, in mean changes by a chain
SAMPLED = 64  # menders of one constraint that are looked at
FEASIBLE_FIRST = 1e9  # how much a step of violation counts, beside w · f


@inlined
def begin_chains(unit, hot, work):
    """Begin an anneal of chains, which takes so much work."""
    numbers = unit.heat.numbers
    numbers.first_t = hot
    numbers.last_t = COLD
    numbers.given = work
    numbers.done = numbers.change = numbers.ended = numbers.now_t = 0.0
    unit.clock.at = unit.clock.links = unit.clock.tried = 0


@inlined
def is_chaining(unit):
    """Whether a chain is under way, or another one is to follow.

    Nothing is tried again where none of the first chains ended feasible.
    """
    clock, numbers = unit.clock, unit.heat.numbers
    if clock.links > 0:
        return True
    if clock.phase == BRANCHING:
        return clock.at < len(unit.state.x)
    if clock.tried == PROBES and numbers.ended == 0.0:
        return False
    return numbers.done < numbers.given


@inlined
def choose_link(ground, unit):
    """The next flip of a chain, or of the next one.

    It is NO_MOVE where a chain ends, which is taken back unless it is accepted: what it
    led to is offered before that.
    """
    clock = unit.clock
    j = np.int64(NO_MOVE)
    if clock.links == 0:
        j = _first_link(unit)
    elif is_feasible(unit.ledger):
        if _is_accepted(unit):
            clock.links = 0
            return j
    elif clock.links < LONGEST:
        j = _best_mender(ground, unit)
    if j == NO_MOVE:
        _take_back(unit)
    else:
        unit.mixed.chain[clock.links] = j
        clock.links += 1
        unit.heat.numbers.done += ground.flips[j]
    return j


@inlined
def _first_link(unit):
    """Begin a chain at x: with the next variable around a visited solution, or any."""
    clock = unit.clock
    for i in range(len(unit.state.objectives)):
        unit.mixed.before[i] = unit.state.fx[i]
    if clock.phase == BRANCHING:
        clock.at += 1
        return clock.at - 1
    _cool(unit)
    clock.tried += 1
    return below(unit.state.rng, len(unit.state.x))


@inlined
def _take_back(unit):
    """Choose all flips of the chain once more, the last one first."""
    links = unit.clock.links
    for at in range(links):
        unit.chosen[at] = unit.mixed.chain[links - 1 - at]
    unit.clock.chosen = links
    unit.clock.next = unit.clock.links = 0


@inlined
def _cool(unit):
    """The temperature of the next chain: none for the first ones, which tell it."""
    numbers, tried = unit.heat.numbers, unit.clock.tried
    if tried == PROBES:
        mean = numbers.change / max(numbers.ended, 1.0)
        numbers.first_t *= mean
        numbers.last_t *= mean
    if tried >= PROBES:
        fall = log(max(numbers.last_t, 1e-30) / max(numbers.first_t, 1e-30))
        share = min(numbers.done / numbers.given, 1.0)
        numbers.now_t = numbers.first_t * exp(fall * share)


@inlined
def _is_accepted(unit):
    """Whether Metropolis' rule accepts the chain; the first ones are all refused."""
    clock, numbers, change = unit.clock, unit.heat.numbers, 0.0
    for i in range(len(unit.state.objectives)):
        moved = np.float64(unit.state.fx[i] - unit.mixed.before[i])
        change += unit.heat.shares[i] * moved
    numbers.change += abs(change)
    numbers.ended += 1.0
    if clock.phase == BRANCHING or clock.tried <= PROBES:
        return False
    draw = unit.heat.draws[next_bits(unit.state.rng) & (DRAWS - 1)]
    return change >= -numbers.now_t * draw


@called
def _best_mender(ground, unit):
    """Of the flips that bring a violated constraint closer, the best, or NO_MOVE."""
    rng, ledger, menders = unit.state.rng, unit.ledger, unit.mixed.menders
    c = np.int64(ledger.violated[below(rng, ledger.bad[0])])
    wide, best, least = ledger.rows.wide, np.int64(NO_MOVE), np.inf
    first, last = menders_of(menders, ledger, c)
    read, end = read_by(wide, c)
    listed, count = last - first, last - first + end - read
    for at in range(min(count, SAMPLED)):
        place = at if count <= SAMPLED else below(rng, count)
        if place < listed:
            j = np.int64(menders.variables[first + place])
        else:
            j = np.int64(wide.masks[read + place - listed])
        cost = _cost(ground, unit, c, j)
        if cost < least:
            best, least = j, cost
    return best


@inlined
def _cost(ground, unit, c, j):
    """What is violated after a flip of j, less w · f; infinity if it mends nothing."""
    ledger, clock = unit.ledger, unit.clock
    for at in range(clock.links):
        if unit.mixed.chain[at] == j:
            return np.inf
    unit.heat.numbers.done += ground.looks[j]
    clock.work += ground.looks[j]
    changed = look(ledger, unit.state.x, j)
    is_low = ledger.values[c] < ledger.rows.lower[c]
    change = ledger.changes[c]
    if change == 0 or (change > 0) != is_low:
        return np.inf
    cost = FEASIBLE_FIRST * violation_after(ledger, changed) - gain_of(unit, j)
    heat = unit.heat.numbers.now_t
    if heat > 0.0:
        draw = np.float64(unit.heat.draws[next_bits(unit.state.rng) & (DRAWS - 1)])
        cost += heat * log(draw)
    return cost
