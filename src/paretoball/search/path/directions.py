"""Directions: where paths go, given what the front looks like.

For two objectives, the middles of paths are spread evenly, the later the finer. For
three and more, half of them are drawn at random, and half go where the front is
weakest: between two directions whose best known solutions differ, the best known value
is at most the mean of theirs; where it is far below that mean, much is missing.
"""

import numpy as np

from paretoball._jit import inlined, kernel

EDGE = 1e-4  # the smallest weight of an objective, of a sum of 1
SPREAD = 8  # for two objectives: middles that lie evenly
CHOICE = 128  # directions whose best solutions are looked up, to find weak places
NEAR = 4  # of the others, with which each of them is compared
REACH = 0.3  # of the way to a random direction, where a random path ends
SOME = 512  # rows that are looked at together
NEARBY = 5  # the middle, two ends, and two places halfway
OTHERS = 8  # further directions, for three objectives and more

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
    value, place = 0.0, 0.5
    while number:
        value += place * (number & 1)
        number >>= 1
        place /= 2
    return value


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
    return np.concatenate(
        [nearby, middle + REACH * (_on_simplex(draws) - middle)], axis=1
    )


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
    best = np.empty(len(tried), np.int64)
    find_best(values, tried, best)
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


@kernel
def find_best(values, weights, best):
    """best[at] = the first row with the largest weighted sum, for weights `at`.

    Some rows at a time: they are read from the cache for all weights.
    """
    d = values.shape[1]
    for first in range(0, len(values), SOME):
        for at in range(len(weights)):
            highest = -np.inf
            if first:
                highest = _weighted(values, best[at], weights, at, d)
            for row in range(first, min(first + SOME, len(values))):
                value = _weighted(values, row, weights, at, d)
                if value > highest:
                    highest = value
                    best[at] = row


@inlined
def _weighted(values, row, weights, at, d):
    """The weighted sum of one row."""
    total = 0.0
    for i in range(d):
        total += float(values[row, i]) * float(weights[at, i])
    return total
