"""Units: numbers of steps in the units of an objective, for files of whole numbers."""

from fractions import Fraction

import numpy as np

from paretoball.landscape import Landscape


def whole_units(
    landscape: Landscape, i: int, steps: np.ndarray, title: str
) -> np.ndarray:
    """Whole numbers of steps of objective i in its units, if these are whole, too.

    `title` is what errors call the format.
    """
    per_unit = Fraction(float(landscape.scale[i]))
    if per_unit == 1:
        return steps
    exact = steps.astype(object)
    left = exact % per_unit.numerator
    if left.any():
        worst = Fraction(int(exact[np.argmax(left != 0)])) / per_unit
        raise ValueError(
            f"{title} has whole numbers, but objective {i} needs {float(worst):g}"
        )
    return np.asarray(exact // per_unit.numerator * per_unit.denominator)
