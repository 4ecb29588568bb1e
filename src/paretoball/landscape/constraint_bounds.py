"""Bounds of constraints: in steps, and refused where no solution can keep them."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor

import numpy as np

from paretoball.landscape.constraints import Constraints, constraint_in_words
from paretoball.landscape.exact_tables import EXACT_DECIMALS, exact_number
from paretoball.landscape.subfunctions import EXACT
from paretoball.numerics import sums_by_row

HALF = Fraction(1, 2)
WRITTEN = 12  # digits of a bound that somebody wrote, not computed


def bounded(constraints: Constraints) -> Constraints:
    """The same constraints with bounds in steps, if each alone can be satisfied.

    A bound between two steps is as good as the step within it. Where tables are
    rounded, the bound is the nearest step, and widened.
    """
    lowest, highest = _ranges(constraints)
    lower, upper = np.full((2, len(constraints)), EXACT) * [[-1], [1]]
    tolerances = constraints.tolerances().tolist()
    for c, relation in enumerate(constraints.relations):
        steps, room = _steps(constraints, c), tolerances[c]
        if room:
            steps = floor(steps + HALF)
        at_least = ceil(steps) - room if relation != "<=" else -EXACT
        at_most = floor(steps) + room if relation != ">=" else EXACT
        if at_least > min(highest[c], at_most) or at_most < lowest[c]:
            raise ValueError(_hopeless(constraints, c, lowest[c], highest[c]))
        most = EXACT_DECIMALS if constraints.real[c] else EXACT  # that is reached
        lower[c] = at_least if at_least >= -most else -EXACT
        upper[c] = at_most if at_most <= most else EXACT
    arrays = constraints.arrays._replace(lower=lower, upper=upper)
    return replace(constraints, arrays=arrays)


def _steps(constraints: Constraints, c: int) -> Fraction | int:
    """The bound of constraint c in steps, without rounding.

    A float that is nearest to a whole number of steps is meant to be that; and so is
    one of many digits that adding up the terms in floats may give. Any other float
    counts as the decimal that it is printed as.
    """
    number, scale = exact_number(constraints.bounds[c]), constraints.scale[c].item()
    assert number is not None
    if not isinstance(number, float):
        return number if scale == 1 else Fraction(number) * Fraction(scale)
    nearest = floor(Fraction(number) * Fraction(scale) + HALF)
    if float(Fraction(nearest) / Fraction(scale)) == number:
        return nearest
    exact = Fraction(repr(number)) * Fraction(scale)
    written = Decimal(repr(number)).normalize().as_tuple().digits
    is_long = constraints.real[c] and len(written) > WRITTEN
    is_sum = is_long and abs(exact - nearest) <= _noise(constraints, c)
    return nearest if is_sum else exact


def _noise(constraints: Constraints, c: int) -> Fraction:
    """How wrong a sum of the terms of constraint c in floats may be, in steps.

    A quarter of a step is the most that counts.
    """
    given = constraints.arrays.subfunctions
    first, end = np.searchsorted(given.objective, [c, c + 1]).tolist()
    at = given.table_at[first : end + 1]
    sizes = np.abs(given.tables[at[0] : at[-1]])
    reach = int(np.maximum.reduceat(sizes, at[:-1] - at[0]).sum()) if end > first else 0
    return min(Fraction(1, 4), Fraction((end - first + 1) * reach, 2**53))


def _ranges(constraints: Constraints) -> tuple[list[int], list[int]]:
    """The sums of the lowest and of the highest entries of each constraint's tables."""
    given, names = constraints.arrays.subfunctions, constraints.names
    lowest = np.minimum.reduceat(given.tables, given.table_at[:-1])
    highest = np.maximum.reduceat(given.tables, given.table_at[:-1])
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
    if not least <= _steps(constraints, c) <= most:
        but = f"its terms add up to {ends}"
    else:
        but = f"its terms add up to multiples of {1 / per_unit:.15g}"
    return f"{asks}, but {but}: no solution is feasible"
