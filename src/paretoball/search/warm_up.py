"""Warming up: compile the kernels of a run before its clock starts."""

from typing import Any

import numpy as np

from paretoball.archive import Archive
from paretoball.climber import Climber
from paretoball.landscape import Landscape
from paretoball.quality import hypervolume
from paretoball.search.budget import UNLIMITED
from paretoball.search.multistart import MultiStart
from paretoball.weights import WeightSource, score_bounds, score_dtype

_warm: set[tuple[int, Any]] = set()


def warm_up(landscape: Landscape, radius: int) -> None:
    """Run every kernel that a search needs, on a tiny landscape of the same kind."""
    bounds = score_bounds(landscape, radius)
    dtype = score_dtype(landscape, bounds)
    kind = (landscape.d, dtype)
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
    MultiStart(climber, 0, source, starts).run(
        archive, 0, 2, UNLIMITED, lambda _: False
    )
    archive.keep_least_crowded(1)
    hypervolume(archive.F, tiny.mean)
    _warm.add(kind)
