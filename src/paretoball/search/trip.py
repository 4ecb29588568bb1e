"""A trip: one path, leg by leg, as kernels see it.

The phases of a leg: follow the front by Algorithm 2 to a local optimum for the leg's
weights; escape by heat; settle, which is to climb and to undo what was better before;
mend, which is to climb once more; and recombine with where the leg began.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.climb import climb
from paretoball.parts import (
    FINE,
    find_components,
    line_up,
    list_differing,
    list_flipped,
    score_component,
    shorten,
    side,
)
from paretoball.scores import CLIMB, LOGGED, REPORTS, STEP, TIER, file_tier
from paretoball.search.escape import (
    COOLEST,
    flip_one,
    flips_back,
    forget_large_moves,
    is_taken,
    next_heat,
    typical_loss,
)

LEGS = 8  # directions along a path
MANY_LOOKS = 1 << 20  # at variables, before the world is looked at again
LONG = 8  # flips per variable, after which those of an escape are shortened
FOLLOWING, HEATING, SETTLING, MENDING = 0, 1, 2, 3
LEG, ESCAPES, PHASE, TAKEN, FLIPPED, SINCE, LEG_AT, LOOKS = 0, 1, 2, 3, 4, 5, 6, 7


class Trip(NamedTuple):
    """Where one path stands."""

    near: np.ndarray  # (d,) int64: the direction it starts in
    far: np.ndarray  # (d,) int64: the one it ends in
    goal: np.ndarray  # (n,) uint8: what was known for that; if nothing, its own start
    clock: np.ndarray  # (8,) int64: legs done, escapes on this one, the phase, moves
    # taken, flips noted, flips before this escape and this leg, looks of this escape
    heat: np.ndarray  # (2,) float64: of the next escape; and a typical loss
    flips: np.ndarray  # (room,) int32: the variables flipped since the path began
    turns: np.ndarray  # scratch, (n,) int64: components in the order of their turns
    fx: np.ndarray  # scratch, (d,) int64: the objectives of an offspring
    corners: np.ndarray  # (2, d) int64: between which weights offspring are lined up
    exponential: np.ndarray  # draws from the exponential distribution
    escapes: int  # on each leg
    sweeps: int  # of an escape: looks at every variable


@kernel
def follow(cliques, graph, moves, state, parts, trip, last):
    """Go on until `last` moves are taken, or there is no room to note what comes."""
    looks = 0
    while trip.clock[LEG] < LEGS and trip.clock[TAKEN] < last:
        if not has_room(moves, state, trip) or looks > MANY_LOOKS:
            return
        if trip.clock[PHASE] == HEATING:
            looks += len(state.x)
            heat(cliques, moves, state, parts, trip, last)
        elif climb_on(cliques, moves, state, trip, last):
            arrive(cliques, graph, moves, state, parts, trip)


@inlined
def spare_flips(n, moves, radius):
    """As many flips as one phase notes at most, with so many moves of a climb."""
    return 8 * n + radius * moves


@inlined
def spare_reports(n, moves):
    """As many reports as one phase makes at most: twice the offspring of two."""
    return 2 * (n + 1) + moves + 1


@inlined
def has_room(moves, state, trip):
    """Whether there is room for all that one phase can note."""
    n, climbed, radius = len(state.x), len(state.journal), moves.flips.shape[1]
    flips = len(trip.flips) - trip.clock[FLIPPED]
    reports = len(state.report_tags) - state.clock[REPORTS]
    enough = reports >= spare_reports(n, climbed)
    return enough and flips >= spare_flips(n, climbed, radius)


@inlined
def note(state, trip, fx):
    """Report an offspring, or where the path stands."""
    at = state.clock[REPORTS]
    for i in range(len(state.objectives)):
        state.report_fx[at, i] = fx[i]
    state.report_tags[at, 0] = state.clock[CLIMB]
    state.report_tags[at, 1] = trip.clock[FLIPPED]
    state.report_tags[at, 2] = 0  # only climbs know that they are at an optimum
    state.clock[REPORTS] = at + 1


@inlined
def climb_on(cliques, moves, state, trip, last):
    """Algorithm 2 for some moves; True at a local optimum.

    What it reports after so many moves is noted after so many flips.
    """
    state.clock[STEP] = 0
    state.clock[LOGGED] = 0
    report = state.clock[REPORTS]
    budget = min(last - trip.clock[TAKEN], len(state.journal))
    is_over = climb(cliques, moves, state, budget)
    trip.clock[TAKEN] += state.clock[STEP]
    at = trip.clock[FLIPPED]
    for step in range(state.clock[STEP] + 1):
        while report < state.clock[REPORTS] and state.report_tags[report, 1] == step:
            state.report_tags[report, 1] = at
            report += 1
        if step < state.clock[STEP]:
            for j in moves.flips[state.journal[step]]:
                if j >= 0:
                    trip.flips[at] = j
                    at += 1
    trip.clock[FLIPPED] = at
    return is_over


@inlined
def heat(cliques, moves, state, parts, trip, last):
    """Look at every variable once, and flip those that Metropolis' rule takes."""
    n, clock = len(state.x), trip.clock
    if clock[LOOKS] == 0:
        forget_large_moves(moves, state)
        trip.heat[1] = typical_loss(state)
    sweep = clock[LOOKS] // n
    cooling = 1.0 - (1.0 - COOLEST) * sweep / (trip.sweeps - 1)
    temperature = trip.heat[0] * trip.heat[1] * cooling
    for j in range(clock[LOOKS] - sweep * n, n):
        if clock[TAKEN] == last:
            return
        clock[LOOKS] += 1
        if is_taken(state, trip.exponential, j, temperature):
            flip_one(cliques, moves, state, j, trip.flips, clock[FLIPPED])
            clock[FLIPPED] += 1
            clock[TAKEN] += 1
            if trip.escapes > 1:  # so few variables that it may be on the front
                note(state, trip, state.fx)
    if trip.escapes == 1 and clock[FLIPPED] - clock[SINCE] > LONG * n:
        first = clock[SINCE]
        clock[FLIPPED] = shorten(parts, trip.flips, first, clock[FLIPPED])
    if clock[LOOKS] == trip.sweeps * n:
        clock[PHASE] = SETTLING


@inlined
def arrive(cliques, graph, moves, state, parts, trip):
    """At a local optimum: settle an escape, begin one, or end the leg."""
    clock = trip.clock
    if clock[PHASE] == SETTLING:
        first, last = clock[SINCE], clock[FLIPPED]
        clock[FLIPPED], largest = flips_back(
            cliques, graph, moves, state, parts, trip.flips, first, last
        )
        trip.heat[0] = next_heat(trip.heat[0], largest, len(state.x))
        clock[PHASE] = MENDING
        return
    if clock[PHASE] == MENDING:
        clock[ESCAPES] += 1
    if clock[ESCAPES] < trip.escapes:
        clock[SINCE] = clock[FLIPPED]
        clock[LOOKS] = 0
        clock[PHASE] = HEATING
        return
    changed = list_flipped(parts, trip.flips, clock[LEG_AT], clock[FLIPPED])
    recombine(cliques, graph, state, parts, trip, changed)
    clock[LEG] += 1
    if clock[LEG] < LEGS:
        turn(moves, state, trip)
    else:
        changed = list_differing(parts, state.x, trip.goal)
        recombine(cliques, graph, state, parts, trip, changed)


@inlined
def turn(moves, state, trip):
    """Climb on in the next direction: moves are filed anew, no score is computed."""
    clock = trip.clock
    clock[ESCAPES] = 0
    clock[LEG_AT] = clock[FLIPPED]
    clock[PHASE] = FOLLOWING
    for i in range(len(state.w)):
        way = (trip.far[i] - trip.near[i]) * clock[LEG] // (LEGS - 1)
        state.w[i] = trip.near[i] + way
    for size in range(1, state.clock[TIER] + 1):
        file_tier(moves, state, size)


@inlined
def recombine(cliques, graph, state, parts, trip, changed):
    """Report the offspring of x and of what differs from it in the listed variables.

    None of them is built: each is a few flips from the one before, and so is x again.
    """
    d, fx = len(state.objectives), trip.fx
    near, far = trip.corners[0], trip.corners[1]
    for i in range(d):
        fx[i] = state.fx[i]
    found = find_components(graph, parts, changed)
    for p in range(found):
        score_component(cliques, parts, state.here, p, d)
        if side(parts, p, near, d) > 0.0:
            note_flip(parts, trip, p, 1, d)
    note(state, trip, fx)
    for at in range(line_up(parts, found, near, far, trip.turns)):
        p = trip.turns[at] % FINE
        sign = 1 if side(parts, p, far, d) > 0.0 else -1
        note_flip(parts, trip, p, sign, d)
        note(state, trip, fx)
    for p in range(found):
        if side(parts, p, far, d) > 0.0:
            note_flip(parts, trip, p, -1, d)


@inlined
def note_flip(parts, trip, p, sign, d):
    """Flip component p of an offspring, which adds or takes away what it gains."""
    for j in parts.variables[parts.at[p] : parts.at[p + 1]]:
        trip.flips[trip.clock[FLIPPED]] = j
        trip.clock[FLIPPED] += 1
    for i in range(d):
        trip.fx[i] += sign * parts.deltas[p * d + i]
