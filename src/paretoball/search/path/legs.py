"""The legs of a path as kernels see it: turn, climb, heat, accept, recombine.

The first leg anneals in the direction of the path's middle. Further legs turn to one
end, step by step, and then, from the middle again, to the other end. A leg follows the
front by Algorithm 2 to a local optimum for its weights. Then it escapes: heat, climb,
undo what was better before, climb once more. At its end it recombines the solution with
the one where the escape began, and with the best that is known nearby.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.climber import (
    LOGGED,
    REPORTS,
    STEP,
    TAG_STEP,
    TIER,
    climb,
    file_anew,
    file_tier,
    flip_unfiled,
)
from paretoball.crossover import weighted
from paretoball.search.path.acceptance import flip_better, split
from paretoball.search.path.effort import FEW_VARIABLES
from paretoball.search.path.heat import MANY, begin_heat, is_hot, note_unsaid, sweep_on
from paretoball.search.path.journal import FLIPPED, has_room, note_flip
from paretoball.search.path.offspring import recombine

# Temperatures, in typical losses of a flip.
COLD = 0.022  # the last one of a leg
FIRST_MILD = 0.1  # the first one of other legs, at first
LOOSE_MILD = 0.4
LEAST_MILD, MOST_MILD = 0.02, 0.6
WARMER, COOLER = 1.1, 0.75  # factors for the next leg
MOST_SHARE = 2.0  # of the first leg's work, for all legs to one end
MEETINGS = 64  # with known solutions, on each leg, at most
FEW_MEETINGS = 4  # the same on legs without heat
ARRIVAL = 8  # the work where a climb has ended, for each variable, about
LUMP = 1 / 50  # of all variables: larger components are not taken from known solutions

# The phases of a leg:
#
#   FOLLOWING -> HEATING -> SETTLING -> MENDING -> MEETING -> JOINING -> (next leg)
#
# Legs of a fan go from FOLLOWING to MEETING.
#
FOLLOWING = 0  # climbing to the first local optimum of the leg
HEATING = 1  # flipping variables by Metropolis' rule
SETTLING = 2  # climbing; then components that were better before are flipped back
MENDING = 3  # climbing once more, to the end of the escape
MEETING = 4  # recombining with what is known
JOINING = 5  # climbing from there

# The columns of `PathState.clock`, after FLIPPED.
LEG = 1  # legs done
PHASE = 2  # one of those above
TAKEN = 3  # moves taken
MET = 4  # known solutions met on this leg
LUMPY = 5  # whether the first leg changed most variables in one giant component
CLOCK = 6

# The columns of `PathState.mild`.
MILD = 0  # the first temperature of the next leg, in typical losses
LOSS = 1  # a typical loss, the mean of |w · S_j|
MILDS = 2


class PathState(NamedTuple):
    """Where one path is."""

    turns: np.ndarray  # (turns, d) int64: its middle and ends, or all of a fan
    known: np.ndarray  # (known, n) uint8: solutions that are best near these
    known_fx: np.ndarray  # (known, d) int64: objectives, less those of the first
    middle: np.ndarray  # (n,) uint8: the solution after the first leg
    before: np.ndarray  # (n,) uint8: the one where an escape began
    clock: np.ndarray  # (CLOCK,) int64: counters, by the names above
    flips: np.ndarray  # (room,) int32: the variables flipped since the path began
    mild: np.ndarray  # (MILDS,) float64: by the names above
    heat: np.ndarray  # (NUMBERS,) float64: as `heat` tells
    sweep: np.ndarray  # (2,) int64: the next variable of a sweep, and the next draw
    unsaid: np.ndarray  # (n,) uint8: 1 where the journal lacks a flip of this escape
    front: np.ndarray  # (rows, d) int64: what was found before, where n is small
    hint: np.ndarray  # scratch, (1,) int64: the row that hid the last solution
    shares: np.ndarray  # (d,) float32: weights that add up to 1
    draws: np.ndarray  # draws from the exponential distribution
    order: np.ndarray  # scratch, (n,) int64: components in the order of their turns
    fx: np.ndarray  # scratch, (d,) int64: the objectives of an offspring
    corners: np.ndarray  # (2, d) int64: between which weights offspring are lined up
    steps: int  # legs to each end; 0 for a fan
    flip_work: int  # the work of a flip, in looks
    work: float  # of the first leg
    hot: float  # its first temperature, in typical losses of a flip


@kernel
def follow(cliques, graph, moves, state, space, path, last):
    """Go on until `last` moves are taken, or it is time to return."""
    clock, work = path.clock, 0
    while clock[LEG] < legs_of(path) and clock[TAKEN] < last and work < MANY:
        if not _has_room(moves, state, path):
            return
        if clock[PHASE] == HEATING:
            flips = sweep_on(cliques, moves, state, path, last - clock[TAKEN])
            clock[TAKEN] += flips
            if is_hot(path):
                return
            _cool(moves, state, path)
        elif clock[PHASE] == MEETING or _climb_on(cliques, moves, state, path, last):
            _arrive(cliques, graph, moves, state, space, path)
            work += ARRIVAL * len(state.x)


@inlined
def legs_of(path):
    """The legs of a path: to both ends, or one for each direction of a fan."""
    return 1 + 2 * path.steps if path.steps else len(path.turns)


@inlined
def spare_flips(n, moves, radius):
    """The most flips that one phase notes, if its climb takes `moves` moves."""
    return 6 * n + radius * moves


@inlined
def spare_reports(n, moves):
    """The most reports that one phase makes: the offspring of two solutions."""
    return n + 1 + moves + 1


@inlined
def _has_room(moves, state, path):
    """Whether there is room for all that one phase can note."""
    n, climbed, radius = len(state.x), len(state.journal), moves.flips.shape[1]
    flips, reports = spare_flips(n, climbed, radius), spare_reports(n, climbed)
    return has_room(state, path, flips, reports)


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
    if path.steps == 0 and len(state.x) > FEW_VARIABLES:
        _keep_last(state, report, is_over)
    for step in range(state.clock[STEP] + 1):
        while (
            report < state.clock[REPORTS] and state.notes.tags[report, TAG_STEP] == step
        ):
            state.notes.tags[report, TAG_STEP] = path.clock[FLIPPED]
            report += 1
        if step < state.clock[STEP]:
            for j in moves.flips[state.journal[step]]:
                if j >= 0:
                    note_flip(path, j)
    return is_over


@inlined
def _keep_last(state, first, is_over):
    """Of the reports from `first` on, keep that of the local optimum, if there is one.

    With many objectives nearly all that a climb passes is non-dominated.
    """
    last = state.clock[REPORTS] - 1
    state.clock[REPORTS] = first
    if is_over:
        for i in range(len(state.objectives)):
            state.notes.fx[first, i] = state.notes.fx[last, i]
        for column in range(state.notes.tags.shape[1]):
            state.notes.tags[first, column] = state.notes.tags[last, column]
        state.clock[REPORTS] = first + 1


@inlined
def _typical_loss(state):
    """The mean of |w · S_j| over all variables j."""
    d, total = len(state.objectives), 0.0
    for j in range(len(state.x)):
        total += abs(float(weighted(state.w, state.scores, j * d)))
    return total / len(state.x)


@inlined
def _arrive(cliques, graph, moves, state, space, path):
    """At a local optimum: begin an escape, compare with another solution, or go on."""
    phase = path.clock[PHASE]
    if phase == FOLLOWING and _is_cool(path):
        path.clock[PHASE] = MEETING if _meetings(path) else JOINING
    elif phase == FOLLOWING:
        _begin_escape(state, path)
        path.clock[PHASE] = HEATING
    elif phase == JOINING:
        _end_leg(cliques, moves, state, path)
    else:
        y, most = path.before, len(state.x)
        if phase == MEETING:
            y, most = path.known[_next_known(state, path)], _largest_taken(state, path)
        found = split(cliques, graph, moves, state, space, y, most)
        if phase != SETTLING and _is_lined_up(state, phase):
            recombine(state, space, path, found)
        if phase != MENDING:
            largest = flip_better(cliques, moves, state, space, path, found)
            if phase == SETTLING:
                _adapt(space, path, found, largest)
        if phase == MEETING:
            path.clock[MET] += 1
        else:
            path.clock[PHASE] = phase + 1
        if path.clock[PHASE] == MEETING and path.clock[MET] == _meetings(path):
            path.clock[PHASE] = JOINING
            path.clock[MET] = 0


@inlined
def _is_lined_up(state, phase):
    """Whether offspring are reported: always if d is 2, seldom if d is 3, else never.

    With more objectives most offspring are non-dominated, and too many for an archive.
    """
    d = len(state.objectives)
    return d <= 2 or (d == 3 and phase == MENDING)


@inlined
def _next_known(state, path):
    """The known solution to meet next: the best for w comes first."""
    for row in range(len(path.known)):
        value, before = weighted(state.w, path.known_fx[row], 0), 0
        for other in range(len(path.known)):
            rival = weighted(state.w, path.known_fx[other], 0)
            before += rival > value or (rival == value and other < row)
        if before == path.clock[MET]:
            return row
    return 0


@inlined
def _meetings(path):
    """How many known solutions a leg meets: if lumpy, the best for w only."""
    most = FEW_MEETINGS if _is_cool(path) else MEETINGS
    return min(1 if path.clock[LUMPY] else most, len(path.known))


@inlined
def _is_cool(path):
    """Whether a leg has no heat: if it turns within a fan, and nothing is lumpy."""
    if path.steps or path.clock[LEG] == 0 or path.clock[LUMPY]:
        return False
    turned = False
    for i in range(path.turns.shape[1]):
        turned |= path.turns[path.clock[LEG], i] != path.turns[0, i]
    return turned


@inlined
def _largest_taken(state, path):
    """The size of the largest component to take from a known solution.

    Later legs take no large one, which would lead them all to the same place.
    """
    n = len(state.x)
    return n if path.clock[LEG] == 0 else max(1, np.int64(LUMP * n))


@inlined
def _adapt(space, path, found, undone):
    """The temperature of the next leg: lower if most of this one was undone at once.

    A giant component is kept or undone as a whole, so that an escape is hardly more
    than one try. After the first leg, tell by what it changed how hot others may be.
    """
    differing, mild = space.at[found], path.mild[MILD]
    if path.clock[LEG] == 0:
        for p in range(found):
            undone = max(undone, space.at[p + 1] - space.at[p])
    is_lump = 2 * undone > differing and differing > LUMP * len(path.before)
    if path.clock[LEG] == 0:
        path.clock[LUMPY] = is_lump
        path.mild[MILD] = FIRST_MILD if is_lump else LOOSE_MILD
    else:
        mild *= COOLER if is_lump else WARMER
        path.mild[MILD] = min(max(mild, LEAST_MILD), MOST_MILD)


@inlined
def _begin_escape(state, path):
    """Heat: for the first leg from hot to cold, for others from mild to cold."""
    for j in range(len(state.x)):
        path.before[j] = state.x[j]
    loss = path.mild[LOSS]
    if path.clock[LEG] == 0:
        loss = max(_typical_loss(state), 1e-9)
        path.mild[LOSS] = loss
        begin_heat(state, path, path.hot * loss, COLD * loss, path.work)
    else:
        mild = path.mild[MILD]
        ratio = mild / path.hot
        share = min(MOST_SHARE, ratio * ratio * ratio)
        work = 2 * path.work * share / (legs_of(path) - 1)
        begin_heat(state, path, mild * loss, min(COLD, mild) * loss, work)


@inlined
def _cool(moves, state, path):
    """The escape is over: note what it changed, and file moves for the climb."""
    note_unsaid(path)
    file_anew(moves, state)
    path.clock[PHASE] = SETTLING


@inlined
def _end_leg(cliques, moves, state, path):
    """Go on in the next direction; moves are filed anew, no score is computed.

    Halfway, go back to the middle.
    """
    clock, leg = path.clock, path.clock[LEG] + 1
    clock[LEG] = leg
    clock[PHASE] = FOLLOWING
    if leg == 1:
        for j in range(len(state.x)):
            path.middle[j] = state.x[j]
    _turn(state, path, leg)
    if path.steps and leg == path.steps + 1:
        _return(cliques, moves, state, path)
    else:
        for size in range(1, state.clock[TIER] + 1):
            file_tier(moves, state, size)


@inlined
def _turn(state, path, leg):
    """Change w to the direction of a leg; after the last one nobody needs it."""
    if path.steps == 0:
        leg = min(leg, len(path.turns) - 1)
        for i in range(len(state.w)):
            state.w[i] = path.turns[leg, i]
        return
    end, step = (1, leg) if leg <= path.steps else (2, leg - path.steps)
    for i in range(len(state.w)):
        way = path.turns[end, i] - path.turns[0, i]
        state.w[i] = path.turns[0, i] + way * step // path.steps


@inlined
def _return(cliques, moves, state, path):
    """Flip back all that has changed since the first leg."""
    d = len(state.objectives)
    state.clock[TIER] = 1
    for j in range(len(state.x)):
        if state.x[j] != path.middle[j]:
            for i in range(d):
                state.fx[i] += state.scores[j * d + i]
            flip_unfiled(cliques, moves, state, j)
            note_flip(path, j)
    file_anew(moves, state)
