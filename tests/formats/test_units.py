"""Units: whole numbers of steps as whole numbers of units, or refused."""

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from paretoball import Landscape, read_landscape, write_landscape
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


@pytest.mark.parametrize(
    ("name", "sense"),
    [("opb", "min"), ("opb", "max"), ("mcnf", "min"), ("mubqp", "max")],
)
@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1], [1, 2, 0]])
def test_each_objective_of_a_file_has_its_own_units(tmp_path, name, sense, order):
    """Some tables are of tenths or hundredths, but what variables add is whole."""
    tables = [
        [((), [-part]), ((j,), [part, part + 7 - j])]
        for j, part in enumerate((0, 0.5, 0.25))
    ]
    landscape = Landscape.from_subfunctions(3, [tables[i] for i in order], sense)
    assert sorted(landscape.scale.tolist()) == [1, 10, 100]
    write_landscape(landscape, tmp_path / f"a.{name}")
    again = read_landscape(tmp_path / f"a.{name}")
    X = np.eye(3, dtype=int)
    assert again.evaluate(X).tolist() == landscape.evaluate(X).tolist()
    assert again.scale.tolist() == [1, 1, 1]
