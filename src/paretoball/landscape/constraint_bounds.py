"""Bounds of constraints: in steps, and refused where no solution can keep them."""

from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np

from paretoball.landscape.blocks import blocks, folded, matrix
from paretoball.landscape.constraints import (
    ConstraintArrays,
    Constraints,
    constraint_in_words,
)
from paretoball.landscape.exact_tables import exact_number
from paretoball.landscape.subfunctions import EXACT, Number, Subfunctions
from paretoball.numerics import sums_by_row


def bounded(
    given: Subfunctions,
    scale: np.ndarray,
    real: np.ndarray,
    names: tuple[str, ...],
    relations: tuple[str, ...],
    bounds: tuple[Number, ...],
) -> Constraints:
    """Constraints of subfunctions in steps, if each of them alone can be satisfied.

    A bound between two steps is as good as the step before it, or after it.
    """
    lowest, highest = _ranges(names, given)
    lower, upper = np.full(len(names), -EXACT), np.full(len(names), EXACT)
    arrays = ConstraintArrays(given, lower, upper)
    constraints = Constraints(arrays, scale, real, names, relations, bounds)
    for c, relation in enumerate(relations):
        steps = _exact(bounds[c]) * Fraction(float(scale[c]))
        at_least = ceil(steps) if relation != "<=" else -EXACT
        at_most = floor(steps) if relation != ">=" else EXACT
        if at_least > min(highest[c], at_most) or at_most < lowest[c]:
            raise ValueError(_hopeless(constraints, c, lowest[c], highest[c]))
        lower[c], upper[c] = max(at_least, -EXACT), min(at_most, EXACT)
    return constraints


def _exact(bound: Any) -> Fraction:
    """A bound without rounding; a float counts as the decimal it is printed as."""
    number = exact_number(bound)
    assert number is not None
    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)


def _ranges(names: tuple[str, ...], given: Subfunctions) -> tuple[list[int], list[int]]:
    """The sums of the lowest and of the highest entries of each constraint's tables."""
    lowest = np.empty(len(given.objective), np.int64)
    highest = np.empty_like(lowest)
    for block in blocks(given.table_at):
        tables = matrix(given.table_at, given.tables, block)
        lowest[block] = folded(np.minimum, tables)
        highest[block] = folded(np.maximum, tables)
    at = np.searchsorted(given.objective, np.arange(len(names) + 1))
    low, high = sums_by_row(at, lowest).tolist(), sums_by_row(at, highest).tolist()
    for c, (least, most) in enumerate(zip(low, high)):
        if most - least > EXACT:
            raise OverflowError(
                f"{constraint_in_words(c, names[c])} ranges from {least:.3g} to "
                f"{most:.3g} steps, but exact 64-bit arithmetic ends at a range of "
                "2**62 = 4.6e18: divide its tables by a common factor"
            )
    return low, high


def _hopeless(constraints: Constraints, c: int, least: int, most: int) -> str:
    """Why no solution satisfies constraint c, which ranges over these steps."""
    where = constraint_in_words(c, constraints.names[c])
    asks = f"{where} asks for {constraints.relations[c]} {constraints.bounds[c]}"
    per_unit = float(constraints.scale[c])
    if constraints.real[c]:
        ends = f"{least / per_unit:.15g} to {most / per_unit:.15g}"
    else:
        ends = f"{least} to {most}"
    if not least <= _exact(constraints.bounds[c]) * Fraction(per_unit) <= most:
        but = f"its terms add up to {ends}"
    else:
        but = f"its terms add up to multiples of {1 / per_unit:.15g}"
    return f"{asks}, but {but}: no solution is feasible"
