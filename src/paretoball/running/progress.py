"""Progress: what a run shows, and tells its callback, while it goes on."""

from collections.abc import Callable
from math import isnan
from typing import Any

from paretoball.running.snapshot import Snapshot
from paretoball.search import method_named
from paretoball.system import Display, brief, counted

CALL_EVERY = 0.1  # seconds between two calls of the callback, at least


class Progress:
    """Shows a line, and calls back.

    The line is about this call. Earlier calls of a resumed run took `seconds`, of which
    `searched` without set-up, and `moves`; these are subtracted.
    """

    def __init__(
        self,
        callback: Callable[[Snapshot], Any] | None,
        display: Display,
        seconds: float = 0.0,
        searched: float = 0.0,
        moves: int = 0,
    ):
        if callback is not None and not callable(callback):
            raise TypeError(f"callback = {brief(callback)} cannot be called")
        self.callback = callback
        self.display = display
        self.earlier = (seconds, searched, moves)
        self.last_call = -CALL_EVERY

    def tick(self, snapshot: Callable[[], Snapshot], moves: int) -> None:
        """Show a line if it is time to; a block under way has taken `moves` moves."""
        self.display.tell(lambda: self._line(snapshot(), moves))

    def update(self, snapshot: Snapshot) -> bool:
        """A block is merged; True if the callback wants the run to stop."""
        if self.callback is None or snapshot.seconds - self.last_call < CALL_EVERY:
            return False
        self.last_call = snapshot.seconds
        return bool(self.callback(snapshot))

    def _line(self, now: Snapshot, moves: int) -> str:
        seconds, searched, earlier_moves = self.earlier
        limit = now.options.time_limit
        of_limit = "" if limit is None else f" of {limit - seconds:.4g}"
        unit = method_named(now.options.method).unit
        moves += now.moves - earlier_moves
        rate = moves / max(now.search_seconds - searched, 1e-9)
        workers = counted(now.workers, "worker")
        known = not isnan(now.hypervolume)
        volume = f"volume {now.hypervolume:.5g}  " if known else ""
        return (
            f"{now.seconds - seconds:.0f}{of_limit} s  {counted(now.climbs, unit)}  "
            f"{rate / 1000:,.0f}k moves/s  front {now.size:,}  {volume}{workers}"
        )
