"""Exact runs: the whole front, by elimination, as a result like that of a search.

There are no climbs and no moves. Each row is a climb of its own, and a local optimum of
every radius.
"""

from typing import Any

import numpy as np

from paretoball.archive import Trail
from paretoball.exact import ExactFront, exact_front
from paretoball.formats import PathLike
from paretoball.landscape import Landscape
from paretoball.running.result import NO_TRACE, Result
from paretoball.running.status import INFEASIBLE, WHOLE
from paretoball.search import EXACT


def solved_exactly(
    landscape: Landscape,
    progress: bool | None,
    time_limit: float | None,
    max_points: int | None = None,
    memory_limit: int | str | None = None,
    checkpoint: PathLike | None = None,
) -> Result:
    """The whole front of a landscape, as a result."""
    front = exact_front(
        landscape, progress, time_limit, max_points, memory_limit, checkpoint
    )
    return _result_of(front, landscape)


def _result_of(front: ExactFront, landscape: Landscape) -> Result:
    """An exact front as a result."""
    size = len(front)
    config: dict[str, Any] = {
        "method": EXACT,
        "width": front.width,
        "vectors": front.vectors,
    }
    step, at, flips = (
        np.zeros(1, np.int64),
        np.zeros(2, np.int64),
        np.zeros(0, np.int32),
    )
    return Result(
        F=front.F,
        climb=np.arange(size),
        step=np.zeros(size, np.int64),
        optimum=np.ones(size, np.bool_),
        n=landscape.n,
        sense=landscape.sense,
        names=landscape.names,
        moves=0,
        climbs=0,
        seconds=front.seconds,
        setup_seconds=0.0,
        archive_seconds=0.0,
        status=WHOLE if size else INFEASIBLE,
        config=config,
        trace=NO_TRACE,
        reference=landscape.mean,
        source=landscape,
        trails={row: Trail(step, x, at, flips) for row, x in enumerate(front.bits)},
        given_labels=landscape.given_labels,
        constraints=len(landscape.constraints),
    )
