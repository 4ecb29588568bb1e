"""The exact front: every non-dominated vector of a landscape, each with a solution.

Variables are eliminated one by one, as for the supported front, but tables hold sets of
non-dominated vectors in place of numbers. Where these are many, `front_bands` finds the
front in several passes, each of which drops most of them. Constraints are more columns
of the vectors.
"""

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from paretoball._jit import announced
from paretoball.exact.constraint_columns import with_columns
from paretoball.exact.front_bands import Kept, whole_front
from paretoball.exact.lone_variables import ordered_solver
from paretoball.formats import PathLike
from paretoball.landscape import Landscape, unpacked_bits
from paretoball.quality import ranges
from paretoball.system import (
    Display,
    brief,
    capped,
    checked_bytes,
    checked_seconds,
    checked_whole,
    counted,
)

UNLIMITED = 2**62  # vectors: as good as no limit


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
        points = f"{counted(len(self), 'point')} ({ranges(self)})"
        return (
            f"ExactFront: {points if len(self) else 'no solution is feasible'}; "
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

    With constraints, it is the front of all feasible solutions. It is empty if there
    are none, and that is proven, too.

    Variables are eliminated one after the other, with tables of up to 2**width sets of
    vectors. The width is that of the co-occurrence graph: 1 for trees, 2 K for the
    adjacent MNK model; `paretoball info` tells it. What it takes depends on the size of
    the front besides, which nobody knows in advance; `docs/exact.md` has examples.

    Parameters
    ----------
    landscape
        With any number of objectives, and a width of up to 24. Constraints over few
        variables add to the width, others to the length of vectors.
    progress
        Whether to show on standard error how far the elimination is; None shows it on a
        terminal only, and says anywhere that something is compiled.
    time_limit
        Seconds after which to give up.
    max_points
        Give up once the tables of all steps together have had more vectors than this,
        or 64 times as many were compared. That is the measure of the work, and the same
        on every machine; with two objectives, some ten million take a second.
    memory_limit
        Bytes, or a text like `"8GB"`: what tables, and the scratch to find them, may
        take; what is free if nothing is given. Less memory takes more time.
    checkpoint
        An npz file to keep what was found after each band in. If it is there already,
        bands go on from it.

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

        kept = Kept(landscape, checkpoint)
        columns = with_columns(
            landscape, lambda: tell("turning constraints into columns", 0.0)
        )
        solver = ordered_solver(columns, lambda _: tell("ordering variables", 0.0))
        found = whole_front(solver, columns.targets, most, tell, kept)
    d = landscape.d
    values = found.points[:, :d] + np.array(solver.lowest[:d], np.int64)
    F = landscape.shown(values)
    order = np.lexsort(F.T[::-1])
    return ExactFront(
        F=F[order],
        bits=found.bits[order],
        n=landscape.n,
        sense=landscape.sense,
        names=landscape.names,
        width=solver.schedule.width,
        vectors=found.made,
        seconds=perf_counter() - began,
    )
