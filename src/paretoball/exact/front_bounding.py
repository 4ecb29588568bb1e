"""Bounding: vectors that no solution can complete to a new point of the front.

Some weights w are given, and for each entry of each table the best completion: how much
all that is not in the table can add to w · f. A vector whose value and completion stay
below `least`, for every w, is dropped.

What has to be kept is told by points of the front that are known. A point that is not
known yet is at least one of their corners. Each corner is given to the weights in which
it is nearest to the best value, and `least` is the least value of all that a weight was
given.

Weights are in floats. `slack`, much more than all rounding errors together, is added
before anything is dropped.

Where there are constraints, vectors are dropped as well if one of their columns cannot
reach what it needs; that is decided in integers.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.exact.best_completions import Completions
from paretoball.exact.front_merging import CALL, LEFT
from paretoball.exact.front_tables import ENTRY, SLICE, Space
from paretoball.exact.front_weights import Weights
from paretoball.system import Pulse

ROUNDING = 64 * 2.0**-53  # share of the largest value, for each step, that may be wrong
AT_ONCE = 32  # weights that a vector is compared with before the next look
A_LOOK = 8  # comparisons of vectors that take as long as that
PLACE, TO = 12, 13  # entries of `Seen.state`: numbers that were looked at, and kept


class Bound(NamedTuple):
    """What is dropped: for all weights, w · f + completion < least - slack."""

    w: np.ndarray  # (columns, weights) float64
    completions: Completions
    least: np.ndarray  # (weights,) float64: infinite where there is nothing to keep
    slack: float
    envelope: np.ndarray  # (weights,) int64: scratch, the lines that count for an entry
    heights: np.ndarray  # (weights,) float64: scratch, what w · f has to be
    ends: np.ndarray  # (weights,) float64: scratch, the f0 up to which a line counts,
    # or with more columns by how much a vector is kept


def bound_of(w: np.ndarray, completions: Completions, gaps: np.ndarray) -> Bound:
    """The bound that keeps what is up to `gaps` below the best for each weight."""
    count = len(w)
    largest = float(completions.best.max())  # of sums of what is 0 or more
    return Bound(
        w=w.T.copy(),
        completions=completions,
        least=np.where(gaps >= 0, completions.best - gaps, np.inf),
        slack=ROUNDING * (len(completions.at) + count) * largest,
        envelope=np.zeros(count, np.int64),
        heights=np.zeros(count),
        ends=np.zeros(count),
    )


def gaps_below(
    weights: Weights,
    best: np.ndarray,
    corners: np.ndarray,
    covered: np.ndarray,
    spend: Callable[[int], None],
) -> np.ndarray:
    """How far below the best each weight has to keep points; -1 for nothing.

    All that is at least a corner is to be kept, unless it is `covered`: as far as that
    below the best for some weights, where all points are known. `spend` is told
    comparisons now and then.
    """
    gaps = np.full(len(weights.w), -1.0)
    some = max(1, SLICE // len(gaps))
    for first in range(0, len(corners), some):
        part = corners[first : first + some]
        _find_gaps((weights.w, weights.lengths), best, part, covered, gaps)
        spend(len(part) * len(gaps))
    return gaps


@kernel
def _find_gaps(weights, best, corners, covered, gaps):
    """Give each corner that is not covered to the weights that it is nearest to."""
    w, lengths = weights
    for corner in corners:
        nearest, least, share, is_open = 0, 0.0, np.inf, True
        for k in range(len(w)):
            below = best[k]
            for i in range(len(corner)):
                below -= w[k, i] * corner[i]
            is_open &= below > covered[k]
            if below < share * lengths[k]:
                nearest, least, share = k, below, below / lengths[k]
        if is_open:
            gaps[nearest] = max(gaps[nearest], least, 0.0)


def prune(bound: Bound, number: int, space: Space, pulse: Pulse) -> None:
    """Drop, from the table of a step that was just written, what cannot matter."""
    at, values, state = bound.completions.at, bound.completions.values, space.seen.state
    completions = values[at[number] : at[number + 1]]
    space.start_step()
    kernel = _prune_pairs if len(bound.w) == 2 else _prune_vectors
    while not kernel(bound, completions, space.at, space.values, state):
        pulse()


def drop_infeasible(
    needs: np.ndarray, completions: Completions, number: int, space: Space, pulse: Pulse
) -> None:
    """Drop, from the table of a step, what cannot reach what constraints need."""
    at, caps, state = completions.at, space.seen.caps, space.seen.state
    own = completions.values[at[number] : at[number + 1]]
    space.start_step()
    while not _drop_infeasible((needs, caps), own, space.at, space.values, state):
        pulse()


# These kernels keep a part of each front, in place. They return False if they pause.


@kernel
def _drop_infeasible(needs_and_caps, completions, at, values, state):
    """Keep, of each front, the vectors that may still be feasible."""
    needs, columns = needs_and_caps[0], len(needs_and_caps[1])
    to, start, first = state[TO], state[PLACE], columns - len(needs)
    for e in range(state[ENTRY], len(completions)):
        if state[LEFT] <= 0:
            state[ENTRY], state[PLACE], state[TO] = e, start, to
            return False
        end = at[e + 1]
        state[LEFT] -= CALL + (end - start) // columns
        for place in range(start, end, columns):
            is_feasible = True
            for c in range(len(needs)):
                reach = values[place + first + c] + completions[e, c]
                is_feasible &= reach >= needs[c]
            if is_feasible:
                for i in range(columns):
                    values[to + i] = values[place + i]
                to += columns
        start = end
        at[e + 1] = to
    return True


@kernel
def _prune_pairs(bound, completions, at, values, state):
    """Keep, of each front of two objectives, what is above the lowest of all lines."""
    to, start = state[TO], state[PLACE]
    for e in range(state[ENTRY], len(completions)):
        if state[LEFT] <= 0:
            state[ENTRY], state[PLACE], state[TO] = e, start, to
            return False
        end = at[e + 1]
        state[LEFT] -= CALL + (end - start) // 2
        if start < end:
            state[LEFT] -= len(bound.heights)
            lines = _find_envelope(bound, completions[e])
            line = 0
            for place in range(start, end, 2):
                f0 = float(values[place])
                while line + 1 < lines and f0 <= bound.ends[line + 1]:
                    line += 1
                slope = bound.w[0, bound.envelope[line]]
                kept = values[place + 1] + slope * f0 >= bound.heights[line]
                values[to] = values[place]
                values[to + 1] = values[place + 1]
                to += 2 * kept
        start = end
        at[e + 1] = to
    return True


@inlined
def _find_envelope(bound, completion):
    """List the lines that are the lowest somewhere, the steepest first; how many.

    Line l of the list is the lowest for f0 up to ends[l], until the next one is.
    """
    slopes, envelope = bound.w[0], bound.envelope
    heights, ends = bound.heights, bound.ends
    count = 0
    for k in range(len(slopes)):
        height = bound.least[k] - completion[k] - bound.slack
        if height == np.inf:
            continue
        end = np.inf
        while count > 0:
            top = count - 1
            end = (heights[top] - height) / (slopes[envelope[top]] - slopes[k])
            if end < ends[top]:
                break
            count -= 1
        if count == 0:
            end = np.inf
        envelope[count] = k
        heights[count] = height
        ends[count] = end
        count += 1
    return count


@kernel
def _prune_vectors(bound, completions, at, values, state):
    """Keep, of each front of more objectives, what any of the weights keeps."""
    d, heights = len(bound.w), bound.heights
    to, start = state[TO], state[PLACE]
    for e in range(state[ENTRY], len(completions)):
        if state[LEFT] <= 0:
            state[ENTRY], state[PLACE], state[TO] = e, start, to
            return False
        end = at[e + 1]
        state[LEFT] -= CALL + A_LOOK * (len(heights) // AT_ONCE)
        for k in range(len(heights)):
            heights[k] = bound.least[k] - completions[e, k] - bound.slack
        first = 0  # the weights that kept the last one are tried first
        for place in range(start, end, d):
            if state[LEFT] <= 0:
                state[ENTRY], state[PLACE], state[TO] = e, place, to
                return False
            fx = values[place : place + d]
            state[LEFT] -= A_LOOK
            if not _is_kept(bound, fx, first):
                first = _find_keeping(bound, fx)
                last = first if first >= 0 else len(heights)
                state[LEFT] -= A_LOOK * (last // AT_ONCE + 1)
            if first >= 0:
                for i in range(d):
                    values[to + i] = fx[i]
                to += d
            first = max(first, 0)
        start = end
        at[e + 1] = to
    return True


@inlined
def _is_kept(bound, fx, first):
    """Whether one of some weights, from the first on, keeps the vector."""
    sums, last = bound.ends, min(first + AT_ONCE, len(bound.heights))
    for k in range(first, last):
        sums[k] = -bound.heights[k]
    for i in range(len(fx)):
        for k in range(first, last):  # this loop is done by several at a time
            sums[k] += bound.w[i, k] * fx[i]
    kept = False
    for k in range(first, last):
        kept |= sums[k] >= 0.0
    return kept


@inlined
def _find_keeping(bound, fx):
    """The first of the weights with which a vector is kept, or -1."""
    for first in range(0, len(bound.heights), AT_ONCE):
        if _is_kept(bound, fx, first):
            return first
    return -1
