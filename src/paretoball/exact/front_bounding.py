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

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.exact.best_completions import Completions
from paretoball.exact.front_tables import Space
from paretoball.exact.front_weights import Weights

ROUNDING = 64 * 2.0**-53  # share of the largest value, for each step, that may be wrong
AT_ONCE = 32  # weights that a vector is compared with before the next look


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
    weights: Weights, best: np.ndarray, corners: np.ndarray, covered: np.ndarray
) -> np.ndarray:
    """How far below the best each weight has to keep points; -1 for nothing.

    All that is at least a corner is to be kept, unless it is `covered`: as far as that
    below the best for some weights, where all points are known.
    """
    gaps = np.full(len(weights.w), -1.0)
    _find_gaps((weights.w, weights.lengths), best, corners, covered, gaps)
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


def prune(bound: Bound, number: int, space: Space, entries: int) -> None:
    """Drop, from the table of a step that was just written, what cannot matter."""
    first = bound.completions.at[number]
    completions = bound.completions.values[first : first + entries]
    if len(bound.w) == 2:
        _prune_pairs(bound, completions, space.at, space.values)
    else:
        _prune_vectors(bound, completions, space.at, space.values)


def drop_infeasible(
    needs: np.ndarray, completions: Completions, number: int, space: Space, entries: int
) -> None:
    """Drop, from the table of a step, what cannot reach what constraints need."""
    first = completions.at[number]
    own = completions.values[first : first + entries]
    _drop_infeasible(needs, own, len(space.seen.caps), space.at, space.values)


@kernel
def _drop_infeasible(needs, completions, columns, at, values):
    """Keep, of each front, the vectors that may still be feasible."""
    to, start, first = 0, at[0], columns - len(needs)
    for e in range(len(completions)):
        end = at[e + 1]
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


@kernel
def _prune_pairs(bound, completions, at, values):
    """Keep, of each front of two objectives, what is above the lowest of all lines."""
    to, start = 0, at[0]
    for e in range(len(completions)):
        end = at[e + 1]
        if start < end:
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
def _prune_vectors(bound, completions, at, values):
    """Keep, of each front of more objectives, what any of the weights keeps."""
    d, heights = len(bound.w), bound.heights
    to, start = 0, at[0]
    for e in range(len(completions)):
        end = at[e + 1]
        for k in range(len(heights)):
            heights[k] = bound.least[k] - completions[e, k] - bound.slack
        first = 0  # the weights that kept the last one are tried first
        for place in range(start, end, d):
            fx = values[place : place + d]
            if not _is_kept(bound, fx, first):
                first = _find_keeping(bound, fx)
            if first >= 0:
                for i in range(d):
                    values[to + i] = fx[i]
                to += d
            first = max(first, 0)
        start = end
        at[e + 1] = to


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
