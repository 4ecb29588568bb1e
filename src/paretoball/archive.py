"""The archive: non-dominated reports, and how to get a reported solution back.

A report costs a search among boxes, never a copy of n bits: the archive keeps the
objective vector and where it came from, (climb, step). Once a climb is over, what its
surviving reports need of the journal is kept as a `Trail`; trails that no report needs
any more are dropped.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from paretoball._jit import kernel
from paretoball.boxes import (
    ALIVE,
    SPARE,
    TAKEN,
    is_refused,
    new_tree,
    points_of,
    report,
    room_left,
    tags_of,
)
from paretoball.crowding import least_crowded
from paretoball.landscape import checked_sense
from paretoball.memory import room_for_solutions
from paretoball.subfunctions import brief

FEW = 8  # trails, of which some may be of no use
MANY = 1 << 18  # flips of trails, of which some may be of no use


class Trail(NamedTuple):
    """Solutions of one climb: the first as bits, each next one as flips of the last."""

    steps: np.ndarray  # (rows,) int64, ascending
    base: np.ndarray  # (n / 8,) uint8: the first solution, packed, lowest bit first
    flip_at: np.ndarray  # (rows + 1,) int64: where the flips of each row start
    flips: np.ndarray  # int32: variables; those of the first row are none

    @classmethod
    def along(
        cls, x: np.ndarray, flips: np.ndarray, ends: np.ndarray, steps: np.ndarray
    ) -> "Trail":
        """The solutions at `steps`, each after the flips of x before `ends`.

        Of flips between two of them, those that come to nothing are left out.
        """
        first, n = ends[0], len(x)
        base = x ^ (np.bincount(flips[:first], minlength=n) & 1).astype(np.uint8)
        kept = np.empty(ends[-1] - first, np.int32)
        flip_at = np.zeros(len(steps) + 1, np.int64)
        keep_net_flips(flips, ends, kept, flip_at, np.zeros(n, np.bool_))
        packed = np.packbits(base, bitorder="little")
        return cls(steps, packed, flip_at, kept[: flip_at[-1]].copy())

    def only(self, steps: np.ndarray, n: int) -> "Trail":
        """The trail with these of its steps, ascending."""
        x = np.unpackbits(self.base, count=n, bitorder="little")
        ends = self.flip_at[np.searchsorted(self.steps, steps) + 1]
        return Trail.along(x, self.flips, ends, steps)

    def unpacked(self, steps: np.ndarray, n: int) -> np.ndarray:
        """The solutions at these steps, ascending: (len(steps), n) uint8."""
        x = np.unpackbits(self.base, count=n, bitorder="little")
        X = np.empty((len(steps), n), np.uint8)
        row = 0
        for at, step in enumerate(steps):
            last = int(np.searchsorted(self.steps, step))
            flips = self.flips[self.flip_at[row] : self.flip_at[last + 1]]
            np.bitwise_xor.at(x, flips, 1)
            row = last + 1
            X[at] = x
        return X

    def has(self, steps: np.ndarray) -> bool:
        """Whether all these steps are here."""
        return bool(np.isin(steps, self.steps).all())

    def joined(self, other: "Trail", steps: np.ndarray, n: int) -> "Trail":
        """A trail of the same climb with these steps, each of which one of both has."""
        X = np.empty((len(steps), n), np.uint8)
        for trail in (self, other):
            known = np.isin(steps, trail.steps)
            X[known] = trail.unpacked(steps[known], n)
        rows, flips = np.nonzero(np.diff(X, axis=0))
        flip_at = np.searchsorted(rows, np.arange(len(steps)))
        base = np.packbits(X[0], bitorder="little")
        return Trail(steps, base, np.append(0, flip_at), flips.astype(np.int32))


def replayed(
    trails: dict[int, Trail], climbs: np.ndarray, steps: np.ndarray, n: int
) -> np.ndarray:
    """The solutions at these steps of these climbs: (len(climbs), n) bool."""
    X = room_for_solutions(len(climbs), n)
    order = np.lexsort((steps, climbs))
    starts = np.flatnonzero(np.diff(climbs[order], prepend=-1))
    for rows in np.split(order, starts[1:]):
        if len(rows):
            trail = trails[int(climbs[rows[0]])]
            X[rows] = trail.unpacked(steps[rows], n)
    return X


class Archive:
    """Mutually non-dominated solutions: what the climber reports to.

    Parameters
    ----------
    d
        The number of objectives.
    sense
        `"max"` or `"min"`, for all objectives or one by one.

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

    def __init__(self, d: int, sense: str | Sequence[str] = "max"):
        self.signs = checked_sense(sense, d)
        self.tree = new_tree(d, 2 * SPARE)
        self.trails: dict[int, Trail] = {}
        self.needed = FEW  # trails, when it was last looked
        self.flips_needed = MANY  # by trails, when that was last looked
        self.numbered = 0  # above every climb here
        self.n: int | None = None
        self.real: bool | None = None

    def __len__(self) -> int:
        return int(self.tree.counts[ALIVE])

    @property
    def d(self) -> int:
        """The number of objectives."""
        return len(self.signs)

    @property
    def F(self) -> np.ndarray:
        """The objective vectors, ascending: (size, d)."""
        inside, _ = self._rows()
        return from_ordered(inside * self.signs) if self.real else inside * self.signs

    @property
    def X(self) -> np.ndarray:
        """The solutions, rebuilt on access: (size, n) bool, rows as in F."""
        climbs, steps, _ = self._rows()[1].T
        return replayed(self.trails, climbs, steps, self.n or 0)

    def report(self, fx: Any, x: Any) -> bool:
        """Take (fx, x) in unless it is dominated or equalled; True if it was taken."""
        vector = self._ordered(fx)
        bits = np.asarray(x)
        if bits.ndim != 1 or not np.isin(bits, (0, 1)).all():
            raise ValueError(f"x is {brief(x)}, not a vector of bits")
        if self.n not in (None, len(bits)):
            raise ValueError(f"x has {len(bits)} bits, but others here have {self.n}")
        self.n = len(bits)
        number = self.numbered
        before = self.tree.counts[TAKEN]
        self.take_in(vector[None], np.array([[number, 0, 0]]))
        taken = self.tree.counts[TAKEN] > before
        if taken:
            self.numbered += 1
            packed = np.packbits(bits.astype(np.uint8), bitorder="little")
            no_flips = np.zeros(0, np.int32)
            self.trails[number] = Trail(
                np.zeros(1, np.int64), packed, np.zeros(2, np.int64), no_flips
            )
            self.drop_trails()
        return bool(taken)

    def merge(self, other: "Archive") -> "Archive":
        """Take in all that the other archive has; itself, for chaining.

        Of equal vectors the lowest (climb, step) stays, so the order of merges does not
        matter to archives of one run. Climbs that both have are told apart by new
        numbers for the other's.
        """
        if not np.array_equal(self.signs, other.signs):
            raise ValueError("archives with other objectives or senses do not merge")
        if len(other) and None not in (self.n, other.n) and self.n != other.n:
            raise ValueError(f"solutions of {other.n} bits do not merge with {self.n}")
        if len(self) and len(other) and self.real != other.real:
            raise ValueError("archives of integers and of reals do not merge")
        if len(other):
            self.n, self.real = other.n, other.real
        shared = self.trails.keys() & other.trails.keys()
        offset = self.numbered if shared else 0
        self.numbered = max(self.numbered, other.numbered + offset)
        fx, tags = points_of(other.tree)
        self.take_in(fx, tags + np.array([offset, 0, 0]))
        self.trails |= {c + offset: trail for c, trail in other.trails.items()}
        self.drop_trails()
        return self

    def climbs(
        self, first: int, count: int
    ) -> tuple[np.ndarray, np.ndarray, dict[int, Trail]]:
        """What these climbs have here: vectors, tags, and the trails they need."""
        fx, tags = points_of(self.tree)
        theirs = (tags[:, 0] >= first) & (tags[:, 0] < first + count)
        numbers = np.unique(tags[theirs, 0]).tolist()
        return fx[theirs], tags[theirs], {c: self.trails[c] for c in numbers}

    def add_climbs(
        self, n: int, fx: np.ndarray, tags: np.ndarray, trails: dict[int, Trail]
    ) -> None:
        """Take in what climbs of the same run have found, n bits to a solution."""
        self.n = n
        self.take_in(fx, tags)
        for number, trail in trails.items():
            self.keep_trail(number, trail)
        self.drop_trails()
        self.trim_trails()

    def keep_trail(self, number: int, trail: Trail) -> None:
        """Keep the trail of a climb, or what reports need of it and of an older one."""
        assert self.n is not None
        before = self.trails.get(number)
        self.numbered = max(self.numbered, number + 1)
        if before is not None and not trail.has(before.steps):
            tags = tags_of(self.tree)
            alive = np.sort(tags[tags[:, 0] == number, 1])
            if before.has(alive):
                trail = before
            elif not trail.has(alive):
                trail = before.joined(trail, alive, self.n)
        self.trails[number] = trail

    def take_in(self, fx: np.ndarray, tags: np.ndarray) -> None:
        """Report vectors, inside units, with their (climb, step, optimum)."""
        first = 0
        while first < len(fx):
            self.make_room(SPARE + min(len(fx) - first, 1 << 16) // 4)
            first = report_rows(self.tree, fx, tags, first)

    def make_room(self, nodes: int = SPARE) -> None:
        """See that the tree has room for so many nodes more."""
        if room_left(self.tree) >= nodes:
            return
        larger = new_tree(self.d, 2 * len(self.tree.size) + nodes)
        for old, new in zip(self.tree[1:], larger[1:]):
            new[: len(old)] = old
        self.tree = larger

    def keep_least_crowded(self, size: int) -> bool:
        """Keep so many vectors, those farthest from others; True if any had to go.

        The distance is the crowding distance of NSGA-II, with ties broken by a fixed
        hash of the vector; see `crowding`.

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
        fx, tags = points_of(self.tree)
        kept = least_crowded(from_ordered(fx) if self.real else fx, size)
        self.tree = new_tree(self.d, 2 * SPARE)
        self.take_in(fx[kept], tags[kept])
        self.needed = 0  # so that it looks
        self.drop_trails()
        return True

    def drop_trails(self) -> None:
        """Forget trails of climbs that have no report here, if there may be many."""
        if len(self.trails) > 2 * self.needed:
            alive = set(np.unique(tags_of(self.tree)[:, 0]).tolist())
            self.trails = {c: trail for c, trail in self.trails.items() if c in alive}
            self.needed = max(FEW, len(self.trails))

    def trim_trails(self) -> None:
        """Forget what trails say of reports that are gone, if it may be much."""
        assert self.n is not None
        if sum(len(trail.flips) for trail in self.trails.values()) < self.flips_needed:
            return
        tags = tags_of(self.tree)
        tags = tags[np.lexsort((tags[:, 1], tags[:, 0]))]
        numbers, first = np.unique(tags[:, 0], return_index=True)
        for number, rows in zip(numbers.tolist(), np.split(tags, first[1:])):
            self.trails[number] = self.trails[number].only(rows[:, 1], self.n)
        kept = sum(len(trail.flips) for trail in self.trails.values())
        self.flips_needed = max(MANY, 2 * kept)

    def _rows(self) -> tuple[np.ndarray, np.ndarray]:
        """The points and their tags, by ascending objectives as the user sees them."""
        fx, tags = points_of(self.tree)
        order = np.lexsort((fx * self.signs).T[::-1])
        return fx[order], tags[order]

    def _ordered(self, fx: Any) -> np.ndarray:
        """A vector as integers to maximise, in an order that is exactly theirs."""
        vector = np.asarray(fx)
        if vector.dtype.kind not in "iuf" or vector.shape != (self.d,):
            raise TypeError(f"fx is {brief(fx)}, not a vector of {self.d} numbers")
        real = vector.dtype.kind == "f"
        if real and np.isnan(vector).any():
            raise ValueError(f"fx is {brief(fx)}, which holds no number to compare")
        if self.real not in (None, real) and len(self):
            raise TypeError("an archive holds integers or reals, not both")
        self.real = real
        if not real and (np.abs(vector.astype(float)) > 2**62).any():
            raise OverflowError(f"fx is {brief(fx)}, but exact integers end at 2**62")
        whole = to_ordered(vector) if real else vector.astype(np.int64)
        return np.asarray(whole * self.signs)

    def __repr__(self) -> str:
        return f"Archive of {len(self):,} non-dominated vectors, d = {self.d}"


@kernel
def report_rows(tree, fx, tags, first):
    """Report rows from `first` on while there is room; the row to go on with."""
    for row in range(first, len(fx)):
        if is_refused(tree, fx[row]):
            continue
        if room_left(tree) < SPARE:
            return row
        report(tree, fx[row], tags[row, 0], tags[row, 1], tags[row, 2])
    return len(fx)


@kernel
def keep_net_flips(flips, ends, kept, kept_at, marks):
    """From each end to the next, keep the variables flipped an odd number of times."""
    count = 0
    for row in range(1, len(ends)):
        for at in range(ends[row - 1], ends[row]):
            marks[flips[at]] ^= True
        for at in range(ends[row - 1], ends[row]):
            j = flips[at]
            if marks[j]:
                marks[j] = False
                kept[count] = j
                count += 1
        kept_at[row + 1] = count


def to_ordered(values: np.ndarray) -> np.ndarray:
    """Floats as integers in the same order, and with the same negation."""
    bits = (values.astype(np.float64) + 0.0).view(np.int64)
    return np.where(bits < 0, -(bits & np.iinfo(np.int64).max), bits)


def from_ordered(whole: np.ndarray) -> np.ndarray:
    """The inverse of `to_ordered`.

    >>> from_ordered(to_ordered(np.array([-1.5, 0.0, 2.0]))).tolist()
    [-1.5, 0.0, 2.0]
    """
    size = np.abs(whole).view(np.float64)
    return np.where(whole < 0, -size, size)
