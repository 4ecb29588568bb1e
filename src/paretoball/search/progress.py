"""Progress: what a run shows, traces, and tells its callback while it goes on."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from paretoball.archive import Archive
from paretoball.climber import Climber
from paretoball.quality import hypervolume
from paretoball.result import UNITS

TRACE_ROWS = 400  # more rows than this are thinned to half
FIRST_TRACE = 0.05  # seconds between the first rows
PATIENCE = 2.0  # seconds before a line is shown
PLAIN_EVERY = 10.0  # seconds between lines where there is no terminal
HYPERVOLUME_SHARE = 0.02  # of the time, at most, for hypervolumes of the trace
EASY = 3  # up to so many objectives a hypervolume is quick; beyond, the trace has nan
SPINNER = 3  # characters before a line on a terminal
CALL_EVERY = 0.1  # seconds between two calls of the callback, at least


@dataclass(frozen=True, slots=True)
class State:
    """How a run is doing: what callbacks get, and a row of the trace."""

    seconds: float  # since the run began, set-up included
    moves: int
    climbs: int
    size: int  # of the archive
    hypervolume: float  # of the latest trace row; nan where it would take too long
    workers: int  # heard of lately
    archive: Archive
    climber: Climber | None  # None where an executor has it


class Progress:
    """Keeps the trace, shows a line, and calls back."""

    def __init__(self, callback: Callable[[State], Any] | None, shown: bool | None):
        if callback is not None and not callable(callback):
            raise TypeError(f"callback = {callback!r} cannot be called")
        self.callback = callback
        self.shown = sys.stderr.isatty() if shown is None else shown
        self.rows: list[tuple[float, int, int, int, float]] = []
        self.every = FIRST_TRACE
        self.measuring = 0.0  # seconds spent on hypervolumes
        self.under_way = 0  # moves of the block that is not finished
        self.moves_before = 0  # in earlier calls
        self.last_line = 0.0
        self.last_call = -CALL_EVERY
        self.status: Any = None

    def __enter__(self) -> "Progress":
        if self.shown and sys.stderr.isatty():
            from rich.console import Console

            self.console = Console(stderr=True)
            self.status = self.console.status("")
        return self

    def __exit__(self, *_: object) -> None:
        if self.status is not None:
            self.status.stop()

    def go_on_from(self, saved: Any) -> None:
        """Go on with the trace of a run that was resumed, as densely as it is."""
        self.rows = [tuple(row) for row in saved.result.trace.tolist()]
        self.every = max(FIRST_TRACE, saved.seconds() / TRACE_ROWS)
        self.moves_before = saved.moves

    def say(self, text: str) -> None:
        """Show a line now."""
        if self.status is not None:
            self.status.update(text[: self.console.width - SPINNER])
            self.status.start()
        elif self.shown:
            print(text, file=sys.stderr, flush=True)

    def tick(self, run: Any, moves: int) -> None:
        """The run is so many moves into a block; show it if it is time to."""
        self.under_way = moves
        seconds = run.budget.elapsed()
        pause = 0.1 if self.status is not None else PLAIN_EVERY
        if self.shown and seconds > PATIENCE and seconds - self.last_line > pause:
            self.last_line = seconds
            self.say(self._line(run, seconds))

    def update(self, run: Any) -> bool:
        """A block is merged; True if the callback wants the run to stop."""
        self.under_way = 0
        seconds = run.seconds()
        if not self.rows or seconds - self.rows[-1][0] >= self.every:
            self._trace(run, seconds)
        if self.callback is None or seconds - self.last_call < CALL_EVERY:
            return False
        self.last_call = seconds
        volume = self.rows[-1][4]
        done = (run.moves, run.climbs, len(run.archive))
        workers = run.workers_alive()
        state = State(seconds, *done, volume, workers, run.archive, run.climber)
        return bool(self.callback(state))

    def finish(self, run: Any) -> None:
        """The last row of the trace."""
        self._trace(run, run.seconds(), last=True)

    def finish_again(self, run: Any) -> None:
        """The last row once more, after a change."""
        self.rows.pop()
        self.finish(run)

    @property
    def trace(self) -> np.ndarray:
        """Rows of (seconds, moves, climbs, size, hypervolume)."""
        return np.array(self.rows, float).reshape(-1, 5)

    def _trace(self, run: Any, seconds: float, last: bool = False) -> None:
        began = perf_counter()
        volume = float("nan")
        timely = self.measuring <= HYPERVOLUME_SHARE * seconds
        if run.landscape.d <= EASY and (timely or last or not self.rows):
            landscape = run.landscape
            front = landscape.shown(run.archive.F)
            volume = hypervolume(front, landscape.mean, landscape.sense)
        self.measuring += perf_counter() - began
        self.rows.append((seconds, run.moves, run.climbs, len(run.archive), volume))
        if len(self.rows) > TRACE_ROWS:
            self.rows = self.rows[::2]
            self.every *= 2

    def _line(self, run: Any, seconds: float) -> str:
        limit = run.budget.time_limit - run.budget.spent
        of_limit = "" if limit == float("inf") else f" of {limit:.4g}"
        moves = run.moves + self.under_way - self.moves_before
        rate = moves / max(seconds - run.setup_seconds, 1e-9)
        volume = self.rows[-1][4] if self.rows else float("nan")
        workers = run.workers_alive()
        unit = UNITS.get(run.config["method"], "climbs")
        return (
            f"{seconds:.0f}{of_limit} s  {run.climbs:,} {unit}  "
            f"{rate / 1000:,.0f}k moves/s  front {len(run.archive):,}  "
            f"volume {volume:.5g}  {workers} worker{'s' * (workers != 1)}"
        )
