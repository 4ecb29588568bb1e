"""Warming up: compile the kernels of a run before its clock starts."""

from functools import cache

import numpy as np

from paretoball.archive import Archive
from paretoball.climber import Climber, score_bounds, score_dtype
from paretoball.landscape import Landscape
from paretoball.quality import hypervolume
from paretoball.search import UNLIMITED, Block, method_named

MOST_UNITS = 8  # of a first round


def warm_up(landscape: Landscape, radius: int, method: str) -> None:
    """Compile every kernel of a search method for landscapes of this kind."""
    dtype = score_dtype(landscape, score_bounds(landscape, radius))
    _search_tiny(landscape.d, dtype == np.int32, method)


@cache
def _search_tiny(d: int, is_narrow: bool, method: str) -> None:
    """Search a tiny landscape, from the first round to the second."""
    large = 1 if is_narrow else 2**40
    tables = [[0, large * (i + 1), 2 * large, 0] for i in range(d)]
    ring = [[((j, (j + 1) % 4), table) for j in range(4)] for table in tables]
    tiny = Landscape.from_subfunctions(4, ring)
    archive = Archive(d)
    starts = np.empty((0, 4), np.uint8)
    plan = method_named(method).plan(tiny, None, 0)
    searcher = method_named(method).searcher(Climber(tiny, 3), None, 0, starts)
    plan.advance(archive, 0)
    for number in range(min(plan.round.end, MOST_UNITS) + 1):
        plan.advance(archive, number)
        block = Block(number, 1)
        searcher.run(archive, block, plan.tasks(block), UNLIMITED, lambda _: False)
    archive.keep_least_crowded(1)
    hypervolume(archive.F, tiny.mean)
