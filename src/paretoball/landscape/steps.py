"""Steps: subfunctions as given, checked, as subfunctions in whole numbers of steps."""

from itertools import pairwise
from typing import Any

import numpy as np

from paretoball.landscape.exact_tables import with_fractions
from paretoball.landscape.fixed_point import on_grid
from paretoball.landscape.subfunctions import (
    MAX_ARITY,
    Subfunctions,
    blocks,
    entry_in_words,
    matrix,
    place,
)
from paretoball.numerics import is_rising, offsets, sums_by_row
from paretoball.system import counted


def in_steps(
    n: int, d: int, given: Subfunctions, scale: Any = None, keep_decimals: bool = False
) -> tuple[Subfunctions, np.ndarray, bool]:
    """d sums over n variables in steps, steps per unit, and whether tables are real."""
    given = checked_layout(d, given)
    _check_masks(n, given)
    _check_sizes(given)
    if given.tables.dtype == object:
        given = with_fractions(given)
    _check_finite(given)
    real = given.tables.dtype.kind in "fO" and len(given.tables) > 0
    steps_per_unit, exact = on_grid(d, given, scale, keep_decimals)
    return exact, steps_per_unit, real


def checked_layout(d: int, given: Subfunctions) -> Subfunctions:
    """The same as int64 arrays, if these fit; tables may be floats or objects."""
    arrays = {name: np.asarray(array) for name, array in given._asdict().items()}
    for name, array in arrays.items():
        kinds, number = ("iufO", "") if name == "tables" else ("iu", "whole ")
        if array.ndim != 1 or array.dtype.kind not in kinds:
            raise TypeError(
                f"{name} is an array of {array.dtype} and shape {array.shape}, "
                f"not a vector of {number}numbers"
            )
        if name != "tables":
            arrays[name] = array.astype(np.int64, copy=False)
        elif array.dtype.kind == "f":
            arrays[name] = array.astype(np.float64, copy=False)
    given = Subfunctions(**arrays)
    m = len(given.objective)
    if m and not (given.objective[-1] < d and is_rising(given.objective)):
        raise ValueError(
            f"objective does not rise from 0 to at most {d - 1}, one per subfunction"
        )
    for name, size in ("mask_at", len(given.masks)), ("table_at", len(given.tables)):
        at = arrays[name]
        if len(at) != m + 1:
            raise ValueError(
                f"{name} has {counted(len(at), 'entry', 'entries')}, "
                f"but for {counted(m, 'subfunction')} it must have {m + 1:,}"
            )
        if not (at[0] == 0 and at[-1] == size and is_rising(at)):
            raise ValueError(f"{name} does not rise from 0 to {size}")
    return given


def merged_repeats(given: Subfunctions) -> Subfunctions:
    """The same subfunctions, with no variable twice in a mask: its last place is kept.

    So are the entries where all its places have one value; nobody reads the others.
    """
    repeating = _repeating(given)
    if not repeating:
        return given
    _check_sizes(given)
    keep_variable = np.ones(len(given.masks), np.bool_)
    keep_entry = np.ones(len(given.tables), np.bool_)
    for s in repeating:
        masks = given.masks[given.mask_at[s] : given.mask_at[s + 1]].tolist()
        last = {variable: j for j, variable in enumerate(masks)}
        index = np.arange(1 << len(masks))
        for j, variable in enumerate(masks):
            keep_variable[given.mask_at[s] + j] = last[variable] == j
            is_same = (index >> j) & 1 == (index >> last[variable]) & 1
            keep_entry[given.table_at[s] : given.table_at[s + 1]] &= is_same
    return given._replace(
        mask_at=offsets(sums_by_row(given.mask_at, keep_variable)),
        masks=given.masks[keep_variable],
        table_at=offsets(sums_by_row(given.table_at, keep_entry)),
        tables=given.tables[keep_entry],
    )


def _repeating(given: Subfunctions) -> list[int]:
    """The subfunctions whose masks name a variable twice."""
    is_twice = np.zeros(len(given.objective), np.bool_)
    for block in blocks(given.mask_at):
        rows = np.sort(matrix(given.mask_at, given.masks, block), axis=1)
        is_twice[block] = (rows[:, 1:] == rows[:, :-1]).any(axis=1)
    return np.flatnonzero(is_twice).tolist()


def _check_masks(n: int, given: Subfunctions) -> None:
    """Refuse a variable that does not exist, or is in a mask twice."""
    masks = given.masks
    for e in np.flatnonzero((masks < 0) | (masks >= n)).tolist():
        s = int(np.searchsorted(given.mask_at, e, side="right")) - 1
        raise ValueError(
            f"{place(given.objective, s)} reads variable {masks[e]}, "
            f"but a landscape of n = {n} has variables 0 to {n - 1}"
        )
    for s in _repeating(given):
        own = sorted(masks[given.mask_at[s] : given.mask_at[s + 1]].tolist())
        twice = next(one for one, other in pairwise(own) if one == other)
        raise ValueError(
            f"{place(given.objective, s)} reads variable {twice} twice: name it once, "
            "with the entries of the table where both have the same value"
        )


def _check_sizes(given: Subfunctions) -> None:
    """Refuse tables without one entry per assignment of their variables."""
    arities, sizes = np.diff(given.mask_at), np.diff(given.table_at)
    for s in np.flatnonzero(arities > MAX_ARITY).tolist():
        raise ValueError(
            f"{place(given.objective, s)} reads {arities[s]} variables, "
            f"but a table has at most 2**{MAX_ARITY} entries, for {MAX_ARITY} variables"
        )
    for s in np.flatnonzero(sizes != 1 << arities).tolist():
        entries = counted(1 << int(arities[s]), "entry", "entries")
        raise ValueError(
            f"{place(given.objective, s)} reads {counted(arities[s], 'variable')}, "
            f"so its table has {entries}, not {sizes[s]:,}"
        )


def _check_finite(given: Subfunctions) -> None:
    """Refuse tables with what is not a finite number."""
    if given.tables.dtype.kind in "iu":
        return
    for e in np.flatnonzero(~np.isfinite(given.tables.astype(np.float64))).tolist():
        found = entry_in_words(given, e, given.tables[e])
        raise ValueError(f"{found}, which is not a finite number")
