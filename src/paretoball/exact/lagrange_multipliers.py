"""Lagrange multipliers: how much a unit of each constraint is worth, for given weights.

For multipliers λ of 0 or more, no feasible solution has a larger w · f than the largest
w · f + λ · (g - need) of all solutions, where `need` is what columns g have to reach.
That bound is convex in λ. It is lowered by steps against its slope, each a little
shorter than the one before. The bound is valid for any multipliers.
"""

import numpy as np

from paretoball.exact.best_completions import best_values
from paretoball.exact.front_elimination import Elimination, Spend

STEPS = 60
FIRST_STEP, SHORTER = 0.5, 0.88  # in units of multipliers that are far too large
NUDGE = 1e-6  # the same, for the slope
TINY = 1e-100  # of what is divided by


def multipliers_of(
    of: Elimination, w: np.ndarray, spend: Spend
) -> tuple[np.ndarray, np.ndarray]:
    """Multipliers, (weights, columns), and the bound that they give of each w · f."""
    multipliers, needs = np.zeros((len(w), len(of.needs))), of.needs.astype(float)
    bound = _bounds(of, w, multipliers, spend)
    if not len(needs):
        return multipliers, bound
    units = np.maximum(bound, TINY)[:, None] / np.maximum(needs, 1.0)
    now, step = multipliers.copy(), FIRST_STEP
    for _ in range(STEPS):
        here, slopes = _bound_and_slopes(of, w, now, units * NUDGE, spend)
        better = here < bound
        bound[better], multipliers[better] = here[better], now[better]
        slopes *= units
        length = np.sqrt((slopes**2).sum(axis=1, keepdims=True))
        now = np.maximum(now - step * units * slopes / np.maximum(length, TINY), 0)
        step *= SHORTER
    return multipliers, bound


def _bounds(
    of: Elimination, w: np.ndarray, multipliers: np.ndarray, spend: Spend
) -> np.ndarray:
    """What no feasible w · f exceeds, for each row."""
    best = best_values(of, np.hstack([w, multipliers]), spend)
    for need, column in zip(of.needs.tolist(), multipliers.T):
        best -= need * column
    return best


def _bound_and_slopes(
    of: Elimination,
    w: np.ndarray,
    multipliers: np.ndarray,
    nudges: np.ndarray,
    spend: Spend,
) -> tuple[np.ndarray, np.ndarray]:
    """The bounds, and how fast each rises with each multiplier."""
    nudged = [multipliers]
    for c in range(multipliers.shape[1]):
        nudged.append(multipliers.copy())
        nudged[-1][:, c] += nudges[:, c]
    rows = np.vstack([w] * len(nudged)), np.vstack(nudged)
    here, *others = np.split(_bounds(of, *rows, spend), len(nudged))
    slopes = np.column_stack([(other - here) for other in others]) / nudges
    return here, slopes
