"""Polynomials of landscapes: the same values, from each product once."""

import numpy as np
from hypothesis import given

from landscapes import built, plains
from paretoball import Landscape
from paretoball.landscape import monomials


def value(landscape: Landscape, x: np.ndarray) -> list[int]:
    """f(x), product by product, in Python's own integers."""
    total = [0] * landscape.d
    for masks, factors in monomials(landscape):
        for mask, factor in zip(masks.tolist(), factors.tolist()):
            if all(x[j] for j in mask):
                total = [int(a) + int(b) for a, b in zip(total, factor)]
    return total


@given(plain=plains())
def test_polynomials_have_the_values_of_the_landscape(plain):
    landscape = built(plain)
    rng = np.random.default_rng(1)
    for x in rng.integers(2, size=(5, landscape.n)):
        assert value(landscape, x) == landscape.evaluate(x).tolist()


@given(plain=plains())
def test_no_product_is_there_twice_or_for_nothing(plain):
    for k, (masks, factors) in enumerate(monomials(built(plain))):
        rows = [tuple(mask) for mask in masks.tolist()]
        assert len(set(rows)) == len(rows) == len(factors)
        assert all(len(set(row)) == k and sorted(row) == list(row) for row in rows)
        assert factors.any(axis=1).all()


def test_factors_may_need_more_than_64_bits():
    large = 2**61
    tables = [large, -large] * 8
    landscape = Landscape.from_subfunctions(4, [[(range(4), tables)]])
    for x in np.ndindex(2, 2, 2, 2):
        assert value(landscape, np.array(x)) == landscape.evaluate(x).tolist()
    alternating = [large * (-1) ** bin(p).count("1") for p in range(16)]
    landscape = Landscape.from_subfunctions(4, [[(range(4), alternating)]])
    assert monomials(landscape)[-1].factors.tolist() == [[16 * large]]
    for sign in (1, -1):
        xor = sign * (2**61 + 2**60)
        landscape = Landscape.from_subfunctions(2, [[((0, 1), [xor, -xor, -xor, xor])]])
        assert monomials(landscape)[-1].factors.tolist() == [[4 * xor]]
