"""Weights: the direction of a climb, as positive integers.

They are as precise as 64-bit w-scores allow. So w · S is exact, as the paper's proof
that climbs cannot cycle requires.
"""

from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np

from paretoball.landscape import EXACT, Landscape
from paretoball.numerics import spawn
from paretoball.system import brief, counted


def integer_weights(
    weights: Any, landscape: Landscape, bounds: np.ndarray
) -> np.ndarray:
    """Positive integers per step in the direction of `weights`, which are per unit."""
    pairs = zip(_checked_weights(weights, landscape.d), landscape.scale.tolist())
    per_step = [Fraction(w) / Fraction(steps) for w, steps in pairs]
    reach = sum(w * int(bound) for w, bound in zip(per_step, bounds))
    factor = Fraction(lcm(*(w.denominator for w in per_step)))
    whole = [int(w * factor) for w in per_step]
    if reach * factor / gcd(*whole) > EXACT:
        factor = Fraction(EXACT - int(sum(bounds.tolist()))) / reach
        whole = [max(1, int(w * factor)) for w in per_step]
    divisor = gcd(*whole)
    return np.array([w // divisor for w in whole], np.int64)


def _checked_weights(weights: Any, d: int) -> list[float]:
    """The weights as d positive finite numbers."""
    try:
        array = np.asarray(weights)
    except ValueError:  # rows of different lengths
        array = np.empty((0, 0))
    large = array.dtype == object and all(type(w) is int for w in array.flat)
    if not (large or array.dtype.kind in "iuf") or array.ndim != 1:
        raise TypeError(
            f"weights are {brief(weights)}, not a list of {counted(d, 'number')}"
        )
    if len(array) != d:
        raise ValueError(
            f"{counted(len(array), 'weight')} given for {counted(d, 'objective')}"
        )
    for i, w in enumerate(array.tolist()):
        if not 0 < w < float("inf"):
            raise ValueError(f"weight {i} is {w}, but weights are positive and finite")
    return array.tolist()


def _checked_rows(weights: Any) -> list[Any]:
    """One vector of weights, or the rows of a matrix."""
    try:
        rows = list(weights) if np.ndim(weights) == 2 else [weights]
    except ValueError:
        raise TypeError(
            f"weights are {brief(weights)}, which have rows of different lengths"
        ) from None
    if not rows:
        raise ValueError("weights have no rows, but climbs need a direction")
    return rows


class WeightSource:
    """Where the weights of climb number i come from.

    Parameters
    ----------
    weights
        None draws uniformly on the simplex. `"independent"` draws each weight between
        0 and 1, as the authors' code does, which favours equal weights. One vector is
        used by all climbs; rows of a matrix are used in turn.
    """

    def __init__(
        self, weights: Any, landscape: Landscape, bounds: np.ndarray, entropy: int
    ):
        self.entropy = entropy
        self.rule = "simplex" if weights is None else weights
        self.fixed: np.ndarray | None = None
        if isinstance(self.rule, str):
            if self.rule not in ("simplex", "independent"):
                raise ValueError(
                    f"weights = {brief(self.rule)}, which is neither 'simplex', "
                    "'independent' nor numbers"
                )
        else:
            given = _checked_rows(weights)
            rows = [integer_weights(each, landscape, bounds) for each in given]
            self.fixed = np.array(rows)
        reach = float((bounds / landscape.scale).max()) * landscape.d
        finest = (EXACT / 2) / reach / landscape.scale
        self.unit = finest * min(1.0, 2.0**31 / finest.min())

    def draw(self, numbers: np.ndarray) -> np.ndarray:
        """The weights of climbs `numbers`: (count, d) int64."""
        if self.fixed is not None:
            return np.ascontiguousarray(self.fixed[numbers % len(self.fixed)])
        words = [spawn(self.entropy, numbers, 1 + i) for i in range(len(self.unit))]
        fractions = (np.column_stack(words) >> np.uint64(11)) * 2.0**-53
        if self.rule == "simplex":  # gaps between sorted uniform cuts
            cuts = np.sort(fractions[:, :-1], axis=1)
            fractions = np.diff(cuts, axis=1, prepend=0.0, append=1.0)
        return np.maximum(1, np.rint(fractions * self.unit)).astype(np.int64)
