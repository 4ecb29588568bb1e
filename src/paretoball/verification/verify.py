"""Verification: a run checked against its landscape, by the plainest means.

Nothing here is shared with the search. Solutions are rebuilt from the rows, objectives
are summed from the subfunctions as given, in Python's own integers, and local optima
are put to the test by brute force. What a file says of its run is checked as far as it
can be; the rest is listed.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from paretoball.climber import checked_radius
from paretoball.formats import PathLike
from paretoball.landscape import Front, Landscape, landscape_digest
from paretoball.running import PROVEN, Arrays, read_run, rows_of, settled_rows
from paretoball.system import Display, brief, printable
from paretoball.verification.claims import claim_failures, ending_remarks, unchecked
from paretoball.verification.naming import naming_found
from paretoball.verification.sums import Sums

COMPARISONS = 1 << 20  # of rows at a time


@dataclass
class Report:
    """What checking a run found."""

    rows: int
    optima: int = 0  # rows whose Hamming ball was searched
    failures: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)  # what had to be believed


def verify(
    landscape: Landscape,
    run: PathLike | Front,
    local: int | None = None,
    display: Display | None = None,
) -> Report:
    """Check a run, or any front, against the landscape it belongs to.

    The report has `failures`, `remarks`, and, for a file, what is `unchecked`.

    Parameters
    ----------
    run
        The file of a run or a checkpoint; or a front, such as an archive.
    local
        Also check, by brute force, that no solution within this Hamming distance
        dominates a row that is marked as a local optimum.
    display
        Shows how many rows are checked, if this takes more than two seconds.
    """
    if not isinstance(landscape, Landscape):
        raise TypeError(
            f"verify takes a landscape and then its run, but {brief(landscape)} is no "
            "landscape"
        )
    radius = 0 if local is None else checked_radius(local)
    header, rows = _read(run)
    report = Report(rows=len(rows["F"]))
    report.failures += _identity_failures(landscape, header)
    if report.failures:
        return report
    display = Display(False) if display is None else display
    sums = Sums(landscape)
    report.failures += _front_failures(rows, np.array(sums.signs))
    for row in _solutions(rows, sums):
        display.tell(partial(_row_line, row, report.rows), row / report.rows)
        report.failures += _row_failures(landscape, rows, row, sums)
        if radius and rows["optimum"][row]:
            report.optima += 1
            found = _dominating_flips(sums, sums.totals, radius, 0, display)
            report.failures += _optimum_failures(landscape, rows, row, found)
    further = settled_rows(rows)
    if further:  # of a checkpoint, for whoever goes on with it
        for row in _solutions(further, sums):
            report.failures += _row_failures(landscape, further, row, sums)
    if "trace" in rows:  # of a file
        failures, remarks = naming_found(landscape, header)
        report.failures += failures
        report.remarks += remarks
        report.failures += claim_failures(landscape, header, rows, sums)
        report.remarks += ending_remarks(header)
        report.unchecked += unchecked(header, radius)
    promised = header["config"].get("radius")
    if (
        radius
        and header.get("status") not in PROVEN
        and not (type(promised) is int and radius <= promised)
    ):
        report.remarks.append(
            f"climbs of radius {brief(promised)} promise nothing for radius {radius}"
        )
    return report


def _read(run: PathLike | Front) -> tuple[dict[str, Any], Arrays]:
    """The header and the rows of a run; of a front, what there is."""
    if isinstance(run, str | os.PathLike):
        return read_run(run)
    header: dict[str, Any] = {
        "n": run.n,
        "sense": list(run.sense),
        "landscape": None,
        "config": {},
    }
    return header, rows_of(run)


def _row_line(row: int, rows: int) -> str:
    return f"checking row {row + 1:,} of {rows:,}"


def _ball_line(fx: list[int], j: int) -> str:
    return f"checking the ball around {fx}: variable {j:,}"


def _identity_failures(landscape: Landscape, header: dict[str, Any]) -> Iterator[str]:
    """The run is one of this landscape."""
    found = (header["n"], tuple(header["sense"]))
    if found != (landscape.n, landscape.sense):
        yield (
            f"the run has n = {header['n']} and senses {', '.join(header['sense'])}, "
            f"but the landscape has n = {landscape.n} and {', '.join(landscape.sense)}"
        )
    elif header["landscape"] not in (None, landscape_digest(landscape)):
        yield (
            f"the run belongs to a landscape with the digest {header['landscape']}, "
            f"but this one has {landscape_digest(landscape)}"
        )


def _solutions(arrays: Arrays, sums: Sums) -> Iterator[int]:
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


def _row_failures(
    landscape: Landscape, arrays: Arrays, row: int, sums: Sums
) -> Iterator[str]:
    """The objectives of a row are those of its solution."""
    found, right = arrays["F"][row].tolist(), list(sums.totals)
    if landscape.real:
        right = [steps / scale for steps, scale in zip(right, landscape.scale.tolist())]
    if found != right or (arrays["F"].dtype.kind == "f") != landscape.real:
        yield f"{_place(arrays, row)} says {found}, but its solution has {right}"


def _front_failures(arrays: Arrays, signs: np.ndarray) -> Iterator[str]:
    """No row equals or is dominated by another."""
    F = arrays["F"] * signs
    if not len(F):
        return
    order = np.lexsort(F.T[::-1])[::-1]  # a row comes after those that dominate it
    for one, row in pairwise(order.tolist()):
        if (F[one] == F[row]).all():
            places = f"{_place(arrays, row)} equals {_place(arrays, one)}"
            yield f"{places}: {F[row] * signs}"
    better = _dominators_in_the_plane if F.shape[1] == 2 else _dominators
    for row, one in better(F, order):
        yield f"{_place(arrays, row)} is dominated by {_place(arrays, one)}"


def _dominators_in_the_plane(
    F: np.ndarray, order: np.ndarray
) -> Iterator[tuple[int, int]]:
    """Dominated rows, each with one that dominates it; two objectives, maximised."""
    best, *rest = order.tolist()
    for row in rest:
        if F[row, 1] > F[best, 1]:
            best = row
        elif (F[row] != F[best]).any():
            yield row, best


def _dominators(F: np.ndarray, order: np.ndarray) -> Iterator[tuple[int, int]]:
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


def _optimum_failures(
    landscape: Landscape, arrays: Arrays, row: int, found: list[int] | None
) -> Iterator[str]:
    """No flips were found that dominate the row's solution."""
    if found is not None:
        labels = [landscape.labels[j] for j in found]
        yield (
            f"{_place(arrays, row)} is marked as a local optimum, "
            f"but flipping {printable(str(labels))} dominates it"
        )


def _dominating_flips(
    sums: Sums, fx: list[int], radius: int, first: int, display: Display
) -> list[int] | None:
    """At most `radius` variables from `first` on whose flip dominates fx, if any."""
    for j in range(first, len(sums.readers)):
        if _dominates(sums.flipped(j), fx, sums.signs):
            return [j]
        if first == 0:
            display.tell(partial(_ball_line, fx, j))
        if radius > 1:
            sums.flip(j)
            found = _dominating_flips(sums, fx, radius - 1, j + 1, display)
            sums.flip(j)
            if found is not None:
                return [j, *found]
    return None


def _dominates(one: list[int], other: list[int], signs: list[int]) -> bool:
    """Whether `one` is nowhere worse than `other` and somewhere better."""
    for sign, a, b in zip(signs, one, other):
        if sign * a < sign * b:
            return False
    return one != other


def _place(arrays: Arrays, row: int) -> str:
    """Where a row comes from, in words."""
    return f"climb {arrays['climb'][row]}, step {arrays['step'][row]}"
