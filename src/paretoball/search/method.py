"""What a search method is: numbered units of work, each a function of its number.

A run is made of units 0, 1, 2, ..., which are climbs or paths. A method may plan, round
by round, what units start from, using what the units of earlier rounds found. So a unit
depends on its number alone, and not on when or where it is run.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    import numpy as np

    from paretoball.archive import Archive
    from paretoball.climber import Climber
    from paretoball.landscape import Landscape

UNLIMITED = 2**63 - 1  # units or moves: as good as no limit

Stop = Callable[[int], bool]  # of the moves of a block so far; True ends it early
Tasks = object  # what the units of a block start from, if the method plans it


class Block(NamedTuple):
    """Units first, first + 1, ..., first + size - 1 of a run."""

    first: int
    size: int

    @property
    def end(self) -> int:
        """The number after the last one."""
        return self.first + self.size


class Done(NamedTuple):
    """How far a searcher came with a block."""

    units: int  # finished, from the first on
    moves: int  # taken
    settled_moves: int  # of the finished units


class Asked(NamedTuple):
    """What a run asks of its method."""

    weights: Any  # None, a rule, a vector or rows, as lists
    seed: int
    radius: int  # of climbs
    breadth: int  # how many workers the plan is to keep busy


class Kept(NamedTuple):
    """What a plan keeps in a checkpoint, by name."""

    numbers: Mapping[str, int]
    arrays: "Mapping[str, np.ndarray]"


class Searcher(Protocol):
    """Runs units on one thread."""

    archive_seconds: float  # spent on the archive so far

    def run(
        self, archive: "Archive", block: Block, tasks: Tasks, max_moves: int, stop: Stop
    ) -> Done:
        """Run the units of a block into the archive, while `stop(moves)` is false.

        Unit 0 reports at least one solution, however early it is stopped.
        """


class Plan:
    """What units start from, planned round by round.

    As it is, it plans nothing: units need their number only, in one round without end.
    """

    @property
    def planned(self) -> Block:
        """The units that are planned now: one round, or several in a row."""
        return Block(0, UNLIMITED)

    def round_end(self, number: int) -> int:
        """The number after the last unit of the round of planned unit `number`."""
        return UNLIMITED

    def tasks(self, block: Block) -> Tasks:
        """What the units of a block start from, which lies within one round."""
        return None

    def advance(self, archive: "Archive", number: int) -> None:
        """Plan another round, if all units before one of the planned rounds are done.

        The archive holds what all units before `number` found, and nothing else.
        """

    def is_whole(self, archive: "Archive", number: int) -> bool:
        """Whether the front is known to be whole, so that a run ends.

        All units before `number` are done, and the plan has advanced.
        """
        return False

    def kept(self) -> Kept:
        """What it takes to go on with these rounds."""
        return Kept({}, {})

    def restore(self, kept: Kept, units: int) -> None:
        """Go on with what was kept when `units` units were finished.

        ValueError if `kept` does not fit the landscape or `units`.
        """


class Method(NamedTuple):
    """A way to search."""

    name: str  # as users give it
    unit: str  # what one of its units is called
    breadth: Callable[["Landscape"], int]  # of a run, if nobody says it
    plan: Callable[["Landscape", Asked], Plan]  # of a run
    # A searcher whose first units start from rows of an array. Constraints are the
    # landscape's, as the climber knows none.
    searcher: Callable[["Landscape", "Climber", Asked, "np.ndarray"], Searcher]
    kept_numbers: tuple[str, ...] = ()  # the names of `Kept.numbers`
    kept_arrays: Mapping[str, str] = {}  # the names and dtypes of `Kept.arrays`
