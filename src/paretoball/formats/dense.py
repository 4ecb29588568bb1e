"""Dense quadratic forms in files: kept as a square, as `qubo` keeps their matrix.

A file may list entries in any order, several for a pair, and zeros. If it is dense, it
is read as a square, which still answers to the digest of what is listed: runs that were
saved before files were read as squares name that one.
"""

from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np

from paretoball.landscape import (
    EXACT,
    Landscape,
    Square,
    Terms,
    is_dense,
    keep_listed_digest,
)
from paretoball.problems import square_of_matrices
from paretoball.system import check_memory, counted

_as_listed: ContextVar[bool] = ContextVar("as_listed", default=False)


@contextmanager
def kept_as_listed(several: bool) -> Iterator[None]:
    """Inside this context, if it is for several files, none is put in order.

    Their objectives are joined one after the other, and have one digest together.
    """
    before = _as_listed.set(several)
    try:
        yield
    finally:
        _as_listed.reset(before)


def quadratic_landscape(
    n: int,
    terms: Sequence[Terms],
    sense: str,
    labels: Sequence[Hashable] | None = None,
) -> Landscape:
    """The landscape of one objective; a square if it is dense, whole and in bits."""
    square = None if _as_listed.get() else _square(n, terms)
    if square is None:
        return Landscape.from_terms(n, [terms], sense, labels=labels)
    landscape = Landscape.from_square(square, sense, labels)
    keep_listed_digest(landscape, terms)
    return landscape


def _square(n: int, terms: Sequence[Terms]) -> Square | None:
    """The square of all products; None if it would be sparse, or they are others."""
    listed = sum(len(each.masks) for each in terms if each.masks.shape[1] == 2)
    if not is_dense(n, 1, listed) or not all(map(_are_products, terms)):
        return None
    sizes = [np.abs(each.tables[:, -1], dtype=np.float64).sum() for each in terms]
    if sum(sizes) > EXACT // 2:
        return None
    check_memory(
        f"a matrix of {counted(n, 'variable')} and {counted(listed, 'pair')} needs",
        8 * (n * n + 2 * listed),
    )
    matrix, constant = np.zeros(n * n, np.int64), 0
    for masks, tables in terms:
        factors = tables[:, -1]
        if masks.shape[1] == 0:
            constant += int(factors.sum())
        else:  # a place above the diagonal, or on it
            places = masks.min(axis=1) * n
            places += masks.max(axis=1)
            np.add.at(matrix, places, factors)
    return square_of_matrices([matrix.reshape(n, n)], constant)


def _are_products(terms: Terms) -> bool:
    """Whether terms are products of two bits at most, with whole factors."""
    masks, tables = terms
    is_whole = tables.dtype.kind == "i" and masks.shape[1] <= 2
    return is_whole and not tables[:, :-1].any()
