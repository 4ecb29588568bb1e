"""The legs of a path: in each, climb, escape, and recombine, as kernels see it.

A leg follows the front by Algorithm 2 to a local optimum for the leg's weights. Then it
escapes: heat, climb, undo what was better before, climb once more. At its end it
recombines the solution with the one where the leg began.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.climber import (
    CLIMB,
    LOGGED,
    REPORTS,
    STEP,
    TAG_OPTIMUM,
    TAG_STEP,
    TAG_UNIT,
    TIER,
    climb,
    file_tier,
)
from paretoball.crossover import (
    FINE,
    find_components,
    line_up,
    list_differing,
    list_flipped,
    score_in_climb,
    shorten,
    side,
)
from paretoball.search.path.escape import (
    COOLEST,
    flip_one,
    flips_back,
    forget_large_moves,
    is_taken,
    next_heat,
    typical_loss,
)

LEGS = 8  # directions along a path
MANY_LOOKS = 1 << 20  # at variables, between two returns to Python
LONG = 8  # flips per variable, after which those of an escape are shortened

# The phases of a leg:
#
#   FOLLOWING -> HEATING -> SETTLING -> MENDING -> HEATING (the next escape)
#                                               -> FOLLOWING (the next leg)
#
FOLLOWING = 0  # climbing to the first local optimum of the leg
HEATING = 1  # flipping variables by Metropolis' rule
SETTLING = 2  # climbing; then components that were better before are flipped back
MENDING = 3  # climbing once more, to the end of the escape

# The columns of `PathState.clock`.
LEG = 0  # legs done
ESCAPES = 1  # escapes done on this leg
PHASE = 2  # one of the four above
TAKEN = 3  # moves taken
FLIPPED = 4  # flips noted
SINCE = 5  # flips before this escape
LEG_AT = 6  # flips before this leg
LOOKS = 7  # variables looked at in this escape
CLOCK = 8


class PathState(NamedTuple):
    """Where one path is."""

    near: np.ndarray  # (d,) int64: the direction it starts in
    far: np.ndarray  # (d,) int64: the one it ends in
    goal: np.ndarray  # (n,) uint8: the best known for `far`; else the path's start
    clock: np.ndarray  # (CLOCK,) int64: counters, by the names above
    heat: np.ndarray  # (2,) float64: of the next escape; and a typical loss
    flips: np.ndarray  # (room,) int32: the variables flipped since the path began
    turns: np.ndarray  # scratch, (n,) int64: components in the order of their turns
    fx: np.ndarray  # scratch, (d,) int64: the objectives of an offspring
    corners: np.ndarray  # (2, d) int64: between which weights offspring are lined up
    exponential: np.ndarray  # draws from the exponential distribution
    escapes: int  # on each leg
    sweeps: int  # of an escape: looks at every variable


@kernel
def follow(cliques, graph, moves, state, space, path, last):
    """Go on until `last` moves are taken, or there is no room to note what comes."""
    looks = 0
    while path.clock[LEG] < LEGS and path.clock[TAKEN] < last:
        if not _has_room(moves, state, path) or looks > MANY_LOOKS:
            return
        if path.clock[PHASE] == HEATING:
            looks += len(state.x)
            _heat(cliques, moves, state, space, path, last)
        elif _climb_on(cliques, moves, state, path, last):
            _arrive(cliques, graph, moves, state, space, path)


@inlined
def spare_flips(n, moves, radius):
    """The most flips that one phase notes, if its climb takes `moves` moves."""
    return 8 * n + radius * moves


@inlined
def spare_reports(n, moves):
    """The most reports that one phase makes: twice the offspring of two solutions."""
    return 2 * (n + 1) + moves + 1


@inlined
def _has_room(moves, state, path):
    """Whether there is room for all that one phase can note."""
    n, climbed, radius = len(state.x), len(state.journal), moves.flips.shape[1]
    flips = len(path.flips) - path.clock[FLIPPED]
    reports = len(state.report_tags) - state.clock[REPORTS]
    enough = reports >= spare_reports(n, climbed)
    return enough and flips >= spare_flips(n, climbed, radius)


@inlined
def _note(state, path, fx):
    """Report an offspring, or where the path stands."""
    at = state.clock[REPORTS]
    for i in range(len(state.objectives)):
        state.report_fx[at, i] = fx[i]
    state.report_tags[at, TAG_UNIT] = state.clock[CLIMB]
    state.report_tags[at, TAG_STEP] = path.clock[FLIPPED]
    state.report_tags[at, TAG_OPTIMUM] = 0  # only climbs know that they are at one
    state.clock[REPORTS] = at + 1


@inlined
def _climb_on(cliques, moves, state, path, last):
    """Algorithm 2 for some moves; True at a local optimum.

    Its reports are tagged with moves; here these become flips.
    """
    state.clock[STEP] = 0
    state.clock[LOGGED] = 0
    report = state.clock[REPORTS]
    budget = min(last - path.clock[TAKEN], len(state.journal))
    is_over = climb(cliques, moves, state, budget)
    path.clock[TAKEN] += state.clock[STEP]
    at = path.clock[FLIPPED]
    for step in range(state.clock[STEP] + 1):
        while (
            report < state.clock[REPORTS]
            and state.report_tags[report, TAG_STEP] == step
        ):
            state.report_tags[report, TAG_STEP] = at
            report += 1
        if step < state.clock[STEP]:
            for j in moves.flips[state.journal[step]]:
                if j >= 0:
                    path.flips[at] = j
                    at += 1
    path.clock[FLIPPED] = at
    return is_over


@inlined
def _heat(cliques, moves, state, space, path, last):
    """Look at every variable once, and flip those that Metropolis' rule takes."""
    n, clock = len(state.x), path.clock
    if clock[LOOKS] == 0:
        forget_large_moves(moves, state)
        path.heat[1] = typical_loss(state)
    sweep = clock[LOOKS] // n
    cooling = 1.0 - (1.0 - COOLEST) * sweep / (path.sweeps - 1)
    temperature = path.heat[0] * path.heat[1] * cooling
    for j in range(clock[LOOKS] - sweep * n, n):
        if clock[TAKEN] == last:
            return
        clock[LOOKS] += 1
        if is_taken(state, path.exponential, j, temperature):
            flip_one(cliques, moves, state, j, path.flips, clock[FLIPPED])
            clock[FLIPPED] += 1
            clock[TAKEN] += 1
            if path.escapes > 1:  # n is small, so this solution may be on the front
                _note(state, path, state.fx)
    if path.escapes == 1 and clock[FLIPPED] - clock[SINCE] > LONG * n:
        first = clock[SINCE]
        clock[FLIPPED] = shorten(space, path.flips, first, clock[FLIPPED])
    if clock[LOOKS] == path.sweeps * n:
        clock[PHASE] = SETTLING


@inlined
def _arrive(cliques, graph, moves, state, space, path):
    """At a local optimum: settle an escape, begin one, or end the leg."""
    clock = path.clock
    if clock[PHASE] == SETTLING:
        first, last = clock[SINCE], clock[FLIPPED]
        clock[FLIPPED], largest = flips_back(
            cliques, graph, moves, state, space, path.flips, first, last
        )
        path.heat[0] = next_heat(path.heat[0], largest, len(state.x))
        clock[PHASE] = MENDING
        return
    if clock[PHASE] == MENDING:
        clock[ESCAPES] += 1
    if clock[ESCAPES] < path.escapes:
        clock[SINCE] = clock[FLIPPED]
        clock[LOOKS] = 0
        clock[PHASE] = HEATING
        return
    changed = list_flipped(space, path.flips, clock[LEG_AT], clock[FLIPPED])
    _recombine(cliques, graph, moves, state, space, path, changed)
    clock[LEG] += 1
    if clock[LEG] < LEGS:
        _turn(moves, state, path)
    else:
        changed = list_differing(space, state.x, path.goal)
        _recombine(cliques, graph, moves, state, space, path, changed)


@inlined
def _turn(moves, state, path):
    """Climb on in the next direction: moves are filed anew, no score is computed."""
    clock = path.clock
    clock[ESCAPES] = 0
    clock[LEG_AT] = clock[FLIPPED]
    clock[PHASE] = FOLLOWING
    for i in range(len(state.w)):
        way = (path.far[i] - path.near[i]) * clock[LEG] // (LEGS - 1)
        state.w[i] = path.near[i] + way
    for size in range(1, state.clock[TIER] + 1):
        file_tier(moves, state, size)


@inlined
def _recombine(cliques, graph, moves, state, space, path, changed):
    """Report the offspring of x and of what differs from it in the listed variables.

    None of them is built: each is a few flips from the one before, and so is x again.
    """
    d, fx = len(state.objectives), path.fx
    near, far = path.corners[0], path.corners[1]
    for i in range(d):
        fx[i] = state.fx[i]
    found = find_components(graph, space, changed)
    for p in range(found):
        score_in_climb(cliques, moves, state, space, p)
        if side(space, p, near, d) > 0.0:
            _note_flip(space, path, p, 1, d)
    _note(state, path, fx)
    for at in range(line_up(space, found, near, far, path.turns)):
        p = path.turns[at] % FINE
        sign = 1 if side(space, p, far, d) > 0.0 else -1
        _note_flip(space, path, p, sign, d)
        _note(state, path, fx)
    for p in range(found):
        if side(space, p, far, d) > 0.0:
            _note_flip(space, path, p, -1, d)


@inlined
def _note_flip(space, path, p, sign, d):
    """Flip component p of an offspring, which adds or takes away what it gains."""
    for j in space.variables[space.at[p] : space.at[p + 1]]:
        path.flips[path.clock[FLIPPED]] = j
        path.clock[FLIPPED] += 1
    for i in range(d):
        path.fx[i] += sign * space.deltas[p * d + i]
