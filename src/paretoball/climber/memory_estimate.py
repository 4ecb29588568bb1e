"""The memory of a climber, estimated before it is allocated."""

from typing import NamedTuple

import numpy as np

from paretoball.climber.moves import (
    Forest,
    checked_radius,
    count_moves,
    enumerate_moves,
)
from paretoball.climber.precision import score_bounds, score_dtype
from paretoball.climber.stencil_draft import most_affected
from paretoball.climber.stencil_writer import write_for
from paretoball.landscape import Cliques, Graph, Landscape
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
HOPELESS = 20  # times the free memory: sharing stencils does not save that much


class _Estimate(NamedTuple):
    """The memory of a climber, estimated before a move is stored."""

    moves: int  # |M^r|
    of_moves: int  # bytes without stencils: exact for radius 1, 2 and 3
    unshared: int  # bytes with stencils, roughly, if no two variables share one

    def is_hopeless(self) -> bool:
        """Whether the climber does not fit, even if many stencils are shared."""
        free = available_memory()
        return (
            self.of_moves > free
            or self.unshared > HOPELESS * free
            or self.moves > LARGEST_MOVE
        )


def climber_memory(landscape: Landscape, radius: int, pulse: Pulse = nothing) -> int:
    """The bytes that a climber of this radius takes, with one climb.

    The bytes of moves are exact for radius 1, 2 and 3. Those of stencils are predicted
    from a sample of variables, or from degrees alone if they could never fit.
    """
    radius = checked_radius(radius)
    dtype = score_dtype(landscape, score_bounds(landscape, radius))
    found = _estimate(landscape, radius, np.dtype(dtype).itemsize, pulse)
    if found.is_hopeless():
        return found.unshared
    forest = enumerate_moves(landscape.cooccurrence, radius, pulse)
    return found.of_moves + _stencils_memory(landscape, forest, pulse)


def enumerate_within_memory(
    landscape: Landscape, radius: int, score_bytes: int, pulse: Pulse = nothing
) -> Forest:
    """M^r, if the climber fits in memory."""
    found = _estimate(landscape, radius, score_bytes, pulse)
    moves = counted(found.moves, "move")
    needs = f"radius {radius} has {moves}, and a climber needs about"
    if found.is_hopeless():
        advice = _advice(landscape, radius, score_bytes)
        refuse_memory(needs, found.unshared, advice)
    forest = enumerate_moves(landscape.cooccurrence, radius, pulse)
    needed = found.of_moves + _stencils_memory(landscape, forest, pulse)
    if needed > available_memory():
        refuse_memory(needs, needed, _advice(landscape, radius, score_bytes))
    return forest


def check_workers(climbs: int, moves: int, vector: int) -> None:
    """Refuse `climbs` at the same time if they do not fit in memory.

    The score of a move takes `vector` bytes.
    """
    check_memory(
        f"the scores of {counted(climbs, 'worker')} need",
        climbs * moves * (vector + FILED),
        "fewer workers would fit",
    )


def _estimate(
    landscape: Landscape, radius: int, score_bytes: int, pulse: Pulse
) -> _Estimate:
    """The memory of a climber with scores of `score_bytes` bytes each."""
    count = count_moves(landscape, radius, pulse)
    per_move = 4 * radius + 4 + landscape.d * score_bytes + FILED
    per_variable = 4 * (radius + 2) + 1
    cliques = landscape.cliques
    tables = cliques.tables.size * score_bytes + 4 * (len(cliques.mask_at) - 1)
    of_moves = count * per_move + landscape.n * per_variable + tables
    return _Estimate(count, of_moves, of_moves + _unshared(landscape, radius, count))


def _unshared(landscape: Landscape, radius: int, count: int) -> int:
    """Roughly the bytes of all stencils, if no two variables share one.

    The flip of each neighbour of a move's variables affects the move: 8 bytes for each.
    """
    degrees = np.diff(landscape.cooccurrence.at).astype(np.float64)
    if radius == 1:
        return int(8 * (landscape.n + degrees.sum()))
    listed = listed_at_radius_2(landscape)
    larger = count - landscape.n - degrees.sum() / 2
    per_pair = (degrees**2).sum() / max(1.0, degrees.sum() / 2)
    return int(8 * (listed + larger * per_pair))


def listed_at_radius_2(landscape: Landscape) -> float:
    """Roughly how many affected moves all stencils list at radius 2, if not shared.

    A pair is affected by the neighbours of both its variables; over all pairs these add
    up to the squares of the degrees.
    """
    degrees = np.diff(landscape.cooccurrence.at).astype(np.float64)
    return float(landscape.n + degrees.sum() + (degrees**2).sum())


def _stencils_memory(landscape: Landscape, forest: Forest, pulse: Pulse) -> int:
    """Bytes of all stencils."""
    return 4 * _predict_words(landscape.cliques, landscape.cooccurrence, forest, pulse)


def _predict_words(cliques: Cliques, graph: Graph, forest: Forest, pulse: Pulse) -> int:
    """The words of code of all stencils, predicted from a sample of variables.

    The words that the second half of the sample adds to those of the first half show
    how many stencils are shared.
    """
    n = len(graph.at) - 1
    affected = most_affected(graph, forest)
    if n <= SAMPLE:
        return write_for(cliques, graph, forest, affected, np.arange(n), pulse)[1]
    starts = np.linspace(0, n - RUN, SAMPLE // RUN).astype(np.int64)
    sample = (starts[:, None] + np.arange(RUN)).ravel()
    sample = sample[: np.searchsorted(np.cumsum(affected[sample]), SAMPLE_WORK)]
    if len(sample) < RUN:  # too dense to try: assume a piece for each entry
        return 4 * int(affected.sum())
    half = sample[: len(sample) // 2]
    _, words = write_for(cliques, graph, forest, affected, sample, pulse)
    _, half_words = write_for(cliques, graph, forest, affected, half, pulse)
    fresh = (words - half_words) / (len(sample) - len(half))
    return int(words + fresh * (n - len(sample)))


def _advice(landscape: Landscape, radius: int, score_bytes: int) -> str:
    """Which smaller radius fits."""
    for smaller in range(min(radius - 1, 3), 0, -1):
        found = _estimate(landscape, smaller, score_bytes, nothing)
        if found.unshared <= available_memory():
            return f"radius {smaller} fits"
    return "not even radius 1 fits"
