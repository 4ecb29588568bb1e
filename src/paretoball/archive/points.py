"""Points: objective vectors, each found at a step of a numbered climb or path."""

from typing import NamedTuple

import numpy as np


class Points(NamedTuple):
    """Objective vectors of one run with their origins; kernels read them, too."""

    fx: np.ndarray  # (size, d) int64: maximised, in steps
    unit: np.ndarray  # (size,) int64: the number of the unit that reported each
    step: np.ndarray  # (size,) int64: the step of that unit
    optimum: np.ndarray  # (size,) int64: 1 if it is known as a local optimum

    @classmethod
    def tagged(cls, fx: np.ndarray, tags: np.ndarray) -> "Points":
        """The points with these vectors; the columns of `tags` are the other three."""
        return cls(fx, *tags.T.copy())

    @property
    def size(self) -> int:
        """The number of points."""
        return len(self.unit)

    def some(self, rows: np.ndarray) -> "Points":
        """The points of these rows: row numbers, or a mask."""
        return Points(*(column[rows] for column in self))

    def of_units(self, first: int, count: int) -> "Points":
        """Those of units first, ..., first + count - 1."""
        return self.some((self.unit >= first) & (self.unit < first + count))

    def steps_by_unit(self) -> dict[int, np.ndarray]:
        """The steps of each unit that has a point, ascending."""
        order = np.lexsort((self.step, self.unit))
        units, first = np.unique(self.unit[order], return_index=True)
        return dict(zip(units.tolist(), np.split(self.step[order], first[1:])))
