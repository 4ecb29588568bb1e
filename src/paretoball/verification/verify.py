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
from paretoball.formats import PathLike, refusing
from paretoball.landscape import Front, Landscape, landscape_digest
from paretoball.running import (
    NEAREST,
    PROVEN,
    Arrays,
    check_program,
    read_run,
    rows_of,
    settled_rows,
)
from paretoball.system import Display, brief, printable
from paretoball.verification.claims import claim_failures, ending_remarks, unchecked
from paretoball.verification.here import Here, dominating_flips
from paretoball.verification.naming import naming_found

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
        dominates a row that is marked as a local optimum. If the landscape has
        constraints, only feasible solutions count, and searches claim local optima of
        distance 1 only.
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
    at = Here.on(landscape)
    sums = at.sums
    report.failures += at.limits.bound_failures()
    report.failures += _front_failures(rows, np.array(sums.signs))
    for row in _solutions(rows, at):
        display.tell(partial(_row_line, row, report.rows), row / report.rows)
        report.failures += _row_failures(landscape, rows, row, at)
        if radius and rows["optimum"][row]:
            report.optima += 1
            found = dominating_flips(at, sums.totals, radius, 0, display)
            report.failures += _optimum_failures(landscape, rows, row, found)
    further = settled_rows(rows)
    if further:  # of a checkpoint, for whoever goes on with it
        for row in _solutions(further, at):
            report.failures += _row_failures(landscape, further, row, at)
    if NEAREST in header:
        report.failures += _nearest_failures(landscape, header[NEAREST], rows, at)
    if "trace" in rows:  # of a file
        failures, remarks = naming_found(landscape, header)
        report.failures += failures
        report.failures += _count_failures(landscape, header)
        report.remarks += remarks
        report.failures += claim_failures(landscape, header, rows, sums)
        report.remarks += ending_remarks(header)
        report.unchecked += unchecked(header, radius)
    if radius and header.get("status") not in PROVEN:
        report.remarks += _promise_remarks(landscape, header["config"], radius)
    return report


def _promise_remarks(
    landscape: Landscape, config: dict[str, Any], radius: int
) -> Iterator[str]:
    """What a search does not promise of a ball that is searched."""
    promised = config.get("radius")
    if landscape.constraints and radius > 1:
        yield (
            "with constraints, a local optimum is one of single flips: nothing is "
            f"promised for radius {radius}"
        )
    elif not (type(promised) is int and radius <= promised):
        yield f"climbs of radius {brief(promised)} promise nothing for radius {radius}"


def _read(run: PathLike | Front) -> tuple[dict[str, Any], Arrays]:
    """The header and the rows of a run; of a front, what there is."""
    if isinstance(run, str | os.PathLike):
        header, rows = read_run(run)
        with refusing(run):
            check_program(header)
        return header, rows
    there = {"n": run.n, "sense": list(run.sense), "landscape": None, "config": {}}
    return there, rows_of(run)


def _row_line(row: int, rows: int) -> str:
    return f"checking row {row + 1:,} of {rows:,}"


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


def _count_failures(landscape: Landscape, header: dict[str, Any]) -> Iterator[str]:
    """The run knows how many constraints there are."""
    found, right = header.get("constraints", 0), len(landscape.constraints)
    if found != right:
        yield f"constraints is {found:,}, but the landscape has {right:,}"


def _solutions(arrays: Arrays, at: Here) -> Iterator[int]:
    """Every row, each time with `at` set to its solution."""
    climb, flips = arrays["climb"].tolist(), arrays["flips"].tolist()
    flip_at, bases = arrays["flip_at"].tolist(), iter(arrays["base"])
    last = None
    for row, number in enumerate(climb):
        if number != last:
            packed, last = next(bases).tolist(), number
            n = len(at.sums.readers)
            at.set([packed[j // 8] >> j % 8 & 1 for j in range(n)])
        for j in flips[flip_at[row] : flip_at[row + 1]]:
            at.flip(j)
        yield row


def _row_failures(
    landscape: Landscape, arrays: Arrays, row: int, at: Here
) -> Iterator[str]:
    """The objectives of a row are those of its solution, which is feasible."""
    found, right = arrays["F"][row].tolist(), _shown(landscape, at.sums.totals)
    if found != right or (arrays["F"].dtype.kind == "f") != landscape.real:
        yield f"{_place(arrays, row)} says {found}, but its solution has {right}"
    for violated in at.limits.failures():
        yield f"{_place(arrays, row)} violates {violated}"


def _shown(landscape: Landscape, steps: list[int]) -> list[Any]:
    """Objectives in the landscape's units."""
    if not landscape.real:
        return list(steps)
    return [each / scale for each, scale in zip(steps, landscape.scale.tolist())]


def _nearest_failures(
    landscape: Landscape, said: dict[str, Any], arrays: Arrays, at: Here
) -> Iterator[str]:
    """The nearest solution has the objectives and violations that the file says."""
    packed = arrays[NEAREST].tolist()
    at.set([packed[j // 8] >> j % 8 & 1 for j in range(landscape.n)])
    fx = _shown(landscape, at.sums.totals)
    if said["fx"] != fx:
        yield f"nearest says f(x) = {brief(said['fx'])}, but its solution has {fx}"
    right = at.limits.violations()
    if said["violation"] != right:
        c = next(c for c, each in enumerate(right) if said["violation"][c] != each)
        yield (
            f"nearest says that it violates constraint {c} by {said['violation'][c]}, "
            f"but its solution does by {right[c]}"
        )
    if not at.limits.violated:
        yield "nearest is feasible, but the run says that it found no such solution"


def _front_failures(arrays: Arrays, signs: np.ndarray) -> Iterator[str]:
    """No row equals or is dominated by another."""
    if len(arrays["F"]) == 0:
        return
    F = arrays["F"] * signs
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


def _place(arrays: Arrays, row: int) -> str:
    """Where a row comes from, in words."""
    return f"climb {arrays['climb'][row]}, step {arrays['step'][row]}"
