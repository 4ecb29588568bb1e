"""Indicators of a front and a reference front, by moocore, in any senses.

moocore computes in floats, which are exact for integers up to 2**53. `epsilon` and
`igd_plus` refuse larger integers. moocore compares all pairs of points. Fronts of two
objectives are sorted instead: from one point to the next, the first objective gets
worse and the second better, so that the nearest points are found by bisection.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from paretoball.quality.points import (
    checked_front,
    exact_floats,
    refuse,
    signs_of,
)
from paretoball.quality.volume import in_words
from paretoball.system import checked_choice, hearing_signals

COMPARED = 1 << 18  # pairs of points that are compared at once
LONGEST = 60.0  # seconds that an indicator may take, as predicted
# How many pairs of points times (objectives + 2) take one second.
EPSILON_PACE, IGD_PACE, SORTED_PACE = 8e9, 2e9, 1e8

Sense = str | Sequence[str] | None
Losses = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


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
    F, reference, signs = _checked_pair(F, reference, sense)
    checked_choice("kind", kind, ("additive", "multiplicative"))
    if kind == "multiplicative":
        for name, points in (("F", F), ("reference", reference)):
            refuse(points, points <= 0, name, "but factors need positive numbers")
    if F.shape[1] == 2:
        return _epsilon_of_pairs(F, reference, signs, kind == "multiplicative")
    _check_affordable("epsilon", F, reference, EPSILON_PACE)
    import moocore

    add, multiply = moocore.epsilon_additive, moocore.epsilon_mult
    measure = add if kind == "additive" else multiply
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
    F, reference, signs = _checked_pair(F, reference, sense)
    if F.shape[1] == 2:
        return _igd_plus_of_pairs(F * signs, reference * signs)
    _check_affordable("igd_plus", F, reference, IGD_PACE)
    import moocore

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


def _check_affordable(
    name: str, F: np.ndarray, reference: np.ndarray, pace: float, pairs: int = 0
) -> None:
    """Refuse to compare so many pairs of points, or all of them, if that takes long."""
    pairs, d = pairs or len(F) * len(reference), F.shape[1]
    seconds = pairs * (d + 2) / pace
    if seconds > LONGEST:
        raise ValueError(
            f"{name} of {len(F):,} points and {len(reference):,} reference points with "
            f"d = {d} objectives takes {in_words(seconds)}: give fewer points"
        )


def _stairs(F: np.ndarray, signs: np.ndarray) -> np.ndarray:
    """The non-dominated of points in the plane, the best first objective first."""
    gains = F * signs
    order = np.lexsort(-gains.T[::-1])
    second = gains[order, 1]
    before = np.maximum.accumulate(second)[:-1]  # the best of all earlier ones
    return np.asarray(F[order][np.append(True, second[1:] > before)])


def _first(sizes: tuple[int, int], holds: Callable[[np.ndarray], np.ndarray]) -> Any:
    """For each of some rows, the first of some places where `holds`, by bisection.

    It holds at all later places, too; a row without such a place gets their number.
    """
    rows, places = sizes
    low, high = np.zeros(rows, np.int64), np.full(rows, places)
    while (low < high).any():
        middle = (low + high) // 2
        here = holds(np.minimum(middle, places - 1))
        high = np.where(here, np.minimum(middle, high), high)
        low = np.where(here, low, np.minimum(middle + 1, high))
    return low


def _epsilon_of_pairs(
    F: np.ndarray, reference: np.ndarray, signs: np.ndarray, by_factors: bool
) -> float:
    """The same epsilon for two objectives, one bisection for each reference point."""
    stairs = _stairs(F, signs)

    def loss(place: np.ndarray, i: int) -> np.ndarray:
        points, goals = stairs[place, i], reference[:, i]
        if not by_factors:
            return (goals - points) * signs[i]
        return goals / points if signs[i] > 0 else points / goals

    last = len(stairs) - 1
    at = _first((len(reference), last + 1), lambda e: loss(e, 0) >= loss(e, 1))
    here = np.where(at > last, np.inf, loss(np.minimum(at, last), 0))
    before = np.where(at == 0, np.inf, loss(np.maximum(at - 1, 0), 1))
    return float(np.minimum(here, before).max())


def _igd_plus_of_pairs(F: np.ndarray, reference: np.ndarray) -> float:
    """The same IGD+ for two objectives, maximised.

    The point with the least larger loss bounds the distance. Points nearer than that
    have no larger loss in either objective, so they lie in a row of stairs.
    """
    stairs = _stairs(F, np.ones(2))
    sizes, last = (len(reference), len(stairs)), len(stairs) - 1

    def squares(row: Any, place: np.ndarray) -> np.ndarray:
        losses = np.maximum(reference[row] - stairs[place], 0)
        return np.asarray((losses * losses).sum(axis=-1))

    def loss(place: np.ndarray, i: int) -> np.ndarray:
        return np.asarray(reference[:, i] - stairs[place, i])

    at = _first(sizes, lambda e: loss(e, 0) >= loss(e, 1))
    every = slice(None)
    least = np.minimum(
        squares(every, np.minimum(at, last)), squares(every, np.maximum(at - 1, 0))
    )
    most = np.sqrt(least) * (1 + 1e-12)  # of losses; rounded up
    start = _first(sizes, lambda e: loss(e, 1) <= most)
    counts = np.maximum(_first(sizes, lambda e: loss(e, 0) > most) - start, 0)
    ends = np.cumsum(counts)
    _check_affordable("igd_plus", F, reference, SORTED_PACE, max(1, int(ends[-1])))
    first = 0
    while first < len(ends):
        done = ends[first] - counts[first]
        end = max(first + 1, int(np.searchsorted(ends, done + COMPARED, "right")))
        rows = np.repeat(np.arange(first, end), counts[first:end])
        places = np.arange(len(rows)) - (ends - counts - done)[rows] + start[rows]
        np.minimum.at(least, rows, squares(rows, places))
        first = end
    return float(np.sqrt(least).mean())


def _checked_pair(
    F: Any, reference: Any, sense: Sense
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A front and a reference front as floats, and the signs of their objectives."""
    points = exact_floats(checked_front(F, "F"), "F")
    signs = signs_of(F, sense, points.shape[1])
    reference = checked_front(reference, "reference", points.shape[1])
    return points, exact_floats(reference, "reference"), signs
