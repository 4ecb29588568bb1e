"""Exact hypervolumes are those of counting, and those of moocore."""

from fractions import Fraction

import numpy as np
import pytest

import naive
from fronts import cases, every_d
from paretoball import hypervolume
from paretoball.verification.volumes import exact_hypervolume


@every_d(3)
def test_volumes_count_unit_cubes(d):
    for F, G, senses in cases(400, d):
        signs = naive.signs(senses)
        ref = (G[0] - np.array(signs)).tolist()
        expected = naive.hypervolume(F.tolist(), ref, senses)
        assert exact_hypervolume(F.tolist(), ref, signs) == expected
        halves = [[value / 2 for value in row] for row in F.tolist()]
        ref = [value / 2 for value in ref]
        assert exact_hypervolume(halves, ref, signs) == Fraction(expected, 2**d)


@every_d(3)
@pytest.mark.parametrize("rows", [3, 300, 3_000])
def test_volumes_of_reals_are_those_of_floats_but_exact(d, rows):
    F = np.random.default_rng(rows).random((rows, d)) ** 0.2
    exact = exact_hypervolume(F.tolist(), [0.1] * d, [1] * d)
    assert float(exact) == pytest.approx(hypervolume(F, [0.1] * d), rel=1e-12)


def test_volumes_have_all_digits():
    F = [[2**61 + 1, 1.0], [2**60, 1.5]]
    area = exact_hypervolume(F, [-1, 0.25], [1, 1])
    assert area == Fraction(3, 4) * (2**61 + 2) + Fraction(1, 2) * (2**60 + 1)
