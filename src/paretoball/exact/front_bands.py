"""Bands: the whole front, by passes that keep what ends close below its hull.

Most vectors cannot become more than a point far below the convex hull. So a pass keeps
what ends within a band below it, first a narrow one. What dominates a point of a band
is in the band, too; so a pass finds points of the front only, and all that are in the
band. The corners of what is known tell where other points can be. The next band is wide
enough for them, or twice as wide as before. Once all corners are within bands that were
searched, the whole front is known.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from paretoball.exact.band_file import Known, read_bands, write_bands
from paretoball.exact.best_completions import (
    Completions,
    completions_of,
    entries_of,
)
from paretoball.exact.front_bounding import bound_of, gaps_below, prune
from paretoball.exact.front_corners import corners_between, corners_of
from paretoball.exact.front_elimination import Budget, Elimination, GivenUp, Pass
from paretoball.exact.front_tables import Space
from paretoball.exact.front_weights import Weights, spread_weights, weights_along
from paretoball.exact.supported_front import Solver, extreme_points, search_hull
from paretoball.formats import PathLike
from paretoball.landscape import Landscape
from paretoball.system import available_memory, check_memory, counted

FEW = 1 << 20  # vectors that are made before bands are worth their preparation
FEW_EACH = 8  # the same, for each entry of all tables
MOST_WEIGHTS = 150
FEWEST_WEIGHTS = 4  # with which bands are of use
COMPLETIONS = 1 << 27  # numbers that all weights together take at most
FIRST_BAND = 1 / 32  # of what the hull alone leaves possible, for two objectives
FIRST_SHARE = 1 / 512  # of how far values vary, for more objectives
WIDER = 2.0  # how much wider the next band is at most

Tell = Callable[[str, float], None]


class Kept:
    """What is kept on disk between two bands, if anything."""

    def __init__(self, landscape: Landscape, path: PathLike | None):
        self.landscape = landscape
        self.path = path
        self.known = None if path is None else read_bands(path, landscape)

    def keep(self, known: Known) -> None:
        """Write what is known now."""
        if self.path is not None:
            write_bands(self.path, self.landscape, known)


class Found(NamedTuple):
    """The whole front."""

    points: np.ndarray  # (size, d) int64: in steps above the lowest, descending
    bits: np.ndarray  # (size, n / 8) uint8: a packed solution for each
    made: int  # vectors, by all passes


class _Lines(NamedTuple):
    """Weights, and what they tell of an elimination."""

    weights: Weights
    completions: Completions

    def gaps(self, known: Known) -> np.ndarray | None:
        """How wide a band has to be for all that is not known; None if it is unclear.

        That is -1 for weights that have nothing to look for.
        """
        two = known.points.shape[1] == 2
        corners = corners_between(known.points) if two else corners_of(known.points)
        if corners is None:
            return None
        return gaps_below(self.weights, self.completions.best, corners, known.covered)

    def allowed(self, known: Known) -> np.ndarray:
        """How wide the next band may be: with more points known, less is needed."""
        lengths, covered = self.weights.lengths, known.covered
        share = float((covered / lengths)[covered >= 0].mean())
        one_step = self.weights.w.sum(axis=1)
        return np.maximum(covered * WIDER, share * lengths) + one_step


def whole_front(solver: Solver, d: int, most: int, tell: Tell, kept: Kept) -> Found:
    """The whole front, with at most so many vectors made."""
    tables = solver.tables
    if d == 1:  # one objective is two, of which the second is 0
        tables = np.hstack([tables, np.zeros_like(tables)])
    elimination = Elimination(solver.schedule, tables)
    budget = Budget(most, available_memory() // 2)
    if d == 1:
        return _unbounded(elimination, budget, tell)
    few = max(FEW, FEW_EACH * int(entries_of(elimination.steps)[-1]))
    try:
        return _unbounded(elimination, budget._replace(vectors=min(most, few)), tell)
    except GivenUp:
        if most <= few:
            raise
    if d == 2:
        found = _below_hull(solver, elimination, budget, tell, kept)
    else:
        found = _below_weights(solver, elimination, budget, tell, kept)
    return found or _unbounded(elimination, budget, tell)


def _unbounded(elimination: Elimination, budget: Budget, tell: Tell) -> Found:
    """The front, by a pass that keeps all that is not dominated."""
    done = elimination.front(budget, None, _telling(tell, "eliminating"))
    return Found(done.values, done.solutions(done.values), elimination.made)


def _below_hull(
    solver: Solver, elimination: Elimination, budget: Budget, tell: Tell, kept: Kept
) -> Found | None:
    """The front of two objectives, by bands below its hull; None if they are no use."""
    found = search_hull(
        solver.best,
        2,
        lambda points, settled: tell(f"hull: {counted(points, 'corner')}", settled),
    )
    corners = extreme_points(list(found))[::-1]
    hull, bits = np.array(corners), np.array([found[corner] for corner in corners])
    hull -= np.array(solver.lowest)
    most = _most_weights(elimination)
    if len(hull) < FEWEST_WEIGHTS or most < FEWEST_WEIGHTS:
        return None
    weights = weights_along(hull[::-1], most)
    if len(weights.w) == 0:
        return None
    lines = _Lines(weights, _completed(elimination, weights.w))
    known = Known(hull, bits, np.full(len(weights.w), -1.0))
    return _within_bands(elimination, budget, lines, known, tell, kept)


def _below_weights(
    solver: Solver, elimination: Elimination, budget: Budget, tell: Tell, kept: Kept
) -> Found | None:
    """The same for three objectives or more, with weights that are evenly spread."""
    most, d = _most_weights(elimination), elimination.d
    if most < max(FEWEST_WEIGHTS, 2 * d):
        return None
    tell("bounding", 0.0)
    both_ways = np.vstack([np.eye(d), -np.eye(d)])
    ends = _completed(elimination, both_ways).best
    weights = spread_weights(np.maximum(ends[:d] + ends[d:], 1.0), most)
    lines = _Lines(weights, _completed(elimination, weights.w))
    nothing = np.empty((0, -(-len(solver.schedule.variables) // 8)), np.uint8)
    covered = np.full(len(weights.w), -1.0)
    known = Known(np.empty((0, d), np.int64), nothing, covered)
    return _within_bands(elimination, budget, lines, known, tell, kept)


def _most_weights(elimination: Elimination) -> int:
    """How many weights there is room for."""
    return min(MOST_WEIGHTS, COMPLETIONS // int(entries_of(elimination.steps)[-1]))


def _completed(elimination: Elimination, w: np.ndarray) -> Completions:
    """The best completions for these weights."""
    entries = int(entries_of(elimination.steps)[-1])
    check_memory("bounds of the elimination take", 8 * entries * len(w))
    return completions_of(
        elimination.steps, elimination.schedule, elimination.tables, w
    )


def _within_bands(
    elimination: Elimination,
    budget: Budget,
    lines: _Lines,
    known: Known,
    tell: Tell,
    kept: Kept,
) -> Found | None:
    """The whole front, band by band; None if its corners are too many."""
    known = kept.known or known
    for number in range(1, 1000):
        needed = lines.gaps(known)
        if needed is None:
            return None
        if (needed < 0).all():
            break
        gaps = _next_band(lines, known, needed)
        bound = bound_of(lines.weights, lines.completions, gaps)

        def drop(number: int, space: Space, bound=bound) -> None:
            prune(bound, number, space, 1 << len(elimination.steps[number].scope))

        done = elimination.front(budget, drop, _telling(tell, f"band {number}"))
        known = _with_more(known, done, gaps)
        kept.keep(known)
    return Found(known.points, known.bits, elimination.made)


def _next_band(lines: _Lines, known: Known, needed: np.ndarray) -> np.ndarray:
    """How far below the best the next band reaches, for each weight."""
    if not len(known.points):
        return lines.weights.lengths * FIRST_SHARE
    is_first = (known.covered < 0).all()
    allowed = needed * FIRST_BAND if is_first else lines.allowed(known)
    return np.where(needed < 0, needed, np.minimum(needed, allowed))


def _with_more(known: Known, done: Pass, gaps: np.ndarray) -> Known:
    """What is known after a pass."""
    points = np.concatenate([known.points, done.values])
    _, first = np.unique(points, axis=0, return_index=True)
    new = np.sort(first[first >= len(known.points)])
    bits = np.concatenate([known.bits, done.solutions(points[new])])
    at = np.arange(len(points))
    at[new] = len(known.points) + np.arange(len(new))
    first = first[::-1]
    covered = np.maximum(known.covered, gaps)
    return Known(points[first], bits[at[first]], covered)


def _telling(tell: Tell, name: str) -> Callable[[int, int, int], None]:
    """What tells how far a pass is."""

    def of_step(number: int, steps: int, made: int) -> None:
        tell(
            f"{name}: step {number + 1:,} of {counted(steps, 'step')}, "
            f"{counted(made, 'vector')}",
            (number + 1) / steps,
        )

    return of_step
