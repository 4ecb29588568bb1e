"""The supported front: the corners of the convex hull of a Pareto front, exactly.

A solution is supported if it is the best one for some positive weights; a supported
point is extreme if it is a corner of the hull. The search (Aneja and Nair, 1979) takes
two known points and the weights that make them equally good, and maximises for these
weights. Either that finds a point beyond the line between them, and two gaps are to be
searched, or there is none. The area below the hull bounds the hypervolume of any front.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, inf, nextafter
from typing import Any

import numpy as np

from paretoball._jit import announced
from paretoball.exact.dynamic_programming import Work, maximise, maximise_wide, new_work
from paretoball.exact.message_schedule import (
    check_fits,
    schedule_of,
    spans_of,
    tables_by_rank,
)
from paretoball.landscape import (
    Cliques,
    Landscape,
    check_unconstrained,
    packed_bits,
    telling_names,
    unpacked_bits,
)
from paretoball.quality import checked_reference, ranges
from paretoball.system import Display, Pulse, brief, counted, nothing

LARGEST = 2**63 - 1

Point = tuple[int, ...]  # objectives, maximised, in steps
Found = dict[Point, np.ndarray]  # points, each with the packed bits of a solution
Best = Callable[[Point], tuple[Point, np.ndarray]]


@dataclass(frozen=True, repr=False, eq=False)
class SupportedFront:
    """All supported extreme points of the Pareto front of a landscape."""

    F: np.ndarray  # (size, d): objective vectors, ascending
    bits: np.ndarray  # (size, n / 8) uint8: the solutions, packed from the lowest bit
    n: int
    sense: tuple[str, ...]
    names: tuple[str, ...]  # one per objective
    width: int  # of the elimination: tables have up to 2**width entries

    def __len__(self) -> int:
        return len(self.F)

    @property
    def d(self) -> int:
        """The number of objectives."""
        return len(self.sense)

    @property
    def X(self) -> np.ndarray:
        """The solutions: (size, n) bool, rows as in F."""
        return unpacked_bits(self.bits, self.n).astype(np.bool_)

    def bound(self, ref: Any) -> float:
        """The hypervolume above `ref` that no front of the landscape can exceed.

        That is the area above `ref` and below the hull. To the left of the point with
        the best second objective, the hull goes on at the same height; to the right it
        ends at the point with the best first objective.
        """
        signs = [1 if one == "max" else -1 for one in self.sense]
        origin = [Fraction(x) for x in checked_reference(ref, len(signs)).tolist()]
        corners = sorted(
            [s * (Fraction(f) - start) for s, f, start in zip(signs, fx, origin)]
            for fx in self.F.tolist()
        )
        if len(signs) == 1:
            return max(rounded_up(corners[-1][0]), 0.0)
        return rounded_up(_area_below(corners))

    def __repr__(self) -> str:
        return (
            f"SupportedFront: {counted(len(self), 'extreme point')} ({ranges(self)}); "
            f"n = {self.n:,}, width {self.width}"
        )


def rounded_up(bound: Fraction) -> float:
    """The smallest float that is at least this."""
    near = float(bound)
    return near if near >= bound else nextafter(near, inf)


def _area_below(corners: list[list[Fraction]]) -> Fraction:
    """The area between the origin and a falling line with these corners, exactly."""
    area = Fraction(0)
    u, v = Fraction(0), corners[0][1]
    for next_u, next_v in corners:
        slope = (next_v - v) / (next_u - u) if next_u != u else Fraction(0)
        start, end = max(u, Fraction(0)), next_u
        if next_v < 0 < v:
            end = u - v / slope
        elif v <= 0:
            break
        if start < end:
            area += (end - start) * (v + slope * ((start + end) / 2 - u))
        u, v = next_u, next_v
    return area


def supported_front(
    landscape: Landscape, progress: bool | None = None
) -> SupportedFront:
    """All supported extreme points of the Pareto front: exact, for narrow landscapes.

    These are the corners of the front's convex hull: the objective vectors that are
    the only best ones for some positive weights. Each takes two exact maximisations by
    dynamic programming, with tables of up to 2**width entries. The width is that of the
    co-occurrence graph: 1 for trees, 2 K for the adjacent MNK model.

    Parameters
    ----------
    landscape
        With one or two objectives, and a width of up to 24.
    progress
        Whether to show on standard error how much of the front is settled; None shows
        it on a terminal only, and says anywhere that something is compiled.

    Raises
    ------
    ValueError
        If the width is too large, or there are three objectives or more.
    MemoryError
        If the tables of that width do not fit.
    OverflowError
        If the range of an objective does not fit into 64 bits.

    Examples
    --------
    >>> ones = [((j,), [0, 1]) for j in range(3)]
    >>> pairs = [((0, 1), [3, 2, 2, 0]), ((1, 2), [3, 2, 2, 0])]
    >>> front = supported_front(Landscape.from_subfunctions(3, [ones, pairs]))
    >>> front.F.tolist()
    [[0, 6], [2, 4], [3, 0]]
    >>> front.bound(ref=[0, 0])
    12.0
    """
    if not isinstance(landscape, Landscape):
        raise TypeError(f"{brief(landscape)} is not a Landscape")
    check_unconstrained(landscape.constraints, "supported_front")
    if landscape.d > 2:
        raise ValueError(
            f"the landscape has d = {landscape.d} objectives, but supported fronts are "
            "for one or two"
        )
    with Display(progress) as display, announced(display.announce):

        def tell(points: int, settled: float) -> None:
            display.tell(
                lambda: (
                    f"{counted(points, 'point')}, {settled:.1%} of the front settled"
                ),
                settled,
            )

        solver = Solver(landscape)
        found = search_hull(solver.best, landscape.d, tell)
    corners = extreme_points(list(found))
    F = landscape.shown(np.array(corners, np.int64))
    order = np.lexsort(F.T[::-1])
    bits = np.array([found[point] for point in corners])
    return SupportedFront(
        F=F[order],
        bits=bits[order],
        n=landscape.n,
        sense=landscape.sense,
        names=landscape.names,
        width=solver.schedule.width,
    )


class Solver:
    """The best solution of a landscape for any weights."""

    def __init__(self, landscape: Landscape, pulse: Pulse = nothing):
        cliques = landscape.cliques
        self.pulse = pulse  # called now and then by all that takes long
        with telling_names(landscape.names):
            self.lowest, self.ranges = checked_ranges(cliques)
        self.schedule, self.room = schedule_of(cliques, landscape.cooccurrence, pulse)
        self.spans = spans_of(self.schedule)
        check_fits(self.schedule, self.room, cliques.tables)
        self.tables = tables_by_rank(cliques, self.schedule.variables)

    @cached_property
    def work(self) -> Work:
        """A `Work` for `maximise`."""
        w = np.zeros(self.tables.shape[1], np.int64)
        return new_work(self.schedule, self.room, w)

    @cached_property
    def pair(self) -> tuple[Work, Work]:
        """The same `Work`, and one for a second objective, for `maximise_wide`."""
        return self.work, new_work(self.schedule, self.room, np.array([0, 1]))

    def best(self, w: Point) -> tuple[Point, np.ndarray]:
        """The objectives of a solution with the largest w · f, and its packed bits."""
        weights = np.array(w, np.int64)
        fits = dot(w, self.ranges) <= LARGEST
        work = self.work
        work.w[:] = weights if fits else (1, 0)
        for span in self.spans:
            if span != self.spans[0]:
                self.pulse()
            if fits:
                maximise(self.schedule, self.tables, work, span)
            else:
                maximise_wide(self.schedule, self.tables, weights, self.pair, span)
        x = np.empty_like(work.x)
        x[self.schedule.variables] = work.x
        fx = tuple(low + more for low, more in zip(self.lowest, work.fx.tolist()))
        return fx, packed_bits(x)


def checked_ranges(cliques: Cliques) -> tuple[Point, Point]:
    """A lower bound of each objective, and how far above it the upper bound is."""
    starts = cliques.table_at[:-1]
    highest = lowest = np.zeros_like(cliques.constant)
    if len(starts):
        highest = np.maximum.reduceat(cliques.tables, starts, axis=0).sum(axis=0)
        lowest = np.minimum.reduceat(cliques.tables, starts, axis=0).sum(axis=0)
    ranges = [a - b for a, b in zip(highest.tolist(), lowest.tolist())]
    for i, size in enumerate(ranges):
        if size > LARGEST:
            raise OverflowError(
                f"objective {i} can vary by {size:.3g}, but exact 64-bit arithmetic "
                "ends at 2**63 = 9.2e18: divide its tables by a common factor"
            )
    lows = [a + b for a, b in zip(cliques.constant.tolist(), lowest.tolist())]
    return tuple(lows), tuple(ranges)


def dot(w: Point, f: Point) -> int:
    """w · f, exactly."""
    return sum(a * b for a, b in zip(w, f))


def search_hull(best: Best, d: int, tell: Callable[[int, float], None]) -> Found:
    """Points of the hull, with all extreme ones; calls `tell(points, settled)`."""
    if d == 1:
        return dict([best((1,))])
    found = dict([best((0, 1)), best((1, 0))])
    gaps = [(min(found), max(found))]
    whole, settled = max(found)[0] - min(found)[0], 0
    while gaps:
        left, right = gaps.pop()
        run, drop = right[0] - left[0], left[1] - right[1]
        if run > 0 and drop > 0:
            w = (drop // gcd(run, drop), run // gcd(run, drop))
            point, bits = best(w)
            if dot(w, point) > dot(w, left):
                found[point] = bits
                gaps += [(point, right), (left, point)]
                run = 0
        settled += run
        tell(len(found), settled / max(whole, 1))
    return found


def extreme_points(points: list[Point]) -> list[Point]:
    """The corners of the upper right hull of these points, ascending."""
    corners: list[Point] = []
    for point in sorted(points):
        while corners and corners[-1][-1] <= point[-1]:  # dominated
            corners.pop()
        while len(corners) > 1 and not _turns(corners[-2], corners[-1], point):
            corners.pop()
        corners.append(point)
    return corners


def _turns(a: Point, b: Point, c: Point) -> bool:
    """Whether b lies beyond the line from a to c."""
    return (b[0] - a[0]) * (c[1] - a[1]) < (b[1] - a[1]) * (c[0] - a[0])
