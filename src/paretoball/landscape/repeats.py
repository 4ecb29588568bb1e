"""Repeats: variables that a mask names twice, and variables that there are not."""

import numpy as np

from paretoball.landscape.blocks import blocks, matrix
from paretoball.landscape.subfunctions import Subfunctions, check_sizes, place
from paretoball.numerics import offsets, sums_by_row

FEW = 6  # numbers per row that are compared pair by pair: faster than sorting


def merged_repeats(given: Subfunctions) -> Subfunctions:
    """The same subfunctions, with no variable twice in a mask.

    Of a variable that is named twice the last place is kept, and of the table the
    entries where all its places have the same value: no solution reads the others.
    """
    if not _has_repeats(given):
        return given
    owner, repeated = _repeated(given)
    check_sizes(given)
    keep_variable = np.ones(len(given.masks), np.bool_)
    keep_entry = np.ones(len(given.tables), np.bool_)
    keep_variable[repeated] = False
    for s in np.unique(owner[repeated]).tolist():
        first, end = given.mask_at[s : s + 2].tolist()
        masks = given.masks[first:end].tolist()
        last = {variable: j for j, variable in enumerate(masks)}
        index = np.arange(1 << len(masks))
        for j, variable in enumerate(masks):
            is_same = (index >> j) & 1 == (index >> last[variable]) & 1
            keep_entry[given.table_at[s] : given.table_at[s + 1]] &= is_same
    return given._replace(
        mask_at=offsets(sums_by_row(given.mask_at, keep_variable)),
        masks=given.masks[keep_variable],
        table_at=offsets(sums_by_row(given.table_at, keep_entry)),
        tables=given.tables[keep_entry],
    )


def _has_repeats(given: Subfunctions) -> bool:
    """Whether some mask names a variable twice."""
    at = given.mask_at
    return any(_is_twice(matrix(at, given.masks, block)) for block in blocks(at))


def _is_twice(rows: np.ndarray) -> bool:
    """Whether some row has a number twice."""
    k = rows.shape[1]
    if k <= FEW:
        return any(
            bool((rows[:, a] == rows[:, b]).any()) for a in range(k) for b in range(a)
        )
    ascending = np.sort(rows, axis=1)
    return bool((ascending[:, 1:] == ascending[:, :-1]).any())


def _repeated(given: Subfunctions) -> tuple[np.ndarray, np.ndarray]:
    """The owner of each entry of masks, and the entries that are there again later."""
    owner = np.repeat(np.arange(len(given.objective)), np.diff(given.mask_at))
    order = np.lexsort((given.masks, owner))
    sorted_masks, sorted_owner = given.masks[order], owner[order]
    same = (np.diff(sorted_owner) == 0) & (np.diff(sorted_masks) == 0)
    return owner, order[:-1][same]


def check_masks(n: int, given: Subfunctions) -> None:
    """Refuse a variable that does not exist, or is in a mask twice."""
    masks = given.masks
    are_inside = masks.min(initial=0) >= 0 and masks.max(initial=0) < n
    if are_inside and not _has_repeats(given):
        return
    owner, repeated = _repeated(given)
    outside = np.flatnonzero((masks < 0) | (masks >= n))
    if len(outside):
        e = outside[0]
        raise ValueError(
            f"{place(given.objective, owner[e])} reads variable {masks[e]}, "
            f"but a landscape of n = {n} has variables 0 to {n - 1}"
        )
    if len(repeated):
        e = repeated[0]
        raise ValueError(
            f"{place(given.objective, owner[e])} reads variable {masks[e]} twice: name "
            "it once, with the entries of the table where both have the same value"
        )
