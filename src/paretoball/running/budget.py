"""Budgets: when a run ends, and why."""

from collections.abc import Callable
from time import perf_counter

from paretoball.running.foresight import Foresight
from paretoball.running.options import Options
from paretoball.running.status import CLIMBS, FEW_MOVES, MOVES, TIME
from paretoball.search import UNLIMITED

RESERVED = 0.5  # of the time limit, at most, for what comes after the search


class OutOfTime(Exception):
    """The budget ended during set-up."""


class Budget:
    """Time, units and moves that a run may take, in all.

    A run has at most as many units as moves, so that units that take no move end, too.
    """

    def __init__(
        self,
        options: Options,
        spent: float = 0.0,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        limit = options.time_limit
        self.time_limit = float("inf") if limit is None else limit
        self.max_climbs = options.max_climbs or UNLIMITED
        self.max_moves = options.max_moves or UNLIMITED
        self.max_units = min(self.max_climbs, self.max_moves)
        self.spent = spent  # seconds of it before this call
        self.clock = clock
        self.foresight = Foresight(clock)
        self.began = self.foresight.last
        self.reserve = 0.0  # seconds for what comes after the search
        self.is_late = False  # whether the time is up, or nearly
        self.stopped: str | None = None  # why the run was stopped, if it was

    def left(self) -> float:
        """Seconds until the search has to end."""
        return self._end() - self.clock()

    def _end(self) -> float:
        """When the search has to end, by the clock."""
        reserve = min(self.reserve, RESERVED * self.time_limit)
        return self.began + self.time_limit - self.spent - reserve

    def restart(self, elapsed: float) -> None:
        """Pretend that this call began `elapsed` seconds ago."""
        self.foresight = Foresight(self.clock)
        self.began = self.foresight.last - elapsed
        self.is_late = False

    def elapsed(self) -> float:
        """Seconds since this call began."""
        return self.clock() - self.began

    def is_over(self, moves: int = 0) -> bool:
        """Whether a block with so many moves must stop: its run is over, or nearly."""
        self.is_late = self.is_late or self.foresight.is_late(self._end(), moves)
        return self.stopped is not None or self.is_late

    def pulse(self) -> None:
        """During set-up: raise once the run is over."""
        if self.is_over():
            raise OutOfTime

    def is_used_up(self, units: int, moves: int) -> bool:
        """Whether a run with this many finished units and moves is to end."""
        return self.is_over() or units >= self.max_units or moves >= self.max_moves

    def status(self, units: int, moves: int) -> str:
        """Why the run ended, in a word or two."""
        if units >= self.max_climbs:
            return CLIMBS
        if moves >= self.max_moves:
            return MOVES
        if units >= self.max_units:
            return FEW_MOVES
        return TIME if self.stopped is None else self.stopped

    def stop(self, why: str) -> None:
        """End the run at its next look at the budget."""
        self.stopped = why
