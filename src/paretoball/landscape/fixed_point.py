"""Fixed point: real tables as whole numbers of steps, so that all sums are exact.

Each objective has its own step. Where all values are short decimals, it is a power of
10 and they are exact; otherwise a power of 2, as small as exact arithmetic allows, to
which they are rounded. Constraints keep their short decimals exact even then.
"""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from math import floor, log2, log10
from typing import Any

import numpy as np

from paretoball.landscape.exact_tables import (
    EXACT_DECIMALS,
    check_whole_steps,
    exact_scales,
)
from paretoball.landscape.subfunctions import (
    EXACT,
    LISTS,
    Subfunctions,
    entry_in_words,
    exact_sum,
)
from paretoball.system import brief, counted, notice

GRID = 2**47  # the most steps that an objective reaches, if it needs a power of 2
ROUNDED = 2**50  # the same for a constraint; there is room for rounding up, below 2^51
LONG = 10**15  # steps of a decimal with more than 15 digits
PLAIN_POWERS = 22  # of 10, up to which powers are floats
LOST = 1e-9  # of a value: what is told if rounding to steps changes it by more
SMALLEST = 2.0**-900  # objectives with a smaller reach have no exact steps
FEWEST, MOST = 2.0**-900, 2.0**959  # steps per unit


def on_grid(
    d: int, given: Subfunctions, scale: Any = None, keep_decimals: bool = False
) -> tuple[np.ndarray, Subfunctions]:
    """Steps per unit of each objective, and the subfunctions in those steps.

    A given `scale` is used, if all table entries are whole numbers of its steps. With
    `keep_decimals`, long floats do not take short ones beside them off a decimal grid.
    """
    fractions = given if given.tables.dtype == object else None
    if fractions is not None:
        given = given._replace(tables=given.tables.astype(np.float64))
    reach = reaches(d, given)
    if given.tables.dtype.kind != "f":
        ones = np.ones(d) if scale is None else checked_scale(scale, d, real=False)
        return ones, given._replace(tables=given.tables.astype(np.int64, copy=False))
    if scale is None:
        at = given.table_at[np.searchsorted(given.objective, np.arange(d + 1))]
        own = [given.tables[first:end] for first, end in pairwise(at.tolist())]
        finest = partial(_finest_scale, keep_decimals=keep_decimals)
        scale = np.array(list(map(finest, own, reach.tolist())))
        for i, steps_per_unit in exact_scales(fractions).items() if fractions else ():
            scale[i] = steps_per_unit
    else:
        scale = checked_scale(scale, d, real=True)
        _check_steps(given, reach, scale)
        if fractions is not None:
            check_whole_steps(fractions, scale)
    steps = np.rint(given.tables * scale[given.owners()])
    return scale, given._replace(tables=steps.astype(np.int64))


def in_units(given: Subfunctions, scale: np.ndarray) -> Subfunctions:
    """Subfunctions with real tables, from tables in steps."""
    far = (given.tables > EXACT_DECIMALS) | (given.tables < -EXACT_DECIMALS)
    if far.any():
        raise ValueError(
            f"tables has {given.tables[far][0]} at entry {np.argmax(far)}, but where "
            "tables are real, steps end at 2**51 = 2.3e15"
        )
    return given._replace(tables=given.tables / scale[given.owners()])


def reaches(d: int, given: Subfunctions) -> np.ndarray:
    """A bound on the absolute value of each objective: (d,), exact for whole tables."""
    reach, first = np.zeros(d), given.table_at[:-1]
    highest = np.maximum.reduceat(given.tables, first)
    lowest = np.minimum.reduceat(given.tables, first)
    peaks = np.maximum(sizes(highest), sizes(lowest))
    if peaks.dtype.kind == "f":
        with np.errstate(over="ignore"):  # infinity is beyond EXACT too
            np.add.at(reach, given.objective, peaks)
    elif len(peaks):
        at = np.searchsorted(given.objective, np.arange(d + 1)).tolist()
        sums = [exact_sum(peaks[first:end]) for first, end in pairwise(at)]
        reach = np.array(sums, object)
    return checked_reaches(reach)


def checked_reaches(reach: np.ndarray) -> np.ndarray:
    """The same bounds, if all are in the range of exact arithmetic."""
    for i in np.flatnonzero(reach > EXACT):
        raise OverflowError(
            f"objective {i} can reach {size_in_words(reach[i])} in size, but exact "
            "64-bit arithmetic ends at 2**62 = 4.6e18: divide its tables by a common "
            "factor"
        )
    for i in np.flatnonzero((reach > 0) & (reach < SMALLEST)):
        raise ValueError(
            f"objective {i} reaches {reach[i]:.3g} at most, but floats that small "
            "have no exact steps: multiply its tables by a common factor"
        )
    return reach


def sizes(tables: np.ndarray) -> np.ndarray:
    """Absolute values: float64 for real tables, uint64 for whole ones."""
    if tables.dtype.kind == "i":
        return np.abs(tables.astype(np.int64)).view(np.uint64)  # -2**63 included
    return np.abs(tables) if tables.dtype.kind == "f" else tables.astype(np.uint64)


def size_in_words(size: float) -> str:
    """A number above 2^62, with all its digits where 2^62 = 4.61e18 looks the same.

    >>> size_in_words(2**62 + 1), size_in_words(2**63)
    ('2**62 + 1', '9.22e+18')
    """
    over = int(size) - EXACT if size < 2 * EXACT else EXACT
    return f"2**62 + {over}" if over < 10**6 else f"{size:.3g}"


def tell_lost_digits(
    given: Subfunctions, exact: Subfunctions, scale: np.ndarray, names: Sequence[str]
) -> None:
    """Warn of the value that rounding to steps changes most, as a part of itself."""
    values, owner = given.tables.astype(np.float64), given.owners()
    kept = exact.tables / scale[owner]
    lost = np.abs(kept - values) > LOST * np.abs(values)
    if not lost.any():
        return
    part = np.abs(kept[lost] / values[lost] - 1)
    e = int(np.flatnonzero(lost)[np.argmax(part)])
    i, others = int(owner[e]), int(lost.sum()) - 1
    more = f" (and {others:,} more change by over {LOST:g} of their size)"
    notice(
        f"{entry_in_words(given, e, values[e])}, which is rounded to "
        f"{kept[e]}{more * (others > 0)}: "
        f"landscape.resolution of {names[i]!r} is {1 / scale[i]:g}, as its largest "
        "values leave no room for smaller steps"
    )


def _finest_scale(values: np.ndarray, reach: float, keep_decimals: bool) -> float:
    """Steps per unit: a power of 10 if that is exact, otherwise a power of 2.

    With `keep_decimals`, a power of 10 also where it is not exact, unless one of 2 is.

    >>> _finest_scale(np.array([0.25, 1.1]), 1.35, False)
    100.0
    >>> _finest_scale(np.array([0.25, 1.1, 1 / 3]), 1.7, True)
    100000000000000.0
    >>> _finest_scale(np.array([0.5, 2**-30]), 0.5, True) == 2**51
    True
    """
    power = _exact_power(values, reach)
    if not keep_decimals:
        return power if power is not None else 2.0 ** floor(log2(GRID / reach))
    if power is not None and (power == 1 or np.abs(values).max() * power < LONG):
        return power
    binary, digits = 2.0 ** floor(log2(ROUNDED / reach)), floor(log10(ROUNDED / reach))
    if _has_steps(values, binary) or not 0 <= digits <= PLAIN_POWERS:
        return binary
    return 10.0**digits


def is_long(steps: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Whether decimals, of so many steps each, have more than 15 digits."""
    is_decimal = (np.frexp(scale)[0] != 0.5) & (scale > 1)
    return is_decimal & (np.abs(steps) >= LONG)


def _exact_power(values: np.ndarray, reach: float) -> float | None:
    """The lowest power of 10 whose steps hold all values, if there is one."""
    for power in (10.0**digits for digits in range(16)):
        if reach * power > EXACT_DECIMALS:
            break
        if _has_steps(values[:100], power) and _has_steps(values, power):  # fail early
            return power
    return None


def _has_steps(values: np.ndarray, power: float) -> bool:
    """Whether each value is a whole number of steps, with `power` steps per unit."""
    return np.array_equal(np.rint(values * power) / power, values)


def checked_scale(scale: Any, d: int, real: bool) -> np.ndarray:
    """Steps per unit as floats: numbers above 0, or 1 where tables are whole."""
    if not isinstance(scale, LISTS) or len(scale) != d:
        raise ValueError(
            f"scale is {brief(scale)}, not a list of d = {counted(d, 'number')}"
        )
    for i, one in enumerate(scale):
        fits = type(one) in (int, float) and (
            FEWEST <= one <= MOST if real else one == 1
        )
        if not fits:
            right = "from 2**-900 to 2**959" if real else "1, as tables are whole"
            raise ValueError(f"the scale of objective {i} is {brief(one)}, not {right}")
    return np.array(scale, np.float64)


def check_real_reaches(steps: np.ndarray) -> None:
    """Refuse real objectives that reach too many steps to be exact."""
    for i in np.flatnonzero(steps > EXACT_DECIMALS):
        raise ValueError(
            f"objective {i} can reach {steps[i]:.3g} steps in size, but where tables "
            "are real, exact arithmetic ends at 2**51 = 2.3e15"
        )


def _check_steps(given: Subfunctions, reach: np.ndarray, scale: np.ndarray) -> None:
    """Refuse real tables with fractions of steps, or too many steps to be exact."""
    check_real_reaches(reach * scale)
    per_unit = scale[given.owners()]
    wrong = np.rint(given.tables * per_unit) / per_unit != given.tables
    for e in np.flatnonzero(wrong).tolist():
        raise ValueError(
            f"{entry_in_words(given, e, given.tables[e])}, which is not a whole number "
            f"of steps (steps per unit: {per_unit[e]:g})"
        )
