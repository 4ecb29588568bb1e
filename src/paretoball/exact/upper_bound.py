"""Upper bounds of hypervolume, for landscapes of two objectives and of any width.

A relaxation with copies of variables is narrow, so a weighted sum of its objectives is
maximised exactly. The maximum bounds that of the landscape: no solution lies beyond the
line that the weights make. Several directions make a polygon around the front. Copies
of a variable that disagree are brought nearer to each other by shares: amounts for
being 1, which add up to 0 over the copies, so that they change no solution of the
landscape. A few rounds move shares in the direction of a subgradient.
"""

from fractions import Fraction
from math import cos, pi, sin
from typing import Any

import numpy as np

from paretoball._jit import announced
from paretoball.exact.constraint_columns import width_of
from paretoball.exact.dynamic_programming import maximise, new_work
from paretoball.exact.message_schedule import (
    check_fits,
    schedule_of,
    spans_of,
    tables_by_rank,
)
from paretoball.exact.mini_buckets import relaxation_of
from paretoball.exact.supported_front import (
    LARGEST,
    Point,
    checked_ranges,
    dot,
    rounded_up,
    supported_front,
)
from paretoball.landscape import (
    Cliques,
    Landscape,
    check_unconstrained,
    cooccurrence_graph,
    with_readers,
)
from paretoball.quality import checked_reference
from paretoball.system import Display, brief, checked_whole

DIRECTIONS = 24  # lines around a front, besides the two that touch its ends
ROUNDS = 60  # of each direction
WIDTH = 12  # of the relaxation
SCALE = 1 << 58  # the size of a weighted objective, in steps of shares
PATIENCE = 3  # rounds without a better bound, after which steps become shorter

Corner = tuple[Fraction, Fraction]


def upper_bound(
    landscape: Landscape,
    ref: Any,
    width: int = WIDTH,
    rounds: int = ROUNDS,
    progress: bool | None = None,
) -> float:
    """A hypervolume above `ref` that no front of the landscape can exceed.

    It is that below the exact hull where the landscape is no wider than `width`. Where
    it is wider, variables are cut into copies until it is not, and the bound is that of
    a polygon around the front of all solutions with copies.

    Parameters
    ----------
    landscape
        With one or two objectives, of any width.
    ref
        The reference point, in the units and senses of the landscape.
    width
        A larger one takes more time and memory, and cuts less.
    rounds
        In each direction, so many times copies are brought nearer to each other.
    progress
        As for `supported_front`.

    Examples
    --------
    >>> ones = [((j,), [0, 1]) for j in range(3)]
    >>> pairs = [((0, 1), [3, 2, 2, 0]), ((1, 2), [3, 2, 2, 0])]
    >>> landscape = Landscape.from_subfunctions(3, [ones, pairs])
    >>> upper_bound(landscape, ref=[0, 0])
    12.0
    """
    if not isinstance(landscape, Landscape):
        raise TypeError(f"{brief(landscape)} is not a Landscape")
    check_unconstrained(landscape.constraints, "upper_bound")
    if landscape.d > 2:
        raise ValueError(
            f"the landscape has d = {landscape.d} objectives, but upper bounds are for "
            "one or two"
        )
    start = checked_reference(ref, landscape.d)
    width, rounds = checked_whole("width", width, 1), checked_whole("rounds", rounds, 1)
    own = width_of(landscape)
    if own is not None and own <= width:
        return supported_front(landscape, progress).bound(ref)
    with Display(progress) as display, announced(display.announce):
        relaxed = _Relaxed(landscape, width)
        lines = []
        directions = _directions(relaxed.ranges)
        for number, w in enumerate(directions):
            lines.append((w, relaxed.bound(w, rounds)))
            share = (number + 1) / len(directions)
            display.tell(lambda: f"{share:.0%} of all directions", share)  # noqa: B023
    scales = [Fraction(scale) for scale in landscape.scale.tolist()]
    steps = [
        Fraction(value) * int(sign) * scale
        for value, sign, scale in zip(start.tolist(), landscape.signs, scales)
    ]
    if landscape.d == 1:
        ((w, most),) = lines
        return max(0.0, rounded_up((Fraction(most, w[0]) - steps[0]) / scales[0]))
    return rounded_up(_area(lines, (steps[0], steps[1])) / (scales[0] * scales[1]))


def _directions(ranges: Point) -> list[Point]:
    """Weights that turn from the first objective to the second."""
    sizes = [max(1, SCALE // max(1, size)) for size in ranges]
    if len(sizes) == 1:
        return [(sizes[0],)]
    angles = [pi / 2 * k / (DIRECTIONS + 1) for k in range(1, DIRECTIONS + 1)]
    between = [
        (max(1, round(sizes[0] * cos(a))), max(1, round(sizes[1] * sin(a))))
        for a in angles
    ]
    return [(sizes[0], 0), *between, (0, sizes[1])]


class _Relaxed:
    """A relaxation of a landscape, whose weighted sums are maximised."""

    def __init__(self, landscape: Landscape, width: int):
        self.landscape = landscape
        cliques = landscape.cliques
        self.lowest, self.ranges = checked_ranges(cliques)
        self.tables = _from_zero(cliques)
        masks, self.owners = relaxation_of(cliques, landscape.n, width)
        self.copies = np.bincount(self.owners, minlength=landscape.n)
        self.shared = np.flatnonzero(self.copies[self.owners] > 1)
        arities = np.diff(cliques.mask_at)
        self.cliques = with_readers(
            len(self.owners),
            np.zeros(1, np.int64),
            np.append(arities, np.ones(len(self.shared), np.int64)),
            np.append(masks, self.shared),
            np.zeros((len(cliques.tables) + 2 * len(self.shared), 1), np.int64),
        )
        graph = cooccurrence_graph(self.cliques)
        self.schedule, room = schedule_of(self.cliques, graph)
        check_fits(self.schedule, room, self.cliques.tables)
        self.work = new_work(self.schedule, room, np.ones(1, np.int64))
        self.spans = spans_of(self.schedule)
        self.shares = np.zeros(len(self.owners), np.int64)

    def bound(self, w: Point, rounds: int) -> int:
        """The least maximum of w · f over all rounds, which no solution exceeds."""
        self.reach = dot(w, self.ranges)
        if 4 * self.reach > LARGEST:
            raise OverflowError(
                f"objectives vary by {max(self.ranges):.3g}, but upper bounds are for "
                f"ranges up to 2**61"
            )
        lowest = dot(w, self.lowest)
        tables = self.cliques.tables[:, 0]
        tables[: len(self.tables)] = self.tables @ np.array(w, np.int64)
        self.shares[:] = 0
        least, below, factor, waited = LARGEST, -LARGEST, 1.0, 0
        for _ in range(rounds):
            most, x = self._maximum()
            waited = 0 if most < least else waited + 1
            least = min(least, most)
            below = max(below, self._value(w, x) - lowest)
            if not self._rebalance(x, factor * (most - below)):
                break
            if waited == PATIENCE:
                factor, waited = factor / 2, 0
        return least + lowest

    def _maximum(self) -> tuple[int, np.ndarray]:
        """The maximum of the relaxation, with the bits of its copies."""
        tables, starts = self.cliques.tables, self.cliques.table_at[:-1]
        first = len(self.tables)  # the row of the first share
        tables[first + 1 :: 2, 0] = self.shares[self.shared]
        ranked = tables_by_rank(self.cliques, self.schedule.variables)
        for span in self.spans:
            maximise(self.schedule, ranked, self.work, span)
        lowest = int(np.minimum.reduceat(tables[:, 0], starts).sum())
        x = np.empty(len(self.owners), np.int64)
        x[self.schedule.variables] = self.work.x
        return int(self.work.fx[0]) + lowest, x

    def _value(self, w: Point, x: np.ndarray) -> int:
        """w · f of the solution that most copies agree on."""
        ones = np.bincount(self.owners, weights=x, minlength=self.landscape.n)
        solution = (2 * ones > self.copies).astype(np.uint8)
        fx = self.landscape.inside(self.landscape.evaluate(solution))
        return dot(w, tuple(fx.tolist()))

    def _rebalance(self, x: np.ndarray, gap: float) -> bool:
        """Move shares against what copies have more than others; False if none has.

        Shares are left as they are, too, where their sums might not fit into 64 bits.
        """
        ones = np.bincount(self.owners, weights=x, minlength=self.landscape.n)
        more = self.copies[self.owners] * x - ones.astype(np.int64)[self.owners]
        size = int((more * more).sum())
        step = round(gap / size) if size else 0
        sizes = int(abs(self.shares).sum()) + step * int(abs(more).sum())
        if step <= 0 or self.reach + sizes > LARGEST:
            return False
        self.shares -= step * more
        return True


def _from_zero(cliques: Cliques) -> np.ndarray:
    """The tables, each with a lowest entry of 0, so that no weighted sum overflows."""
    tables = cliques.tables.astype(np.int64)
    if len(tables):
        lowest = np.minimum.reduceat(tables, cliques.table_at[:-1], axis=0)
        tables -= np.repeat(lowest, np.diff(cliques.table_at), axis=0)
    return tables


def _area(lines: list[tuple[Point, int]], ref: Corner) -> Fraction:
    """The area of what is at least `ref`, and not beyond any of the lines w · f = b."""
    ((u, _), right), *_, ((_, v), top) = lines
    ends = Fraction(right, u), Fraction(top, v)
    if ends[0] <= ref[0] or ends[1] <= ref[1]:
        return Fraction(0)
    polygon = [ref, (ends[0], ref[1]), ends, (ref[0], ends[1])]
    for w, most in lines[1:-1]:
        polygon = _clipped(polygon, w, most)
    pairs = zip(polygon, polygon[1:] + polygon[:1])
    return abs(sum((a[0] * b[1] - b[0] * a[1] for a, b in pairs), Fraction(0))) / 2


def _clipped(polygon: list[Corner], w: Point, most: int) -> list[Corner]:
    """The part of a convex polygon where w · f is at most this (Sutherland-Hodgman)."""
    kept: list[Corner] = []
    beyond = [w[0] * a + w[1] * b - most for a, b in polygon]
    for at, corner in enumerate(polygon):
        before, excess = polygon[at - 1], beyond[at - 1]
        if (excess > 0) != (beyond[at] > 0):
            t = excess / (excess - beyond[at])
            kept.append(
                (
                    before[0] + t * (corner[0] - before[0]),
                    before[1] + t * (corner[1] - before[1]),
                )
            )
        if beyond[at] <= 0:
            kept.append(corner)
    return kept
