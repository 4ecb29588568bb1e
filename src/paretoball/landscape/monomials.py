"""Monomials: objectives and constraints as sums of products of bits, exactly."""

from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from paretoball.landscape.landscape import Landscape
from paretoball.landscape.square import Square
from paretoball.landscape.square_tables import square_pairs
from paretoball.landscape.subfunctions import EXACT, blocks, matrix
from paretoball.system import brief, check_memory, counted

PAIR = 64  # bytes of a pair of a square, while a form is made of it


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
    found: list[list[Monomials]] = [[] for _ in range(landscape.k + 1)]
    largest = np.abs(cliques.tables).sum(dtype=float)  # no factor is above this sum
    dtype = np.int64 if largest < EXACT else object
    constant = (cliques.constant * signs)[None].astype(dtype)
    found[0].append(Monomials(np.zeros((1, 0), np.int64), constant))
    for block in blocks(cliques.mask_at):
        masks = matrix(cliques.mask_at, cliques.masks, block).astype(np.int64)
        tables = matrix(cliques.table_at, cliques.tables, block)
        tables = tables.reshape(len(masks), -1, landscape.d)
        check_memory("the polynomial of a landscape takes", 40 * tables.size)
        factors = _transformed(tables.astype(dtype) * signs)
        for pattern in np.flatnonzero(factors.any(axis=(0, 2))).tolist():
            places = [b for b in range(masks.shape[1]) if pattern >> b & 1]
            kept = factors[:, pattern].any(axis=1)
            some = Monomials(masks[kept][:, places], factors[kept, pattern])
            found[len(places)].append(some)
    return [_summed(some, k, landscape.d) for k, some in enumerate(found)]


def _transformed(tables: np.ndarray) -> np.ndarray:
    """The factor of each product of a table's variables; bits say which are in it."""
    m, size, d = tables.shape
    for b in range(size.bit_length() - 1):
        halves = tables.reshape(m, -1, 2, 1 << b, d)
        halves[:, :, 1] -= halves[:, :, 0]
    return tables


def _summed(some: list[Monomials], k: int, d: int) -> Monomials:
    """Monomials of degree k, each once; those that add up to zero are left out."""
    none = np.zeros((0, k), np.int64), np.zeros((0, d), np.int64)
    masks, factors = (np.concatenate(each) for each in zip(none, *some))
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
    found = Counter[tuple[int, ...]]()
    for mask, table in landscape.constraints.arrays.subfunctions.of(c):
        own = _transformed(table.astype(object)[None, :, None]).ravel()
        for pattern in np.flatnonzero(own).tolist():
            product = [j for b, j in enumerate(mask.tolist()) if pattern >> b & 1]
            found[tuple(sorted(product))] += own[pattern]
    return {product: int(factor) for product, factor in found.items() if factor}


class TooHighDegree(ValueError):
    """An objective has a product of three variables or more."""


class Quadratic(NamedTuple):
    """constant + Σ linear[j] x[j] + Σ factors[s] x[pairs[s, 0]] x[pairs[s, 1]]."""

    constant: Any
    linear: np.ndarray  # (n,)
    pairs: np.ndarray  # (m, 2) whole numbers: two variables
    factors: np.ndarray  # (m,)


def quadratic_form(landscape: Landscape, i: int) -> Quadratic:
    """Objective i as a quadratic form in whole numbers of steps; pairs ascend.

    Examples
    --------
    >>> xor = Landscape.from_subfunctions(2, [[((0, 1), [7, 8, 8, 7])]])
    >>> quadratic_form(xor, 0).factors.tolist()
    [-2]
    """
    if landscape.square is not None:
        return _form_of_square(landscape, landscape.square, i)
    found = monomials(landscape)
    own = [each.factors[:, i] for each in found]
    for k in range(3, len(found)):
        if own[k].any():
            mask = found[k].masks[np.argmax(own[k] != 0)].tolist()
            product = " * ".join(brief(landscape.labels[j]) for j in mask)
            raise TooHighDegree(
                f"objective {i} has the product {product} of {k} variables, but a "
                "quadratic form has products of 2 at most: `quadratised` and "
                "`paretoball convert` make one of a single objective"
            )
    empty = (_summed([], k, landscape.d) for k in range(len(found), 3))
    constant, ones, twos = [*found, *empty][:3]
    linear = np.zeros(landscape.n, own[0].dtype)
    linear[ones.masks[:, 0]] = ones.factors[:, i]
    kept = twos.factors[:, i] != 0
    alone = int(constant.factors[:, i].sum())
    return Quadratic(alone, linear, twos.masks[kept], twos.factors[kept, i])


def _form_of_square(landscape: Landscape, square: Square, i: int) -> Quadratic:
    """Objective i of a square."""
    sign = int(landscape.signs[i])
    count = int(np.count_nonzero(square.pairs[:, :, i])) // 2
    check_memory(f"a quadratic form of {counted(count, 'pair')} needs", PAIR * count)
    blocks = list(square_pairs(square, slice(i, i + 1)))
    pairs = np.concatenate([np.zeros((0, 2), np.int64), *(each for each, _ in blocks)])
    factors = np.concatenate([np.zeros((0, 1), np.int64), *(own for _, own in blocks)])
    alone, linear = sign * int(square.constant[i]), sign * square.linear[:, i]
    return Quadratic(alone, linear, pairs, sign * factors[:, 0])
