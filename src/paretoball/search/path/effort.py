"""Effort: how much work units are given, in looks at variables.

The work of paths doubles again and again, so that the latest ones have half of all the
work, however long a run is, up to a cap that follows from the number of variables. It
depends on the landscape and the number of a path alone.
"""

import sys
from typing import NamedTuple

from paretoball.landscape import Landscape

FIRST_FLIPS = 0.5  # of the first path's anneal, for each variable
FIRST_LOOKS = 16  # the same
LESS = 4  # times less of both, for three objectives and more
MOST_WORK = 5e9  # of an anneal: with its legs, a path takes about a minute
MOST_SMALL = 50.0  # times n^4: less than that below 100 variables
DOUBLED = 8  # paths until the work is twice as much, for one or two objectives
DOUBLED_MORE = 256  # for three and more, which have more directions
DENSE_FIRST = 24  # paths on dense landscapes after which it takes twice as many
LEAST_LEGS, MOST_LEGS = 2, 24  # to each end of a path
LEG = 2.0  # first anneals: an anneal has a leg to each end for so much work
MILD_LEGS = 2.0  # the work of both ends, of that of the anneal, about
LOOK = 8  # the work of a look at a neighbour's objectives
FEW_VARIABLES = 512  # up to so many, pairs of flips are tried, and escapes report
PARTNERS = 14  # of a visited solution, at most
MANY = 4  # objectives, whose paths are fans: a line covers little of the simplex
DENSE = 0.25  # of all variables, as neighbours: offspring of two solutions are no use
HOT, HOT_DENSE = 0.195, 0.12  # the first temperature of anneals, in typical losses


class _Effort(NamedTuple):
    """The work of units in one landscape."""

    n: int
    flip: int  # the work of a flip: looks that take about the same time
    first: float  # the work of the first path's anneal
    most: float  # the work of an anneal at most
    doubled: int  # paths until it is twice as much
    hot: float  # the first temperature of anneals, in typical losses of a flip
    partners: int  # with which visited solutions have offspring
    visit: int  # the work of a visit, about
    first_paths: int  # after so many, it takes twice as many paths until work doubles
    is_fan: bool  # whether each direction of a path has one leg

    def of_anneal(self, path: float) -> float:
        """The work of the anneal of path number `path`."""
        if path > self.first_paths:
            path = self.first_paths + (path - self.first_paths) / 2
        return float(min(self.first * 2.0 ** min(path / self.doubled, 60), self.most))

    def of_path(self, path: int) -> int:
        """The work of a whole path, about."""
        return int((1 + MILD_LEGS) * self.of_anneal(path))

    def legs(self, work: float) -> int:
        """How many legs lead to each end, if the anneal has so much work.

        It is 0 in a fan.
        """
        if self.is_fan:
            return 0
        return int(min(max(work / (LEG * self.first), LEAST_LEGS), MOST_LEGS))


def effort_of(landscape: Landscape, radius: int, breadth: int) -> _Effort:
    """How much work units are given in this landscape."""
    n, d, degree = landscape.n, landscape.d, float(landscape.degrees.mean())
    flip = 16 + 2 * int(degree)
    first = n * (FIRST_LOOKS + FIRST_FLIPS * flip)
    doubled = DOUBLED
    if d > 2:
        first, doubled = first / LESS, DOUBLED_MORE
    is_dense = degree > DENSE * n
    hot, partners = (HOT_DENSE, 0) if is_dense else (HOT, PARTNERS)
    first_paths = DENSE_FIRST if is_dense and n > FEW_VARIABLES else sys.maxsize
    moves = n * (1 + degree / 2) ** (radius - 1)
    pairs = n * n / 2 if n <= FEW_VARIABLES else 0
    visit = int(LOOK * (moves + pairs + n) + 2 * n * partners)
    doubled, is_fan = max(doubled, breadth), d >= MANY
    return _Effort(
        n=n,
        flip=flip,
        first=first,
        most=min(MOST_SMALL * n**4, MOST_WORK),
        doubled=doubled,
        hot=hot,
        partners=partners,
        visit=visit,
        first_paths=first_paths,
        is_fan=is_fan,
    )


def default_breadth(n: int, d: int) -> int:
    """How many units a round has, if nobody says: few, where units are long."""
    if d > 2:
        return 32
    return 16 if n < 1000 else 4
