"""The bound of an archive: `max_archive`, kept without changing what workers find.

An archive is cut after units whose numbers depend on n alone. So the same points are
kept whoever runs the units, and however often the run is stopped.
"""

from paretoball.archive import Archive
from paretoball.search import UNLIMITED
from paretoball.system import Pulse, nothing

BOUNDED_MOVES = 1 << 16  # between two looks at the size of a bounded archive, roughly
CUTTING = 8e-7  # seconds, at most, for each number of an archive that is cut


class Bound:
    """Keeps an archive of solutions with n bits within its bound; None is no bound.

    Climbs take some n moves. Units of other methods may find more than the bound each,
    so the archive is looked at after each of them.
    """

    def __init__(
        self, size: int | None, n: int, has_climbs: bool, has_cut: bool = False
    ) -> None:
        self.size = size
        every = max(1, BOUNDED_MOVES // n) if has_climbs else 1
        self.stride = UNLIMITED if size is None else every
        self.has_cut = has_cut  # whether points were dropped

    def units_until_look(self, first: int) -> int:
        """How many units from `first` on come before the next look."""
        return self.stride - first % self.stride

    def look(self, archive: Archive, units: int, pulse: Pulse = nothing) -> None:
        """After `units` units: cut an archive above twice its bound, if it is time."""
        if self.size is not None and units % self.stride == 0:
            self._cut(archive, 2 * self.size, pulse)

    def finish(self, archive: Archive, pulse: Pulse = nothing) -> bool:
        """Cut the archive to its bound; True if points were dropped."""
        return self.size is not None and self._cut(archive, self.size, pulse)

    def seconds(self, archive: Archive) -> float:
        """How long `finish` takes, as predicted."""
        is_cut = self.size is not None and len(archive) > self.size
        return CUTTING * len(archive) * archive.d * is_cut

    def _cut(self, archive: Archive, limit: int, pulse: Pulse) -> bool:
        assert self.size is not None
        is_cut = len(archive) > limit and archive.keep_least_crowded(self.size, pulse)
        self.has_cut |= is_cut
        return is_cut
