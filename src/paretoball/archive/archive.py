"""The archive: non-dominated reports, and how to rebuild a reported solution.

A report costs a search in a tree, never a copy of n bits. When a unit of a run is over,
the archive gets its `Trail`, from which solutions are rebuilt.
"""

from collections.abc import Iterable, Sequence
from copy import copy, deepcopy
from typing import Any, NamedTuple

import numpy as np

from paretoball._jit import kernel
from paretoball.archive.crowding import least_crowded
from paretoball.archive.nd_tree import (
    ALIVE,
    SPARE,
    TAKEN,
    is_refused,
    larger,
    new_tree,
    points_of,
    report,
    room_left,
)
from paretoball.archive.points import Points
from paretoball.archive.trails import Trail, replayed
from paretoball.landscape import EXACT, checked_names, checked_sense, senses_of
from paretoball.system import Pulse, brief, counted, nothing

AT_ONCE = 1 << 16  # points for which the tree makes room at a time, at most
FEW = 8  # up to twice as many trails, none is dropped
MANY = 1 << 18  # below this number of flips in all trails, none is trimmed


class Near(NamedTuple):
    """A solution that is not feasible: the nearest to that, if none is."""

    violated: int  # constraints
    unit: int  # that found it
    x: np.ndarray  # packed bits


class Found(NamedTuple):
    """The points and trails of some units."""

    points: Points
    trails: dict[int, Trail]  # of every unit that has a point
    near: Near | None = None  # if they found no feasible solution


class Archive:
    """Mutually non-dominated solutions: what the climber reports to.

    Parameters
    ----------
    d
        The number of objectives.
    sense
        `"max"` or `"min"`, for all objectives or one by one.
    names
        One name per objective; f0, f1, ... if there are none.

    Examples
    --------
    >>> archive = Archive(2)
    >>> archive.report([1, 5], [0, 0, 1]), archive.report([0, 4], [1, 1, 1])
    (True, False)
    >>> archive.report([2, 2], [0, 1, 1])
    True
    >>> archive.F.tolist(), archive.X.astype(int).tolist()
    ([[1, 5], [2, 2]], [[0, 0, 1], [0, 1, 1]])
    """

    def __init__(
        self,
        d: int,
        sense: str | Sequence[str] = "max",
        names: Iterable[str] | None = None,
    ):
        self.signs = checked_sense(sense, d)
        self.names = checked_names(names, d)  # one per objective
        self.trails: dict[int, Trail] = {}
        self.near: Near | None = None  # what is nearest to feasible, without a point
        self.numbered = 0  # a number above that of every unit here
        self._n: int | None = None
        self._real: bool | None = None
        self._tree = new_tree(d, 2 * SPARE)
        self._trails_needed = FEW  # trails left when some were last dropped
        self._flips_needed = MANY  # flips in trails from which on trails are trimmed

    def __len__(self) -> int:
        return int(self._tree.counts[ALIVE])

    @property
    def d(self) -> int:
        """The number of objectives."""
        return len(self.signs)

    @property
    def n(self) -> int:
        """The number of variables; 0 until there is a solution."""
        return self._n or 0

    @property
    def sense(self) -> tuple[str, ...]:
        """`"max"` or `"min"` for each objective."""
        return senses_of(self.signs)

    @property
    def F(self) -> np.ndarray:
        """The objective vectors, ascending: (size, d)."""
        own = self._ascending().fx * self.signs
        return _from_ordered(own) if self._real else own

    @property
    def X(self) -> np.ndarray:
        """The solutions, rebuilt on access: (size, n) bool, rows as in F."""
        points = self._ascending()
        return replayed(self.trails, points.unit, points.step, self.n)

    def points(self) -> Points:
        """All points, in no particular order."""
        return points_of(self._tree)

    def report(self, fx: Any, x: Any) -> bool:
        """Add (fx, x) unless a point here dominates or equals fx; True if added."""
        vector = self._ordered(fx)
        bits = np.asarray(x)
        if bits.ndim != 1 or not np.isin(bits, (0, 1)).all():
            raise ValueError(f"x is {brief(x)}, not a vector of bits")
        if self._n not in (None, len(bits)):
            raise ValueError(
                f"x has {counted(len(bits), 'bit')}, but the archive has {self.n:,}"
            )
        self._n = len(bits)
        before = self._tree.counts[TAKEN]
        self.take_in(Points.tagged(vector[None], np.array([[self.numbered, 0, 0]])))
        taken = bool(self._tree.counts[TAKEN] > before)
        if taken:
            self.trails[self.numbered] = Trail.of_one(bits.astype(np.uint8))
            self.numbered += 1
            self._drop_trails()
        return taken

    def merge(self, other: "Archive") -> "Archive":
        """Add all points of the other archive, and return this one, for chaining.

        Of equal vectors the one with the lowest (unit, step) stays, so archives of one
        run may be merged in any order. If units of both have the same number, those of
        the other archive get new ones.
        """
        if not np.array_equal(self.signs, other.signs):
            raise ValueError("archives of unequal objectives or senses do not merge")
        if len(other) and None not in (self._n, other._n) and self.n != other.n:
            raise ValueError(
                f"solutions of {counted(other.n, 'bit')} do not merge with {self.n:,}"
            )
        if len(self) and len(other) and self._real != other._real:
            raise ValueError("archives of integers and of reals do not merge")
        if len(other):
            self._n, self._real = other._n, other._real
        shared = self.trails.keys() & other.trails.keys()
        offset = self.numbered if shared else 0
        self.numbered = max(self.numbered, other.numbered + offset)
        points = other.points()
        self.take_in(points._replace(unit=points.unit + offset))
        self.trails |= {unit + offset: trail for unit, trail in other.trails.items()}
        self._drop_trails()
        return self

    def copy(self) -> "Archive":
        """A new archive with the same points."""
        twin = copy(self)
        twin.trails = dict(self.trails)
        twin._tree = deepcopy(self._tree)
        return twin

    def found_by(self, first: int, count: int) -> Found:
        """The points and trails of units first, ..., first + count - 1."""
        points = self.points().of_units(first, count)
        trails = {unit: self.trails[unit] for unit in np.unique(points.unit).tolist()}
        is_theirs = self.near and first <= self.near.unit < first + count
        return Found(points, trails, self.near if is_theirs else None)

    def keep_near(self, near: Near | None) -> None:
        """Keep a solution that is not feasible, if none is nearer to that."""
        if near and (self.near is None or near[:2] < self.near[:2]):
            self.near = near

    def take_found(self, n: int, found: Found) -> None:
        """Add the points and trails of units of the same run; solutions have n bits."""
        self.take_in(found.points)
        self.keep_trails(n, found.trails)
        self.keep_near(found.near)

    def keep_trails(self, n: int, trails: dict[int, Trail]) -> None:
        """Keep what points need of these trails; solutions have n bits."""
        self._n = n
        for unit, trail in trails.items():
            before = self.trails.get(unit)
            self.numbered = max(self.numbered, unit + 1)
            if before and not trail.has(before.steps):
                trail = self._with_both(unit, before, trail)
            self.trails[unit] = trail
        self._drop_trails()
        self._trim_trails()

    def take_in(self, points: Points, pulse: Pulse = nothing) -> None:
        """Report these points; their trails follow by `keep_trails`."""
        first = 0
        while first < points.size:
            pulse()
            nodes = SPARE + min(points.size - first, AT_ONCE) // 4
            if room_left(self._tree) < nodes:
                self._tree = larger(self._tree, nodes)
            first = report_rows(self._tree, points, first)

    def keep_least_crowded(self, size: int, pulse: Pulse = nothing) -> bool:
        """Keep the `size` least crowded points; True if any point was removed.

        The crowding distance is that of NSGA-II; a fixed hash breaks ties. `pulse` is
        called now and then; if it raises, the archive stays as it was.

        Examples
        --------
        >>> archive = Archive(2)
        >>> for fx in [0, 9], [1, 8], [2, 7], [6, 1], [9, 0]:
        ...     _ = archive.report(fx, [0, 1])
        >>> archive.keep_least_crowded(4), archive.F.tolist()
        (True, [[0, 9], [2, 7], [6, 1], [9, 0]])
        """
        if size < 1:
            raise ValueError(f"size = {brief(size)}, but it must be at least 1")
        if len(self) <= size:
            return False
        points = self.points()
        fx = _from_ordered(points.fx) if self._real else points.fx
        kept = Archive(self.d)
        kept.take_in(points.some(least_crowded(fx, size, pulse)), pulse)
        self._tree = kept._tree
        self._trails_needed = 0  # so that trails are dropped now, even if few
        self._drop_trails()
        return True

    def _with_both(self, unit: int, before: Trail, trail: Trail) -> Trail:
        """What points of a unit need: one of its two trails, or both joined."""
        alive = np.sort(self.points().of_units(unit, 1).step)
        for one in (before, trail):
            if one.has(alive):
                return one
        return before.joined(trail, alive, self.n)

    def _drop_trails(self) -> None:
        """Drop trails of units without a point here, if there may be many."""
        if len(self.trails) > 2 * self._trails_needed:
            alive = set(np.unique(self.points().unit).tolist())
            self.trails = {u: trail for u, trail in self.trails.items() if u in alive}
            self._trails_needed = max(FEW, len(self.trails))

    def _trim_trails(self) -> None:
        """Drop the steps of trails that no point needs, if there may be many."""
        if self._flips() < self._flips_needed:
            return
        for unit, steps in self.points().steps_by_unit().items():
            self.trails[unit] = self.trails[unit].only(steps, self.n)
        self._flips_needed = max(MANY, 2 * self._flips())

    def _flips(self) -> int:
        """How many flips there are in all trails."""
        return sum(len(trail.flips) for trail in self.trails.values())

    def _ascending(self) -> Points:
        """The points by ascending objectives, as the user sees them."""
        points = self.points()
        return points.some(np.lexsort((points.fx * self.signs).T[::-1]))

    def _ordered(self, fx: Any) -> np.ndarray:
        """A vector as integers to maximise, in the same order as the numbers given."""
        vector = np.asarray(fx)
        if vector.dtype.kind not in "iuf" or vector.shape != (self.d,):
            raise TypeError(
                f"fx is {brief(fx)}, not a vector of {counted(self.d, 'number')}"
            )
        real = vector.dtype.kind == "f"
        if real and np.isnan(vector).any():
            raise ValueError(f"fx is {brief(fx)}, but NaN cannot be compared")
        if self._real not in (None, real) and len(self):
            raise TypeError("an archive holds integers or reals, not both")
        self._real = real
        if not real and ((vector > EXACT) | (vector < -EXACT)).any():
            raise OverflowError(f"fx is {brief(fx)}, but exact integers end at 2**62")
        whole = _to_ordered(vector) if real else vector.astype(np.int64)
        return np.asarray(whole * self.signs)

    def __repr__(self) -> str:
        return f"Archive of {counted(len(self), 'non-dominated vector')}, d = {self.d}"


@kernel
def report_rows(tree, points, first):
    """Report rows from `first` on while there is room; return the next row."""
    for row in range(first, len(points.unit)):
        fx = points.fx[row]
        if is_refused(tree, fx):
            continue
        if room_left(tree) < SPARE:
            return row
        report(tree, fx, points.unit[row], points.step[row], points.optimum[row])
    return len(points.unit)


def _to_ordered(values: np.ndarray) -> np.ndarray:
    """Floats as integers in the same order; -value becomes -integer."""
    bits = (values.astype(np.float64) + 0.0).view(np.int64)
    return np.where(bits < 0, -(bits & np.iinfo(np.int64).max), bits)


def _from_ordered(whole: np.ndarray) -> np.ndarray:
    """The inverse of `_to_ordered`.

    >>> _from_ordered(_to_ordered(np.array([-1.5, 0.0, 2.0]))).tolist()
    [-1.5, 0.0, 2.0]
    """
    size = np.abs(whole).view(np.float64)
    return np.where(whole < 0, -size, size)
