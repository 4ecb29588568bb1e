"""The legs of a path as kernels see it: turn, climb, heat, accept, recombine.

The first leg anneals in the direction of the path's middle. Further legs turn to one
end, step by step, and then, from the middle again, to the other end. A leg follows the
front by Algorithm 2 to a local optimum for its weights. Then it escapes: heat, climb,
undo what was better before, climb once more. At its end it recombines the solution with
the one where the escape began, and with the best that is known nearby.

`follow` is one loop: it chooses a variable, flips it, and notes the flip.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.climber import (
    NO_MOVE,
    REPORTS,
    STEP,
    TIER,
    file_anew,
    file_tier,
    flip,
    next_move,
)
from paretoball.crossover import weighted
from paretoball.search.path.acceptance import choose_better, split
from paretoball.search.path.clock import (
    AT,
    CHOSEN,
    FLIPPED,
    LUMPY,
    MET,
    MOVE,
    NEXT,
    PART,
    PHASE,
    STAGE,
    TAKEN,
    WORK,
)
from paretoball.search.path.effort import FEW_VARIABLES
from paretoball.search.path.heat import (
    Heat,
    begin_heat,
    choose_hot,
    is_hot,
    note_hot,
    note_unsaid,
)
from paretoball.search.path.journal import has_room, note_flip
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

MANY = 1 << 22  # work between two returns to Python

# The phases of a leg:
#
#   FOLLOWING -> HEATING -> SETTLING -> MENDING -> MEETING -> JOINING -> (next leg)
#
# Legs of a fan go from FOLLOWING to MEETING; halfway, RETURNING comes before FOLLOWING.
#
FOLLOWING = 0  # climbing to the first local optimum of the leg
HEATING = 1  # flipping variables by Metropolis' rule
SETTLING = 2  # climbing; then components that were better before are flipped back
MENDING = 3  # climbing once more, to the end of the escape
MEETING = 4  # recombining with what is known
JOINING = 5  # climbing from there
RETURNING = 6  # flipping back all that has changed since the first leg

# The columns of `PathState.mild`.
MILD = 0  # the first temperature of the next leg, in typical losses
LOSS = 1  # a typical loss, the mean of |w · S_j|
MILDS = 2


class Course(NamedTuple):
    """Where a path goes, and with how much work."""

    turns: np.ndarray  # (turns, d) int64: its middle and ends, or all of a fan
    corners: np.ndarray  # (2, d) int64: between which weights offspring are lined up
    steps: int  # legs to each end; 0 for a fan
    work: float  # of the first leg
    hot: float  # its first temperature, in typical losses of a flip


class PathState(NamedTuple):
    """Where one path is."""

    course: Course
    known: np.ndarray  # (known, n) uint8: solutions that are best near these
    known_fx: np.ndarray  # (known, d) int64: objectives, less those of the first
    middle: np.ndarray  # (n,) uint8: the solution after the first leg
    before: np.ndarray  # (n,) uint8: the one where an escape began
    clock: np.ndarray  # (CLOCK,) int64: counters, as `clock` tells
    flips: np.ndarray  # (room,) int32: the variables flipped since the path began
    mild: np.ndarray  # (MILDS,) float64: by the names above
    heat: Heat
    chosen: np.ndarray  # (n,) int32: variables to flip, one after the other
    order: np.ndarray  # scratch, (n,) int64: components in the order of their turns
    fx: np.ndarray  # scratch, (d,) int64: the objectives of an offspring


@kernel
def follow(cliques, graph, moves, state, space, path, last):
    """Go on until `last` moves are taken, or it is time to return."""
    clock = path.clock
    clock[WORK] = 0
    while clock[STAGE] < legs_of(path) and clock[TAKEN] < last:
        if clock[WORK] >= MANY or not _has_room(moves, state, path):
            return
        j = _choose(cliques, graph, moves, state, space, path)
        if j != NO_MOVE:
            _step(cliques, moves, state, path, j)


@inlined
def _choose(cliques, graph, moves, state, space, path):
    """The next variable to flip; NO_MOVE where a phase, or a sweep, ends."""
    clock, n = path.clock, len(state.x)
    if clock[NEXT] < clock[CHOSEN]:
        clock[NEXT] += 1
        return np.int64(path.chosen[clock[NEXT] - 1])
    if clock[PHASE] == HEATING:
        if is_hot(path.heat):
            return choose_hot(state, path.heat, clock)
        _cool(moves, state, path)
    elif clock[PHASE] == RETURNING:
        for j in range(clock[AT], n):
            if state.x[j] != path.middle[j]:
                clock[AT] = j + 1
                return j
        file_anew(moves, state)
        clock[PHASE] = FOLLOWING
    else:
        if clock[PHASE] != MEETING:
            j = _choose_climb(cliques, moves, state, path)
            if j != NO_MOVE:
                return j
        _arrive(cliques, graph, moves, state, space, path)
        clock[WORK] += ARRIVAL * n
    return NO_MOVE


@inlined
def _choose_climb(cliques, moves, state, path):
    """The next variable of the move that Algorithm 2 takes; NO_MOVE at an optimum.

    With many objectives nearly all that a climb passes is non-dominated: of many
    variables only the local optimum is reported then.
    """
    clock, radius = path.clock, moves.flips.shape[1]
    if clock[MOVE] == NO_MOVE or clock[PART] == radius:
        before = state.clock[REPORTS]
        state.clock[STEP] = clock[FLIPPED]
        t = next_move(cliques, moves, state)
        clock[MOVE] = t
        if t == NO_MOVE:
            return NO_MOVE
        clock[TAKEN] += 1
        clock[PART] = 0
        if path.course.steps == 0 and len(state.x) > FEW_VARIABLES:
            state.clock[REPORTS] = before
    j = np.int64(moves.flips[clock[MOVE], clock[PART]])
    clock[PART] += 1
    if clock[PART] < radius and moves.flips[clock[MOVE], clock[PART]] < 0:
        clock[PART] = radius
    return j


@inlined
def _step(cliques, moves, state, path, j):
    """x ← x ⊕ j with scores and objectives; only climbs need moves to be filed."""
    d, phase = len(state.objectives), path.clock[PHASE]
    for i in range(d):
        state.fx[i] += state.scores[j * d + i]
    flip(cliques, moves, state, j, phase != HEATING and phase != RETURNING)
    if phase == HEATING:
        path.clock[TAKEN] += 1
        path.clock[WORK] += path.heat.flip_work
        note_hot(state, path, j)
    else:
        note_flip(path, j)


@inlined
def legs_of(path):
    """The legs of a path: to both ends, or one for each direction of a fan."""
    course = path.course
    return 1 + 2 * course.steps if course.steps else len(course.turns)


@inlined
def spare_flips(n, radius):
    """The most flips that are noted between two looks at the room for them."""
    return 6 * n + radius


@inlined
def spare_reports(n):
    """The most reports that are made so: the offspring of two solutions."""
    return n + 2


@inlined
def _has_room(moves, state, path):
    """Whether there is room for all that can be noted before the next look."""
    n, radius = len(state.x), moves.flips.shape[1]
    return has_room(state, path, spare_flips(n, radius), spare_reports(n))


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
        _end_leg(moves, state, path)
    else:
        y, most = path.before, len(state.x)
        if phase == MEETING:
            y, most = path.known[_next_known(state, path)], _largest_taken(state, path)
        found = split(cliques, graph, moves, state, space, y, most)
        if phase != SETTLING and _is_lined_up(state, phase):
            recombine(state, space, path, found)
        if phase != MENDING:
            largest = choose_better(state, space, path, found)
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
    turns, leg = path.course.turns, path.clock[STAGE]
    if path.course.steps or leg == 0 or path.clock[LUMPY]:
        return False
    turned = False
    for i in range(turns.shape[1]):
        turned |= turns[leg, i] != turns[0, i]
    return turned


@inlined
def _largest_taken(state, path):
    """The size of the largest component to take from a known solution.

    Later legs take no large one, which would lead them all to the same place.
    """
    n = len(state.x)
    return n if path.clock[STAGE] == 0 else max(1, np.int64(LUMP * n))


@inlined
def _adapt(space, path, found, undone):
    """The temperature of the next leg: lower if most of this one was undone at once.

    A giant component is kept or undone as a whole, so that an escape is hardly more
    than one try. After the first leg, tell by what it changed how hot others may be.
    """
    differing, mild = space.at[found], path.mild[MILD]
    if path.clock[STAGE] == 0:
        for p in range(found):
            undone = max(undone, space.at[p + 1] - space.at[p])
    is_lump = 2 * undone > differing and differing > LUMP * len(path.before)
    if path.clock[STAGE] == 0:
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
    if path.clock[STAGE] == 0:
        loss = max(_typical_loss(state), 1e-9)
        path.mild[LOSS] = loss
        hot, work = path.course.hot, path.course.work
        begin_heat(state, path.heat, hot * loss, COLD * loss, work)
    else:
        mild = path.mild[MILD]
        ratio = mild / path.course.hot
        share = min(MOST_SHARE, ratio * ratio * ratio)
        work = 2 * path.course.work * share / (legs_of(path) - 1)
        begin_heat(state, path.heat, mild * loss, min(COLD, mild) * loss, work)


@inlined
def _cool(moves, state, path):
    """The escape is over: note what it changed, and file moves for the climb."""
    note_unsaid(path)
    file_anew(moves, state)
    path.clock[PHASE] = SETTLING


@inlined
def _end_leg(moves, state, path):
    """Go on in the next direction; moves are filed anew, no score is computed.

    Halfway, go back to the middle.
    """
    clock, leg = path.clock, path.clock[STAGE] + 1
    clock[STAGE] = leg
    clock[PHASE] = FOLLOWING
    if leg == 1:
        for j in range(len(state.x)):
            path.middle[j] = state.x[j]
    _turn(state, path, leg)
    if path.course.steps and leg == path.course.steps + 1:
        state.clock[TIER] = 1
        clock[AT] = 0
        clock[PHASE] = RETURNING
    else:
        for size in range(1, state.clock[TIER] + 1):
            file_tier(moves, state, size)


@inlined
def _turn(state, path, leg):
    """Change w to the direction of a leg; after the last one nobody needs it."""
    turns, steps = path.course.turns, path.course.steps
    if steps == 0:
        leg = min(leg, len(turns) - 1)
        for i in range(len(state.w)):
            state.w[i] = turns[leg, i]
        return
    end, step = (1, leg) if leg <= steps else (2, leg - steps)
    for i in range(len(state.w)):
        way = turns[end, i] - turns[0, i]
        state.w[i] = turns[0, i] + way * step // steps
