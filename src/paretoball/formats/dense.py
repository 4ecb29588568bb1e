"""Dense quadratic forms in files: kept as a square, as `qubo` keeps their matrix.

A file may list entries in any order, several for a pair, and zeros. If it is dense, it
is read as a square, which still answers to the digest of what is listed: runs that were
saved before files were read as squares name that one.
"""

from collections.abc import Hashable, Sequence

import numpy as np

from paretoball.landscape import (
    EXACT,
    Landscape,
    Polynomial,
    Square,
    Terms,
    is_dense,
    keep_listed_digest,
    largest_size,
    square_of_polynomials,
)
from paretoball.system import check_memory, counted

PAIR = 64  # bytes of a listed pair, while it is put in order
NONE = np.zeros(0, np.int64)


def quadratic_landscape(
    n: int,
    terms: Sequence[Terms],
    sense: str,
    labels: Sequence[Hashable] | None = None,
) -> Landscape:
    """The landscape of one objective; a square if it is dense, whole and in bits."""
    square = _square(n, terms)
    if square is None:
        return Landscape.from_terms(n, [terms], sense, labels=labels)
    landscape = Landscape.from_square(square, sense, labels)
    keep_listed_digest(landscape, terms)
    return landscape


def _square(n: int, terms: Sequence[Terms]) -> Square | None:
    """The square of all products; None if it would be sparse, or they are others."""
    listed = sum(len(each.masks) for each in terms if each.masks.shape[1] == 2)
    if not is_dense(n, 1, listed) or any(
        each.tables.dtype.kind != "i" or each.tables[:, :-1].any() for each in terms
    ):
        return None
    check_memory(f"to sort {counted(listed, 'pair')} takes", PAIR * listed)
    added = [_added(n, terms, k) for k in range(3)]
    found = [each for each in added if each is not None]
    if len(found) < len(added):
        return None
    (_, constant), (alone, linear), (pairs, factors) = found
    one = Polynomial(alone[:, 0], linear, pairs, factors, constant)
    return square_of_polynomials(n, [one])


def _added(
    n: int, terms: Sequence[Terms], k: int
) -> tuple[np.ndarray, np.ndarray] | None:
    """What products of k variables read, in order, and the sums of their factors.

    Sums of 0 are left out. It is None if a sum may be too large.
    """
    some = [each for each in terms if each.masks.shape[1] == k]
    masks = np.concatenate([np.zeros((0, k), np.int64), *(each.masks for each in some)])
    factors = np.concatenate([NONE, *(each.tables[:, -1] for each in some)])
    masks.sort(axis=1)
    keys = masks @ n ** np.arange(k)[::-1]  # row by row
    if (keys[1:] <= keys[:-1]).any():
        order = np.argsort(keys, kind="stable")
        keys, masks, factors = keys[order], masks[order], factors[order]
    starts = np.flatnonzero(np.append(True, keys[1:] > keys[:-1])[: len(keys)])
    repeats = int(np.diff(starts, append=len(keys)).max(initial=0))
    if largest_size(factors) * repeats > EXACT:
        return None
    sums = np.add.reduceat(factors, starts) if len(starts) else factors
    return masks[starts][sums != 0], sums[sums != 0]
