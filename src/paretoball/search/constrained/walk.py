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
from paretoball.search.constrained.ledger import (
    Ledger,
    enter,
    is_feasible,
    look,
)
from paretoball.search.path.journal import has_room, note_flip, note_report

# The columns of `Walk.clock`, after FLIPPED.
STAGE = 1  # stages done: of a path, or visits of a filling
PHASE = 2  # of a stage
TAKEN = 3  # flips taken
PENDING = 4  # variables whose flips the journal may lack
AT = 5  # the variable, or combination, to go on with
STEPS = 6  # of a phase, so far
DRAW = 7  # the next draw
ROUND = 8  # cores or partners of this stage, so far
SIZE = 9  # of the core
TOTAL = 10  # what the combination at hand gains
MOST = 11  # what the best one gains
BEST = 12  # the best one; once all are tried, what is left to flip of it
NEAREST = 13  # the fewest constraints that a repaired solution violated
HAS_MIDDLE = 14  # whether the first stage of a path ended at a feasible solution
LOOKS = 15  # work since the kernel was called
DUE = 16  # what x is to be offered as: NOTHING, FOUND or OPTIMUM
CHOSEN = 17  # 1 plus the variable that a climb flips once x is offered, or 0
CLOCK = 18

NOTHING, FOUND, OPTIMUM = 0, 1, 2

CORE = 12  # variables whose combinations are all tried
NONE = -1  # no flip


class Ground(NamedTuple):
    """What does not change while units run."""

    cliques: Cliques
    moves: MoveSet
    rows: ConstraintRows
    looks: np.ndarray  # (n,) int64: the work of a look at each variable
    flips: np.ndarray  # (n,) int64: the work of a flip
    sweep: int  # the work of a look at all of them


class Walk(NamedTuple):
    """Where one unit is."""

    state: ClimbState
    ledger: Ledger
    tree: NdTree  # what the unit knows: points of its task, and its own reports
    clock: np.ndarray  # (CLOCK,) int64: counters, by the names above
    flips: np.ndarray  # (room,) int32: the journal
    missing: np.ndarray  # (n,) uint8: 1 where the journal lacks a flip
    pending: np.ndarray  # (n,) int32: the first PENDING may be missing there
    listed: np.ndarray  # (n,) uint8: 1 if a variable is among these
    nearest: np.ndarray  # (n,) uint8: the solution that violated the fewest
    shares: np.ndarray  # (d,) float64: weights that add up to 1
    numbers: np.ndarray  # float64: as `heating` tells
    draws: np.ndarray  # draws from the exponential distribution
    core: np.ndarray  # (CORE,) int32: variables to combine
    ranks: np.ndarray  # (CORE,) float64: how much they were wanted there
    turns: np.ndarray  # (turns, d) int64: the directions of a path's middle and ends
    middle: np.ndarray  # (n,) uint8: where its first stage ended
    goal: np.ndarray  # (n,) uint8: where it goes to before the next one
    rows: np.ndarray  # (rows, n) uint8: known solutions
    values: np.ndarray  # (rows, d) int64: their objectives
    wanted: np.ndarray  # (rows,) uint8: which of them a filling visits
    fx: np.ndarray  # (d,) int64: of the middle; scratch space of a filling
    stages: int  # of this unit
    steps: int  # stages of a path to each of its ends
    is_filling: bool  # not a path


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
    walk.missing[j] ^= 1
    if not walk.listed[j]:
        walk.listed[j] = 1
        walk.pending[walk.clock[PENDING]] = j
        walk.clock[PENDING] += 1
    walk.clock[TAKEN] += 1
    walk.clock[DUE] = FOUND


@inlined
def next_towards(walk, y):
    """The next variable from AT on in which x differs from y, or NONE."""
    for j in range(walk.clock[AT], len(y)):
        if walk.state.x[j] != y[j]:
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
    for at in range(walk.clock[PENDING]):
        j = walk.pending[at]
        if walk.missing[j]:
            note_flip(walk, j)
            walk.missing[j] = 0
        walk.listed[j] = 0
    walk.clock[PENDING] = 0
    note_report(walk.state, walk, walk.state.fx)


@inlined
def has_space(walk):
    """Whether a flip and its reports can be noted."""
    enough = has_room(walk.state, walk, len(walk.state.x) + 1, 2)
    return enough and room_left(walk.tree) >= SPARE
