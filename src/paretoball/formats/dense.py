"""Dense quadratic forms in files: kept as a square, as `qubo` keeps their matrix.

A file may list entries in any order, several for a pair, and zeros. Such a form is put
in the order of a square if it is dense. Others are kept as they are listed.
"""

from collections.abc import Hashable, Sequence

import numpy as np

from paretoball.landscape import (
    EXACT,
    Landscape,
    Terms,
    is_dense,
    largest_size,
    products,
)


def quadratic_landscape(
    n: int,
    terms: Sequence[Terms],
    sense: str,
    labels: Sequence[Hashable] | None = None,
) -> Landscape:
    """The landscape of one objective; a square if it is dense, whole and in bits."""
    listed = sum(len(each.masks) for each in terms if each.masks.shape[1] == 2)
    ordered = _ordered(n, terms) if is_dense(n, 1, listed) else None
    return Landscape.from_terms(n, [ordered or terms], sense, labels=labels)


def _ordered(n: int, terms: Sequence[Terms]) -> list[Terms] | None:
    """The same products, those of a square in its order; None if these are too few."""
    if any(t.tables.dtype.kind != "i" or t.tables[:, :-1].any() for t in terms):
        return None
    found = list[Terms]()
    for k in (1, 2, 0):
        some = [each for each in terms if each.masks.shape[1] == k]
        if not some:
            continue
        masks = np.sort(np.concatenate([each.masks for each in some]), axis=1)
        factors = np.concatenate([each.tables[:, -1] for each in some])
        keys = masks @ n ** np.arange(k)[::-1]  # row by row
        if (keys[1:] <= keys[:-1]).any():
            order = np.argsort(keys, kind="stable")
            keys, masks, factors = keys[order], masks[order], factors[order]
        starts = np.flatnonzero(np.append(True, keys[1:] > keys[:-1])[: len(keys)])
        repeats = int(np.diff(starts, append=len(keys)).max(initial=0))
        if largest_size(factors) * repeats > EXACT:
            return None
        sums = np.add.reduceat(factors, starts) if len(starts) else factors
        found.append(products(masks[starts][sums != 0], sums[sums != 0]))
        if k == 2 and not is_dense(n, 1, len(found[-1].masks)):
            return None
    return found
