"""Quadratic forms: objectives of degree 2 at most, for formats and other libraries."""

from typing import Any, NamedTuple

import numpy as np

from paretoball.landscape.landscape import Landscape
from paretoball.landscape.monomials import monomials
from paretoball.landscape.square import Square
from paretoball.landscape.square_tables import square_pairs
from paretoball.system import brief, check_memory, counted

PAIR = 64  # bytes of a pair of a square, while a form is made of it


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
    linear = np.zeros(landscape.n, own[0].dtype)
    pairs, factors = np.zeros((0, 2), np.int64), linear[:0]
    if len(found) > 1 and len(own[1]):
        linear[found[1].masks[:, 0]] = own[1]
    if len(found) > 2 and len(own[2]):
        pairs, factors = found[2].masks[own[2] != 0], own[2][own[2] != 0]
    return Quadratic(int(own[0].sum()), linear, pairs, factors)


def _form_of_square(landscape: Landscape, square: Square, i: int) -> Quadratic:
    """Objective i of a square."""
    sign = int(landscape.signs[i])
    count = int(np.count_nonzero(square.pairs[:, :, i])) // 2
    check_memory(f"a quadratic form of {counted(count, 'pair')} needs", PAIR * count)
    blocks = list(square_pairs(square, slice(i, i + 1)))
    pairs = np.concatenate([np.zeros((0, 2), np.int64), *(each for each, _ in blocks)])
    factors = np.concatenate([np.zeros((0, 1), np.int64), *(own for _, own in blocks)])
    linear = sign * square.linear[:, i]
    return Quadratic(
        sign * int(square.constant[i]), linear, pairs, sign * factors[:, 0]
    )
