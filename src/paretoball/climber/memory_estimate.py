"""The layout of scores, and the memory of a climber, before it is allocated."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

import numpy as np

from paretoball.climber.moves import (
    Forest,
    checked_radius,
    counted_moves,
    enumerate_moves,
    single_flips,
)
from paretoball.climber.precision import score_dtype
from paretoball.climber.records import BY_CLIQUES, records_memory
from paretoball.climber.rows import BY_ROWS, rows_memory
from paretoball.climber.stencil_writer import most_affected, write_stencils
from paretoball.climber.stencils import BY_STENCILS
from paretoball.landscape import Landscape
from paretoball.system import (
    Pulse,
    available_memory,
    check_memory,
    counted,
    nothing,
    refuse_memory,
)

SAMPLE, RUN = 256, 8  # variables in the sample, and in each run of successive ones
SAMPLE_WORK = 2_000_000  # affected moves of that sample, at most
FILED = 13  # bytes for the bucket of a move and its place there
LARGEST_MOVE = 2**31 - 2  # moves are numbered with 32 bits
RECORDS_PAY = 8  # times the bytes of stencils; beyond, these are shared, and faster
HOPELESS = 20  # times the free memory: sharing stencils does not save that much

_no_records: ContextVar[bool] = ContextVar("no_records", default=False)


class _Estimate(NamedTuple):
    """The memory of a climber, estimated before a move is stored."""

    moves: int  # |M^r|, or a lower bound of it
    is_counted: bool  # whether it is |M^r|
    of_moves: int  # bytes without stencils: exact for radius 1, 2 and 3
    unshared: int  # bytes of all: exact by rows; else roughly, for stencils not shared

    def is_hopeless(self) -> bool:
        """Whether the climber does not fit, even if many stencils are shared."""
        least = max(self.of_moves, self.unshared / HOPELESS)
        return least > available_memory() or self.moves > LARGEST_MOVE


def climber_memory(landscape: Landscape, radius: int, pulse: Pulse = nothing) -> int:
    """The bytes that a climber of this radius takes, with one climb.

    The bytes of moves are exact for radius 1, 2 and 3. Those of stencils are predicted
    from a sample of variables, or from degrees alone if they could never fit. A radius
    with too many moves to count is refused with a MemoryError.
    """
    return _plan(landscape, checked_radius(radius), pulse)[1]


def layouts_of(landscape: Landscape, radius: int) -> tuple[int, ...]:
    """The layouts that scores may have, as far as arities tell."""
    if _has_rows(landscape, radius):
        return (BY_ROWS,)
    return (BY_STENCILS,) if radius > 1 else (BY_CLIQUES, BY_STENCILS)


def layout_of(landscape: Landscape, radius: int) -> int:
    """The layout of scores."""
    return plan_within_memory(landscape, radius)[0]


@contextmanager
def by_stencils() -> Iterator[None]:
    """Inside this context, scores have stencils even if records are smaller."""
    before = _no_records.set(True)
    try:
        yield
    finally:
        _no_records.reset(before)


def plan_within_memory(
    landscape: Landscape, radius: int, pulse: Pulse = nothing
) -> tuple[int, Forest]:
    """The layout of scores, and M^r, if the climber fits in memory."""
    moves, needed, layout, forest = _plan(landscape, radius, pulse)
    if forest is None or needed > available_memory():
        told = counted(moves, "move")
        needs = f"radius {radius} has {told}, and a climber needs about"
        refuse_memory(needs, needed, _advice(landscape, radius))
    return layout, forest


def _plan(
    landscape: Landscape, radius: int, pulse: Pulse
) -> tuple[int, int, int, Forest | None]:
    """|M^r|, the bytes of a climber, how scores are laid out, and M^r if it may fit.

    For radius 1 by rows if they can be, and otherwise by cliques, unless stencils are
    so much smaller that many variables must share them, or only they fit in memory.
    """
    found = _estimate(landscape, radius, pulse)
    if not found.is_counted:
        raise MemoryError(
            f"radius {radius} has {found.moves:,} moves or more, too many to count: "
            f"{_advice(landscape, radius)}"
        )
    if found.is_hopeless():
        return found.moves, found.unshared, BY_STENCILS, None
    if _has_rows(landscape, radius):
        return found.moves, found.unshared, BY_ROWS, single_flips(landscape.n)
    forest = enumerate_moves(landscape.cooccurrence, radius, pulse)
    stencils = 4 * _predict_words(landscape, forest, pulse)
    layout, more = BY_STENCILS, stencils
    if radius == 1 and not _no_records.get():
        records = records_memory(landscape, score_dtype(landscape, 1))
        fits = found.of_moves + records <= available_memory()
        if fits and records < RECORDS_PAY * stencils:
            layout, more = BY_CLIQUES, records
    return found.moves, found.of_moves + more, layout, forest


def _has_rows(landscape: Landscape, radius: int) -> bool:
    """Whether scores can be laid out by rows."""
    return radius == 1 and landscape.k <= 2


def check_workers(climbs: int, moves: int, vector: int) -> None:
    """Refuse `climbs` at a time whose scores, `vector` bytes a move, do not fit."""
    check_memory(
        f"the scores of {counted(climbs, 'worker')} need",
        climbs * moves * (vector + FILED),
        "fewer workers would fit",
    )


def _estimate(landscape: Landscape, radius: int, pulse: Pulse) -> _Estimate:
    """The memory of a climber."""
    dtype = score_dtype(landscape, radius)
    count, is_counted = counted_moves(landscape, radius, pulse)
    per_move = 4 * radius + 4 + landscape.d * dtype.itemsize + FILED
    per_variable = 4 * (radius + 2) + 1
    of_moves = count * per_move + landscape.n * per_variable
    if _has_rows(landscape, radius):
        rows = rows_memory(landscape, dtype)
        return _Estimate(count, is_counted, of_moves, of_moves + rows)
    cliques = landscape.survey.cliques
    entries = 4 * cliques if landscape.square else len(landscape.cliques.tables)
    of_moves += entries * landscape.d * dtype.itemsize + 4 * cliques
    unshared = of_moves + _unshared(landscape, radius, count)
    return _Estimate(count, is_counted, of_moves, unshared)


def _unshared(landscape: Landscape, radius: int, count: int) -> int:
    """Roughly the bytes of stencils, if none is shared: 8 for each affected move."""
    degrees = landscape.degrees.astype(np.float64)
    if radius == 1:
        return int(8 * (landscape.n + degrees.sum()))
    listed = listed_at_radius_2(landscape)
    larger = count - landscape.n - degrees.sum() / 2
    per_pair = (degrees**2).sum() / max(1.0, degrees.sum() / 2)
    return int(8 * (listed + larger * per_pair))


def listed_at_radius_2(landscape: Landscape) -> float:
    """Roughly how many affected moves all stencils list at radius 2, if not shared."""
    degrees = landscape.degrees.astype(np.float64)
    # Neighbours of both variables of a pair: over all pairs, the squares of degrees.
    return float(landscape.n + degrees.sum() + (degrees**2).sum())


def _predict_words(landscape: Landscape, forest: Forest, pulse: Pulse) -> int:
    """The words of code of all stencils, by what half of a sample adds to the other."""
    n, affected = landscape.n, most_affected(landscape.cooccurrence, forest)
    if n <= SAMPLE:
        return len(write_stencils(landscape, forest, pulse).code)
    starts = np.linspace(0, n - RUN, SAMPLE // RUN).astype(np.int64)
    sample = (starts[:, None] + np.arange(RUN)).ravel()
    sample = sample[: np.searchsorted(np.cumsum(affected[sample]), SAMPLE_WORK)]
    if len(sample) < RUN:  # too dense to try: assume a piece for each entry
        return 4 * int(affected.sum())
    half = sample[: len(sample) // 2]
    words = len(write_stencils(landscape, forest, pulse, sample).code)
    half_words = len(write_stencils(landscape, forest, pulse, half).code)
    fresh = (words - half_words) / (len(sample) - len(half))
    return int(words + fresh * (n - len(sample)))


def _advice(landscape: Landscape, radius: int) -> str:
    """Which smaller radius fits."""
    for smaller in range(min(radius - 1, 3), 0, -1):
        found = _estimate(landscape, smaller, nothing)
        if found.unshared <= available_memory():
            return f"radius {smaller} fits"
    return "not even radius 1 fits"
