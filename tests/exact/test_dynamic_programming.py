"""Dynamic programming: exact where 64 bits do not hold a product, bit by bit."""

import numpy as np
import pytest

from paretoball.exact.dynamic_programming import _bit_extraction, _is_gain


@pytest.mark.plain
def test_signs_of_large_sums_are_exact():
    rng = np.random.default_rng(1)
    for _ in range(3000):
        largest = int(rng.choice([3, 10**6, 2**62]))
        u, v, b = (int(rng.integers(1, largest)) for _ in range(3))
        a = -(v * b // u) + int(rng.integers(-1, 2))
        if abs(a) < 2**62:
            numbers = [np.int64(number) for number in (u, a, v, b)]
            assert _is_gain(*numbers) == (u * a + v * b > 0)
            numbers = [np.int64(number) for number in (v, b, u, a)]
            assert _is_gain(*numbers) == (u * a + v * b > 0)


def test_packed_bits_are_those_of_the_mask():
    packed = _bit_extraction()
    for mask in range(256):
        places = [b for b in range(8) if mask >> b & 1]
        for e in 0, 1, 85, 131, 254, 255:
            bits = sum((e >> place & 1) << b for b, place in enumerate(places))
            assert packed[mask, e] == bits
