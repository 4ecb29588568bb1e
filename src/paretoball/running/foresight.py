"""Foresight: to be done when the time is up, a block has to stop a little before.

Between two looks at the time a kernel may take a while, and after its last look a block
still has to hand over what it found.
"""

from collections.abc import Callable

HANDING_OVER = 4e-8  # seconds for each move of a block
FORGOTTEN = 0.95  # what is left of the longest pause after each look
LONGEST = 0.1  # seconds of pause that are looked ahead, at most


class Foresight:
    """Looks at the time now and then, and notes how long the pauses are."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.last = clock()
        self.pause = 0.0

    def is_late(self, end: float, moves: int) -> bool:
        """Whether a block that has taken `moves` moves must stop now, to end by `end`.

        If it goes on, it looks again after a pause as long as the longest lately. It
        stops if it is nearer to `end` now than it would be then.
        """
        now = self.clock()
        self.pause = max(now - self.last, FORGOTTEN * self.pause)
        self.last = now
        return now + min(self.pause / 2, LONGEST) + HANDING_OVER * moves >= end
