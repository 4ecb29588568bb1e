"""A walk: one unit as kernels see it, flip by flip, through what is feasible or not.

Every flip goes through Algorithm 1 and the ledger. Feasible solutions that nothing
known to the unit dominates or equals are reported. What the unit knows belongs to its
task and to itself, not to an archive, so it does not depend on who runs it.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined
from paretoball.archive import (
    ADDED,
    SPARE,
    NdTree,
    is_refused,
    nd_report,
    room_left,
)
from paretoball.climber import (
    REPORTS,
    TAG_OPTIMUM,
    ClimbState,
    MoveSet,
    flip,
)
from paretoball.landscape import Cliques, ConstraintRows
from paretoball.search.path.clock import AT, DUE, PENDING, PHASE, STEPS, TAKEN
from paretoball.search.path.journal import has_room, note_flip, note_report
from paretoball.search.path.ledger import (
    Ledger,
    enter,
    is_feasible,
    look,
)

NOTHING, FOUND, OPTIMUM = 0, 1, 2

CORE = 12  # variables whose combinations are all tried
NONE = -1  # no flip


# The phases of a stage of a path, and of a visit of a filling, under constraints:
#
#   GOING -> HEATING -> REPAIRING -> CLIMBING -> CHOOSING -> COMBINING -> (next stage)
#                                       ^                        |
#                                       +--------- TAKING <------+
#
#   HEATING -> GOING -> FLIPPING -> CHOOSING -> COMBINING -> MATING -> GOING
#
HEATING = 0  # flips by Metropolis' rule, with prices; of a filling once, to find these
REPAIRING = 1  # to a feasible solution
CLIMBING = 2  # single flips that are feasible and gain
CHOOSING = 3  # the variables of a core: nothing is flipped
COMBINING = 4  # all combinations of these
MATING = 5  # all combinations of what lies between two solutions
TAKING = 6  # the best of a core
GOING = 7  # to the middle, to a known solution, or to that of a visit
FLIPPING = 8  # single flips, and pairs with each


class Ground(NamedTuple):
    """What does not change while units run."""

    cliques: Cliques
    moves: MoveSet
    rows: ConstraintRows
    looks: np.ndarray  # (n,) int64: the work of a look at each variable
    flips: np.ndarray  # (n,) int64: the work of a flip
    sweep: int  # the work of a look at all of them


class Unsaid(NamedTuple):
    """Flips that the journal lacks until x is reported."""

    missing: np.ndarray  # (n,) uint8: 1 where the journal lacks a flip
    pending: np.ndarray  # (n,) int32: the first PENDING may be missing there
    listed: np.ndarray  # (n,) uint8: 1 if a variable is among these


class PricedHeat(NamedTuple):
    """Heat, where flips have costs."""

    shares: np.ndarray  # (d,) float64: weights that add up to 1
    numbers: np.ndarray  # float64: as `priced_heat` tells
    draws: np.ndarray  # draws from the exponential distribution


class Core(NamedTuple):
    """Variables to combine."""

    variables: np.ndarray  # (CORE,) int32
    ranks: np.ndarray  # (CORE,) float64: how much they were wanted there


class Stages(NamedTuple):
    """What a unit is to do."""

    turns: np.ndarray  # (turns, d) int64: the directions of a path's middle and ends
    stages: int  # of this unit
    steps: int  # stages of a path to each of its ends
    is_filling: bool  # not a path


class Places(NamedTuple):
    """Solutions that a unit comes back to."""

    middle: np.ndarray  # (n,) uint8: where the first stage of a path ended
    goal: np.ndarray  # (n,) uint8: where it goes to before the next one
    nearest: np.ndarray  # (n,) uint8: the solution that violated the fewest
    fx: np.ndarray  # (d,) int64: of the middle; scratch space of a filling


class Known(NamedTuple):
    """Known solutions."""

    rows: np.ndarray  # (rows, n) uint8
    values: np.ndarray  # (rows, d) int64: their objectives
    wanted: np.ndarray  # (rows,) uint8: which of them a filling visits


class Walk(NamedTuple):
    """Where one unit is."""

    state: ClimbState
    ledger: Ledger
    tree: NdTree  # what the unit knows: points of its task, and its own reports
    clock: np.ndarray  # (CLOCK,) int64: counters, as `clock` tells
    flips: np.ndarray  # (room,) int32: the journal
    unsaid: Unsaid
    heat: PricedHeat
    core: Core
    course: Stages
    places: Places
    known: Known


@inlined
def gain_of(shares, scores, j):
    """w · S_j by shares, rounded."""
    d, total = len(shares), 0.0
    for i in range(d):
        total += shares[i] * scores[j * d + i]
    return total


@inlined
def exact_gain(w, scores, j):
    """w · S_j in whole weights."""
    d, total = len(w), 0
    for i in range(d):
        total += w[i] * np.int64(scores[j * d + i])
    return total


@inlined
def step(ground, walk, j):
    """Flip variable j: x, f(x), scores, the ledger; the journal lacks it for now."""
    state = walk.state
    d = len(state.objectives)
    for i in range(d):
        state.fx[i] += state.scores[j * d + i]
    enter(ground.rows, walk.ledger, look(ground.rows, walk.ledger, state.x, j))
    flip(ground.cliques, ground.moves, state, j, False)
    unsaid = walk.unsaid
    unsaid.missing[j] ^= 1
    if not unsaid.listed[j]:
        unsaid.listed[j] = 1
        unsaid.pending[walk.clock[PENDING]] = j
        walk.clock[PENDING] += 1
    walk.clock[TAKEN] += 1
    walk.clock[DUE] = FOUND


@inlined
def choose_towards(walk):
    """The next variable from AT on in which x differs from the goal, or NONE."""
    goal = walk.places.goal
    for j in range(walk.clock[AT], len(goal)):
        if walk.state.x[j] != goal[j]:
            walk.clock[AT] = j + 1
            return j
    return NONE


@inlined
def begin(walk, phase):
    """Begin a phase."""
    walk.clock[PHASE] = phase
    walk.clock[AT] = 0
    walk.clock[STEPS] = 0


@inlined
def offer(walk):
    """Report x if it is due and feasible, unless the unit knows what is as good."""
    due = walk.clock[DUE]
    walk.clock[DUE] = NOTHING
    if due != NOTHING and is_feasible(walk.ledger) and _is_new(walk, walk.state.fx):
        _report(walk)
        at = walk.state.clock[REPORTS] - 1
        walk.state.notes.tags[at, TAG_OPTIMUM] = due == OPTIMUM


@inlined
def _is_new(walk, fx):
    """Whether nothing known dominates or equals fx; then it is known from now on."""
    if is_refused(walk.tree, fx):
        return False
    before = walk.tree.counts[ADDED]
    nd_report(walk.tree, fx, 0, 0, 0)
    return walk.tree.counts[ADDED] > before


@inlined
def _report(walk):
    """Bring the journal to x, and report it."""
    unsaid = walk.unsaid
    for at in range(walk.clock[PENDING]):
        j = unsaid.pending[at]
        if unsaid.missing[j]:
            note_flip(walk, j)
            unsaid.missing[j] = 0
        unsaid.listed[j] = 0
    walk.clock[PENDING] = 0
    note_report(walk.state, walk, walk.state.fx)


@inlined
def has_space(walk):
    """Whether a flip and its reports can be noted."""
    enough = has_room(walk.state, walk, len(walk.state.x) + 1, 2)
    return enough and room_left(walk.tree) >= SPARE
