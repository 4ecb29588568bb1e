"""Weights: directions in which the convex hull of a front is looked at.

For two objectives they are those of the edges of the hull, so that f1 + slope * f0 is
constant along each edge. For more, they are spread evenly, in units of how far each
objective varies.
"""

from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

STEEPEST = 1000.0  # slopes are between 1 / STEEPEST and STEEPEST times the hull's own


class Weights(NamedTuple):
    """Positive weights; those of two objectives are the steepest first."""

    w: np.ndarray  # (weights, d) float64
    lengths: np.ndarray  # (weights,) float64: how far w · f varies along the front


def weights_along(hull: np.ndarray, most: int) -> Weights:
    """Up to `most` weights of the edges of a hull, which ascends by f0."""
    low, high = hull.min(axis=0), hull.max(axis=0)
    run, drop = (high - low).astype(float)
    slopes = (hull[:-1, 1] - hull[1:, 1]) / (hull[1:, 0] - hull[:-1, 0])
    own = slopes * run / drop
    slopes = np.unique(slopes[(own > 1 / STEEPEST) & (own < STEEPEST)])[::-1]
    some = np.unique(
        np.linspace(0, len(slopes) - 1, min(most, len(slopes))).astype(int)
    )
    slopes = slopes[some]
    w = np.column_stack([slopes, np.ones(len(slopes))])
    return Weights(w, drop + slopes * run)


def spread_weights(extents: np.ndarray, most: int) -> Weights:
    """Up to `most` weights, evenly spread, for objectives that vary so far."""
    d, parts = len(extents), 1
    while comb(parts + d, d - 1) <= most:
        parts += 1
    bars = np.array(list(combinations(range(parts + d - 1), d - 1)))
    ends = np.full((len(bars), 1), parts + d - 1)
    shares = (np.diff(np.hstack([0 * ends - 1, bars, ends]), axis=1) - 1) / parts
    w = np.maximum(shares, 1 / STEEPEST) / extents
    return Weights(w, (w * extents).sum(axis=1))
