"""Windows: which solutions of the front a filling visits, with those around them.

A window is some solutions that are close to each other on the front. Those that were
never visited are wanted; the others are there to be compared and to have offspring
with.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

CONTEXT = 16  # solutions before the first wanted one and after the last, at most


class Window(NamedTuple):
    """Rows of the front that belong together."""

    rows: np.ndarray  # int64
    wanted: np.ndarray  # bool: for each row, whether it is to be visited

    @property
    def visits(self) -> int:
        """The number of solutions to visit."""
        return int(self.wanted.sum())


def windows_along(fx: np.ndarray, fresh: np.ndarray, most: int) -> Iterator[Window]:
    """For two objectives, ascending: windows of up to `most` rows, the best first.

    The best are those whose wanted solutions have the largest gaps around them: the
    hypervolume that might be between the solutions before and after them.
    """
    wanted = np.flatnonzero(fresh)
    context = min(CONTEXT, (most - 1) // 2)  # there is room for one that is wanted
    starts, start = [0], 0
    while start < len(wanted):
        first = max(0, wanted[start] - context)
        start = int(wanted.searchsorted(first + most))
        starts.append(start)
    if start == 0:
        return
    spans = fx[np.r_[1 : len(fx), len(fx) - 1]] - fx[np.r_[0, 0 : len(fx) - 1]]
    gaps = np.abs(spans.astype(np.float64)).prod(axis=1)
    values = np.add.reduceat(gaps[wanted], starts[:-1])
    for at in np.argsort(-values, kind="stable").tolist():
        chosen = wanted[starts[at] : starts[at + 1]]
        first = max(0, chosen[0] - context)
        last = min(len(fx), chosen[-1] + 1 + context)
        mask = np.zeros(last - first, np.bool_)
        mask[chosen - first] = True
        yield Window(np.arange(first, last), mask)


def windows_around(
    values: np.ndarray, fresh: np.ndarray, draws: np.ndarray, most: int
) -> Iterator[Window]:
    """For more objectives: each drawn solution with its nearest ones, until all are in.

    Distances are sums of absolute differences of `values`.
    """
    wanted = fresh.copy()
    for draw in draws.tolist():
        left = np.flatnonzero(wanted)
        if not len(left):
            return
        centre = left[int(draw * len(left))]
        far = np.abs(values - values[centre]).sum(axis=1)
        rows = np.argsort(far, kind="stable")[:most]
        yield Window(rows, wanted[rows])
        wanted[rows] = False
