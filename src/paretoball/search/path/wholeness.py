"""Wholeness: whether a front is all that there is, where solutions are few.

With few variables all 2^n solutions can be looked at. An archive in which each feasible
one has a vector that dominates or equals its own cannot grow any more.
"""

import numpy as np

from paretoball.archive import Archive, Points
from paretoball.landscape import Landscape

FEW = 16  # variables, at most
CELLS = 1 << 20  # solutions times variables or constraints, looked at together


def covers_all(archive: Archive, landscape: Landscape) -> bool:
    """Whether no solution is left to find; False where variables are more than a few.

    What is missing is found early, or not at all: parts are looked at in turn.
    """
    n = landscape.n
    if n > FEW:
        return False
    some = max(1, CELLS // max(n, len(landscape.constraints)))
    before, found = _vectors(archive), archive.copy()
    for first in range(0, 1 << n, some):
        numbers = np.arange(first, min(first + some, 1 << n))
        X = (numbers[:, None] >> np.arange(n) & 1).astype(np.uint8)
        if landscape.constraints:
            X = X[landscape.is_feasible(X)]
        fx = landscape.inside(landscape.evaluate(X))
        none = np.zeros(len(X), np.int64)
        found.take_in(Points(fx, none, none, none))
        if not np.array_equal(_vectors(found), before):
            return False
    return True


def _vectors(archive: Archive) -> np.ndarray:
    """The objective vectors of an archive, in order."""
    return np.unique(archive.points().fx, axis=0)
