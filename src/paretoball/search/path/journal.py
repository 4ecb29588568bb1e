"""The journal of a unit: the flips that lead from one reported solution to the next.

A report is an objective vector and a place in the journal. Flips of escapes, and those
under constraints, are noted once x is reported, and never if they are undone before.
"""

from paretoball._jit import by_type, called, inlined
from paretoball.archive import ADDED, SPARE, NdTree, is_refused, nd_report, room_left
from paretoball.climber import CLIMB, REPORTS, TAG_OPTIMUM, TAG_STEP, TAG_UNIT
from paretoball.search.path.clock import ASIDE, NOTHING, OPTIMUM, SEEN
from paretoball.search.path.ledger import is_feasible
from paretoball.search.path.unit import Front, next_chosen


@inlined
def note_flip(unit, j):
    """Note a flip."""
    unit.flips[unit.clock.flipped] = j
    unit.clock.flipped += 1


@inlined
def leave_unsaid(unit, j):
    """Note a flip once x is reported."""
    unsaid = unit.unsaid
    unsaid.missing[j] ^= 1
    if not unsaid.listed[j]:
        unsaid.listed[j] = 1
        unsaid.pending[unit.clock.pending] = j
        unit.clock.pending += 1


@inlined
def say(unit):
    """Bring the journal to x."""
    unsaid = unit.unsaid
    for at in range(unit.clock.pending):
        j = unsaid.pending[at]
        if unsaid.missing[j]:
            note_flip(unit, j)
            unsaid.missing[j] = 0
        unsaid.listed[j] = 0
    unit.clock.pending = 0


@inlined
def offer(unit):
    """Report what is due, if it is feasible and news: the one place that reports."""
    due, clock, notes = unit.clock.due, unit.state.clock, unit.state.notes
    if due == NOTHING:
        return
    unit.clock.due = NOTHING
    if not (is_feasible(unit.ledger) and _is_news(unit.front, unit.state.fx, due)):
        return
    at, fx = clock[REPORTS], unit.state.fx
    if due == ASIDE:
        fx = unit.places.fx
    else:
        say(unit)
    for i in range(len(unit.state.objectives)):
        notes.fx[at, i] = fx[i]
    notes.tags[at, TAG_UNIT] = clock[CLIMB]
    notes.tags[at, TAG_STEP] = unit.clock.flipped
    notes.tags[at, TAG_OPTIMUM] = due == OPTIMUM
    clock[REPORTS] = at + 1
    if due == ASIDE:  # and back to x, if it was a few flips away
        while unit.clock.next < unit.clock.chosen:
            note_flip(unit, next_chosen(unit))


@inlined
def _is_not_hidden(front, fx, due):
    """Whether it need not be news, or there is a front which does not hide fx."""
    return due != SEEN or (len(front.values) > 0 and not is_hidden(front, fx))


@inlined
def _is_new(front, fx, due):
    """Whether nothing known dominates or equals fx; then it is known from now on."""
    return not is_refused(front, fx) and _learn(front, fx)


@called
def _learn(front, fx):
    """Take fx into a front, if nothing there dominates or equals it; whether it was."""
    before = front.counts[ADDED]
    nd_report(front, fx, 0, 0, 0)
    return front.counts[ADDED] > before


_is_news = by_type("front", {Front: _is_not_hidden, NdTree: _is_new})


@inlined
def has_room(ground, unit):
    """Whether there is room for all that is noted before the next look at it.

    That is the way to what lies aside and back, and all that was left unsaid, twice.
    """
    most = 5 * len(unit.state.x) + ground.moves.flips.shape[1] + 1
    reports = len(unit.state.notes.tags) - unit.state.clock[REPORTS]
    enough = len(unit.flips) - unit.clock.flipped >= most
    return enough and reports >= 2 and _has_nodes(unit.front)


_needs_none = inlined(lambda front: True)
_has_some = inlined(lambda front: room_left(front) >= 2 * SPARE)
_has_nodes = by_type("front", {Front: _needs_none, NdTree: _has_some})


@inlined
def is_hidden(front, fx):
    """Whether a vector of a front dominates or equals fx.

    For two objectives these ascend: the first one that is not to the left of fx is the
    highest of all these. Otherwise the one that hid the last is tried before others.
    """
    values, hint = front
    if values.shape[1] == 2:
        low, high = 0, len(values)
        while low < high:
            middle = (low + high) // 2
            if values[middle, 0] < fx[0]:
                low = middle + 1
            else:
                high = middle
        return low < len(values) and values[low, 1] >= fx[1]
    if hint[0] < len(values) and _is_above(values[hint[0]], fx):
        return True
    for row in range(len(values)):
        if _is_above(values[row], fx):
            hint[0] = row
            return True
    return False


@inlined
def _is_above(value, fx):
    """Whether a vector is at least fx in every objective."""
    above = True
    for i in range(len(value)):
        above &= value[i] >= fx[i]
    return above
