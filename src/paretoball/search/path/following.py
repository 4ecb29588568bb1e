"""The methods `path` and `pls`: their plan and their searcher."""

import numpy as np

from paretoball.climber import Climber
from paretoball.landscape import Landscape
from paretoball.search.method import Asked
from paretoball.search.path.effort import default_breadth
from paretoball.search.path.planning import FILLED, KEPT_NUMBERS, VISITED, Rounds
from paretoball.search.path.searcher import Searcher
from paretoball.search.path.tasks import KEPT_ARRAYS


class _PathMethod:
    """Paths along the front and fillings between, planned round by round."""

    unit = "path"
    kept_numbers = KEPT_NUMBERS
    kept_arrays = {**KEPT_ARRAYS, VISITED: "int64"}  # noqa: RUF012 (nobody changes it)

    def __init__(self, name: str, filled: float) -> None:
        self.name = name
        self.filled = filled  # the most work of fillings, of that of paths

    def breadth(self, landscape: Landscape) -> int:
        """The breadth of a run, if nobody says it."""
        return default_breadth(landscape.n, landscape.d)

    def plan(self, landscape: Landscape, asked: Asked) -> Rounds:
        """The plan of a run."""
        return Rounds(landscape, asked, self.filled)

    def searcher(
        self, landscape: Landscape, climber: Climber, asked: Asked, starts: np.ndarray
    ) -> Searcher:
        """A searcher; directions come with the plan, so it needs no weights."""
        has_fillings = landscape.d > 1
        return Searcher(landscape, climber, asked, starts, has_fillings)


METHOD = _PathMethod("path", FILLED)
PLS = _PathMethod("pls", float("inf"))
