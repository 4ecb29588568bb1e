"""Bounds: hypervolumes that no front of a landscape can exceed, from the mean of f.

Where the supported front can be had, its hull is the bound. Larger landscapes of the
same kind have too many corners: there some directions w, each with its
exact maximum v, enclose every front in the polygon of all f with w · f <= v. What has
been found is kept in a file, by the digest of its landscape.
"""

import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

import paretoball as pb
from measuring import note
from paretoball.exact.supported_front import (
    Point,
    Solver,
    _area_below,
    dot,
    extreme_points,
)
from paretoball.landscape.digest import landscape_digest

KEPT = Path(__file__).parent.parent / ".cache" / "bounds.json"
CORNERS_OF = 20_000  # variables up to which all corners are found
MANY, FEW = 400, 32  # directions for a bound, of up to and more than so many variables
LARGE = 200_000

Corner = tuple[Fraction, Fraction]


class Line(NamedTuple):
    """The edge of a half-plane that holds every front, and a point of one on it."""

    w: Point
    point: Point

    def meets(self, other: "Line") -> Corner:
        """Where two edges cross; those of neighbours always do."""
        (a, b), (c, d) = self.w, other.w
        v, u = dot(self.w, self.point), dot(other.w, other.point)
        determinant = a * d - b * c
        return Fraction(v * d - u * b, determinant), Fraction(
            a * u - c * v, determinant
        )


class Gap(NamedTuple):
    """Two neighbouring lines; what is between their points is not known yet."""

    left: Line
    right: Line

    def area(self) -> Fraction:
        """The triangle that fronts may reach into: both points, and the corner."""
        (a, b), (c, d) = self.left.point, self.right.point
        x, y = self.left.meets(self.right)
        return abs((c - a) * (y - b) - (d - b) * (x - a)) / 2


def area_under_hull(F: np.ndarray, landscape: pb.Landscape) -> float:
    """The area above the mean of f and under the hull of these points."""
    corners = extreme_points([tuple(point) for point in landscape.inside(F).tolist()])
    return _area(corners, landscape)


def _area(
    corners: Sequence[Sequence[int | Fraction]], landscape: pb.Landscape
) -> float:
    """The area above the mean of f and under a line with these corners, in units."""
    origin = landscape.mean * landscape.scale * landscape.signs
    start = [Fraction(x) for x in origin.tolist()]
    shifted = [[f - at for f, at in zip(corner, start)] for corner in corners]
    return float(_area_below(shifted)) / float(landscape.scale.prod())


def bound_of(landscape: pb.Landscape) -> float:
    """The bound of a narrow landscape with two objectives, kept for the next time."""
    known = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    digest = landscape_digest(landscape)
    if digest not in known:
        note(f"the bound of {landscape}")
        known[digest] = new_bound(landscape)
        KEPT.parent.mkdir(exist_ok=True)
        KEPT.write_text(json.dumps(known, indent=1))
    return known[digest]


def new_bound(landscape: pb.Landscape) -> float:
    """The area under the hull, or under the lines of some directions."""
    if landscape.n <= CORNERS_OF:
        return pb.supported_front(landscape).bound(landscape.mean)
    return outer_bound(landscape, MANY if landscape.n <= LARGE else FEW)


def outer_bound(landscape: pb.Landscape, weights: int) -> float:
    """The area above the mean of f that so many directions leave to fronts.

    Each direction is the one across the widest gap that is left, so the area shrinks
    fast towards that under the hull.
    """
    solver = Solver(landscape)
    lines = enclosing(lambda w: Line(w, solver.best(w)[0]), weights)
    return _area([left.meets(right) for left, right in pairwise(lines)], landscape)


def enclosing(best: Callable[[Point], Line], weights: int) -> list[Line]:
    """So many lines around all fronts, from the level one to the upright one."""
    lines = [best((0, 1)), best((1, 0))]
    gaps = [(-Gap(*lines).area(), Gap(*lines))]
    while gaps and len(lines) < weights:
        _, (left, right) = heappop(gaps)
        run, drop = (abs(a - b) for a, b in zip(left.point, right.point))
        middle = best((drop, run))
        lines.append(middle)
        for gap in (Gap(left, middle), Gap(middle, right)):
            if gap.area() > 0:
                heappush(gaps, (-gap.area(), gap))
    return sorted(lines, key=lambda line: Fraction(line.w[0], sum(line.w)))
