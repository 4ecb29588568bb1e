"""Bounds of constraints: in steps, and refused where no solution can keep them."""

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np

from paretoball.landscape.blocks import blocks, folded, matrix
from paretoball.landscape.constraints import Constraints, constraint_in_words
from paretoball.landscape.exact_tables import EXACT_DECIMALS, exact_number
from paretoball.landscape.subfunctions import EXACT
from paretoball.numerics import sums_by_row


def bounded(constraints: Constraints, rounded: np.ndarray) -> Constraints:
    """The same constraints with bounds in steps, if each alone can be satisfied.

    A bound between two steps is as good as the step within it. Where entries of tables
    are rounded to the nearest step, so is the bound.
    """
    lowest, highest = _ranges(constraints)
    lower, upper = np.full((2, len(constraints)), EXACT) * [[-1], [1]]
    for c, relation in enumerate(constraints.relations):
        steps = _steps(constraints, c, rounded[c])
        at_least = ceil(steps) if relation != "<=" else -EXACT
        at_most = floor(steps) if relation != ">=" else EXACT
        if at_least > min(highest[c], at_most) or at_most < lowest[c]:
            raise ValueError(_hopeless(constraints, c, lowest[c], highest[c]))
        most = EXACT_DECIMALS if constraints.real[c] else EXACT  # that is reached
        lower[c] = at_least if at_least >= -most else -EXACT
        upper[c] = at_most if at_most <= most else EXACT
    arrays = constraints.arrays._replace(lower=lower, upper=upper)
    return replace(constraints, arrays=arrays)


def _steps(constraints: Constraints, c: int, rounded: Any) -> Fraction | int:
    """The bound of constraint c in steps, without rounding.

    A float that is nearest to a whole number of steps is meant to be that; any other
    float counts as the decimal that it is printed as.
    """
    number, scale = exact_number(constraints.bounds[c]), float(constraints.scale[c])
    assert number is not None
    if scale == 1 and isinstance(number, int):
        return number
    if rounded or isinstance(number, float):
        with suppress(OverflowError):
            nearest = round(float(number) * scale)
            if rounded or nearest / scale == number:
                return Fraction(nearest)
    exact = Fraction(repr(number)) if isinstance(number, float) else Fraction(number)
    return exact * Fraction(scale)


def _ranges(constraints: Constraints) -> tuple[list[int], list[int]]:
    """The sums of the lowest and of the highest entries of each constraint's tables."""
    given, names = constraints.arrays.subfunctions, constraints.names
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
    if not least <= _steps(constraints, c, False) <= most:
        but = f"its terms add up to {ends}"
    else:
        but = f"its terms add up to multiples of {1 / per_unit:.15g}"
    return f"{asks}, but {but}: no solution is feasible"
