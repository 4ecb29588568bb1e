"""Methods for landscapes with constraints: the plans of others, and own units."""

from collections.abc import Mapping

import numpy as np

from paretoball.climber import Climber
from paretoball.landscape import Landscape
from paretoball.search.constrained.searcher import ConstrainedSearcher
from paretoball.search.method import Asked, Method, Plan


class _Constrained:
    """A method whose units keep to the constraints of one landscape."""

    def __init__(self, method: Method, landscape: Landscape) -> None:
        self.method = method
        self.landscape = landscape
        self.name = method.name
        self.unit = method.unit
        self.kept_numbers = method.kept_numbers
        self.kept_arrays: Mapping[str, str] = method.kept_arrays

    def breadth(self, landscape: Landscape) -> int:
        """The breadth of a run, if nobody says it."""
        return self.method.breadth(landscape)

    def plan(self, landscape: Landscape, asked: Asked) -> Plan:
        """The plan of a run."""
        return self.method.plan(landscape, asked)

    def searcher(
        self, climber: Climber, asked: Asked, starts: np.ndarray
    ) -> ConstrainedSearcher:
        """A searcher; the first units start from the rows of `starts`."""
        return ConstrainedSearcher(self.landscape, climber, asked, starts)


def constrained(method: Method, landscape: Landscape) -> Method:
    """The method for a landscape that has constraints."""
    return _Constrained(method, landscape)
