"""A walk: one unit as kernels see it, flip by flip, through what is feasible or not.

Every flip goes through Algorithm 1 and the ledger. Feasible solutions that nothing
known to the unit dominates or equals are reported. What the unit knows belongs to its
task and to itself, not to an archive, so it does not depend on who runs it.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
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
    flip_unfiled,
)
from paretoball.landscape import Cliques, ConstraintRows
from paretoball.search.constrained.ledger import Ledger, enter, look, violated_after
from paretoball.search.path.journal import has_room, note_flip, note_report

# The columns of `Walk.clock`, after FLIPPED.
STAGE = 1  # stages done: legs of a path, visits of a filling
PHASE = 2  # of a stage
TAKEN = 3  # flips taken
PENDING = 4  # variables whose flips the journal may lack
STEPS = 5  # of a phase, so far
AT = 6  # the variable, row or place to go on with
NEAREST = 7  # the fewest constraints that a repaired solution violated
CLOCK = 8

CORE = 12  # variables whose combinations are all tried


class Ground(NamedTuple):
    """What does not change while units run."""

    cliques: Cliques
    moves: MoveSet
    rows: ConstraintRows


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
    turns: np.ndarray  # (3, d) int64: the directions of a path's middle and its ends
    middle: np.ndarray  # (n,) uint8: where its first stage ended
    rows: np.ndarray  # (rows, n) uint8: known solutions
    values: np.ndarray  # (rows, d) int64: their objectives
    wanted: np.ndarray  # (rows,) uint8: which of them a filling visits
    fx: np.ndarray  # scratch, (d,) int64
    stages: int  # of this unit


@inlined
def is_feasible(walk):
    """Whether all constraints are satisfied."""
    return walk.ledger.count[0] == 0


@inlined
def gain_of(walk, j):
    """w · S_j by shares, rounded."""
    state, total = walk.state, 0.0
    d = len(state.objectives)
    for i in range(d):
        total += walk.shares[i] * state.scores[j * d + i]
    return total


@inlined
def exact_gain(walk, j):
    """w · S_j in whole weights."""
    state, total = walk.state, 0
    d = len(state.objectives)
    for i in range(d):
        total += state.w[i] * np.int64(state.scores[j * d + i])
    return total


@inlined
def would_be_feasible(ground, walk, j):
    """Whether x ⊕ j is feasible."""
    changed = look(ground.rows, walk.ledger, walk.state.x, j)
    return violated_after(ground.rows, walk.ledger, changed) == 0


@inlined
def step(ground, walk, j):
    """Flip variable j: x, f(x), scores, the ledger; the journal lacks it for now."""
    state = walk.state
    d = len(state.objectives)
    for i in range(d):
        state.fx[i] += state.scores[j * d + i]
    enter(ground.rows, walk.ledger, look(ground.rows, walk.ledger, state.x, j))
    flip_unfiled(ground.cliques, ground.moves, state, j)
    walk.missing[j] ^= 1
    if not walk.listed[j]:
        walk.listed[j] = 1
        walk.pending[walk.clock[PENDING]] = j
        walk.clock[PENDING] += 1
    walk.clock[TAKEN] += 1


@inlined
def go_to(ground, walk, y):
    """Flip all variables in which x differs from y."""
    for j in range(len(y)):
        if walk.state.x[j] != y[j]:
            step(ground, walk, j)


@inlined
def offer(walk):
    """Report x if it is feasible, and nothing that the unit knows is as good."""
    if is_feasible(walk) and _is_new(walk, walk.state.fx):
        _report(walk)


@inlined
def offer_neighbour(ground, walk, j):
    """Report x ⊕ j if it is feasible, and nothing that the unit knows is as good."""
    state = walk.state
    d = len(state.objectives)
    for i in range(d):
        walk.fx[i] = state.fx[i] + state.scores[j * d + i]
    if is_refused(walk.tree, walk.fx) or not would_be_feasible(ground, walk, j):
        return
    if _is_new(walk, walk.fx):
        step(ground, walk, j)
        _report(walk)
        step(ground, walk, j)


@inlined
def offer_optimum(walk):
    """Report x, which is feasible, as a local optimum, even if the unit knows it."""
    _is_new(walk, walk.state.fx)
    _report(walk)
    walk.state.report_tags[walk.state.clock[REPORTS] - 1, TAG_OPTIMUM] = 1


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
def most_steps(n):
    """The most flips between two looks at the room that is left."""
    return 4 * n + (2 << CORE)


@inlined
def has_space(walk):
    """Whether so many flips can be taken, even if each leads to a report."""
    n = len(walk.state.x)
    steps = most_steps(n)
    enough = has_room(walk.state, walk, n + steps, steps + 1)
    return enough and room_left(walk.tree) >= spare_nodes(n)


@inlined
def spare_nodes(n):
    """The nodes of a tree that so many reports take at most."""
    return SPARE + most_steps(n) // 2


@kernel
def know(tree, values):
    """Let a unit know these points, so that it does not report them again."""
    for row in range(len(values)):
        nd_report(tree, values[row], 0, 0, 0)
