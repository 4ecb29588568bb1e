"""Precision: how large scores can be, and the integers that hold them exactly."""

import numpy as np

from paretoball.landscape import EXACT, Landscape, size_in_words

MARGIN = 1 + 1e-9  # weights are drawn from bounds with this margin: keep it


def score_bounds(landscape: Landscape, radius: int) -> np.ndarray:
    """Bounds on the absolute scores of moves of `radius` variables: (d,) int64."""
    bounds = [min(radius * one, every) for one, every in zip(*landscape.spreads)]
    if sum(bounds) > EXACT:
        raise OverflowError(
            f"scores within radius {radius} can reach {size_in_words(sum(bounds))}, "
            "all objectives together, but exact 64-bit arithmetic ends at 2**62 = "
            "4.6e18: divide the tables by a common factor"
        )
    # a little larger than need be, where that fits in 64 bits
    larger = [int(bound * MARGIN) + 1 for bound in bounds]
    return np.array(larger if sum(larger) <= EXACT else bounds, np.int64)


def score_dtype(landscape: Landscape, radius: int) -> np.dtype:
    """The narrowest integers that hold all table entries and changes of scores."""
    largest = int(score_bounds(landscape, radius).max())
    # A flip changes a score by at most four times the bound: see `_sum_pieces`.
    reach = max(4 * largest, landscape.survey.largest_entry)
    return np.dtype(np.int32 if reach < 2**31 else np.int64)
