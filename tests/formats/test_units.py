"""Units: whole numbers of steps as whole numbers of units, or refused."""

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from paretoball.formats.units import whole_units


@pytest.mark.parametrize("scale", [1.0, 2.0, 10.0, 1.5, 0.5, 0.75, 1000.0])
def test_units_are_steps_by_how_many_a_unit_has(scale):
    """The objective before has other units."""
    landscape: Any = SimpleNamespace(scale=np.array([7.0, scale]))
    for steps in (
        [0],
        [6000, 0, -3000],
        [2**61 // 3000 * 3000],
        [-6, 3],
        [1],
        [5, -10],
    ):
        given = np.array(steps, object)
        right = [Fraction(each) / Fraction(scale) for each in steps]
        if all(each.denominator == 1 for each in right):
            assert whole_units(landscape, 1, given, "OPB").tolist() == right
            continue
        worst = next(each for each in right if each.denominator > 1)
        told = f"^OPB has whole numbers, but objective 1 needs {float(worst):g}$"
        with pytest.raises(ValueError, match=told):
            whole_units(landscape, 1, given, "OPB")
