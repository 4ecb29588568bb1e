"""A solution of a result, with its objectives and where it was found."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from paretoball.system import brief, counted, is_whole


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Solution:
    """One solution of a result."""

    fx: np.ndarray  # (d,): its objectives
    x: np.ndarray  # (n,) bool
    climb: int  # the climb or path that reported it
    step: int  # after how many moves; or where on its path
    optimum: bool  # whether that climb ended there
    given_labels: tuple[Hashable, ...] | None = None  # None where they are 0 to n - 1

    @property
    def by_label(self) -> dict[Hashable, int]:
        """The value of each variable, 0 or 1, by its label."""
        labels = range(len(self.x)) if self.given_labels is None else self.given_labels
        return dict(zip(labels, self.x.astype(int).tolist()))

    def __repr__(self) -> str:
        kind = ", a local optimum" if self.optimum else ""
        return (
            f"Solution: f(x) = {self.fx.tolist()}, {counted(len(self.x), 'bit')}, "
            f"found in climb {self.climb:,} at step {self.step:,}{kind}"
        )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Nearest:
    """The solution nearest to being feasible, of a run that found none that is."""

    x: np.ndarray  # (n,) bool
    fx: np.ndarray  # (d,): its objectives
    violation: np.ndarray  # (constraints,): how far each is from being satisfied

    @property
    def violated(self) -> int:
        """How many constraints it violates."""
        return int(np.count_nonzero(self.violation))

    def __repr__(self) -> str:
        return (
            f"Nearest: f(x) = {self.fx.tolist()}, {counted(len(self.x), 'bit')}, "
            f"violates {self.in_words}"
        )

    @property
    def in_words(self) -> str:
        """How many of the constraints it violates."""
        return f"{self.violated:,} of {counted(len(self.violation), 'constraint')}"


def checked_rows(rows: Any, size: int) -> np.ndarray:
    """Numbers of rows, from whole numbers, a slice or a mask of a front of `size`."""
    if isinstance(rows, slice):
        return np.arange(size)[rows]
    given = np.asarray(rows)
    if given.dtype == np.bool_:
        if given.shape != (size,):
            raise IndexError(
                f"rows is a mask of shape {given.shape}, but there are {size:,} rows"
            )
        return np.flatnonzero(given)
    if given.size == 0:
        return np.zeros(given.shape, np.int64)
    if given.dtype.kind not in "iu" and not all(is_whole(row) for row in given.flat):
        raise TypeError(f"rows is {brief(rows)}, not whole numbers, a slice or a mask")
    outside = (given < -size) | (given >= size)
    if outside.any():
        raise IndexError(
            f"row {given[outside][0]} is asked for, but there are {size:,}: "
            f"0 to {size - 1:,}, or -{size:,} to -1"
        )
    return given.astype(np.int64) % size
