"""Terms: many subfunctions of one arity at once, as matrices.

What makes landscapes by the million, families and readers of files, says each objective
as a list of such terms.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from paretoball.landscape.subfunctions import Subfunctions
from paretoball.numerics import LARGEST_FLOAT, offsets


class Terms(NamedTuple):
    """Subfunctions of one arity k; bit b of a column of `tables` is x[masks[s, b]]."""

    masks: np.ndarray  # (m, k) whole numbers: the variables that each one reads
    tables: np.ndarray  # (m, 2^k): ints, floats, or objects that are numbers


def constant(value: float) -> Terms:
    """One subfunction that reads no variable."""
    return Terms(np.zeros((1, 0), np.int64), np.array([[value]]))


def products(
    masks: np.ndarray, factors: np.ndarray, spins: bool | int = False
) -> Terms:
    """`factors[s]` times the product of the variables in row s of `masks`.

    With `spins`, it is the product of s = 2x - 1, which is -1 or 1, in place of x; if
    that is a number, for the last variables only, as many as it says.

    >>> products(np.array([[0, 1]]), np.array([5])).tables.tolist()
    [[0, 0, 0, 5]]
    >>> products(np.array([[0, 1]]), np.array([5]), spins=True).tables.tolist()
    [[5, -5, -5, 5]]
    >>> products(np.array([[0, 1]]), np.array([5]), spins=1).tables.tolist()
    [[0, -5, 0, 5]]
    """
    k = masks.shape[1]
    turned = k if spins is True else int(spins)
    tables = np.zeros((len(factors), 1 << (k - turned)), factors.dtype)
    tables[:, -1] = factors
    for _ in range(turned):
        tables = np.concatenate([-tables, tables], axis=1)
    return Terms(masks, tables)


def cuts(edges: np.ndarray, weights: np.ndarray) -> Terms:
    """`weights[e]` where the two variables in row e of `edges` differ.

    >>> cuts(np.array([[0, 1]]), np.array([5])).tables.tolist()
    [[0, 5, 5, 0]]
    """
    tables = np.zeros((len(weights), 4), weights.dtype)
    tables[:, 1] = tables[:, 2] = weights
    return Terms(edges, tables)


def stacked(objectives: Sequence[Sequence[Terms]]) -> Subfunctions:
    """The subfunctions of all objectives, laid end to end."""
    every = [terms for objective in objectives for terms in objective]
    counts = np.array([len(terms.masks) for terms in every], np.int64)
    arities = np.array([terms.masks.shape[1] for terms in every], np.int64)
    owners = [i for i, objective in enumerate(objectives) for _ in objective]
    each = np.repeat(arities, counts)
    return Subfunctions(
        objective=np.repeat(np.array(owners, np.int64), counts),
        mask_at=offsets(each),
        masks=_end_to_end([terms.masks for terms in every]),
        table_at=offsets(1 << each),
        tables=_end_to_end([terms.tables for terms in every]),
    )


def _end_to_end(matrices: list[np.ndarray]) -> np.ndarray:
    """The entries of all matrices; whole numbers among floats stay exact."""
    kinds = {matrix.dtype.kind for matrix in matrices}
    if "O" in kinds or ("f" in kinds and any(map(_is_too_large, matrices))):
        matrices = [matrix.astype(object) for matrix in matrices]
    return np.concatenate([np.zeros(0, np.int64), *(m.ravel() for m in matrices)])


def _is_too_large(matrix: np.ndarray) -> bool:
    """Whether a matrix has whole numbers that a float would round."""
    if matrix.dtype.kind not in "iu" or matrix.size == 0:
        return False
    return bool(matrix.max() > LARGEST_FLOAT or matrix.min() < -LARGEST_FLOAT)
