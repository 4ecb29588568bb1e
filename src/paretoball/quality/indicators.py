"""Indicators of a front and a reference front, by moocore, in any senses.

moocore computes in floats, which are exact for integers up to 2**53. `epsilon` and
`igd_plus` refuse larger integers.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from paretoball.quality.points import (
    checked_front,
    exact_floats,
    refuse,
    signs_of,
)
from paretoball.system import checked_choice, hearing_signals

COMPARED = 1 << 18  # pairs of points that `coverage` compares at once

Sense = str | Sequence[str] | None


def epsilon(
    F: Any,
    reference: Any,
    sense: Sense = None,
    kind: str = "additive",
) -> float:
    """By how much a front has to improve to attain all of a reference front.

    It is the smallest amount by which every objective of F has to improve so that F
    weakly dominates each reference point. It is below 0 if, for each reference
    point, some point of F is better in all objectives.

    Parameters
    ----------
    kind
        `"additive"`, or `"multiplicative"`: the smallest factor instead of the smallest
        amount, for positive values only; at most 1 if F attains the reference.

    Examples
    --------
    >>> epsilon([[1, 2], [2, 1]], reference=[[2, 3]])
    1.0
    >>> epsilon([[1, 2], [2, 1]], reference=[[2, 3]], kind="multiplicative")
    2.0
    """
    import moocore

    F, reference, signs = _checked_pair(F, reference, sense)
    checked_choice("kind", kind, ("additive", "multiplicative"))
    measure = moocore.epsilon_additive
    if kind == "multiplicative":
        measure = moocore.epsilon_mult
        for name, points in (("F", F), ("reference", reference)):
            refuse(points, points <= 0, name, "but factors need positive numbers")
    return float(hearing_signals(lambda: measure(F, reference, maximise=signs > 0)))


def igd_plus(F: Any, reference: Any, sense: Sense = None) -> float:
    """The mean distance of the points of a reference front to a front F.

    The distance of a reference point is that to the nearest point of F, over the
    objectives in which the point of F is worse.

    Examples
    --------
    >>> igd_plus([[1, 2], [2, 1]], reference=[[1, 1], [5, 5]])
    2.5
    """
    import moocore

    F, reference, signs = _checked_pair(F, reference, sense)
    measure = moocore.igd_plus
    return float(hearing_signals(lambda: measure(F, reference, maximise=signs > 0)))


def coverage(F: Any, G: Any, sense: Sense = None) -> float:
    """The share of the points of G that some point of F dominates or equals.

    It is 1 if F attains all that G attains. Comparisons are exact.

    Examples
    --------
    >>> coverage([[1, 2], [2, 1]], [[1, 1], [2, 1], [3, 0], [0, 3]])
    0.5
    """
    points = checked_front(F, "F")
    signs = signs_of(F, sense, points.shape[1])
    F, G = points, checked_front(G, "G", points.shape[1])
    if "f" in (F.dtype.kind, G.dtype.kind):
        F, G = exact_floats(F, "F"), exact_floats(G, "G")
    else:
        F, G = F.astype(np.int64), G.astype(np.int64)
    return float(_is_covered(F * signs, G * signs).mean())


def _is_covered(F: np.ndarray, G: np.ndarray) -> np.ndarray:
    """For each point of G, whether some point of F weakly dominates it; maximised."""
    if F.shape[1] == 2:
        order = np.argsort(-F[:, 0])
        best = np.maximum.accumulate(F[order, 1])  # of the points up to here
        rivals = np.searchsorted(-F[order, 0], -G[:, 0], side="right")
        return (rivals > 0) & (best[rivals - 1] >= G[:, 1])
    covered = np.empty(len(G), np.bool_)
    columns = np.ascontiguousarray(F.T)
    rows = max(1, COMPARED // len(F))
    for first in range(0, len(G), rows):
        some = G[first : first + rows]
        attained = np.ones((len(some), len(F)), np.bool_)
        for i, column in enumerate(columns):
            attained &= column >= some[:, i, None]
        covered[first : first + rows] = attained.any(axis=1)
    return covered


def _checked_pair(
    F: Any, reference: Any, sense: Sense
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A front and a reference front as floats, and the signs of their objectives."""
    points = exact_floats(checked_front(F, "F"), "F")
    signs = signs_of(F, sense, points.shape[1])
    reference = checked_front(reference, "reference", points.shape[1])
    return points, exact_floats(reference, "reference"), signs
