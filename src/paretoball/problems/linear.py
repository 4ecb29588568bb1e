"""Rows of numbers: factors of variables, one row for each objective or constraint."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from paretoball.landscape import Terms, products
from paretoball.problems.factors import checked_factors
from paretoball.problems.quadratic import check_unmasked
from paretoball.system import brief, counted


def checked_rows(given: Any, what: str) -> list[np.ndarray]:
    """One row of numbers or several, all as long as the first; `what` is for errors.

    Rows are vectors of int64, float64, or objects that are numbers.
    """
    check_unmasked(given, what)
    listed = np.asarray(given) if hasattr(given, "__array__") else given
    if isinstance(listed, str | bytes) or not isinstance(listed, Sequence | np.ndarray):
        raise TypeError(f"{what} is {brief(given)}, not a row of numbers or several")
    if isinstance(listed, np.ndarray) and listed.ndim not in (1, 2):
        raise ValueError(f"{what} is an array of shape {listed.shape}, not of rows")
    if len(listed) == 0:
        raise ValueError(f"{what} is empty: give a row of numbers, or several")
    is_one = not np.iterable(listed[0])
    rows = [listed] if is_one else list(listed)
    return [_checked(row, what, i, len(rows[0])) for i, row in enumerate(rows)]


def _checked(row: Any, what: str, i: int, n: int) -> np.ndarray:
    """Row i, if it has n numbers."""
    if isinstance(row, str | bytes) or not isinstance(row, Sequence | np.ndarray):
        raise TypeError(f"{what}, row {i} is {brief(row)}, not a row of numbers")
    if len(row) != n:
        raise ValueError(
            f"{what} has {counted(len(row), 'number')} in row {i}, but {n:,} in row 0"
        )
    return checked_factors(row, lambda j: f"{what}, row {i}, column {j}")


def linear_terms(factors: np.ndarray) -> list[Terms]:
    """The sum of factor times variable; factors of 0 are left out."""
    kept = np.flatnonzero(np.asarray(factors != 0, np.bool_))
    return [products(kept[:, None], factors[kept])] if len(kept) else []
