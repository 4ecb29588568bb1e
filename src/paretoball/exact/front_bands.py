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

from paretoball.exact.band_file import Known, check_bands, read_bands, write_bands
from paretoball.exact.best_completions import (
    Completions,
    best_values,
    completions_of,
)
from paretoball.exact.front_bounding import (
    Bound,
    bound_of,
    drop_infeasible,
    gaps_below,
    prune,
)
from paretoball.exact.front_corners import corners_between, corners_of
from paretoball.exact.front_elimination import Budget, Elimination, GivenUp, Pass
from paretoball.exact.front_tables import Space
from paretoball.exact.front_weights import Weights, spread_weights, weights_along
from paretoball.exact.lagrange_multipliers import multipliers_of
from paretoball.exact.supported_front import Solver, extreme_points, search_hull
from paretoball.formats import PathLike, refusing
from paretoball.landscape import Landscape
from paretoball.system import Pulse, available_memory, counted

FEW = 1 << 20  # vectors that are made before bands are worth their preparation
FEW_OF_MORE = 1 << 17  # the same, for more than two objectives or with constraints
FEW_EACH = 8  # the same, for each entry of all tables
MOST_WEIGHTS = 150
FEWEST_WEIGHTS = 4  # with which bands are of use
COMPLETIONS = 1 << 27  # numbers that all weights together take at most
FIRST_BAND = 1 / 32  # of what the hull alone leaves possible, for two objectives
FIRST_SHARE = 1 / 4096  # of how far values vary, for more objectives
WIDER = 2.0  # how much wider the next band is at most

Tell = Callable[[str, float], None]


class Kept:
    """What is kept on disk between two bands, if anything."""

    def __init__(self, landscape: Landscape, path: PathLike | None):
        self.landscape = landscape
        self.path = path
        self.known = None if path is None else read_bands(path, landscape)

    def begun(self, own: Known, solver: Solver) -> Known:
        """What an earlier run has left; `own` if there was none."""
        if self.path is None or self.known is None:
            return own
        with refusing(self.path):
            lowest = solver.lowest[: self.landscape.d]
            check_bands(self.known, own, self.landscape, lowest)
        return self.known

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
    multipliers: np.ndarray  # (weights, columns) float64: of constraints
    best: np.ndarray  # (weights,) float64: what no w · f exceeds
    completions: Completions  # for weights and multipliers

    def gaps(self, known: Known, run: "_Run") -> np.ndarray | None:
        """How wide a band has to be for all that is not known; None if it is unclear.

        That is -1 for weights that have nothing to look for.
        """
        has_ends = self.multipliers.shape[1] == 0 and known.points.shape[1] == 2
        if has_ends:
            corners = corners_between(known.points)
        else:
            found = corners_of(known.points, run.spend, run.of.room - run.of.held)
            if found is None:
                return None
            corners = found
        return gaps_below(self.weights, self.best, corners, known.covered, run.spend)

    def next_band(self, known: Known, needed: np.ndarray) -> np.ndarray:
        """How far below the best the next band reaches, for each weight.

        It is not much wider than before: with more points known, less is needed.
        """
        lengths, covered = self.weights.lengths, known.covered
        if (covered < 0).all():
            if len(known.points):
                return np.where(needed < 0, needed, needed * FIRST_BAND)
            return lengths * FIRST_SHARE
        share = float((covered / lengths)[covered >= 0].mean())
        wider = np.maximum(covered * WIDER, share * lengths)
        wider += self.weights.w.sum(axis=1)  # one step at least
        if not len(known.points):
            return wider
        return np.where(needed < 0, needed, np.minimum(needed, wider))


class _Run:
    """All passes over one landscape."""

    def __init__(self, of: Elimination, budget: Budget, tell: Tell):
        self.of = of
        self.budget = budget
        self.tell = tell
        wanted = np.eye(of.columns, dtype=np.int64)[of.d :]
        self.reach = completions_of(of, wanted, self.spend) if len(of.needs) else None

    def front(self, name: str, bound: Bound | None, most: int | None = None) -> Pass:
        """A pass that keeps what may be feasible, and is not below the bound.

        What rounding alone has kept may be dominated by what rounding has dropped. So
        the points of the last step are kept with half of the slack only: what dominates
        one of these was kept at every step.
        """
        last = len(self.of.steps) - 1

        def drop(number: int, space: Space, pulse: Pulse) -> None:
            if self.reach is not None:
                drop_infeasible(self.of.needs, self.reach, number, space, pulse)
            if bound is not None:
                share = 0.5 if number == last else 1.0
                within = bound._replace(slack=share * bound.slack)
                prune(within, number, space, pulse)

        most = self.budget.vectors if most is None else most
        budget, tell = self.budget._replace(vectors=most), _telling(self.tell, name)
        no_drop = self.reach is None and bound is None
        return self.of.front(budget, None if no_drop else drop, tell)

    def whole(self, most: int | None = None) -> Found:
        """The front, by a pass that keeps all that is not dominated."""
        done = self.front("eliminating", None, most)
        return Found(
            done.values[:, : self.of.d], done.solutions(done.values), self.of.made
        )

    def spend(self, compared: int) -> None:
        """Count comparisons of what passes need; look at the clock."""
        self.of.compared += compared
        self.tell("bounding", 0.0)
        self.of.check_made(self.budget.vectors, "its bounds")

    def most_weights(self) -> int:
        """How many weights there is room for."""
        return min(MOST_WEIGHTS, COMPLETIONS // int(self.of.arrays.at[-1]))


def whole_front(
    solver: Solver, targets: np.ndarray, most: int, tell: Tell, kept: Kept
) -> Found:
    """The whole front, with at most so many vectors made.

    The last objectives are columns of constraints, which have to reach the targets.
    """
    tables, d = solver.tables, solver.tables.shape[1] - len(targets)
    needs = [int(a) - b for a, b in zip(targets, solver.lowest[d:])]
    if any(need > most for need, most in zip(needs, solver.ranges[d:])):
        return _nothing(solver, d)
    if d == 1:  # one objective is two, of which the second is 0
        tables = np.insert(tables, 1, 0, axis=1)
    caps = np.array(needs, np.int64).clip(0)
    elimination = Elimination(solver.schedule, tables, caps, solver.pulse)
    run = _Run(elimination, Budget(most, available_memory() // 2), tell)
    if d == 1 and not needs:
        return run.whole()
    few = FEW if elimination.columns == 2 else FEW_OF_MORE
    few = max(few, FEW_EACH * int(elimination.arrays.at[-1]))
    held = elimination.held
    try:
        return run.whole(min(most, few))
    except GivenUp:
        if most <= few:
            raise
    bands = _below_hull if elimination.columns == 2 else _below_weights
    if (found := bands(solver, run, kept)) is not None:
        return found
    elimination.held = held
    return run.whole()


def _nothing(solver: Solver, d: int) -> Found:
    """The front where no solution is feasible."""
    bits = np.empty((0, -(-len(solver.schedule.variables) // 8)), np.uint8)
    return Found(np.empty((0, d), np.int64), bits, 0)


def _below_hull(solver: Solver, run: _Run, kept: Kept) -> Found | None:
    """The front of two objectives, by bands below its hull; None if they are no use."""
    found = search_hull(
        solver.best,
        2,
        lambda points, settled: run.tell(f"hull: {counted(points, 'corner')}", settled),
    )
    corners = extreme_points(list(found))[::-1]
    hull, bits = np.array(corners), np.array([found[corner] for corner in corners])
    hull -= np.array(solver.lowest)
    most = run.most_weights()
    if len(hull) < FEWEST_WEIGHTS or most < FEWEST_WEIGHTS:
        return None
    weights = weights_along(hull[::-1], most)
    if len(weights.w) == 0:
        return None
    completions = completions_of(run.of, weights.w, run.spend)
    none = np.zeros((len(weights.w), 0))
    lines = _Lines(weights, none, completions.best, completions)
    known = Known(hull, bits, np.full(len(weights.w), -1.0), weights.w)
    return _within_bands(run, lines, kept.begun(known, solver), kept)


def _below_weights(solver: Solver, run: _Run, kept: Kept) -> Found | None:
    """The same for more objectives, or with constraints: with weights evenly spread."""
    most, of = run.most_weights(), run.of
    if most < max(FEWEST_WEIGHTS, 2 * of.d):
        return None
    run.tell("bounding", 0.0)
    objectives = np.eye(of.columns)[: of.d]
    ends = best_values(of, np.vstack([objectives, -objectives]), run.spend)
    weights = spread_weights(np.maximum(ends[: of.d] + ends[of.d :], 1.0), most)
    multipliers, best = multipliers_of(of, weights.w, run.spend)
    w = np.hstack([weights.w, multipliers])
    completions = completions_of(of, w, run.spend)
    lines = _Lines(weights, multipliers, best, completions)
    known = Known(*_nothing(solver, of.d)[:2], np.full(len(best), -1.0), w)
    return _within_bands(run, lines, kept.begun(known, solver), kept)


def _within_bands(run: _Run, lines: _Lines, known: Known, kept: Kept) -> Found | None:
    """The whole front, band by band; None if its corners are too many.

    There is an end: where a weight has something left to look for, its next band is
    wider than the last, by one step of all objectives or by all that is needed.
    """
    number = 0
    while True:
        needed = lines.gaps(known, run)
        if needed is None:
            return None
        if (needed < 0).all():
            return Found(known.points, known.bits, run.of.made)
        number += 1
        gaps = lines.next_band(known, needed)
        bound = bound_of(known.weights, lines.completions, gaps)
        # The pass is not kept, so that its tables are gone before the next step.
        known = _with_more(known, run.front(f"band {number}", bound), gaps)
        kept.keep(known)


def _with_more(known: Known, done: Pass, gaps: np.ndarray) -> Known:
    """What is known after a pass."""
    size, d = known.points.shape
    points = np.concatenate([known.points, done.values[:, :d]])
    _, first = np.unique(points, axis=0, return_index=True)
    new = np.sort(first[first >= size])
    bits = np.concatenate([known.bits, done.solutions(done.values[new - size])])
    at = np.arange(len(points))
    at[new] = size + np.arange(len(new))
    first = first[::-1]
    covered = np.maximum(known.covered, gaps)
    return Known(points[first], bits[at[first]], covered, known.weights)


def _telling(tell: Tell, name: str) -> Callable[[int, int, int], None]:
    """What tells how far a pass is."""

    def of_step(number: int, steps: int, made: int) -> None:
        tell(
            f"{name}: step {number + 1:,} of {counted(steps, 'step')}, "
            f"{counted(made, 'vector')}",
            (number + 1) / steps,
        )

    return of_step
