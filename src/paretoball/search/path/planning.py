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

FEWEST, MOST = 4, 64  # paths in a round
GROWTH = 8  # a round has this share of all paths before it
EDGE = 1e-4  # the smallest weight of an objective, of a sum of 1
DIVISIONS = 21  # of the simplex lattice, for three objectives and more
STEPS = 7  # of the lattice, from the near end of a path to its far end
CHOICE = 2  # lines to choose from, for each path
FINEST = 2.0**40  # of weights
PURPOSE = 1000  # of random words for plans; no run draws others with such purposes
ROUND = "round"  # the name of the round's first path, in checkpoints
KEPT_ARRAYS = {"round_weights": "int64", "round_solutions": "uint8"}


class PathTask(NamedTuple):
    """What one path is to do."""

    near: np.ndarray  # (d,) int64: the weights at its start
    far: np.ndarray  # (d,) int64: and at its end
    start: np.ndarray | None  # (n,) uint8; None is the run's own start, or at random
    goal: np.ndarray | None  # (n,) uint8: the best known for the far weights


class PathTasks(NamedTuple):
    """What the paths of a block are to do."""

    n: int
    weights: np.ndarray  # (paths, 2, d) int64: near, far
    solutions: np.ndarray  # (paths or none, 2, n / 8) uint8: start and goal, packed

    def __len__(self) -> int:
        return len(self.weights)

    def is_first(self) -> bool:
        """Whether there was nothing to start from."""
        return len(self.solutions) == 0

    def row(self, at: int, numbering: Numbering | None = None) -> PathTask:
        """What one of them is to do, where variables have these numbers."""
        near, far = self.weights[at]
        if self.is_first():
            return PathTask(near, far, None, None)
        both = unpacked_bits(self.solutions[at], self.n)
        if numbering is not None:
            both = numbering.inward(both)
        return PathTask(near, far, both[0], both[1])

    def some(self, first: int, count: int) -> "PathTasks":
        """Those of `count` paths from `first` on."""
        rows = slice(first, first + count)
        return PathTasks(self.n, self.weights[rows], self.solutions[rows])


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
        self.planned = self._without_solutions(np.empty((0, 2, landscape.d), np.int64))

    @property
    def round(self) -> Block:
        """The paths that are planned now."""
        return Block(self.first, len(self.planned.weights))

    def tasks(self, block: Block) -> PathTasks:
        """What the paths of a block of this round are to do."""
        return self.planned.some(block.first - self.first, block.size)

    def kept(self) -> Kept:
        """The number of the round's first path, and what all its paths are to do."""
        arrays = self.planned.weights, self.planned.solutions
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
        shape = (len(weights), 2, self.landscape.d)
        if weights.shape != shape or not 0 <= done <= len(weights) <= MOST:
            raise ValueError(
                f"round_weights has shape {weights.shape}, with {done} done"
            )
        reach = (weights.astype(object) * self.bounds).sum(axis=2).max(initial=0)
        turn = np.abs(np.diff(weights, axis=1)).max(initial=0)
        if (weights < 1).any() or reach >= 2 * EXACT or turn > FINEST:
            raise ValueError(
                "round_weights holds what are no weights of this landscape"
            )
        rows = 0 if planned.is_first() else len(weights)
        if solutions.shape != (rows, 2, -(-self.landscape.n // 8)):
            raise ValueError(f"round_solutions has shape {solutions.shape}")

    def advance(self, archive: Archive, number: int) -> None:
        """Plan the next round, if path `number` is its first path."""
        if number < self.round.end:
            return
        self.first = number
        paths = min(max(FEWEST, number // GROWTH), MOST)
        found = archive.points()
        found = found.some(np.lexsort(found.fx.T[::-1]))
        fx = found.fx
        weights = self._weights(fx, paths)
        if len(fx) == 0:
            self.planned = self._without_solutions(weights)
            return
        best = np.empty(2 * paths, np.int64)
        _find_best(fx, weights.reshape(2 * paths, -1), best)
        n, units, steps = self.landscape.n, found.unit[best], found.step[best]
        packed = packed_bits(replayed(archive.trails, units, steps, n))
        self.planned = PathTasks(n, weights, packed.reshape(paths, 2, -1))

    def _without_solutions(self, weights: np.ndarray) -> PathTasks:
        n = self.landscape.n
        return PathTasks(n, weights, np.empty((0, 2, -(-n // 8)), np.uint8))

    def _weights(self, fx: np.ndarray, paths: int) -> np.ndarray:
        """Near and far weights of `paths` paths: (paths, 2, d) int64."""
        if self.given is not None:
            numbers = np.arange(self.first, self.first + paths)
            return np.repeat(self.given.draw(numbers)[:, None], 2, axis=1)
        if self.landscape.d == 1:
            return np.ones((paths, 2, 1), np.int64)
        if self.landscape.d != 2:
            return self.whole(self._lattice_lines(fx, paths))
        turns = self._turns_along(fx, paths)
        lines = np.stack([turns[:-1], turns[1:]], axis=1)
        if self._random(1)[0] < 0.5:  # so that solutions spread in both directions
            lines = lines[:, ::-1]
        return self.whole(np.stack([lines, 1 - lines], axis=2) / self._spans(fx))

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

    def _turns_along(self, fx: np.ndarray, paths: int) -> np.ndarray:
        """For two objectives: the share of the first one's weight, from path to path.

        All paths cover the same length of the front, measured from point to point. So
        most paths go where the front is long or thin. In every round they meet at other
        places.
        """
        cuts = np.arange(paths + 1) / paths
        if len(fx) > 1:
            offset = self._random(1, purpose=1)[0] - 0.5
            cuts = np.clip(cuts + offset / paths, 0.0, 1.0)
            spans = self._spans(fx)
            steps = (np.abs(np.diff(fx, axis=0)) / spans).sum(axis=1)
            length = np.append(0, np.cumsum(steps))
            corners = np.empty(len(fx), np.int64)
            corners = corners[: _list_corners(fx, corners)]
            middle = (length[corners[1:]] + length[corners[:-1]]) / 2 / length[-1]
            rise, fall = np.diff(fx[corners], axis=0).T / spans[:, None]
            turns = -fall / (rise - fall)
            cuts = np.interp(cuts, np.r_[0, middle, 1], np.r_[0, turns, 1])
        return np.clip(cuts, EDGE, 1 - EDGE)

    def _lattice_lines(self, fx: np.ndarray, paths: int) -> np.ndarray:
        """For other numbers of objectives: straight walks on a simplex lattice.

        Lines are drawn at random; those whose ends are far apart on the front are more
        likely to be chosen.
        """
        d, count = self.landscape.d, CHOICE * paths
        cuts = np.stack([self._random(count, 2 + i) for i in range(d - 1)], axis=1)
        cuts = np.sort(cuts, axis=1)
        near = np.floor(np.diff(cuts, axis=1, prepend=0.0, append=1.0) * DIVISIONS)
        near[:, -1] += DIVISIONS - near.sum(axis=1)
        from_, rows = near.argmax(axis=1), np.arange(count)
        other = 1 + np.floor(self._random(count, 1 + d) * (d - 1)).astype(np.int64)
        steps = np.minimum(STEPS, near[rows, from_])
        far = near.copy()
        far[rows, from_] -= steps
        far[rows, (from_ + other) % d] += steps
        lines = np.maximum(np.stack([near, far], axis=1) / DIVISIONS, EDGE)
        lines /= self._spans(fx)
        if len(fx) == 0:
            return lines[:paths]
        ends = np.empty(2 * count, np.int64)
        _find_best(fx, self.whole(lines).reshape(2 * count, d), ends)
        gaps = np.abs(np.diff(fx[ends].reshape(count, 2, d), axis=1))[:, 0]
        chances = np.cumsum((gaps / self._spans(fx)).sum(axis=1) + 1 / DIVISIONS)
        ticks = (np.arange(paths) + self._random(1, purpose=1)) / paths * chances[-1]
        return lines[np.searchsorted(chances, ticks)]


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
