"""Planning: where paths start and end, given what was found before.

Paths come in rounds. What the paths of a round start from is planned from the archive
after the round before. So it depends on the numbers of paths alone, and not on the
workers, nor on the order in which paths end.
"""

from typing import Any, NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.archive import Archive, replayed
from paretoball.climber import WeightSource, score_bounds
from paretoball.landscape import (
    EXACT,
    Landscape,
    Numbering,
    packed_bits,
    unpacked_bits,
)
from paretoball.numerics import spawn
from paretoball.search.method import Block, Kept

FEWEST, MOST = 8, 64  # paths in a round
SPREAD = 8  # directions among which the effort is shared
EDGE = 1e-4  # the smallest weight of an objective, of a sum of 1
FINEST = 2.0**40  # of weights
PURPOSE = 1000  # of random words for plans; no run draws others with such purposes
TURNS = 3  # directions of a path: the middle and two ends
KNOWN = 5  # solutions that a path is told, the first is where it starts
ROUND = "round"  # the name of the round's first path, in checkpoints
KEPT_ARRAYS = {
    "round_weights": "int64",
    "round_solutions": "uint8",
    "round_values": "int64",
}


class PathTask(NamedTuple):
    """What one path is to do."""

    turns: np.ndarray  # (TURNS, d) int64: the weights of its middle and its ends
    known: np.ndarray  # (KNOWN, n) uint8; or none: start at random, or as the run says
    known_fx: np.ndarray  # (KNOWN, d) int64: their objectives


class PathTasks(NamedTuple):
    """What the paths of a block are to do."""

    n: int
    weights: np.ndarray  # (paths, TURNS, d) int64
    solutions: np.ndarray  # (paths, KNOWN or 0, n / 8) uint8: packed
    values: np.ndarray  # (paths, KNOWN or 0, d) int64

    def __len__(self) -> int:
        return len(self.weights)

    def row(self, at: int, numbering: Numbering | None = None) -> PathTask:
        """What one of them is to do, where variables have these numbers."""
        known = unpacked_bits(self.solutions[at], self.n)
        if numbering is not None:
            known = numbering.inward(known)
        return PathTask(self.weights[at], known, self.values[at])

    def some(self, first: int, count: int) -> "PathTasks":
        """Those of `count` paths from `first` on."""
        rows = slice(first, first + count)
        return PathTasks(
            self.n, self.weights[rows], self.solutions[rows], self.values[rows]
        )


class Rounds:
    """The plan of a run of paths: the tasks of one round after the other."""

    def __init__(self, landscape: Landscape, weights: Any, entropy: int):
        self.landscape = landscape
        self.entropy = entropy
        try:
            self.bounds = score_bounds(landscape, landscape.n)
        except OverflowError as error:
            raise OverflowError(f"{error}; method='multistart' needs less") from None
        self.given: WeightSource | None = None
        if weights is not None and weights != "simplex":
            self.given = WeightSource(weights, landscape, self.bounds, entropy)
        self.first = 0  # path of the round
        self.planned = self._without_solutions(
            np.empty((0, TURNS, landscape.d), np.int64)
        )

    @property
    def round(self) -> Block:
        """The paths that are planned now."""
        return Block(self.first, len(self.planned.weights))

    def tasks(self, block: Block) -> PathTasks:
        """What the paths of a block of this round are to do."""
        return self.planned.some(block.first - self.first, block.size)

    def kept(self) -> Kept:
        """The number of the round's first path, and what all its paths are to do."""
        arrays = self.planned[1:]
        return Kept({ROUND: self.first}, dict(zip(KEPT_ARRAYS, arrays)))

    def restore(self, kept: Kept, units: int) -> None:
        """Go on with what was kept when `units` paths were finished."""
        arrays = (kept.arrays[name] for name in KEPT_ARRAYS)
        planned = PathTasks(self.landscape.n, *arrays)
        self._check(planned, units - kept.numbers[ROUND])
        self.first, self.planned = kept.numbers[ROUND], planned

    def _check(self, planned: PathTasks, done: int) -> None:
        """Refuse tasks that do not fit this landscape, or fewer than `done` tasks."""
        weights, solutions = planned.weights, planned.solutions
        shape = (len(weights), TURNS, self.landscape.d)
        if weights.shape != shape or not 0 <= done <= len(weights) <= MOST:
            raise ValueError(
                f"round_weights has shape {weights.shape}, with {done} done"
            )
        reach = (weights.astype(object) * self.bounds).sum(axis=2).max(initial=0)
        turn = np.abs(weights - weights[:, :1]).max(initial=0)
        if (weights < 1).any() or reach >= 2 * EXACT or turn > FINEST:
            raise ValueError(
                "round_weights holds what are no weights of this landscape"
            )
        known = solutions.shape[1] if solutions.ndim == 3 else -1
        if known not in (0, KNOWN) or solutions.shape != (
            len(weights),
            known,
            -(-self.landscape.n // 8),
        ):
            raise ValueError(f"round_solutions has shape {solutions.shape}")
        if planned.values.shape != (len(weights), known, self.landscape.d):
            raise ValueError(f"round_values has shape {planned.values.shape}")

    def advance(self, archive: Archive, number: int) -> None:
        """Plan the next round, if path `number` is its first path."""
        if number < self.round.end:
            return
        self.first = number
        paths = FEWEST
        found = archive.points()
        found = found.some(np.lexsort(found.fx.T[::-1]))
        fx = found.fx
        weights, nearby = self._weights(fx, paths)
        if len(fx) == 0:
            self.planned = self._without_solutions(weights)
            return
        best = np.empty(KNOWN * paths, np.int64)
        _find_best(fx, nearby.reshape(KNOWN * paths, -1), best)
        n, units, steps = self.landscape.n, found.unit[best], found.step[best]
        packed = packed_bits(replayed(archive.trails, units, steps, n))
        self.planned = PathTasks(
            n,
            weights,
            packed.reshape(paths, KNOWN, -1),
            fx[best].reshape(paths, KNOWN, -1),
        )

    def _without_solutions(self, weights: np.ndarray) -> PathTasks:
        n, d, paths = self.landscape.n, self.landscape.d, len(weights)
        nothing = np.empty((paths, 0, -(-n // 8)), np.uint8)
        return PathTasks(n, weights, nothing, np.empty((paths, 0, d), np.int64))

    def _weights(self, fx: np.ndarray, paths: int) -> tuple[np.ndarray, np.ndarray]:
        """The turns of `paths` paths, (paths, TURNS, d); and KNOWN directions nearby."""
        numbers = np.arange(self.first, self.first + paths)
        if self.given is not None or self.landscape.d == 1:
            if self.given is not None:
                fixed = self.given.draw(numbers)[:, None]
            else:
                fixed = np.ones((paths, 1, 1), np.int64)
            return np.repeat(fixed, TURNS, axis=1), np.repeat(fixed, KNOWN, axis=1)
        if self.landscape.d == 2:
            middle = np.array([_direction(number) for number in numbers])
            width = 1 / SPREAD
            offsets = np.array([0, width, -width, width / 2, -width / 2])
            shares = np.clip(middle[:, None] + offsets, EDGE, 1 - EDGE)
            nearby = np.stack([shares, 1 - shares], axis=2)
        else:
            nearby = self._around(numbers)
        nearby = self.whole(nearby / self._spans(fx))
        return nearby[:, :TURNS].copy(), nearby

    def _around(self, numbers: np.ndarray) -> np.ndarray:
        """For three objectives and more: a direction, and four around it."""
        d = self.landscape.d
        draws = np.stack([self._random(len(numbers), 2 + i) for i in range(d)], axis=1)
        middle = -np.log(1 - draws)
        middle /= middle.sum(axis=1, keepdims=True)
        others = []
        for k in range(2):
            draws = np.stack([self._random(len(numbers), 100 + 50 * k + i) for i in range(d)], axis=1)
            other = -np.log(1 - draws)
            other /= other.sum(axis=1, keepdims=True)
            others.append(middle + 0.3 * (other - middle))
        halves = [(middle + other) / 2 for other in others]
        return np.maximum(np.stack([middle, *others, *halves], axis=1), EDGE)

    def whole(self, weights: np.ndarray) -> np.ndarray:
        """Weights as integers, such that w · any change of f is exact."""
        reach = (weights * self.bounds).sum(axis=-1, keepdims=True)
        largest = weights.max(axis=-1, keepdims=True)
        factor = np.minimum(EXACT / 4 / reach, FINEST / largest)
        return np.maximum(1, np.rint(weights * factor)).astype(np.int64)

    def _spans(self, fx: np.ndarray) -> np.ndarray:
        """The range of each objective: that of the front, or at first of all of f."""
        if len(fx) > 1 and (np.ptp(fx, axis=0) > 0).all():
            return np.ptp(fx, axis=0).astype(np.float64)
        return np.maximum(np.array(self.landscape.spreads[1], np.float64), 1.0)

    def _random(self, count: int, purpose: int = 0) -> np.ndarray:
        """Uniform numbers between 0 and 1 that belong to this round."""
        numbers = count * self.first + np.arange(count)
        words = spawn(self.entropy, numbers, PURPOSE + purpose)
        return np.asarray((words >> np.uint64(11)) * 2.0**-53)


def _direction(number: int) -> float:
    """The share of the first objective's weight, in the middle of path `number`."""
    return _radical_inverse(number % SPREAD) + (
        _radical_inverse(number // SPREAD) / SPREAD
    )


def _radical_inverse(number: int) -> float:
    """van der Corput's sequence in base 2: bits mirrored behind the point."""
    value, place = 0.0, 0.5
    while number:
        value += place * (number & 1)
        number >>= 1
        place /= 2
    return value


@kernel
def _find_best(fx, weights, best):
    """best[at] = the first row with the largest w · f, for weights number `at`."""
    for at in range(len(weights)):
        highest = -np.inf
        for row in range(len(fx)):
            value = 0.0
            for i in range(fx.shape[1]):
                value += float(fx[row, i]) * float(weights[at, i])
            if value > highest:
                highest = value
                best[at] = row


@kernel
def _list_corners(fx, corners):
    """The corners of the upper hull, of points that ascend; how many there are."""
    count = 0
    for row in range(len(fx)):
        while count > 1 and not _turns_right(fx, corners[count - 2 : count], row):
            count -= 1
        corners[count] = row
        count += 1
    return count


@inlined
def _turns_right(fx, pair, row):
    """Whether the way from the first of a pair past the second to `row` turns right."""
    across = float(fx[pair[1], 0] - fx[pair[0], 0])
    up = float(fx[pair[1], 1] - fx[pair[0], 1])
    there = float(fx[row, 0] - fx[pair[0], 0])
    high = float(fx[row, 1] - fx[pair[0], 1])
    return across * high - up * there < 0.0
