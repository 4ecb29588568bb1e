"""The journal of a unit: the flips that lead from one reported solution to the next.

A report is an objective vector and a place in the journal. All units have a journal: an
array `flips`, whose length so far is a number of their `clock`.
"""

from paretoball._jit import inlined
from paretoball.climber import CLIMB, REPORTS, TAG_OPTIMUM, TAG_STEP, TAG_UNIT
from paretoball.search.path.clock import FLIPPED


@inlined
def note_flip(unit, j):
    """Note a flip."""
    unit.flips[unit.clock[FLIPPED]] = j
    unit.clock[FLIPPED] += 1


@inlined
def note_report(state, unit, fx):
    """Report the solution where the journal has led to, which has these objectives.

    It does not count as a local optimum: only climbs know that they are at one.
    """
    at = state.clock[REPORTS]
    for i in range(len(state.objectives)):
        state.notes.fx[at, i] = fx[i]
    state.notes.tags[at, TAG_UNIT] = state.clock[CLIMB]
    state.notes.tags[at, TAG_STEP] = unit.clock[FLIPPED]
    state.notes.tags[at, TAG_OPTIMUM] = 0
    state.clock[REPORTS] = at + 1


@inlined
def has_room(state, unit, flips, reports):
    """Whether so many flips and reports can still be noted."""
    enough = len(unit.flips) - unit.clock[FLIPPED] >= flips
    return enough and len(state.notes.tags) - state.clock[REPORTS] >= reports


@inlined
def is_hidden(front, hint, fx):
    """Whether a vector of a front dominates or equals fx.

    For two objectives these ascend: the first one that is not to the left of fx is the
    highest of all these. Otherwise the one that hid the last is tried before others.
    """
    if front.shape[1] == 2:
        low, high = 0, len(front)
        while low < high:
            middle = (low + high) // 2
            if front[middle, 0] < fx[0]:
                low = middle + 1
            else:
                high = middle
        return low < len(front) and front[low, 1] >= fx[1]
    if hint[0] < len(front) and _is_above(front[hint[0]], fx):
        return True
    for row in range(len(front)):
        if _is_above(front[row], fx):
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
