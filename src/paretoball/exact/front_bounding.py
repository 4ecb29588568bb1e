"""Bounding: vectors of two objectives that no solution can complete to a new point.

Some lines touch the convex hull of the front: f1 + slope * f0 is at most `best`. For
each line, an elimination of numbers, forwards and then backwards, finds the best
completion of each entry of each table: how much all that is not in the table can add.
A vector whose value and completion stay below `least`, for every line, is dropped.

What has to be kept is told by points of the front that are known. A point that is not
known yet is at least the corner of two neighbours, which is one step better than either
in the objective where that one is worse. Each corner is given to the line that it is
nearest to, and `least` is the least value of all that a line was given.

Lines are in floats. `slack`, much more than all rounding errors together, is added
before anything is dropped.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.exact.front_steps import NOTHING, Step
from paretoball.exact.front_tables import (
    Space,
    add_cliques,
    new_space,
    packed,
)
from paretoball.exact.message_schedule import Schedule
from paretoball.numerics import offsets

STEEPEST = 1000.0  # slopes are between 1 / STEEPEST and STEEPEST times the hull's own
ROUNDING = 64 * 2.0**-53  # share of the largest value, for each step, that may be wrong
CORNERS = 1 << 16  # corners that are compared with all lines at a time


class Lines(NamedTuple):
    """Lines that touch the hull, the steepest first."""

    slopes: np.ndarray  # (lines,) float64
    best: np.ndarray  # (lines,) float64: of f1 + slope * f0
    lengths: np.ndarray  # (lines,) float64: how far that varies along the hull


class _Completions(NamedTuple):
    """The best completions: row `at[step] + entry`, a column for each line."""

    at: np.ndarray  # (steps + 1,) int64
    values: np.ndarray  # (entries, lines) float64


class Bound(NamedTuple):
    """What is dropped: for all lines, f1 + slope * f0 + completion < least - slack."""

    lines: Lines
    completions: _Completions
    least: np.ndarray  # (lines,) float64: infinite where a line was given nothing
    slack: float
    envelope: np.ndarray  # (lines,) int64: scratch, the lines that count for an entry
    heights: np.ndarray  # (lines,) float64: scratch, where each line is at f0 = 0
    ends: np.ndarray  # (lines,) float64: scratch, the f0 up to which it counts


def lines_of(hull: np.ndarray, most: int) -> Lines:
    """Up to `most` lines along the edges of a hull, which ascends by f0."""
    low, high = hull.min(axis=0), hull.max(axis=0)
    run, drop = (high - low).astype(float)
    slopes = (hull[:-1, 1] - hull[1:, 1]) / (hull[1:, 0] - hull[:-1, 0])
    own = slopes * run / drop
    slopes = np.unique(slopes[(own > 1 / STEEPEST) & (own < STEEPEST)])[::-1]
    some = np.unique(
        np.linspace(0, len(slopes) - 1, min(most, len(slopes))).astype(int)
    )
    slopes = slopes[some]
    best = (hull[:, 1] + slopes[:, None] * hull[:, 0]).max(axis=1)
    return Lines(slopes, best, drop + slopes * run)


def entries_of(steps: list[Step]) -> np.ndarray:
    """Where the entries of each table start, if all tables lie end to end."""
    return offsets(1 << np.array([len(step.scope) for step in steps]))


def completions_of(
    steps: list[Step], schedule: Schedule, tables: np.ndarray, lines: Lines
) -> _Completions:
    """The best completion of each entry of each table, for each line."""
    at = entries_of(steps)
    values = np.empty((at[-1], len(lines.slopes)))
    space, zero = new_space(2, schedule.width), np.zeros((1, len(lines.slopes)))
    largest = max(1 << step.bits for step in steps)
    scratch = np.empty((2 * largest, len(lines.slopes)))

    def table_of(number: int) -> np.ndarray:
        return zero if number == NOTHING else values[at[number] : at[number + 1]]

    for number, step in enumerate(steps):
        one, other = table_of(step.first), table_of(step.second)
        if step.rank == NOTHING:
            _join_best(one, other, step.first_bits, step.second_bits, table_of(number))
        else:
            add_cliques(schedule, tables, space, step.rank)
            _choose_best(
                one, step.first_bits, space.base, lines.slopes, table_of(number)
            )
    values[-1] = 0.0
    for number in range(len(steps) - 1, -1, -1):
        step, mine = steps[number], table_of(number)
        one, other = table_of(step.first), table_of(step.second)
        if step.rank == NOTHING:
            parts = scratch[: len(one)], scratch[len(one) : len(one) + len(other)]
            _complete_join(other, step.first_bits, step.second_bits, mine, parts[0])
            _complete_join(one, step.second_bits, step.first_bits, mine, parts[1])
            one[:], other[:] = parts
        elif step.first != NOTHING:
            add_cliques(schedule, tables, space, step.rank)
            _complete_choice(mine, step.first_bits, space.base, lines.slopes, one)
    return _Completions(at, values)


@kernel
def _choose_best(read, mask, base, slopes, out):
    """The best of all vectors of each entry, for each line."""
    half = len(out)
    for e in range(half):
        zero, one = read[packed(mask, e)], read[packed(mask, e + half)]
        for k in range(len(slopes)):
            low = base[2 * e + 1] + slopes[k] * base[2 * e]
            high = base[2 * (e + half) + 1] + slopes[k] * base[2 * (e + half)]
            out[e, k] = max(zero[k] + low, one[k] + high)


@kernel
def _join_best(first, second, first_mask, second_mask, out):
    """The best sums of two tables."""
    for e in range(len(out)):
        a, b = packed(first_mask, e), packed(second_mask, e)
        for k in range(out.shape[1]):
            out[e, k] = first[a, k] + second[b, k]


@kernel
def _complete_choice(mine, mask, base, slopes, out):
    """The completions of the table that a choice reads, from those of its own."""
    half = len(mine)
    out[:] = -np.inf
    for e in range(2 * half):
        entry = packed(mask, e)
        for k in range(len(slopes)):
            cliques = base[2 * e + 1] + slopes[k] * base[2 * e]
            out[entry, k] = max(out[entry, k], mine[e & (half - 1), k] + cliques)


@kernel
def _complete_join(other, mask, other_mask, mine, out):
    """The completions of one table of a join: the join's own, and the other table."""
    out[:] = -np.inf
    for e in range(len(mine)):
        a, b = packed(mask, e), packed(other_mask, e)
        for k in range(mine.shape[1]):
            out[a, k] = max(out[a, k], mine[e, k] + other[b, k])


def bound_of(
    lines: Lines, completions: _Completions, ranges: tuple[int, ...], gaps: np.ndarray
) -> Bound:
    """The bound that keeps what is up to `gaps` below the best of each line."""
    count = len(lines.slopes)
    largest = float(ranges[1]) + float(lines.slopes[0]) * float(ranges[0])
    return Bound(
        lines=lines,
        completions=completions,
        least=np.where(gaps >= 0, lines.best - gaps, np.inf),
        slack=ROUNDING * (len(completions.at) + count) * largest,
        envelope=np.zeros(count, np.int64),
        heights=np.zeros(count),
        ends=np.zeros(count),
    )


def gaps_below(lines: Lines, front: np.ndarray) -> np.ndarray:
    """How far below its best each line has to keep points; -1 for nothing.

    `front` has known points of the front, descending by f0, with both ends of it. All
    of them are to be kept, and all that may be between two of them.
    """
    corners = np.column_stack([front[1:, 0] + 1, front[:-1, 1] + 1])
    is_open = (corners[:, 0] < front[:-1, 0]) & (corners[:, 1] < front[1:, 1])
    points = np.concatenate([front, corners[is_open]]).astype(float)
    gaps = np.full(len(lines.slopes), -1.0)
    for some in np.split(points, range(CORNERS, len(points), CORNERS)):
        below = lines.best - some[:, 1:] - lines.slopes * some[:, :1]
        nearest = (below / lines.lengths).argmin(axis=1)
        np.maximum.at(gaps, nearest, below[np.arange(len(some)), nearest].clip(0))
    return gaps


def prune(bound: Bound, number: int, space: Space, entries: int) -> None:
    """Drop, from the table of a step that was just written, what cannot matter."""
    first = bound.completions.at[number]
    completions = bound.completions.values[first : first + entries]
    _prune(bound, completions, space.at, space.values)


@kernel
def _prune(bound, completions, at, values):
    """Keep, of each front, what is above the lowest of all lines."""
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
                slope = bound.lines.slopes[bound.envelope[line]]
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
    slopes, envelope = bound.lines.slopes, bound.envelope
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
