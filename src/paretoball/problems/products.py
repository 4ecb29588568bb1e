"""Products: polynomials as factors times products of variables, and as terms."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from paretoball.landscape import MAX_ARITY, Terms, products
from paretoball.problems.factors import exact_sums_of_two
from paretoball.problems.memory import check_tables
from paretoball.system import counted


class Products(NamedTuple):
    """Products of k variables each, and their factors; a variable may be repeated."""

    masks: np.ndarray  # (m, k) int64: the variables of each product
    factors: np.ndarray  # (m,): int64, float64, or objects that are numbers


class Dense(NamedTuple):
    """A matrix Q of whole numbers: the sum of Q_ij x_i x_j over all its entries."""

    matrix: np.ndarray  # (n, n): bools, or ints that int64 holds, as given


def listed_products(given: Iterable[Products | Dense]) -> list[Products]:
    """The same sum, with the entries of matrices one by one."""
    found = list[Products]()
    for some in given:
        if isinstance(some, Dense):
            found += matrix_products(some.matrix.astype(np.int64, copy=False))
        else:
            found.append(some)
    return found


def matrix_products(matrix: np.ndarray) -> list[Products]:
    """The sum of Q_ij x_i x_j over all entries of a matrix (n, n).

    The two entries of a pair are added where that is exact.
    """
    n = len(matrix)
    is_above = np.triu(np.ones((n, n), np.bool_), 1)
    masks = np.argwhere(is_above)
    above, below = matrix[is_above], matrix.T[is_above]
    total, is_exact = exact_sums_of_two(above, below)
    alone = Products(np.repeat(np.arange(n), 2).reshape(n, 2), matrix.diagonal())
    parts = [alone, Products(masks, total)]
    if not is_exact.all():
        parts.append(Products(masks[~is_exact], below[~is_exact]))
    return parts


def constants(factors: np.ndarray) -> Products:
    """Products of no variables."""
    return Products(np.zeros((len(factors), 0), np.int64), factors)


def polynomial_terms(
    given: Iterable[Products | Dense], spins: bool, where: str = "objective 0"
) -> list[Terms]:
    """The terms of a sum of products; those of 0 are left out.

    With `spins` they are products of s = 2x - 1 in place of x. Errors say `where` they
    stand.
    """
    found = []
    for some in listed_products(given):
        for each in _without_repeats(without_zeros(some), spins):
            m, k = each.masks.shape
            if k > MAX_ARITY:
                raise ValueError(
                    f"{where} has a product of {k} variables, "
                    f"but a product has at most {MAX_ARITY}"
                )
            what = f"{counted(m, 'product')} of {counted(k, 'variable')}"
            check_tables(f"the tables of {what}", m, m << k)
            found.append(products(each.masks, each.factors, spins))
    return found


def without_zeros(given: Products) -> Products:
    """The products with a factor that is not zero."""
    kept = np.asarray(given.factors != 0, np.bool_)
    if kept.all():
        return given
    return Products(given.masks[kept], given.factors[kept])


def _without_repeats(given: Products, spins: bool) -> Iterator[Products]:
    """The same products, with no variable twice: x x = x, and s s = 1."""
    masks = given.masks
    m, k = masks.shape
    if (masks[:, 1:] > masks[:, :-1]).all():
        yield given
        return
    masks = np.sort(masks, axis=1)
    kept = np.ones((m, k), np.bool_)
    for b in range(1, k):
        is_again = (masks[:, b] == masks[:, b - 1]) & (kept[:, b - 1] | (not spins))
        kept[is_again, b] = False
        if spins:
            kept[is_again, b - 1] = False
    degrees = kept.sum(axis=1)
    for degree in np.unique(degrees).tolist():
        chosen = degrees == degree
        rows = masks[chosen][kept[chosen]].reshape(int(chosen.sum()), degree)
        yield Products(rows, given.factors[chosen])
