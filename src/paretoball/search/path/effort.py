"""Effort: how much work units are given, in looks at variables.

The work of paths doubles again and again, so that the latest ones have half of all the
work, however long a run is. It depends on the number of a path alone.
"""

from paretoball.landscape import Landscape
from paretoball.search.path.filling import FEW_VARIABLES, PARTNERS

FIRST_WORK = 32.0  # of the first path's anneal, for each variable
FIRST_WORK_MORE = 8.0  # the same for three objectives and more
MOST_WORK = 5e9  # of an anneal, so that checkpoints come every few seconds
DOUBLED = 8  # paths until the work is twice as much, for two objectives
DOUBLED_MORE = 256  # for three and more, which have more directions
LEG_WORK = 64  # for each variable, below which a leg is not worth its climbs
MOST_LEGS = 24  # to each end of a path
MILD_LEGS = 2.0  # the work of both ends, of that of the anneal, about
LOOK = 8  # the work of a look at a neighbour's objectives


def anneal_work(n: int, d: int, breadth: int, path: int) -> float:
    """The work of the anneal of path number `path`."""
    first, doubled = FIRST_WORK, max(DOUBLED, breadth)
    if d > 2:
        first, doubled = FIRST_WORK_MORE, max(DOUBLED_MORE, breadth)
    return float(min(first * n * 2.0 ** min(path / doubled, 60.0), MOST_WORK))


def path_work(n: int, d: int, breadth: int, path: int) -> float:
    """The work of a whole path, about."""
    return (1 + MILD_LEGS) * anneal_work(n, d, breadth, path)


def legs_of(n: int, work: float) -> int:
    """How many legs lead to each end, if the anneal has so much work."""
    return int(min(max(work / (LEG_WORK * n), 2), MOST_LEGS))


def flip_work(landscape: Landscape) -> int:
    """The work of a flip: that of as many looks as take about the same time."""
    return 16 + 2 * int(landscape.degrees.mean())


def visit_work(landscape: Landscape, radius: int) -> int:
    """The work of a visit to a solution, about."""
    n, degree = landscape.n, float(landscape.degrees.mean())
    moves = n * (1 + degree / 2) ** (radius - 1)
    pairs = n * n / 2 if n <= FEW_VARIABLES else 0
    return int(LOOK * (moves + pairs + n) + 4 * PARTNERS * n)


def default_breadth(n: int, d: int) -> int:
    """How many units a round has, if nobody says: few, where units are long."""
    if d > 2:
        return 32
    return 16 if n < 1000 else 4
