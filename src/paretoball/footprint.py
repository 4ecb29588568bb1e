"""Footprint: the memory a climber takes, told before it is taken."""

import numpy as np

from paretoball.cliques import Cliques, Graph
from paretoball.drafting import most_affected, write_for
from paretoball.landscape import Landscape
from paretoball.memory import available_memory, readable_bytes, room_in_words
from paretoball.moves import (
    Forest,
    Pulse,
    checked_radius,
    count_moves,
    enumerate_moves,
    nothing,
)
from paretoball.weights import score_bounds, score_dtype

SAMPLE, RUN = 256, 8  # variables looked at to predict the rest, as runs
SAMPLE_WORK = 2_000_000  # but at most so many affected moves
FILED = 13  # bytes for the bucket of a move and its place there
LARGEST_MOVE = 2**31 - 2  # moves are numbered with 32 bits


HOPELESS = 20  # times the free memory: not even shared shapes would help


def climber_memory(landscape: Landscape, radius: int, pulse: Pulse = nothing) -> int:
    """The bytes that a climber of this radius and one climb of it take.

    What moves take is exact for radius 1, 2 and 3; what a flip changes is told from a
    sample of variables, or from degrees alone where it could never fit.
    """
    radius = checked_radius(radius)
    count = count_moves(landscape, radius, pulse)
    moves = moves_memory(landscape, radius, count)
    unshared = moves + unshared_memory(landscape, radius, count)
    if moves > available_memory() or unshared > HOPELESS * available_memory():
        return unshared
    forest = enumerate_moves(landscape.cooccurrence, radius, pulse)
    return moves + shapes_memory(landscape, forest)


def enumerate_within_memory(
    landscape: Landscape, radius: int, pulse: Pulse = nothing
) -> Forest:
    """M^r, unless the climber that needs it would not fit."""
    count = count_moves(landscape, radius, pulse)
    needed = moves_memory(landscape, radius, count)
    unshared = needed + unshared_memory(landscape, radius, count)
    hopeless = unshared > HOPELESS * available_memory() or count > LARGEST_MOVE
    if needed > available_memory() or hopeless:
        raise MemoryError(refusal(landscape, radius, count, unshared))
    forest = enumerate_moves(landscape.cooccurrence, radius, pulse)
    needed += shapes_memory(landscape, forest, pulse)
    if needed > available_memory():
        raise MemoryError(refusal(landscape, radius, count, needed))
    return forest


def moves_memory(landscape: Landscape, radius: int, count: int) -> int:
    """Bytes for so many moves: variables, parent, scores, bucket and place in it."""
    bounds = score_bounds(landscape, radius)
    score = np.dtype(score_dtype(landscape, bounds)).itemsize
    per_move = 4 * radius + 4 + landscape.d * score + FILED
    per_variable = 4 * (radius + 2) + 1
    cliques = landscape.cliques
    tables = cliques.tables.size * score + 4 * (len(cliques.mask_at) - 1)
    return count * per_move + landscape.n * per_variable + tables


def check_workers(climbs: int, moves: int, vector: int) -> None:
    """So many climbs side by side, with `vector` bytes per score, fit in memory."""
    needed = climbs * moves * (vector + FILED)
    if needed > available_memory():
        raise MemoryError(
            f"{climbs} workers need {readable_bytes(needed)} for their scores, but "
            f"{room_in_words()}: fewer workers would fit"
        )


def unshared_memory(landscape: Landscape, radius: int, count: int) -> int:
    """Roughly the bytes for what flips change, if no two variables have one shape.

    A move is affected by the neighbours of its variables: 8 bytes for each.
    """
    degrees = np.diff(landscape.cooccurrence.at).astype(np.float64)
    singles = landscape.n + degrees.sum()
    if radius == 1:
        return int(8 * singles)
    pairs = (degrees**2).sum()  # of every edge, the neighbours of both ends
    larger = count - landscape.n - degrees.sum() / 2
    per_pair = pairs / max(1.0, degrees.sum() / 2)
    return int(8 * (singles + pairs + larger * per_pair))


def shapes_memory(landscape: Landscape, forest: Forest, pulse: Pulse = nothing) -> int:
    """Bytes for what a flip of each variable changes."""
    return 4 * predict_words(landscape.cliques, landscape.cooccurrence, forest, pulse)


def predict_words(cliques: Cliques, graph: Graph, forest: Forest, pulse: Pulse) -> int:
    """How long the code of all shapes will be, told from a sample of variables.

    What the second half of the sample adds to the first shows how many are shared.
    """
    n = len(graph.at) - 1
    if n <= SAMPLE:
        return write_for(cliques, graph, forest, np.arange(n), pulse)[1]
    starts = np.linspace(0, n - RUN, SAMPLE // RUN).astype(np.int64)
    sample = (starts[:, None] + np.arange(RUN)).ravel()
    affected = most_affected(graph, forest)
    sample = sample[: np.searchsorted(np.cumsum(affected[sample]), SAMPLE_WORK)]
    if len(sample) < RUN:  # too dense to try: as if each entry had a piece of its own
        return 4 * int(affected.sum())
    half = sample[: len(sample) // 2]
    _, words = write_for(cliques, graph, forest, sample, pulse)
    _, half_words = write_for(cliques, graph, forest, half, pulse)
    fresh = (words - half_words) / (len(sample) - len(half))
    return int(words + fresh * (n - len(sample)))


def refusal(landscape: Landscape, radius: int, count: int, needed: int) -> str:
    """Why a radius is too large, and which one is not."""
    advice = "not even radius 1 fits"
    for smaller in range(min(radius - 1, 3), 0, -1):
        fewer = count_moves(landscape, smaller)
        memory = moves_memory(landscape, smaller, fewer)
        memory += unshared_memory(landscape, smaller, fewer)
        if memory <= available_memory():
            advice = f"radius {smaller} fits"
            break
    return (
        f"radius {radius} has {count:,} moves, which need about "
        f"{readable_bytes(needed)}, but {room_in_words()}: {advice}"
    )
