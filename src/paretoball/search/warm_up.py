"""Warming up: compile the kernels of a run before its clock starts."""

from typing import Any

import numpy as np

from paretoball.archive import Archive
from paretoball.climber import Climber
from paretoball.landscape import Landscape
from paretoball.quality import hypervolume
from paretoball.search.budget import UNLIMITED
from paretoball.search.rounds import FEWEST, Rounds
from paretoball.weights import WeightSource, score_bounds, score_dtype

_warm: set[tuple[int, Any, Any]] = set()


def warm_up(landscape: Landscape, radius: int, method: Any) -> None:
    """Run every kernel of a search method, on a tiny landscape of the same kind."""
    bounds = score_bounds(landscape, radius)
    dtype = score_dtype(landscape, bounds)
    kind = (landscape.d, dtype, method)
    if kind in _warm:
        return
    large = 1 if dtype == np.int32 else 2**40
    tables = [[0, large * (i + 1), 2 * large, 0] for i in range(landscape.d)]
    ring = [[((j, (j + 1) % 4), table) for j in range(4)] for table in tables]
    tiny = Landscape.from_subfunctions(4, [*ring])
    climber = Climber(tiny, 3)
    source = WeightSource(None, tiny, climber.bounds, 0)
    starts = np.empty((0, 4), np.uint8)
    archive = Archive(tiny.d)
    plan = Rounds(tiny, None, 0)
    for number in range(FEWEST + 1):
        plan.advance(archive, number)
        tasks = plan.tasks_of(number, 1)
        searcher = method(climber, 0, source, starts)
        searcher.run(archive, number, 1, UNLIMITED, lambda _: False, tasks)
    archive.keep_least_crowded(1)
    hypervolume(archive.F, tiny.mean)
    _warm.add(kind)
