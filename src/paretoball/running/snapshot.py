"""A snapshot of a run: what its progress, its callback and its checkpoints receive."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from paretoball.archive import Archive
from paretoball.climber import Climber
from paretoball.landscape import Landscape, unpacked_bits
from paretoball.running.options import Options
from paretoball.running.result import Result
from paretoball.running.solution import Nearest
from paretoball.running.trace import Trace
from paretoball.search import Kept


class Settled(NamedTuple):
    """What the finished units of a run found, and nothing else."""

    units: int  # from the first on, without a gap
    moves: int  # of those
    archive: Archive


@dataclass(frozen=True, slots=True)
class Snapshot:
    """How a run is doing."""

    seconds: float  # since the run began, set-ups and earlier calls included
    moves: int  # of finished climbs
    climbs: int  # finished, or paths
    hypervolume: float  # of the latest trace row; nan where it would take too long
    workers: int  # that have answered lately
    archive: Archive  # everything found, in steps and maximised
    own_climber: Callable[[], Climber | None]  # for `climber`
    landscape: Landscape
    options: Options
    settled: Settled  # what a run that is resumed begins with
    kept: Kept  # by the plan of its method
    loose_climbs: int  # finished, but not all before them are
    loose_moves: int  # of those, and of climbs that are not finished
    search_seconds: float
    setup_seconds: float
    archive_seconds: float
    status: str
    trace: Trace
    bounded: bool

    @property
    def climber(self) -> Climber | None:
        """A climber of the landscape; None if only workers elsewhere have one.

        If the search has given variables other numbers, it is set up when first asked
        for.
        """
        return self.own_climber()

    @property
    def size(self) -> int:
        """The size of the archive."""
        return len(self.archive)

    def result(self, unsaved: str = "") -> Result:
        """What was found so far."""
        return Result.of_run(
            self.landscape,
            self.archive,
            moves=self.moves + self.loose_moves,
            climbs=self.climbs + self.loose_climbs,
            seconds=self.search_seconds,
            setup_seconds=self.setup_seconds,
            archive_seconds=self.archive_seconds,
            status=self.status,
            config=self.options.config(),
            trace=self.trace.array,
            bounded=self.bounded,
            unsaved=unsaved,
            nearest=self._nearest(),
        )

    def _nearest(self) -> Nearest | None:
        """What is nearest to a feasible solution, if none was found."""
        near, landscape = self.archive.near, self.landscape
        if len(self.archive) or near is None:
            return None
        x = unpacked_bits(near.x, landscape.n)
        return Nearest(x.view(np.bool_), landscape.evaluate(x), landscape.violation(x))
