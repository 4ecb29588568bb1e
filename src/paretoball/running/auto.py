"""The choice of a method: the exact front where it is cheap, a search where it is not.

The choice depends on the landscape and on what was asked, never on the clock: the
elimination gives up after a number of vectors that is fixed in advance.
"""

import numpy as np

from paretoball.exact import GivenUp, width_of
from paretoball.landscape import Landscape
from paretoball.running.exact_run import solved_exactly
from paretoball.running.result import Result

WIDEST = 12  # of an elimination that is tried
MOST_VECTORS = 20_000_000  # made, which takes a few seconds
VECTORS_A_SECOND = 500_000  # of the time limit, a small part of which they take
VECTORS_A_STEP = 250  # that take as long as a step by itself
LONGER_VECTORS = 8  # how many others take as long as one with constraints
VARIABLES = 16  # for each of which an entry of a table has one more vector, or more


def exact_if_cheap(
    landscape: Landscape,
    progress: bool | None,
    time_limit: float | None,
    memory_limit: int | str | None,
) -> Result | None:
    """The whole front, if it is found with few vectors."""
    most = MOST_VECTORS
    if time_limit is not None and np.isfinite(time_limit):
        most = int(min(most, VECTORS_A_SECOND * time_limit))
    if landscape.constraints:
        most //= LONGER_VECTORS
    if _predicted(landscape, 0) > most:
        return None
    width = width_of(landscape)
    if width is None or width > WIDEST or _predicted(landscape, width) > most:
        return None
    try:
        return solved_exactly(landscape, progress, None, most, memory_limit)
    except (GivenUp, MemoryError, OverflowError):
        return None


def _predicted(landscape: Landscape, width: int) -> int:
    """How many vectors an elimination makes at least, as a rule."""
    each = 1 if landscape.d == 1 else 1 + landscape.n // VARIABLES
    return landscape.n * (VECTORS_A_STEP + (each << width))
