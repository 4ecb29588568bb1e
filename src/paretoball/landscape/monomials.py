"""Monomials: each objective and each constraint as a polynomial in its bits, exactly.

Every function of bits is a sum of factors times products of variables, in one way only.
Formats and libraries that know polynomials, or quadratic forms, get landscapes so.
"""

from typing import NamedTuple

import numpy as np

from paretoball.landscape.cliques import Cliques
from paretoball.landscape.landscape import Landscape
from paretoball.landscape.subfunctions import EXACT
from paretoball.system import check_memory


class Monomials(NamedTuple):
    """Products of k variables each, and their factors in each objective."""

    masks: np.ndarray  # (m, k) int64: the variables of each product, ascending
    factors: np.ndarray  # (m, d): whole numbers of steps; objects if 64 bits are few


def monomials(landscape: Landscape) -> list[Monomials]:
    """The polynomials of all objectives, in their own senses, by degree from 0 on.

    No product is there twice, and none with factors of zero only.

    Examples
    --------
    >>> xor = Landscape.from_subfunctions(2, [[((0, 1), [3, 5, 5, 3])]])
    >>> [each.factors.tolist() for each in monomials(xor)]
    [[[3]], [[2], [2]], [[-4]]]
    """
    cliques, signs = landscape.cliques, landscape.signs
    arities = np.diff(cliques.mask_at)
    found: list[list[Monomials]] = [[] for _ in range(landscape.k + 1)]
    largest = np.abs(cliques.tables).sum(dtype=float)  # no factor is above this sum
    dtype = np.int64 if largest < EXACT else object
    constant = (cliques.constant * signs)[None].astype(dtype)
    found[0].append(Monomials(np.zeros((1, 0), np.int64), constant))
    for k in np.unique(arities).tolist():
        masks, tables = _of_arity(cliques, arities == k, k)
        check_memory("the polynomial of a landscape takes", 40 * tables.size)
        factors = _transformed(tables.astype(dtype) * signs)
        for pattern in np.flatnonzero(factors.any(axis=(0, 2))).tolist():
            places = [b for b in range(k) if pattern >> b & 1]
            kept = factors[:, pattern].any(axis=1)
            some = Monomials(masks[kept][:, places], factors[kept, pattern])
            found[len(places)].append(some)
    return [_summed(some, k, landscape.d) for k, some in enumerate(found)]


def _of_arity(
    cliques: Cliques, chosen: np.ndarray, k: int
) -> tuple[np.ndarray, np.ndarray]:
    """The masks (m, k) and the tables (m, 2^k, d) of the chosen cliques, of arity k."""
    at = np.flatnonzero(chosen)
    masks = cliques.masks[cliques.mask_at[at, None] + np.arange(k)].astype(np.int64)
    return masks, cliques.tables[cliques.table_at[at, None] + np.arange(1 << k)]


def _transformed(tables: np.ndarray) -> np.ndarray:
    """The factor of each product of a table's variables; bits say which are in it."""
    m, size, d = tables.shape
    for b in range(size.bit_length() - 1):
        halves = tables.reshape(m, -1, 2, 1 << b, d)
        halves[:, :, 1] -= halves[:, :, 0]
    return tables


def _summed(some: list[Monomials], k: int, d: int) -> Monomials:
    """Monomials of degree k, each once; those that add up to zero are left out."""
    if not some:
        return Monomials(np.zeros((0, k), np.int64), np.zeros((0, d), np.int64))
    masks = np.concatenate([each.masks for each in some])
    factors = np.concatenate([each.factors for each in some])
    order = np.lexsort(masks.T[::-1]) if masks.shape[1] else np.arange(len(masks))
    masks, factors = masks[order], factors[order]
    is_first = np.ones(len(masks), np.bool_)
    is_first[1:] = (masks[1:] != masks[:-1]).any(axis=1)
    starts = np.flatnonzero(is_first)
    sums = np.add.reduceat(factors, starts, axis=0)
    kept = sums.any(axis=1)
    return Monomials(masks[starts][kept], sums[kept])


def constraint_polynomial(landscape: Landscape, c: int) -> dict[tuple[int, ...], int]:
    """The factor of each product of variables, in steps of constraint c.

    Variables of a product ascend; `()` is the constant. No factor is 0.

    Examples
    --------
    >>> xor = ([((1, 0), [0, 1, 1, 0]), ((), [3])], "<=", 3)
    >>> landscape = Landscape.from_subfunctions(2, [[]], constraints=[xor])
    >>> constraint_polynomial(landscape, 0)
    {(1,): 1, (0,): 1, (0, 1): -2, (): 3}
    """
    given = landscape.constraints.arrays.subfunctions
    found: dict[tuple[int, ...], int] = {}
    first, last = np.searchsorted(given.objective, [c, c + 1]).tolist()
    for s in range(first, last):
        mask = given.masks[given.mask_at[s] : given.mask_at[s + 1]].tolist()
        table = given.tables[given.table_at[s] : given.table_at[s + 1]]
        own = _transformed(table.astype(object)[None, :, None]).ravel()
        for pattern in np.flatnonzero(own).tolist():
            product = tuple(sorted(j for b, j in enumerate(mask) if pattern >> b & 1))
            found[product] = found.get(product, 0) + own[pattern]
    return {product: int(factor) for product, factor in found.items() if factor}
