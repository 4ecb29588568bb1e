"""Corners of a front: what is not known of it is at least one of them.

A vector that no known point dominates or equals is at least some corner, and corners
are as low as that allows. Between two neighbours of a front of two objectives there is
one. For more objectives, points are taken in order of the first objective, the best one
first. The corners of the other objectives change with each point: those that it attains
are done, each with a first objective one step above that of the point, and higher ones
replace them.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.numerics import with_room

FIRST_ROOM = 1 << 10  # corners
MOST_NUMBERS = 1 << 25  # of all corners together
SLICE = 1 << 23  # comparisons that a kernel makes before it pauses: some 50 ms
# Entries of `_Sweep.counts`:
POINTS, NOW, DONE = 0, 1, 2  # points taken, corners now, corners done
HITS, HIT = 3, 4  # corners that the next point attains, if known; how many are replaced
LEFT = 5  # comparisons until a pause
UNKNOWN = -1  # in place of hits

Spend = Callable[[int], None]  # told of comparisons that were made, now and then


class _Sweep(NamedTuple):
    """The corners of the points so far."""

    now: np.ndarray  # (room, d - 1) int64: corners without the first objective
    done: np.ndarray  # (room, d) int64: corners that were attained
    hits: np.ndarray  # (room,) int64: scratch, those that the next point attains
    counts: np.ndarray  # (6,) int64: how far it is


def corners_of(front: np.ndarray, spend: Spend, memory: int) -> np.ndarray | None:
    """All corners of a front of three objectives or more; None if they are too many.

    That is if they would take more bytes than `memory`, or more than MOST_NUMBERS. The
    points of the front are 0 or more, and descend.
    """
    d = front.shape[1]
    sweep = _Sweep(
        now=np.zeros((FIRST_ROOM, d - 1), np.int64),
        done=np.empty((FIRST_ROOM, d), np.int64),
        hits=np.empty(FIRST_ROOM, np.int64),
        counts=np.array([0, 1, 0, UNKNOWN, 0, SLICE]),
    )
    while not _take_points(front, sweep):
        spend(SLICE - int(sweep.counts[LEFT]))
        if sweep.counts[LEFT] <= 0:
            sweep.counts[LEFT] = SLICE
            continue
        sweep.counts[LEFT] = SLICE
        rows = 2 * len(sweep.now)
        size = rows + len(sweep.done)
        if sweep.now.size + sweep.done.size > MOST_NUMBERS or 32 * d * size > memory:
            return None  # both old and new ones, and a copy of them in the end
        sweep = _Sweep(
            now=with_room(sweep.now, rows),
            done=with_room(sweep.done, size),
            hits=with_room(sweep.hits, rows),
            counts=sweep.counts,
        )
    spend(SLICE - int(sweep.counts[LEFT]))
    now, done = sweep.now[: sweep.counts[NOW]], sweep.done[: sweep.counts[DONE]]
    last = np.column_stack([np.zeros(len(now), np.int64), now])
    return np.concatenate([done, last])


def corners_between(front: np.ndarray) -> np.ndarray:
    """The corners of a front of two objectives, both ends of which are known."""
    corners = np.column_stack([front[1:, 0] + 1, front[:-1, 1] + 1])
    is_open = (corners[:, 0] < front[:-1, 0]) & (corners[:, 1] < front[1:, 1])
    return np.asarray(corners[is_open])


@kernel
def _take_points(front, sweep):
    """Take the points that are left; False if one needs more room, or it pauses."""
    counts, d = sweep.counts, front.shape[1]
    while counts[POINTS] < len(front):
        if counts[LEFT] <= 0:
            return False
        fx = front[counts[POINTS]]
        if counts[HITS] == UNKNOWN:
            counts[HITS] = _find_attained(sweep, fx)
            counts[LEFT] -= counts[NOW]
        hits = counts[HITS] - counts[HIT]
        if counts[NOW] + hits * (d - 1) > len(sweep.now):
            return False
        if counts[DONE] + hits > len(sweep.done):
            return False
        if not _replace(sweep, fx):
            return False
        counts[POINTS] += 1
        counts[HITS], counts[HIT] = UNKNOWN, 0
    return True


@inlined
def _find_attained(sweep, fx):
    """List the corners that fx attains; how many they are."""
    hits = 0
    for corner in range(sweep.counts[NOW]):
        attained = True
        for i in range(len(fx) - 1):
            attained &= sweep.now[corner, i] <= fx[i + 1]
        sweep.hits[hits] = corner
        hits += attained
    return hits


@inlined
def _replace(sweep, fx):
    """Replace the corners that fx attains by those above it; False if it pauses."""
    now, counts = sweep.now, sweep.counts
    hits = counts[HITS]
    while counts[HIT] < hits:
        if counts[LEFT] <= 0:
            return False
        hit = counts[HIT]
        counts[HIT] += 1
        corner = sweep.hits[hit]
        sweep.done[counts[DONE], 0] = fx[0] + 1
        for o in range(len(fx) - 1):
            sweep.done[counts[DONE], o + 1] = now[corner, o]
        counts[DONE] += 1
        for i in range(len(fx) - 1):
            if _is_lowest(sweep, hits, hit, i):
                _copy(now, corner, counts[NOW])
                now[counts[NOW], i] = fx[i + 1] + 1
                counts[NOW] += 1
    for hit in range(hits - 1, -1, -1):
        counts[NOW] -= 1
        _copy(now, counts[NOW], sweep.hits[hit])
    return True


@inlined
def _copy(rows, source, target):
    """Copy one row to another."""
    for o in range(rows.shape[1]):
        rows[target, o] = rows[source, o]


@inlined
def _is_lowest(sweep, hits, hit, i):
    """Whether no other corner that is attained is as low, but for objective i."""
    mine = sweep.now[sweep.hits[hit]]
    for other in range(hits):
        sweep.counts[LEFT] -= 1
        theirs = sweep.now[sweep.hits[other]]
        lower, equal = other != hit, True
        for o in range(len(mine)):
            if o != i:
                lower &= theirs[o] <= mine[o]
                equal &= theirs[o] == mine[o]
        if lower and (other < hit or not equal):
            return False
    return True
