"""Steps: subfunctions as given, checked, as subfunctions in whole numbers of steps."""

from typing import Any, NamedTuple

import numpy as np

from paretoball.landscape.exact_tables import with_fractions
from paretoball.landscape.fixed_point import on_grid
from paretoball.landscape.repeats import check_masks
from paretoball.landscape.subfunctions import (
    Subfunctions,
    check_finite,
    check_sizes,
    checked_layout,
)


class _Stepped(NamedTuple):
    """Subfunctions in steps, and what a step is."""

    subfunctions: Subfunctions
    scale: np.ndarray  # (d,) float64: steps per unit; 1 where tables are integers
    real: bool  # whether tables were real


def in_steps(
    n: int,
    d: int,
    given: Subfunctions,
    scale: Any = None,
    keep_decimals: bool = False,
) -> _Stepped:
    """The subfunctions of d sums over n variables in steps, if nothing is wrong.

    `scale` and `keep_decimals` are those of `on_grid`.
    """
    given = checked_layout(d, given)
    check_masks(n, given)
    check_sizes(given)
    if given.tables.dtype == object:
        given = with_fractions(given)
    check_finite(given)
    real = given.tables.dtype.kind in "fO" and len(given.tables) > 0
    steps_per_unit, exact = on_grid(d, given, scale, keep_decimals)
    return _Stepped(exact, steps_per_unit, real)
