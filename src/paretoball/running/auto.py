"""The choice of a method: the exact front where it is cheap, a search where it is not.

The choice depends on the landscape and on what was asked: the elimination gives up
after a number of vectors that is fixed in advance. The clock only ends an attempt that
takes far longer than so many vectors should.
"""

from dataclasses import replace
from time import perf_counter
from typing import NamedTuple

import numpy as np

from paretoball.exact import GivenUp, width_of
from paretoball.landscape import Landscape
from paretoball.running.exact_run import solved_exactly
from paretoball.running.result import Result
from paretoball.running.warm_up import compile_exact
from paretoball.system import checked_seconds

WIDEST = 12  # of an elimination that is tried
MOST_VECTORS = 20_000_000  # made, which takes a few seconds
VECTORS_A_SECOND = 500_000  # of the time limit, a small part of which they take
VECTORS_A_STEP = 250  # that take as long as a step by itself
LONGER_VECTORS = 8  # how many others take as long as one with constraints
SHARE = 0.5  # of the time limit, after which an attempt ends; the search has the rest
VARIABLES = 16  # for each of which an entry of a table has one more vector, or more


class _Attempt(NamedTuple):
    """What came of trying to find the whole front."""

    result: Result | None  # None if it would take too many vectors, or did
    seconds: float  # that it took, without compilation


def exact_if_cheap(
    landscape: Landscape,
    progress: bool | None,
    time_limit: float | None,
    memory_limit: int | str | None,
) -> _Attempt:
    """The whole front, if it is found with few vectors."""
    if time_limit is not None:
        time_limit = checked_seconds("time_limit", time_limit)
    began = perf_counter()
    most = _most_vectors(landscape, time_limit)
    if not _looks_cheap(landscape, most):
        return _Attempt(None, perf_counter() - began)
    looked = perf_counter() - began
    compile_exact(progress)
    began = perf_counter() - looked
    limit = None if time_limit is None else max(SHARE * time_limit - looked, 1e-9)
    try:
        found = solved_exactly(landscape, progress, limit, most, memory_limit)
    except (GivenUp, MemoryError, OverflowError, TimeoutError):
        return _Attempt(None, perf_counter() - began)
    seconds = perf_counter() - began
    return _Attempt(replace(found, seconds=seconds), seconds)


def _most_vectors(landscape: Landscape, time_limit: float | None) -> int:
    """How many vectors an attempt may make."""
    most = MOST_VECTORS
    if time_limit is not None and np.isfinite(time_limit):
        most = int(min(most, VECTORS_A_SECOND * time_limit))
    return most // LONGER_VECTORS if landscape.constraints else most


def _looks_cheap(landscape: Landscape, most: int) -> bool:
    """Whether an elimination may do with so many vectors."""
    if _predicted(landscape, 0) > most:
        return False
    width = width_of(landscape)
    return (
        width is not None and width <= WIDEST and _predicted(landscape, width) <= most
    )


def _predicted(landscape: Landscape, width: int) -> int:
    """How many vectors an elimination makes at least, as a rule."""
    each = 1 if landscape.d == 1 else 1 + landscape.n // VARIABLES
    return landscape.n * (VECTORS_A_STEP + (each << width))
