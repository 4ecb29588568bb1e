"""Terms: many subfunctions at once, none of whose numbers is rounded."""

from decimal import Decimal

import numpy as np
import pytest

from paretoball import Landscape, from_polynomials
from paretoball.landscape import Terms, constant, products

FIRST = np.array([[0]])


@pytest.mark.parametrize("sign", [1, -1])
def test_whole_numbers_among_floats_are_those_that_floats_hold(sign):
    halves = products(FIRST, np.array([0.5]))
    for over in (0, 1):
        large = sign * (2**53 + over)
        whole = products(FIRST, np.array([large]))
        if over:
            with pytest.raises(ValueError, match=f"objective 0, .* has {large} at ent"):
                Landscape.from_terms(1, [[whole], [halves]])
        else:
            landscape = Landscape.from_terms(1, [[whole], [halves]])
            assert landscape.evaluate([1]).tolist() == [large, 0.5]


@pytest.mark.parametrize("kind", [np.int64, np.float64, object])
def test_terms_without_subfunctions_round_nothing(kind):
    none = Terms(np.zeros((0, 1), np.int64), np.zeros((0, 2), kind))
    whole = products(FIRST, np.array([2**60 + 1]))
    landscape = Landscape.from_terms(1, [[none, whole], [none], []])
    assert landscape.evaluate([1]).tolist() == [2**60 + 1, 0, 0]
    assert landscape.m == 1


def test_a_factor_of_zero_rounds_nothing_beside_it():
    landscape = from_polynomials([{"a": 2**60 + 1}, {"b": 0.0}])
    assert landscape.evaluate([1, 1]).tolist() == [2**60 + 1, 0]


def test_fractions_beside_other_terms_are_exact():
    tenth = products(FIRST, np.array([Decimal("0.1")], object))
    landscape = Landscape.from_terms(1, [[tenth, constant(3)], [constant(0.2)]])
    assert landscape.evaluate([1]).tolist() == [3.1, 0.2]
    assert landscape.resolution == (0.1, 0.1)
