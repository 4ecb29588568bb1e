"""Planning: what paths and fillings start from, and the methods of these units.

Units come in rounds, and two rounds are planned at any time. When all units before a
round are done, the round after it is planned, from the archive as it is then. So nobody
waits at the end of a round, and what a unit starts from depends on numbers alone: not
on the workers, nor on the order in which units end.
"""

from functools import partial
from itertools import islice

import numpy as np

from paretoball.archive import Archive, Points, replayed
from paretoball.climber import WeightSource, score_bounds
from paretoball.landscape import EXACT, Landscape, packed_bits
from paretoball.numerics import spawn
from paretoball.search.method import Asked, Block, Kept, Method, Plan
from paretoball.search.path.directions import (
    CHOICE,
    NEARBY,
    OTHERS,
    Window,
    along_front,
    at_random,
    fanned_out,
    find_best,
    where_weak,
    windows_along,
    windows_around,
    with_others,
)
from paretoball.search.path.effort import MANY, Effort, default_breadth
from paretoball.search.path.searcher import Searcher
from paretoball.search.path.tasks import (
    CHAINED,
    FILL,
    FINEST,
    KEPT_ARRAYS,
    PATH,
    TURNS,
    Tasks,
    no_tasks,
    turns_of,
)

FILL_WORK = 1e7  # of one filling, about
MOST_ROWS = 512  # of one filling
LEAST_ROWS = 20  # the same, however long a visit takes
FILLED = 1.0  # the most work of fillings, of that of paths
PURPOSE = 1000  # of random words for plans; no run draws others with such purposes
DRAWS = 1 << 32  # more than a round has of one purpose
STEPS = 1 << 34  # more than a unit has
LARGE = 2**32  # objectives from here on are compared by what they are beyond others
FEW = 16  # variables, all of whose solutions can be looked at
CELLS = 1 << 20  # solutions times variables or constraints, looked at together
VISITED = "visited"  # the name of what was visited, in checkpoints
CHAINS = "chains"  # and of the units whose moves are chains of flips
LEAST_CHAINED = 1 / 8  # of all units under constraints; and as few without chains
KEPT_NUMBERS = ("round", "round_units", "paths", "path_work", "fill_work")


class _Rounds(Plan):
    """The plan of a run: the tasks of two rounds at a time."""

    def __init__(self, landscape: Landscape, asked: Asked, filled: float = FILLED):
        self.landscape = landscape
        self.entropy = asked.seed
        self.breadth = asked.breadth
        self.filled = filled
        try:
            self.bounds = score_bounds(landscape, landscape.n)
        except OverflowError as error:
            raise OverflowError(f"{error}; method='multistart' needs less") from None
        self.given: WeightSource | None = None
        weights = asked.weights
        if weights is not None and weights != "simplex":
            self.given = WeightSource(weights, landscape, self.bounds, asked.seed)
        self.effort = Effort(landscape, asked.radius, asked.breadth)
        self.first = 0  # unit of the rounds that are planned
        self.units = 0  # of the earlier of these two rounds
        self.paths = 0  # planned so far
        self.path_work = 0  # of all paths planned so far
        self.fill_work = 0  # of all fillings planned so far
        self.both = no_tasks(landscape.n, landscape.d)
        self.visited = np.empty(0, np.int64)  # solutions of the front, by origin
        self.chains = np.empty(0, np.int64)  # units whose moves are chains, so far

    @property
    def planned(self) -> Block:
        """The units that are planned now, in two rounds."""
        return Block(self.first, self.both.units)

    def round_end(self, number: int) -> int:
        """The number after the last unit of the round of a planned unit."""
        middle = self.first + self.units
        return middle if number < middle else self.planned.end

    def tasks(self, block: Block) -> Tasks:
        """What the units of a block of these rounds are to do.

        A block without units, which only greets a worker, may be anywhere.
        """
        if block.size == 0:
            return no_tasks(self.landscape.n, self.landscape.d)
        return self.both.some(block.first - self.first, block.size)

    def kept(self) -> Kept:
        """Both rounds, and what was counted so far."""
        numbers = (self.first, self.units, self.paths, self.path_work, self.fill_work)
        arrays = dict(zip(KEPT_ARRAYS, self.both[1:]))
        arrays |= {VISITED: self.visited, CHAINS: self.chains}
        return Kept(dict(zip(KEPT_NUMBERS, numbers)), arrays)

    def restore(self, kept: Kept, units: int) -> None:
        """Go on with what was kept when `units` units were finished."""
        planned = Tasks(self.landscape.n, *(kept.arrays[name] for name in KEPT_ARRAYS))
        may_chain = bool(self.landscape.constraints)
        planned.check(self.landscape.d, self.bounds, may_chain)
        numbers = [kept.numbers[name] for name in KEPT_NUMBERS]
        first, earlier = numbers[:2]
        if not 0 <= units - first <= earlier <= planned.units <= 2 * self.breadth:
            raise ValueError(f"unit {units} is in none of the rounds that were kept")
        if min(numbers) < 0 or max(numbers[2:]) > EXACT:
            raise ValueError("the numbers that were kept of a plan count nothing")
        self.first, self.units, self.paths, self.path_work, self.fill_work = numbers
        self.both = planned
        self.visited, self.chains = kept.arrays[VISITED], kept.arrays[CHAINS]

    def advance(self, archive: Archive, number: int) -> None:
        """Plan another round, if unit `number` is the first one of the later round."""
        if self.both.units == 0:
            self.both = self._next_round(archive)
            self.units = self.both.units
            self.both = self.both.followed_by(self._next_round(archive))
        elif number == self.first + self.units:
            later = self.both.some(self.units, self.both.units - self.units)
            self.first, self.units, self.both = number, later.units, later
            self.both = later.followed_by(self._next_round(archive))

    def is_whole(self, archive: Archive, number: int) -> bool:
        """Whether no unit from `number` on, where a round begins, can find anything.

        It is asked once anneals are as long as they get, and variables few.
        """
        done = self.paths - int((self.both.kinds & FILL == PATH).sum())
        is_longest = self.effort.of_anneal(done) == self.effort.most
        is_asked = number == self.first and is_longest
        return is_asked and _covers_all(archive, self.landscape)

    def _next_round(self, archive: Archive) -> Tasks:
        """The tasks of another round."""
        found = archive.points()
        is_sorted = self.landscape.d == 2
        keys = found.fx.T[::-1] if is_sorted else (found.step, found.unit)
        found = found.some(np.lexsort(keys))
        fills = self._windows(found)
        round_ = no_tasks(self.landscape.n, self.landscape.d)
        for window in fills:
            round_ = round_.followed_by(self._fill(archive, found, window))
        paths = self.breadth - round_.units
        if paths and not (fills and self.filled == np.inf):
            round_ = round_.followed_by(self._paths(archive, self._ends(found), paths))
        if self.landscape.constraints:
            round_ = self._with_chains(round_, found)
        return round_

    def _with_chains(self, round_: Tasks, found: Points) -> Tasks:
        """Let some units of a round go by chains: their share is that of their points.

        Either way of moving keeps a part of all units, whatever it brought.
        """
        brought = int(np.isin(found.unit, self.chains).sum())
        share = (brought + 1) / (found.size + 2)
        share = min(max(share, LEAST_CHAINED), 1 - LEAST_CHAINED)
        at = np.arange(round_.units + 1) * share + self._random(11, 1)
        is_chained = np.diff(np.floor(at)) > 0
        first = self.planned.end
        self.chains = np.append(self.chains, first + np.flatnonzero(is_chained))
        chained = np.where(is_chained, CHAINED, 0).astype(np.uint8)
        return round_._replace(kinds=round_.kinds | chained)

    def _ends(self, found: Points) -> Points:
        """Where paths begin: with many objectives, at optima: others are too many."""
        optima = found.optimum > 0
        is_some = self.landscape.d >= MANY and optima.any()
        return found.some(optima) if is_some else found

    # Fillings.

    def _windows(self, found: Points) -> list[Window]:
        """What to fill in this round: nothing, unless all that is new can be visited.

        At most half of the units are fillings, unless there is nothing but them.
        """
        if self.landscape.d == 1 or self.given is not None or not found.size:
            return []
        origins = found.unit * STEPS + found.step
        fresh = ~np.isin(origins, self.visited)
        self.visited = origins[~fresh]
        work = int(fresh.sum()) * self.effort.visit
        left = self.filled * self.path_work - self.fill_work
        if work == 0 or work > left:
            return []
        most = int(np.clip(FILL_WORK / self.effort.visit, LEAST_ROWS, MOST_ROWS))
        count = self.breadth if self.filled == np.inf else max(1, self.breadth // 2)
        if self.landscape.d == 2:
            chosen = list(islice(windows_along(found.fx, fresh, most), count))
        else:
            values = _near_zero(found.fx) / self._spans(found.fx)
            draws = self._random(9, count)
            chosen = list(windows_around(values, fresh, draws, most))
        for window in chosen:
            new = origins[window.rows[window.wanted]]
            self.visited = np.append(self.visited, new)
            self.fill_work += int(window.wanted.sum() * self.effort.visit)
        self.visited.sort()
        return chosen

    def _fill(self, archive: Archive, found: Points, window: Window) -> Tasks:
        """The task of one filling."""
        n, d, rows = self.landscape.n, self.landscape.d, window.rows
        X = replayed(archive.trails, found.unit[rows], found.step[rows], n)
        return Tasks(
            n,
            np.array([FILL], np.uint8),
            np.array([self.paths]),
            np.ones((1, turns_of(d), d), np.int64),
            np.array([len(rows)]),
            packed_bits(X),
            found.fx[rows],
            window.wanted.astype(np.uint8),
        )

    # Paths.

    def _paths(self, archive: Archive, found: Points, paths: int) -> Tasks:
        """The tasks of some paths."""
        n, d = self.landscape.n, self.landscape.d
        numbers = np.arange(self.paths, self.paths + paths)
        nearby = self._directions(found.fx, numbers)
        self.paths += paths
        self.path_work += sum(self.effort.of_path(int(path)) for path in numbers)
        weights = nearby[:, : turns_of(d)].copy()
        tasks = no_tasks(n, d, paths)._replace(paths=numbers, weights=weights)
        if not found.size:
            return tasks
        near = nearby.shape[1]
        best = find_best(_near_zero(found.fx), nearby.reshape(near * paths, d))
        X = replayed(archive.trails, found.unit[best], found.step[best], n)
        return tasks._replace(
            ends=near * np.arange(1, paths + 1),
            solutions=packed_bits(X),
            values=found.fx[best],
            wanted=np.zeros(len(best), np.uint8),
        )

    def _directions(self, fx: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        """The middle, the ends, and more nearby: (paths, NEARBY or more, d) int64."""
        d, paths = self.landscape.d, len(numbers)
        if self.given is not None:
            count = max(NEARBY, turns_of(d))
            return np.repeat(self.given.draw(numbers)[:, None], count, axis=1)
        if d == 1:
            return np.ones((paths, NEARBY, 1), np.int64)
        spans = self._spans(fx)
        if d == 2:
            return self.whole(np.stack([along_front(i) for i in numbers]) / spans)
        weak = np.empty((0, NEARBY, d))
        if len(fx):
            values = _near_zero(fx) / spans
            weak = where_weak(values, self._random(3, CHOICE, d), paths // 2)
        rest = paths - len(weak)
        others = at_random(self._random(5, rest, TURNS, d))
        nearby = np.concatenate([weak, others])
        if d >= MANY:
            draws = self._random(7, paths, turns_of(d) - TURNS, d)
            return self.whole(fanned_out(nearby[:, :TURNS], draws) / spans)
        draws = self._random(7, paths, OTHERS, d)
        return self.whole(with_others(nearby, draws) / spans)

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

    def _random(self, purpose: int, *shape: int) -> np.ndarray:
        """Uniform numbers between 0 and 1 that belong to this round."""
        count = int(np.prod(shape))
        numbers = self.planned.end * DRAWS + np.arange(count)
        words = spawn(self.entropy, numbers, PURPOSE + purpose)
        return np.asarray((words >> np.uint64(11)) * 2.0**-53).reshape(shape)


def _near_zero(fx: np.ndarray) -> np.ndarray:
    """Vectors to compare as floats: large ones less the first, or they are rounded."""
    return fx - fx[0] if np.abs(fx).max() > LARGE else fx


def _covers_all(archive: Archive, landscape: Landscape) -> bool:
    """Whether no solution is left to find; False where variables are more than a few.

    All of them are looked at, in parts: an archive in which each has a vector that
    dominates or equals its own cannot grow any more.
    """
    n = landscape.n
    if n > FEW:
        return False
    some = max(1, CELLS // max(n, len(landscape.constraints)))
    known, found = set(map(tuple, archive.points().fx.tolist())), archive.copy()
    for first in range(0, 1 << n, some):
        numbers = np.arange(first, min(first + some, 1 << n))
        X = (numbers[:, None] >> np.arange(n) & 1).astype(np.uint8)
        if landscape.constraints:
            X = X[landscape.is_feasible(X)]
        fx = landscape.inside(landscape.evaluate(X))
        none = np.zeros(len(X), np.int64)
        found.take_in(Points(fx, none, none, none))
        if set(map(tuple, found.points().fx.tolist())) != known:
            return False
    return True


METHOD = Method(
    name="path",
    unit="path",
    breadth=lambda landscape: default_breadth(landscape.n, landscape.d),
    plan=partial(_Rounds, filled=FILLED),
    searcher=Searcher,
    kept_numbers=KEPT_NUMBERS,
    kept_arrays={**KEPT_ARRAYS, VISITED: "int64", CHAINS: "int64"},
)
PLS = METHOD._replace(name="pls", plan=partial(_Rounds, filled=float("inf")))
