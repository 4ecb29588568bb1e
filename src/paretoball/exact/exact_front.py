"""The exact front: every non-dominated vector of a landscape, each with a solution.

Variables are eliminated one by one, as for the supported front, but tables hold sets of
non-dominated vectors in place of numbers. Two objectives have a convex hull that is
soon found, and most vectors cannot become more than a point far below it. So passes
keep what ends within a band below the hull: first a narrow band, then one that is wide
enough for all points which those found so far leave possible. A pass whose band was
wide enough for the front that it found has the whole front.
"""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from paretoball._jit import announced
from paretoball.exact.band_file import Known, read_bands, write_bands
from paretoball.exact.front_bounding import (
    Bound,
    Lines,
    bound_of,
    completions_of,
    entries_of,
    gaps_below,
    lines_of,
    prune,
)
from paretoball.exact.front_elimination import Budget, Elimination, GivenUp, Pass
from paretoball.exact.front_tables import Space
from paretoball.exact.supported_front import Solver, extreme_points, search_hull
from paretoball.formats import PathLike
from paretoball.landscape import Landscape, unpacked_bits
from paretoball.quality import ranges
from paretoball.system import (
    Display,
    available_memory,
    brief,
    capped,
    check_memory,
    checked_bytes,
    checked_seconds,
    checked_whole,
    counted,
)

UNLIMITED = 2**62  # vectors: as good as no limit
FEW = 1 << 20  # vectors that are made before bands are worth their preparation
FEW_EACH = 8  # the same, for each entry of all tables
MOST_LINES = 150  # along a hull
FEWEST_LINES = 4  # with which bands are of use
COMPLETIONS = 1 << 27  # numbers that all lines together take at most
FIRST_BAND = 1 / 32  # of what the hull alone leaves possible
WIDER = 2.0  # how much wider the next band is at most

ELIMINATING = "eliminating"  # as progress calls a pass without bands

Tell = Callable[[str, float], None]


@dataclass(frozen=True, repr=False, eq=False)
class ExactFront:
    """The whole Pareto front of a landscape, with one solution for each vector."""

    F: np.ndarray  # (size, d): objective vectors, ascending
    bits: np.ndarray  # (size, n / 8) uint8: the solutions, packed from the lowest bit
    n: int
    sense: tuple[str, ...]
    names: tuple[str, ...]  # one per objective
    width: int  # of the elimination: tables have up to 2**width fronts
    vectors: int  # made by all steps, the measure of the work that it took
    seconds: float

    def __len__(self) -> int:
        return len(self.F)

    @property
    def d(self) -> int:
        """The number of objectives."""
        return len(self.sense)

    @property
    def X(self) -> np.ndarray:
        """The solutions: (size, n) bool, rows as in F."""
        return unpacked_bits(self.bits, self.n).astype(np.bool_)

    def __repr__(self) -> str:
        return (
            f"ExactFront: {counted(len(self), 'point')} ({ranges(self)}); "
            f"n = {self.n:,}, width {self.width}, {counted(self.vectors, 'vector')} "
            f"made in {self.seconds:.1f} s"
        )


def exact_front(
    landscape: Landscape,
    progress: bool | None = None,
    time_limit: float | None = None,
    max_points: int | None = None,
    memory_limit: int | str | None = None,
    checkpoint: PathLike | None = None,
) -> ExactFront:
    """The whole Pareto front, proven: every non-dominated vector, with a solution.

    Variables are eliminated one after the other, with tables of up to 2**width sets of
    vectors. The width is that of the co-occurrence graph: 1 for trees, 2 K for the
    adjacent MNK model; `paretoball info` tells it. What it takes depends on the size of
    the front besides, which nobody knows in advance; `docs/exact.md` has examples.

    Parameters
    ----------
    landscape
        With any number of objectives, and a width of up to 24.
    progress
        Whether to show on standard error how far the elimination is; None shows it on a
        terminal only, and says anywhere that something is compiled.
    time_limit
        Seconds after which to give up.
    max_points
        Give up once the tables of all steps together have had more vectors than this.
        That is the measure of the work, and the same on every machine; with two
        objectives, some ten million take a second.
    memory_limit
        Bytes, or a text like `"8GB"`: what tables may take; half of what is free if
        nothing is given. Less memory takes more time.
    checkpoint
        With two objectives, an npz file to keep what was found after each band in. If
        it is there already, bands go on from it.

    Raises
    ------
    ValueError
        If the width is too large, or `max_points` was passed.
    TimeoutError
        If `time_limit` was passed.
    MemoryError
        If a table does not fit.
    OverflowError
        If the range of an objective does not fit into 64 bits.

    Examples
    --------
    >>> ones = [((j,), [0, 1]) for j in range(3)]
    >>> pairs = [((0, 1), [3, 2, 2, 0]), ((1, 2), [3, 2, 2, 0])]
    >>> front = exact_front(Landscape.from_subfunctions(3, [ones, pairs]))
    >>> front.F.tolist()
    [[0, 6], [1, 5], [2, 4], [3, 0]]
    >>> front.X[0].tolist()
    [False, False, False]
    """
    if not isinstance(landscape, Landscape):
        raise TypeError(f"{brief(landscape)} is not a Landscape")
    most = (
        UNLIMITED if max_points is None else checked_whole("max_points", max_points, 1)
    )
    limit = None if time_limit is None else checked_seconds("time_limit", time_limit)
    began = perf_counter()
    with (
        Display(progress) as display,
        announced(display.announce),
        capped(checked_bytes(memory_limit)),
    ):

        def tell(text: str, share: float) -> None:
            display.tell(lambda: text, share)
            if limit is not None and perf_counter() - began > limit:
                raise TimeoutError(f"time_limit = {limit:g} s is up: {text}")

        solver = Solver(landscape)
        kept = _Kept(landscape, checkpoint)
        done = _solved(solver, landscape.d, most, tell, kept)
        bits = done.solutions()
    values = done.values[:, : landscape.d] + np.array(solver.lowest)
    F = landscape.shown(values)
    order = np.lexsort(F.T[::-1])
    return ExactFront(
        F=F[order],
        bits=bits[order],
        n=landscape.n,
        sense=landscape.sense,
        names=landscape.names,
        width=solver.schedule.width,
        vectors=done.of.made,
        seconds=perf_counter() - began,
    )


class _Kept:
    """What is kept on disk between two bands, if anything."""

    def __init__(self, landscape: Landscape, path: PathLike | None):
        self.landscape = landscape
        self.path = path
        self.known = None if path is None else read_bands(path, landscape)

    def keep(self, points: np.ndarray, share: float) -> None:
        """Write what is known now."""
        if self.path is not None:
            write_bands(self.path, self.landscape, Known(points, share))


def _solved(solver: Solver, d: int, most: int, tell: Tell, kept: _Kept) -> Pass:
    """The pass that found the whole front."""
    tables = solver.tables
    if d == 1:  # one objective is two, of which the second is 0
        tables = np.hstack([tables, np.zeros_like(tables)])
    elimination = Elimination(solver.schedule, tables)
    memory = available_memory() // 2
    whole = Budget(most, memory)
    if d != 2:
        return elimination.front(whole, None, _telling(tell, ELIMINATING))
    few = max(FEW, FEW_EACH * int(entries_of(elimination.steps)[-1]))
    try:
        budget = Budget(min(most, few), memory)
        return elimination.front(budget, None, _telling(tell, ELIMINATING))
    except GivenUp:
        if most <= few:
            raise
    return _within_bands(solver, elimination, whole, tell, kept)


def _within_bands(
    solver: Solver,
    elimination: Elimination,
    budget: Budget,
    tell: Tell,
    kept: _Kept,
) -> Pass:
    """The last pass of those that keep what ends within bands below the hull."""
    found = search_hull(
        solver.best,
        2,
        lambda points, settled: tell(f"hull: {counted(points, 'corner')}", settled),
    )
    hull = np.array(extreme_points(list(found))) - np.array(solver.lowest)
    entries = int(entries_of(elimination.steps)[-1])
    most = min(MOST_LINES, COMPLETIONS // entries)
    if len(hull) < FEWEST_LINES or most < FEWEST_LINES:
        return elimination.front(budget, None, _telling(tell, ELIMINATING))
    lines = lines_of(hull, most)
    if len(lines.slopes) == 0:
        return elimination.front(budget, None, _telling(tell, ELIMINATING))
    check_memory("bounds of the elimination take", 8 * entries * len(lines.slopes))
    completions = completions_of(
        elimination.steps, solver.schedule, elimination.tables, lines
    )
    known = hull[::-1]
    needed = gaps_below(lines, known)
    gaps = np.where(needed < 0, needed, needed * FIRST_BAND)
    if kept.known is not None:
        known = _merged(known, kept.known.points)
        gaps = _wider(lines, lines.lengths * kept.known.share, gaps_below(lines, known))
    for number in range(1, 1000):
        bound = bound_of(lines, completions, solver.ranges, gaps)
        how = _pruning(bound, elimination)
        done = elimination.front(budget, how, _telling(tell, f"band {number}"))
        known = _merged(known, done.values)
        needed = gaps_below(lines, known)
        if (needed <= gaps).all():
            break
        kept.keep(known, _mean_share(lines, gaps))
        gaps = _wider(lines, gaps, needed)
    return done


def _telling(tell: Tell, name: str) -> Callable[[int, int, int], None]:
    """What tells how far a pass is."""

    def of_step(number: int, steps: int, made: int) -> None:
        tell(
            f"{name}: step {number + 1:,} of {counted(steps, 'step')}, "
            f"{counted(made, 'vector')}",
            (number + 1) / steps,
        )

    return of_step


def _mean_share(lines: Lines, gaps: np.ndarray) -> float:
    """How wide a band is on average, as a share of the extent of the hull."""
    return float((gaps / lines.lengths)[gaps >= 0].mean())


def _wider(lines: Lines, gaps: np.ndarray, needed: np.ndarray) -> np.ndarray:
    """The next band: what is needed, but for each line not much more than before.

    More points are known after that, and much less is needed.
    """
    mean = _mean_share(lines, gaps) * lines.lengths
    allowed = np.maximum(gaps * WIDER, mean) + 1 + lines.slopes
    return np.where(needed < 0, needed, np.minimum(needed, allowed))


def _pruning(bound: Bound, elimination: Elimination) -> Callable[[int, Space], None]:
    """What drops vectors from the table of a step."""

    def drop(number: int, space: Space) -> None:
        prune(bound, number, space, 1 << len(elimination.steps[number].scope))

    return drop


def _merged(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The non-dominated points of two sets with two objectives, descending by f0."""
    both = np.unique(np.concatenate([first, second]), axis=0)[::-1]
    highest = np.maximum.accumulate(both[:, 1])
    is_new = np.append(True, both[1:, 1] > highest[:-1])
    return np.asarray(both[is_new])
