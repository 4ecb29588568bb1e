"""Budgets: when a run ends, and why."""

from collections.abc import Callable
from time import perf_counter

from paretoball.running.options import Options
from paretoball.running.status import CLIMBS, MOVES, TIME
from paretoball.search import UNLIMITED


class OutOfTime(Exception):
    """The budget ended during set-up."""


class Budget:
    """Time, units and moves that a run may take, in all."""

    def __init__(
        self,
        options: Options,
        spent: float = 0.0,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        limit = options.time_limit
        self.time_limit = float("inf") if limit is None else limit
        self.max_units = options.max_climbs or UNLIMITED
        self.max_moves = options.max_moves or UNLIMITED
        self.spent = spent  # seconds of it before this call
        self.clock = clock
        self.began = clock()
        self.stopped: str | None = None  # why the run was stopped, if it was

    def left(self) -> float:
        """Seconds until the time is up."""
        return self.time_limit - self.spent - self.elapsed()

    def restart(self, elapsed: float) -> None:
        """Pretend that this call began `elapsed` seconds ago."""
        self.began = self.clock() - elapsed

    def elapsed(self) -> float:
        """Seconds since this call began."""
        return self.clock() - self.began

    def is_over(self) -> bool:
        """Whether the run was stopped or its time is up."""
        return self.stopped is not None or self.left() <= 0

    def pulse(self) -> None:
        """During set-up: raise once the run is over."""
        if self.is_over():
            raise OutOfTime

    def is_used_up(self, units: int, moves: int) -> bool:
        """Whether a run with this many finished units and moves is to end."""
        return self.is_over() or units >= self.max_units or moves >= self.max_moves

    def status(self, units: int, moves: int) -> str:
        """Why the run ended, in a word or two."""
        if units >= self.max_units:
            return CLIMBS
        if moves >= self.max_moves:
            return MOVES
        return TIME if self.stopped is None else self.stopped

    def stop(self, why: str) -> None:
        """End the run at its next look at the budget."""
        self.stopped = why
