"""Hypervolumes of up to three objectives, exactly, in plain integers."""

from bisect import bisect_right
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

MOST_OBJECTIVES = 3


def exact_hypervolume(F: Iterable[Any], ref: Any, signs: list[int]) -> Fraction:
    """The volume between points and a reference point, for up to three objectives."""
    columns, steps_per_unit = [], 1
    for column, start, sign in zip(zip(*F), ref, signs):
        ratios = [value.as_integer_ratio() for value in (*column, start)]
        scale = max(q for _, q in ratios)  # all are powers of two
        *values, origin = [sign * p * (scale // q) for p, q in ratios]
        columns.append([value - origin for value in values])
        steps_per_unit *= scale
    while len(columns) < MOST_OBJECTIVES:
        columns.append([1] * len(columns[0]))
    gains = (each for each in zip(*columns) if min(each) > 0)
    return Fraction(_volume(sorted(gains, key=lambda gain: -gain[2])), steps_per_unit)


def _volume(gains: list[tuple[int, ...]]) -> int:
    """The volume of boxes from the origin to each point; the last objective falls."""
    volume, area, stairs = 0, 0, _Stairs()
    for (x, y, z), lower in zip(gains, [z for _, _, z in gains[1:]] + [0]):
        area += stairs.added(x, y)
        volume += area * (z - lower)
    return volume


class _Stairs:
    """Points of the plane that do not dominate each other, from left to right."""

    def __init__(self) -> None:
        self.xs: list[int] = []  # ascending
        self.ys: list[int] = []  # descending

    def added(self, x: int, y: int) -> int:
        """Add a point; by how much the area below the stairs grows."""
        xs, ys = self.xs, self.ys
        end = at = bisect_right(xs, x)
        height = ys[at] if at < len(ys) else 0  # to the left of x, down to xs[at - 1]
        if height >= y:
            return 0
        area, right = 0, x
        while at and ys[at - 1] <= y:
            at -= 1
            area += (right - xs[at]) * (y - height)
            right, height = xs[at], ys[at]
        left = xs[at - 1] if at else 0
        area += (right - left) * (y - height)
        xs[at:end], ys[at:end] = [x], [y]
        return area
