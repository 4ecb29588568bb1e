"""Directions and windows: where paths and fillings go, given what the front looks like.

For two objectives, the middles of paths are spread evenly, the later the finer. For
three and more, half of them are drawn at random, and half go where the front is
weakest: between two directions whose best known solutions differ, the best known value
is at most the mean of theirs; where it is far below that mean, much is missing.

A window is some solutions that are close to each other on the front. Those that were
never visited are wanted; the others are there to be compared and to have offspring
with.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

EDGE = 1e-4  # the smallest weight of an objective, of a sum of 1
SPREAD = 8  # for two objectives: middles that lie evenly
CHOICE = 128  # directions whose best solutions are looked up, to find weak places
NEAR = 4  # of the others, with which each of them is compared
REACH = 0.3  # of the way to a random direction, where a random path ends
NEARBY = 5  # the middle, two ends, and two places halfway
OTHERS = 8  # further directions, for three objectives and more
CONTEXT = 16  # solutions before the first wanted one and after the last, at most

Random = np.ndarray  # uniform numbers between 0 and 1


def along_front(number: int) -> np.ndarray:
    """For two objectives: path `number` and its surroundings, (NEARBY, 2)."""
    width = 1 / SPREAD
    middle = _radical_inverse(number % SPREAD)
    middle += width * _radical_inverse(number // SPREAD)
    turns = middle + width * np.array([0, 1, -1, 0.5, -0.5])
    shares = np.clip(turns, EDGE, 1 - EDGE)
    return np.stack([shares, 1 - shares], axis=1)


def _radical_inverse(number: int) -> float:
    """van der Corput's sequence in base 2: bits mirrored behind the point."""
    bits = f"{number:b}"
    return int(bits[::-1], 2) / (1 << len(bits))


def at_random(draws: Random) -> np.ndarray:
    """For more objectives: paths of these draws, (paths, 3, d) -> (paths, NEARBY, d).

    Some are corners of the simplex, or on its edges: where a draw is small, weights are
    cut off.
    """
    weights = _on_simplex(draws)
    middle, *ends = weights.transpose(1, 0, 2)
    return _around(middle, *(middle + REACH * (end - middle) for end in ends))


def _on_simplex(draws: Random) -> np.ndarray:
    """Uniform on the simplex, from uniform draws along the last axis."""
    weights = -np.log1p(-draws)
    return np.maximum(weights / weights.sum(axis=-1, keepdims=True), EDGE)


def _around(middle: np.ndarray, *ends: np.ndarray) -> np.ndarray:
    """Middles, ends and halves: (paths, NEARBY, d)."""
    halves = [(middle + end) / 2 for end in ends]
    return np.stack([middle, *ends, *halves], axis=1)


def with_others(nearby: np.ndarray, draws: Random) -> np.ndarray:
    """The same paths with further directions around: (paths, NEARBY + OTHERS, d)."""
    middle = nearby[:, :1]
    others = middle + REACH * (_on_simplex(draws) - middle)
    return np.concatenate([nearby, others], axis=1)


def fanned_out(nearby: np.ndarray, draws: Random) -> np.ndarray:
    """The same paths with as many further directions as there are draws.

    They are to all sides of the middle: those between the middle and what is drawn
    would be nearer to the centre of the simplex, and its edges would be left out.
    """
    drawn = _on_simplex(draws)
    away = REACH * (drawn - np.roll(drawn, 1, axis=1))
    return np.concatenate([nearby, np.maximum(nearby[:, :1] + away, EDGE)], axis=1)


def where_weak(values: np.ndarray, draws: Random, paths: int) -> np.ndarray:
    """Directions where the front is weakest, given scaled values: (paths, NEARBY, d).

    Each leads from between two directions to both of them. `draws` are (CHOICE, d);
    corners of the simplex take the place of the first ones.
    """
    d = values.shape[1]
    tried = _on_simplex(draws)
    tried[:d] = np.maximum(np.eye(d), EDGE)[: len(tried)]
    best = find_best(values, tried)
    points = values[best]
    highest = (points * tried).sum(axis=1)
    apart = np.abs(tried[:, None] - tried[None]).sum(axis=2)
    apart[best[:, None] == best[None]] = np.inf
    near = np.argsort(apart, axis=1, kind="stable")[:, :NEAR]
    first, second = np.repeat(np.arange(len(tried)), NEAR), near.ravel()
    middle = (tried[first] + tried[second]) / 2
    promise = (highest[first] + highest[second]) / 2
    missing = promise - (middle @ points.T).max(axis=1)
    missing[~np.isfinite(apart[first, second])] = -1.0
    chosen: list[int] = []
    used: set[int] = set()
    for pair in np.argsort(-missing, kind="stable").tolist():
        ends = {int(best[first[pair]]), int(best[second[pair]])}
        if len(chosen) < paths and missing[pair] > 0 and not ends <= used:
            chosen.append(pair)
            used |= ends
    return _around(middle[chosen], tried[first[chosen]], tried[second[chosen]])


def find_best(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """For each row of weights, the first row with the largest weighted sum: int64."""
    columns = np.ascontiguousarray(values.T, np.float64)
    rows = (sum(w * column for w, column in zip(row, columns)) for row in weights * 1.0)
    return np.array([np.argmax(sums) for sums in rows], np.int64)


class Window(NamedTuple):
    """Rows of the front that belong together."""

    rows: np.ndarray  # int64
    wanted: np.ndarray  # bool: for each row, whether it is to be visited


def windows_along(fx: np.ndarray, fresh: np.ndarray, most: int) -> Iterator[Window]:
    """For two objectives, ascending: windows of up to `most` rows, the best first.

    The best are those whose wanted solutions have the largest gaps around them: the
    hypervolume that might be between the solutions before and after them.
    """
    wanted = np.flatnonzero(fresh)
    context = min(CONTEXT, (most - 1) // 2)  # there is room for one that is wanted
    starts, start = [0], 0
    while start < len(wanted):
        first = max(0, wanted[start] - context)
        start = int(wanted.searchsorted(first + most))
        starts.append(start)
    if start == 0:
        return
    spans = fx[np.r_[1 : len(fx), len(fx) - 1]] - fx[np.r_[0, 0 : len(fx) - 1]]
    gaps = np.abs(spans.astype(np.float64)).prod(axis=1)
    values = np.add.reduceat(gaps[wanted], starts[:-1])
    for at in np.argsort(-values, kind="stable").tolist():
        chosen = wanted[starts[at] : starts[at + 1]]
        first = max(0, chosen[0] - context)
        last = min(len(fx), chosen[-1] + 1 + context)
        mask = np.zeros(last - first, np.bool_)
        mask[chosen - first] = True
        yield Window(np.arange(first, last), mask)


def windows_around(
    values: np.ndarray, fresh: np.ndarray, draws: np.ndarray, most: int
) -> Iterator[Window]:
    """For more objectives: each drawn solution with its nearest ones, until all are in.

    Distances are sums of absolute differences of `values`.
    """
    wanted = fresh.copy()
    for draw in draws.tolist():
        left = np.flatnonzero(wanted)
        if not len(left):
            return
        centre = left[int(draw * len(left))]
        far = np.abs(values - values[centre]).sum(axis=1)
        rows = np.argsort(far, kind="stable")[:most]
        yield Window(rows, wanted[rows])
        wanted[rows] = False
