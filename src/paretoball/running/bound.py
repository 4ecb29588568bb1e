"""The bound of an archive: `max_archive`, kept without changing what workers find.

An archive is cut after units whose numbers depend on n alone. So the same points are
kept whoever runs the units, and however often the run is stopped.
"""

from paretoball.archive import Archive
from paretoball.search import UNLIMITED

BOUNDED_MOVES = 1 << 16  # between two looks at the size of a bounded archive, roughly


class Bound:
    """Keeps an archive of solutions with n bits within its bound; None is no bound."""

    def __init__(self, size: int | None, n: int, has_cut: bool = False) -> None:
        self.size = size
        self.stride = UNLIMITED if size is None else max(1, BOUNDED_MOVES // n)
        self.has_cut = has_cut  # whether points were dropped

    def units_until_look(self, first: int) -> int:
        """How many units from `first` on come before the next look."""
        return self.stride - first % self.stride

    def look(self, archive: Archive, units: int) -> None:
        """After `units` units: cut an archive above twice its bound, if it is time."""
        if self.size is not None and units % self.stride == 0:
            self._cut(archive, 2 * self.size)

    def finish(self, archive: Archive) -> bool:
        """Cut the archive to its bound; True if points were dropped."""
        return self.size is not None and self._cut(archive, self.size)

    def _cut(self, archive: Archive, limit: int) -> bool:
        assert self.size is not None
        is_cut = len(archive) > limit and archive.keep_least_crowded(self.size)
        self.has_cut |= is_cut
        return is_cut
