"""Attainment surfaces: the best points that a share of several runs attains."""

from collections.abc import Iterable, Sequence
from math import ceil
from numbers import Real
from typing import Any

import numpy as np

from paretoball.quality.points import checked_fronts, exact_floats, signs_of
from paretoball.system import brief, hearing_signals

MOST_ATTAINED = 3  # the most objectives for which moocore has attainment surfaces
ROUNDING = 1e-9  # runs: a level of 0.1 + 0.2 means three of ten runs, not four


def attainment_surface(
    fronts: Iterable[Any],
    level: float = 0.5,
    sense: str | Sequence[str] | None = None,
) -> np.ndarray:
    """The best points that at least a share `level` of the fronts attain, ascending.

    A front attains what its points dominate or equal. With `level=0.5` the surface is
    the paper's 50%-EAS, a median. With 1 it bounds what every front attains. With at
    most 1 / (number of fronts) it bounds what at least one front attains.

    Parameters
    ----------
    fronts
        One front per run, of up to three objectives: matrices of numbers, or results.
    level
        Above 0, up to 1. A share that is not a whole number of fronts is rounded up.

    Examples
    --------
    >>> runs = [[[1, 3], [3, 1]], [[2, 2]], [[0, 4]]]
    >>> attainment_surface(runs).tolist()
    [[0, 3], [1, 2], [2, 1]]
    >>> attainment_surface(runs, level=1).tolist()
    [[0, 2]]
    """
    import moocore

    given, checked = checked_fronts(fronts)
    runs, d = len(checked), checked[0].shape[1]
    signs = signs_of(given[0], sense, d)
    attaining = _runs_of(level, runs)
    if d > MOST_ATTAINED:
        raise ValueError(
            f"fronts have {d} objectives, but attainment surfaces are for up to "
            f"{MOST_ATTAINED}"
        )
    exact = [exact_floats(F, f"fronts[{at}]") for at, F in enumerate(checked)]
    minimised = [-signs * F for F in exact]
    if d == 1:
        best = np.sort([F.min() for F in minimised])
        surface = best[attaining - 1].reshape(1, 1)
    else:
        run = np.repeat(np.arange(runs), [len(F) for F in checked])
        between = 100 * (attaining - 0.5) / runs  # rounded up, it is `attaining` runs
        points = np.concatenate(minimised)
        found = hearing_signals(lambda: moocore.eaf(points, run, percentiles=[between]))
        surface = found[:, :d]
    surface = 0.0 - signs * surface  # 0.0 - 0.0 has no sign
    dtype = np.result_type(*checked)
    return surface[np.lexsort(surface.T[::-1])].astype(dtype)


def _runs_of(level: float, runs: int) -> int:
    """The share `level` of `runs` as a number of runs, rounded up."""
    if isinstance(level, bool | np.bool_) or not isinstance(level, Real):
        raise TypeError(f"level is {brief(level)}, not a number above 0 and up to 1")
    if not 0 < level <= 1:
        raise ValueError(f"level is {brief(level)}, but must be above 0 and at most 1")
    return max(1, ceil(level * runs - ROUNDING))
