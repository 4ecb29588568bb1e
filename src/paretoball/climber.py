"""The hill climber: Algorithm 2, in slices.

A `Climber` holds what depends on the problem: the moves and what each flip changes. A
`Climb` holds what depends on a solution: scores, buckets, a direction w, and the reports
made on the way.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any

import numpy as np

from paretoball._jit import kernel
from paretoball.buckets import (
    LEVELS,
    NO_MOVE,
    STRONG,
    W_IMPROVING,
    clear,
    new_buckets,
    pick,
)
from paretoball.cliques import Cliques
from paretoball.landscape import Landscape, checked_solutions
from paretoball.memory import available_memory, readable_bytes
from paretoball.moves import Moves, checked_radius, count_moves, enumerate_moves
from paretoball.scores import (
    REPORTS,
    STEP,
    TIER,
    ClimbState,
    MoveSet,
    add_tier,
    file_tier,
    flip,
    start_climb,
)
from paretoball.shapes import write_shapes
from paretoball.streams import entropy_of, random_bits, spawn_streams

SLICE = 4096  # moves between two looks at the world


@kernel
def climb(cliques, moves, state, budget):
    """Algorithm 2, for at most `budget` moves; True once x is a local optimum."""
    for _ in range(budget):
        t = pick_strong(cliques, moves, state)
        if t == NO_MOVE:
            t = pick(state.buckets, moves.tier_at, W_IMPROVING, state.rng)
            report(state)
        if t == NO_MOVE:
            return True
        take(cliques, moves, state, t)
    return False


@kernel
def pick_strong(cliques, moves, state):
    """A strong move, of the smallest size that has one, or NO_MOVE."""
    t = pick(state.buckets, moves.tier_at, STRONG, state.rng)
    while t == NO_MOVE and state.clock[TIER] < moves.flips.shape[1]:
        add_tier(cliques, moves, state)
        t = pick(state.buckets, moves.tier_at, STRONG, state.rng)
    return t


@kernel
def report(state):
    """Note f(x), and when; the archive above the climber reads the notes."""
    at = state.clock[REPORTS]
    for i in range(len(state.objectives)):
        state.report_fx[at, i] = state.fx[i]
    state.report_step[at] = state.clock[STEP]
    state.clock[REPORTS] = at + 1


@kernel
def take(cliques, moves, state, t):
    """x ← x ⊕ t, f(x) ← f(x) + S_t, and the scores that go with it."""
    d = len(state.objectives)
    for i in range(d):
        state.fx[i] += state.scores[t * d + i]
    for j in moves.flips[t]:
        if j >= 0:
            flip(cliques, moves, state, j)
    state.journal[state.clock[STEP]] = t
    state.clock[STEP] += 1
