"""A unit as kernels see it: a path, a filling or a climb, with constraints or without.

What a unit knows is its task's and its own, not an archive's: it does not depend on who
runs it. Kernels choose what to do by the types of `units` and `ledger`.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined
from paretoball.archive import NdTree
from paretoball.climber import NO_MOVE, ClimbState, MoveSet
from paretoball.crossover import ComponentSpace
from paretoball.landscape import Cliques, Graph
from paretoball.search.path.clock import GOING
from paretoball.search.path.ledger import Ledger, NoLedger, is_feasible
from paretoball.search.path.menders import Menders
from paretoball.search.path.sums import Sums
from paretoball.search.path.tasks import Known

CORE = 12  # variables whose combinations are all tried


class Ground(NamedTuple):
    """What does not change while units run."""

    cliques: Cliques
    graph: Graph
    moves: MoveSet
    looks: np.ndarray  # (n,) int64: the work of a look at each variable
    flips: np.ndarray  # (n,) int64: and of a flip
    sweep: int  # the work of a look at all of them


class OnlyPaths(NamedTuple):
    """The units of a run that has no fillings: no kernel of it has them, either."""

    is_filling: bool  # False


class AnyUnits(NamedTuple):
    """The units of a run that has both."""

    is_filling: bool  # whether this one is


class Course(NamedTuple):
    """Where a path goes, and with how much work; or how many visits a filling makes."""

    units: OnlyPaths | AnyUnits
    stages: int  # legs, or visits
    partners: int  # of a visit: the rows 1, 2, 4, ... after it, and before
    turns: np.ndarray  # (turns, d) int64: the directions of its middle and its ends
    corners: np.ndarray  # (2, d) int64: between which weights offspring are lined up
    steps: int  # legs to each end
    work: float  # of the first escape
    hot: float  # its first temperature, in typical losses of a flip
    is_chained: bool  # whether moves are chains of flips
    is_fan: bool  # whether ends are many, and no leg goes back to the middle


class Unsaid(NamedTuple):
    """Flips that the journal lacks until x is reported."""

    pending: np.ndarray  # (n,) int32: the first `pending` may be missing there
    listed: np.ndarray  # (n,) uint8: 1 if a variable is among these
    missing: np.ndarray  # (n,) uint8: 1 where the journal lacks a flip


class Heat(NamedTuple):
    """An escape."""

    numbers: np.record  # float64, as `heat` tells
    shares: np.ndarray  # (d,) float32: weights that add up to 1
    draws: np.ndarray  # draws from the exponential distribution


class Places(NamedTuple):
    """Solutions that a unit comes back to."""

    fx: np.ndarray  # (d,) int64: of what lies aside; under constraints, of the middle
    middle: np.ndarray  # (n,) uint8: where the first leg ended
    before: np.ndarray  # (n,) uint8: where an escape began
    nearest: np.ndarray  # (n,) uint8: the solution that violated the fewest constraints


class Between(NamedTuple):
    """What two solutions have between them, without constraints; scratch."""

    space: ComponentSpace
    order: np.ndarray  # (n,) int64: components in the order of their turns
    sums: Sums


class Core(NamedTuple):
    """Variables to combine or to chain, under constraints; scratch."""

    variables: np.ndarray  # (CORE,) int32
    ranks: np.ndarray  # (CORE,) float64: how much they were wanted there
    chain: np.ndarray  # (LONGEST,) int32: the flips of a chain
    before: np.ndarray  # (d,) int64: objectives where it began
    menders: Menders


class Front(NamedTuple):
    """What the task tells was found before, so that nobody reports what it hides."""

    values: np.ndarray  # (rows, d) int64; ascending if d is 2
    hint: np.ndarray  # scratch, (1,) int64: the row that hid the last solution


class Unit(NamedTuple):
    """Where one unit is."""

    state: ClimbState
    ledger: Ledger | NoLedger
    course: Course
    clock: np.record  # int64: counters, as `clock` tells
    flips: np.ndarray  # (room,) int32: the journal
    unsaid: Unsaid
    chosen: np.ndarray  # (n,) int32: variables to flip, one after the other
    heat: Heat
    places: Places
    known: Known
    mixed: Between | Core
    front: Front | NdTree  # under constraints, what the unit has found is in it, too


@inlined
def begin(unit, phase):
    """Begin a phase."""
    unit.clock.phase = phase
    unit.clock.at = 0
    unit.clock.steps = 0


@inlined
def choose(unit, variables):
    """Choose variables, which end with the first negative one, in place of others."""
    count = 0
    for j in variables:
        if j < 0:
            break
        unit.chosen[count] = j
        count += 1
    unit.clock.chosen = count
    unit.clock.next = 0


@inlined
def head_for(unit, y):
    """Choose all variables in which x differs from y."""
    count, x = 0, unit.state.x
    for j in range(len(x)):
        if x[j] != y[j]:
            unit.chosen[count] = j
            count += 1
    unit.clock.chosen = count
    unit.clock.next = 0


@inlined
def next_chosen(unit):
    """The next one of the variables that were chosen; NO_MOVE if none is left."""
    at = unit.clock.next
    if at == unit.clock.chosen:
        return NO_MOVE
    unit.clock.next = at + 1
    return np.int64(unit.chosen[at])


@inlined
def turn(unit):
    """Change w to the direction of this leg; whether it is the first to a new end.

    Where the first leg has ended is kept.
    """
    state, places, w = unit.state, unit.places, unit.state.w
    turns, steps, before = unit.course.turns, unit.course.steps, unit.clock.stage - 1
    if before == 0:
        for j in range(len(state.x)):
            places.middle[j] = state.x[j]
        for i in range(len(w)):
            places.fx[i] = state.fx[i]
        unit.clock.has_middle = is_feasible(unit.ledger)
    end, at = 1 + before // steps, 1 + before % steps
    for i in range(len(w)):
        w[i] = turns[0, i] + (turns[end, i] - turns[0, i]) * at // steps
    return end > 1 and at == 1


@inlined
def visit(unit):
    """Begin to go to the next solution that is wanted."""
    unit.clock.phase = GOING
    stage, stages = unit.clock.stage, unit.course.stages
    while stage < stages and not unit.known.wanted[stage]:
        stage += 1
    unit.clock.stage = stage
    if stage < stages:
        head_for(unit, unit.known.rows[stage])


@inlined
def gain_of(unit, j):
    """w · S_j by shares, rounded."""
    shares, scores = unit.heat.shares, unit.state.scores
    d, total = len(unit.state.objectives), np.float32(0.0)
    for i in range(d):
        total += shares[i] * np.float32(scores[j * d + i])
    return total


@inlined
def exact_gain(unit, j):
    """w · S_j in whole weights."""
    w, scores = unit.state.w, unit.state.scores
    d, total = len(unit.state.objectives), 0
    for i in range(d):
        total += w[i] * np.int64(scores[j * d + i])
    return total


@inlined
def gain_on(w, value, fx):
    """How much more w · f a known solution has than fx; 64 bits hold the difference."""
    total = np.int64(0)
    for i in range(len(fx)):
        total += w[i] * (value[i] - fx[i])
    return total
