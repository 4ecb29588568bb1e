"""Starts: the solutions that a run is given to start from."""

from typing import Any

import numpy as np

from paretoball.landscape import Landscape, check_solutions_fit
from paretoball.running.result import Result
from paretoball.running.solution import Solution
from paretoball.system import counted


def checked_starts(start: Any, landscape: Landscape) -> np.ndarray:
    """Given start solutions, (given, n) uint8.

    `start` is bits, a dict by label, a solution of a result, or several of these; or a
    front with all its solutions; None is no start.
    """
    n = landscape.n
    if start is None:
        return np.empty((0, n), np.uint8)
    if isinstance(start, Result):
        return _of_result(start, n)
    bits = _bits_of(start)
    if isinstance(start, list | tuple):
        bits = [_bits_of(each) for each in start]
    elif bits is not start and len(bits) == 0:
        raise ValueError("start has no solutions")
    return np.atleast_2d(landscape.bits_of(bits, "start"))


def _of_result(result: Result, n: int) -> np.ndarray:
    """All solutions of a result, if they have n bits and fit in memory."""
    if result.n != n:
        bits = counted(result.n, "bit")
        raise ValueError(f"start has {bits}, but the landscape has n = {n:,}")
    advice = "start from some of them, start=result.solutions(rows)"
    check_solutions_fit(len(result), n, advice)
    return result.solutions(slice(None)).view(np.uint8)


def _bits_of(start: Any) -> Any:
    """The bits of a record or of a front; anything else may be bits already."""
    return start.x if isinstance(start, Solution) else getattr(start, "X", start)
