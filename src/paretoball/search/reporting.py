"""What searchers have in common: slices of moves, and reporting to archives."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter

import numpy as np

from paretoball.archive import Archive, Points, Trail
from paretoball.climber import REPORTS, ClimbState
from paretoball.landscape import Landscape

FIRST_SLICE, LONGEST_SLICE = 64, 1 << 20  # moves
SLICE_SECONDS = 0.02


class Reporting:
    """Hands reports to archives, and counts the time that goes there."""

    archive_seconds = 0.0  # spent on it

    def take_over(self, state: ClimbState, archive: Archive) -> None:
        """Report what the climb has noted, and clear its notes."""
        with self.timed():
            count = state.clock[REPORTS]
            noted = Points.tagged(state.notes.fx[:count], state.notes.tags[:count])
            archive.take_in(noted)
            state.clock[REPORTS] = 0

    def keep_trails(
        self,
        archive: Archive,
        landscape: Landscape,
        first: int,
        lengths: Sequence[int],
        trail: Callable[[int, np.ndarray], Trail],
    ) -> None:
        """Keep the parts of units first, first + 1, ... that an archive needs.

        `trail(at, steps)` is that of the unit `at` places after the first one.
        """
        with self.timed():
            trails = {}
            found = archive.points().of_units(first, len(lengths))
            for number, steps in found.steps_by_unit().items():
                at = number - first
                steps = steps[steps <= lengths[at]]  # others are from before
                if len(steps):
                    trails[number] = trail(at, steps).outward(landscape.numbering)
            archive.keep_trails(landscape.n, trails)

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Count the time of this."""
        began = perf_counter()
        yield
        self.archive_seconds += perf_counter() - began


def next_slice(moves: int, seconds: float, is_used_up: bool) -> int:
    """How long the next slice should be, to take about SLICE_SECONDS."""
    if seconds < SLICE_SECONDS / 2 and is_used_up:
        return min(2 * moves, LONGEST_SLICE)
    return max(moves // 2, 1) if seconds > 2 * SLICE_SECONDS else moves
