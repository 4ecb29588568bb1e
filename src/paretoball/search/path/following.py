"""The method `path`: its plan and its searcher."""

from typing import Any

import numpy as np

from paretoball.climber import Climber
from paretoball.landscape import Landscape
from paretoball.search.path.planning import KEPT_ARRAYS, ROUND, Rounds
from paretoball.search.path.searcher import PathSearcher


class _PathMethod:
    """Paths along the front, planned round by round."""

    name = "path"
    unit = "path"
    kept_numbers = (ROUND,)
    kept_arrays = KEPT_ARRAYS

    def plan(self, landscape: Landscape, weights: Any, seed: int) -> Rounds:
        """The plan of a run."""
        return Rounds(landscape, weights, seed)

    def searcher(
        self, climber: Climber, weights: Any, seed: int, starts: np.ndarray
    ) -> PathSearcher:
        """A searcher; directions come with the plan, so it needs no weights."""
        return PathSearcher(climber, seed, starts)


METHOD = _PathMethod()
