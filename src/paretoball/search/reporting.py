"""Reporting: what climbs have noted goes to the archive, and the time this takes."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from paretoball.archive import Archive, Points
from paretoball.climber import REPORTS, ClimbState


class Reporting:
    """Hands reports to archives, and counts the time that goes there."""

    def __init__(self) -> None:
        self.seconds = 0.0  # spent on it

    def take_over(self, state: ClimbState, archive: Archive) -> None:
        """Report what the climb has noted, and clear its notes."""
        with self.timed():
            count = state.clock[REPORTS]
            noted = Points.tagged(state.notes.fx[:count], state.notes.tags[:count])
            archive.take_in(noted)
            state.clock[REPORTS] = 0

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Count the time of this."""
        began = perf_counter()
        yield
        self.seconds += perf_counter() - began
