"""The legs of a path without constraints: turn, climb, heat, accept, recombine.

The first leg anneals in the direction of the path's middle. Further legs turn to one
end, step by step, and then, from the middle again, to the other end. A leg climbs, by
Algorithm 2, and escapes: heat, climb, undo what was better before, climb once more. At
its end it recombines x with where the escape began, and with the best known nearby.
"""

import numpy as np

from paretoball._jit import called, inlined
from paretoball.climber import (
    NO_MOVE,
    TIER,
    file_anew,
    file_tier,
    is_optimum,
    select_strong,
    select_w_improving,
)
from paretoball.crossover import weighted
from paretoball.search.path.acceptance import choose_better, line_up_next, split
from paretoball.search.path.clock import (
    CLIMBING,
    FOUND,
    HEATING,
    JOINING,
    LINING,
    MEETING,
    MENDING,
    NOTHING,
    OPTIMUM,
    RETURNING,
    SETTLING,
)
from paretoball.search.path.effort import FEW_VARIABLES
from paretoball.search.path.heat import begin_heat, choose_hot, is_hot
from paretoball.search.path.journal import say
from paretoball.search.path.unit import choose, gain_on, head_for, next_chosen, turn

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


@inlined
def choose_on_leg(ground, unit, ledger):
    """The next variable to flip; NO_MOVE where a phase, or a sweep, ends."""
    clock, phase = unit.clock, unit.clock.phase
    if phase == HEATING:
        if is_hot(unit):
            return choose_hot(ground, unit)
        say(unit)
        file_anew(ground.moves, unit.state)
        clock.phase = SETTLING
    elif phase == RETURNING:
        file_anew(ground.moves, unit.state)
        clock.phase = CLIMBING
    elif phase == LINING:
        if not line_up_next(unit):
            _accept(unit, clock.compared)
    else:
        if phase != MEETING:
            j = _choose_move(ground, unit)
            if j != NO_MOVE:
                return j
        _arrive(ground, unit, phase)
        clock.work += ARRIVAL * len(unit.state.x)
    return NO_MOVE


@inlined
def _choose_move(ground, unit):
    """The first variable of the move that Algorithm 2 takes; NO_MOVE at its end.

    With many objectives nearly all that a climb passes is non-dominated: of many
    variables only the local optimum is reported then.
    """
    moves, state, clock = ground.moves, unit.state, unit.clock
    t = select_strong(ground.cliques, moves, state)  # 3, 4
    if t == NO_MOVE:  # 5
        t = select_w_improving(moves, state)  # 6
        clock.due = FOUND  # 7
        if t != NO_MOVE and unit.course.is_fan and len(state.x) > FEW_VARIABLES:
            clock.due = NOTHING
    if t == NO_MOVE:  # 2
        clock.due = OPTIMUM if is_optimum(state) else FOUND  # 12
        return NO_MOVE
    clock.taken += 1
    choose(unit, moves.flips[t])
    return next_chosen(unit)


@called
def _arrive(ground, unit, phase):
    """At a local optimum: begin an escape, compare with another solution, or go on."""
    clock = unit.clock
    if phase == CLIMBING and _is_cool(unit):
        clock.phase = MEETING if _meetings(unit) else JOINING
    elif phase == CLIMBING:
        _begin_escape(unit)
        clock.phase = HEATING
    elif phase == JOINING:
        _end_leg(ground, unit)
    else:
        y, most = unit.places.before, len(unit.state.x)
        if phase == MEETING:
            y = unit.known.rows[_next_known(unit)]
            if clock.stage > 0:  # large ones would lead all legs to the same place
                most = max(1, np.int64(LUMP * most))
        split(ground, unit, y, most)
        d = len(unit.state.objectives)  # for more, offspring are too many to report
        if phase != SETTLING and (d <= 2 or (d == 3 and phase == MENDING)):
            clock.at, clock.compared, clock.phase = 0, phase, LINING
        else:
            _accept(unit, phase)


@inlined
def _accept(unit, phase):
    """Take what is better in the other solution, and go on to the next phase."""
    clock = unit.clock
    if phase != MENDING:
        largest = choose_better(unit)
        if phase == SETTLING:
            _adapt(unit, largest)
    clock.phase = phase
    if phase == MEETING:
        clock.tried += 1
    else:
        clock.phase += 1
    if clock.phase == MEETING and clock.tried == _meetings(unit):
        clock.phase = JOINING
        clock.tried = 0


@inlined
def _next_known(unit):
    """The known solution to meet next: the best for w comes first."""
    w, values = unit.state.w, unit.known.values
    for row in range(len(values)):
        value, before = gain_on(w, values[row], values[0]), 0
        for other in range(len(values)):
            rival = gain_on(w, values[other], values[0])
            before += rival > value or (rival == value and other < row)
        if before == unit.clock.tried:
            return row
    return 0


@inlined
def _meetings(unit):
    """How many known solutions a leg meets: if lumpy, the best for w only."""
    most = FEW_MEETINGS if _is_cool(unit) else MEETINGS
    return min(1 if unit.clock.lumpy else most, len(unit.known.rows))


@inlined
def _is_cool(unit):
    """Whether a leg has no heat: if it turns within a fan, and nothing is lumpy."""
    turns, leg = unit.course.turns, unit.clock.stage
    if not unit.course.is_fan or leg == 0 or unit.clock.lumpy:
        return False
    turned = False
    for i in range(turns.shape[1]):
        turned |= turns[leg, i] != turns[0, i]
    return turned


@inlined
def _adapt(unit, undone):
    """The temperature of the next leg: lower if most of this one was undone at once.

    A giant component is kept or undone as a whole, so that an escape is hardly more
    than one try. After the first leg, tell by what it changed how hot others may be.
    """
    space, numbers, found = unit.mixed.space, unit.heat.numbers, unit.clock.parts
    differing, is_first = space.at[found], unit.clock.stage == 0
    if is_first:
        for p in range(found):
            undone = max(undone, space.at[p + 1] - space.at[p])
    is_lump = 2 * undone > differing and differing > LUMP * len(unit.state.x)
    if is_first:
        unit.clock.lumpy = is_lump
        numbers.mild = FIRST_MILD if is_lump else LOOSE_MILD
    else:
        mild = numbers.mild * (COOLER if is_lump else WARMER)
        numbers.mild = min(max(mild, LEAST_MILD), MOST_MILD)


@inlined
def _begin_escape(unit):
    """Heat: for the first leg from hot to cold, for others from mild to cold."""
    course, numbers, state = unit.course, unit.heat.numbers, unit.state
    for j in range(len(state.x)):
        unit.places.before[j] = state.x[j]
    first, work = course.hot, course.work
    if unit.clock.stage == 0:
        total = 0.0
        for j in range(len(state.x)):
            total += abs(float(weighted(state.w, state.scores, j * len(state.w))))
        numbers.loss = max(total / len(state.x), 1e-9)  # the mean of |w · S_j|
    else:
        first = numbers.mild
        ratio = first / course.hot
        share = min(MOST_SHARE, ratio * ratio * ratio)
        work = 2 * course.work * share / (course.stages - 1)
    begin_heat(unit, first, min(COLD, first), work)


@inlined
def _end_leg(ground, unit):
    """Go on in the next direction; moves are filed anew, no score is computed.

    Halfway, go back to the middle.
    """
    clock, state = unit.clock, unit.state
    clock.stage += 1
    clock.phase = CLIMBING
    if clock.stage == unit.course.stages:
        return
    if turn(unit) and not unit.course.is_fan:
        state.clock[TIER] = 1
        head_for(unit, unit.places.middle)
        clock.phase = RETURNING
    else:
        for size in range(1, state.clock[TIER] + 1):
            file_tier(ground.moves, state, size)
