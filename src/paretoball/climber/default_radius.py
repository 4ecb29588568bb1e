"""The radius for those who give none: 2 where that pays, otherwise 1.

At radius 2 climbs end less often at poor solutions, but a flip affects many more moves.
Radius 1 is better where f is quadratic, as single flips are so much faster; and where
objectives are many, as more directions are worth more than better climbs. The choice
depends on the landscape and on the limits given, never on how fast the machine is.
"""

from paretoball.climber.memory_estimate import listed_at_radius_2
from paretoball.landscape import Landscape

BYTES = 16  # for each affected move that is listed, with all else that a climber needs
MOST_OBJECTIVES = 3  # beyond, radius 1 is better
MOST_AFFECTED = 512  # moves by a flip, on average; beyond, radius 1 is better
LISTED_PER_SECOND = 500_000  # of the time limit; listing them takes a part of it


def default_radius(
    landscape: Landscape,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> int:
    """1 or 2: the radius of a run with these limits, in seconds and in bytes."""
    if landscape.k <= 2 or landscape.d > MOST_OBJECTIVES:
        return 1
    listed = listed_at_radius_2(landscape)
    is_cheap = listed <= MOST_AFFECTED * landscape.n
    is_quick = time_limit is None or time_limit >= seconds_for_radius_2(landscape)
    fits = memory_limit is None or BYTES * listed <= memory_limit
    return 2 if is_cheap and is_quick and fits else 1


def seconds_for_radius_2(landscape: Landscape) -> float:
    """The shortest time limit with which a run has radius 2, if it has it at all."""
    return listed_at_radius_2(landscape) / LISTED_PER_SECOND
