"""Precision: how large scores can be, and the integers that hold them exactly."""

import numpy as np

from paretoball.landscape import EXACT, Landscape


def score_bounds(landscape: Landscape, radius: int) -> np.ndarray:
    """Bounds on the absolute scores of moves of `radius` variables: (d,) int64."""
    of_one, of_all = landscape.spreads
    bounds = [
        int(min(radius * one, every) * (1 + 1e-9)) + 1
        for one, every in zip(of_one.tolist(), of_all.tolist())
    ]
    if sum(bounds) > EXACT:
        raise OverflowError(
            f"scores within radius {radius} can reach {sum(bounds):.3g}, but exact "
            "64-bit arithmetic ends at 2**62 = 4.6e18: divide the tables by a common "
            "factor"
        )
    return np.array(bounds, np.int64)


def score_dtype(landscape: Landscape, bounds: np.ndarray) -> type:
    """The narrowest integers that hold every table entry and every change of a score.

    A flip changes a score by at most four times the bound: see `_sum_pieces`.
    """
    reach = max(4 * int(bounds.max()), landscape.largest_entry)
    return np.int32 if reach < 2**31 else np.int64
