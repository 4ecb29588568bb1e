"""The trace of a run: how its front grew, row by row."""

from collections.abc import Callable
from time import perf_counter

import numpy as np

from paretoball.archive import Archive
from paretoball.landscape import Landscape
from paretoball.quality import EASY, hypervolume

MOST_ROWS = 400  # more rows than this are thinned to half
FIRST_PAUSE = 0.05  # seconds between the first rows
HYPERVOLUME_SHARE = 0.02  # of the time, at most, for hypervolumes


class Trace:
    """Rows of (seconds, moves, climbs, size, hypervolume), not too many."""

    def __init__(
        self, landscape: Landscape, clock: Callable[[], float] = perf_counter
    ) -> None:
        self.landscape = landscape
        self.clock = clock
        self.rows: list[tuple[float, int, int, int, float]] = []
        self.pause = FIRST_PAUSE
        self.measuring = 0.0  # seconds spent on hypervolumes
        self.took = 0.0  # seconds that the latest hypervolume took

    def go_on_from(self, rows: np.ndarray, seconds: float) -> None:
        """Go on after the rows of a run that has taken `seconds` so far."""
        self.rows = [tuple(row) for row in rows.tolist()]
        self.pause = max(FIRST_PAUSE, seconds / MOST_ROWS)

    @property
    def hypervolume(self) -> float:
        """That of the latest row; nan without one."""
        return self.rows[-1][-1] if self.rows else float("nan")

    @property
    def array(self) -> np.ndarray:
        """All rows: (rows, 5) float64."""
        return np.array(self.rows, float).reshape(-1, 5)

    def is_due(self, seconds: float) -> bool:
        """Whether it is time for the next row."""
        return not self.rows or seconds - self.rows[-1][0] >= self.pause

    def add(
        self,
        seconds: float,
        moves: int,
        climbs: int,
        archive: Archive,
        last: bool = False,
    ) -> None:
        """Add a row; the last one has its hypervolume in any case."""
        began = self.clock()
        volume = float("nan")
        timely = self.measuring <= HYPERVOLUME_SHARE * seconds
        if self.landscape.d <= EASY and (timely or last or not self.rows):
            front = self.landscape.shown(archive.F)
            volume = hypervolume(front, self.landscape.mean, self.landscape.sense)
            self.took = self.clock() - began
            self.measuring += self.took
        self.rows.append((seconds, moves, climbs, len(archive), volume))
        if len(self.rows) > MOST_ROWS:
            self.rows = self.rows[::2]
            self.pause *= 2

    def replace_last(self, archive: Archive) -> None:
        """Write the last row once more, after the archive was cut."""
        seconds, moves, climbs, _, _ = self.rows.pop()
        self.add(seconds, moves, climbs, archive, last=True)
