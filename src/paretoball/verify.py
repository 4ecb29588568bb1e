"""Verify: a run checked against its landscape, by the plainest means.

Nothing here is shared with the search. Solutions are rebuilt from the file, objectives
are summed from the subfunctions as given, in Python's own integers, and local optima
are put to the test by brute force.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from time import perf_counter
from typing import Any

import numpy as np

from paretoball.files import landscape_digest
from paretoball.landscape import Landscape
from paretoball.moves import checked_radius
from paretoball.runs import read_run
from paretoball.storage import PathLike
from paretoball.subfunctions import brief

PATIENCE = 2.0  # seconds before the first note
NOTE_EVERY = 10.0  # seconds between further notes
COMPARISONS = 1 << 20  # of rows at a time

Arrays = dict[str, np.ndarray]
Note = Callable[[str], object]


@dataclass
class Report:
    """What checking a run found."""

    rows: int
    optima: int = 0  # rows whose Hamming ball was searched
    failures: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def silence(text: str) -> None:
    """What those who want no notes do with them."""


def verify(
    landscape: Landscape, path: PathLike, local: int | None = None, note: Note = silence
) -> Report:
    """Check the run in a file against the landscape it is a run of.

    Parameters
    ----------
    local
        Also check, by brute force, that no solution within this Hamming distance
        dominates a row that is marked as a local optimum.
    note
        Called with a line now and then, if checking takes more than two seconds.
    """
    radius = 0 if local is None else checked_radius(local)
    header, arrays = read_run(path)
    report = Report(rows=len(arrays["F"]))
    report.failures += identity_failures(landscape, header)
    if report.failures:
        return report
    clock = Clock(note)
    sums = Sums(landscape)
    report.failures += front_failures(arrays, np.array(sums.signs))
    for row in solutions(arrays, sums):
        clock.tell(f"row {row + 1:,} of {report.rows:,}")
        report.failures += row_failures(landscape, arrays, row, sums)
        if radius and arrays["optimum"][row]:
            report.optima += 1
            report.failures += optimum_failures(arrays, row, sums, radius, clock)
    promised = header["config"].get("radius")
    if radius and not (type(promised) is int and radius <= promised):
        report.remarks.append(
            f"climbs of radius {brief(promised)} promise nothing for radius {radius}"
        )
    return report


class Clock:
    """Passes notes on: the first after a while, and then one now and then."""

    def __init__(self, note: Note):
        self.note = note
        self.due = perf_counter() + PATIENCE

    def tell(self, text: str) -> None:
        """Note this, if it is time to."""
        if perf_counter() >= self.due:
            self.due = perf_counter() + NOTE_EVERY
            self.note(text)


class Sums:
    """f of one solution, in plain integers: steps of each objective's grid."""

    def __init__(self, landscape: Landscape):
        given = landscape.subfunctions
        tables, table_at = given.tables.tolist(), given.table_at.tolist()
        masks, mask_at = given.masks.tolist(), given.mask_at.tolist()
        self.signs = [1 if sense == "max" else -1 for sense in landscape.sense]
        self.tables = [tables[a:b] for a, b in pairwise(table_at)]
        self.masks = [masks[a:b] for a, b in pairwise(mask_at)]
        self.objectives: list[int] = given.objective.tolist()
        self.here = [0] * landscape.m  # which entry of its table each one reads
        self.totals = [0] * landscape.d
        self.readers: list[list[Any]] = [[] for _ in range(landscape.n)]
        for s, i in enumerate(self.objectives):
            for b, j in enumerate(self.masks[s]):
                self.readers[j].append((s, 1 << b, i, self.tables[s]))

    def set(self, bits: list[int]) -> None:
        """Sum up f of this solution."""
        self.totals = [0] * len(self.signs)
        for s, mask in enumerate(self.masks):
            self.here[s] = sum(bits[j] << b for b, j in enumerate(mask))
            self.totals[self.objectives[s]] += self.tables[s][self.here[s]]

    def flipped(self, j: int) -> list[int]:
        """f after a flip of variable j."""
        totals, here = self.totals.copy(), self.here
        for s, bit, i, table in self.readers[j]:
            totals[i] += table[here[s] ^ bit] - table[here[s]]
        return totals

    def flip(self, j: int) -> None:
        """Flip variable j."""
        self.totals = self.flipped(j)
        for s, bit, _, _ in self.readers[j]:
            self.here[s] ^= bit


def identity_failures(landscape: Landscape, header: dict[str, Any]) -> Iterator[str]:
    """The run is one of this landscape."""
    found = (header["n"], tuple(header["sense"]))
    if found != (landscape.n, landscape.sense):
        yield (
            f"the run has n = {header['n']} and senses {', '.join(header['sense'])}, "
            f"but the landscape has n = {landscape.n} and {', '.join(landscape.sense)}"
        )
    elif header["landscape"] != landscape_digest(landscape):
        yield (
            f"the run belongs to a landscape with the digest {header['landscape']}, "
            f"but this one has {landscape_digest(landscape)}"
        )


def solutions(arrays: Arrays, sums: Sums) -> Iterator[int]:
    """Every row, each time with `sums` set to its solution."""
    climb, flips = arrays["climb"].tolist(), arrays["flips"].tolist()
    flip_at, bases = arrays["flip_at"].tolist(), iter(arrays["base"])
    last = None
    for row, number in enumerate(climb):
        if number != last:
            packed, last = next(bases).tolist(), number
            sums.set([packed[j // 8] >> j % 8 & 1 for j in range(len(sums.readers))])
        for j in flips[flip_at[row] : flip_at[row + 1]]:
            sums.flip(j)
        yield row


def row_failures(
    landscape: Landscape, arrays: Arrays, row: int, sums: Sums
) -> Iterator[str]:
    """The objectives of a row are those of its solution."""
    found, right = arrays["F"][row].tolist(), list(sums.totals)
    if landscape.real:
        right = [steps / scale for steps, scale in zip(right, landscape.scale.tolist())]
    if found != right or (arrays["F"].dtype.kind == "f") != landscape.real:
        yield f"{place(arrays, row)} says {found}, but its solution has {right}"


def front_failures(arrays: Arrays, signs: np.ndarray) -> Iterator[str]:
    """No row equals or is dominated by another."""
    F = arrays["F"] * signs
    order = np.lexsort(F.T[::-1])[::-1]  # who dominates comes first
    for one, row in pairwise(order.tolist()):
        if (F[one] == F[row]).all():
            yield f"{place(arrays, row)} equals {place(arrays, one)}: {F[row] * signs}"
    better = dominators_in_the_plane if F.shape[1] == 2 else dominators
    for row, one in better(F, order):
        yield f"{place(arrays, row)} is dominated by {place(arrays, one)}"


def dominators_in_the_plane(
    F: np.ndarray, order: np.ndarray
) -> Iterator[tuple[int, int]]:
    """Dominated rows, each with one that dominates it; two objectives, maximised."""
    best, *rest = order.tolist()
    for row in rest:
        if F[row, 1] > F[best, 1]:
            best = row
        elif (F[row] != F[best]).any():
            yield row, best


def dominators(F: np.ndarray, order: np.ndarray) -> Iterator[tuple[int, int]]:
    """The same for any number of objectives, all pairs compared."""
    size = max(1, COMPARISONS // len(F))
    for rows in np.split(order, range(size, len(order), size)):
        covered, equal = np.ones((2, len(rows), len(F)), np.bool_)
        for column in F.T:
            covered &= column[rows, None] <= column
            equal &= column[rows, None] == column
        beaten = covered & ~equal
        for at in np.flatnonzero(beaten.any(axis=1)):
            yield int(rows[at]), int(np.argmax(beaten[at]))


def optimum_failures(
    arrays: Arrays, row: int, sums: Sums, radius: int, clock: Clock
) -> Iterator[str]:
    """No solution within this radius dominates the row's."""
    found = dominating_flips(sums, sums.totals, radius, 0, clock)
    if found is not None:
        yield (
            f"{place(arrays, row)} is marked as a local optimum, "
            f"but flipping {found} dominates it"
        )


def dominating_flips(
    sums: Sums, fx: list[int], radius: int, first: int, clock: Clock
) -> list[int] | None:
    """At most `radius` variables from `first` on whose flip dominates fx, if any."""
    for j in range(first, len(sums.readers)):
        if dominates(sums.flipped(j), fx, sums.signs):
            return [j]
        if first == 0:
            clock.tell(f"the ball around {fx}: variable {j:,}")
        if radius > 1:
            sums.flip(j)
            found = dominating_flips(sums, fx, radius - 1, j + 1, clock)
            sums.flip(j)
            if found is not None:
                return [j, *found]
    return None


def dominates(one: list[int], other: list[int], signs: list[int]) -> bool:
    """Whether `one` is nowhere worse than `other` and somewhere better."""
    for sign, a, b in zip(signs, one, other):
        if sign * a < sign * b:
            return False
    return one != other


def place(arrays: Arrays, row: int) -> str:
    """Where a row comes from, in words."""
    return f"climb {arrays['climb'][row]}, step {arrays['step'][row]}"
