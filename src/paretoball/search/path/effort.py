"""Effort: how much work units are given, in looks at variables.

The work of paths doubles again and again, so that the latest ones have half of all the
work, however long a run is, up to a cap that follows from the number of variables. It
depends on the landscape and the number of a path alone.
"""

import sys

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
CHAINED_WORK, CHAINED_LEGS = 2.0, 0.3  # of paths by chains, for one by flips
LOOK = 8  # the work of a look at a neighbour's objectives
FEW_VARIABLES = 512  # up to so many, pairs of flips are tried, and escapes report
PARTNERS = 14  # of a visited solution, at most
MANY = 4  # objectives, whose paths are fans: a line covers little of the simplex
DENSE = 0.25  # of all variables, as neighbours: offspring of two solutions are no use
HOT, HOT_DENSE = 0.195, 0.12  # the first temperature of anneals, in typical losses


class Effort:
    """The work of units in one landscape."""

    def __init__(self, landscape: Landscape, radius: int, breadth: int) -> None:
        n, d, degree = landscape.n, landscape.d, float(landscape.degrees.mean())
        is_dense, has_pairs = degree > DENSE * n, n <= FEW_VARIABLES
        self.flip = 16 + 2 * int(degree)  # looks that take about the time of a flip
        # The work of an anneal: of the first path, at most, and in how many it doubles.
        self.first = n * (FIRST_LOOKS + FIRST_FLIPS * self.flip)
        self.most = min(MOST_SMALL * n**4, MOST_WORK)
        self.doubled = max(DOUBLED, breadth)
        if d > 2:
            self.first /= LESS
            self.doubled = max(DOUBLED_MORE, breadth)
        # After so many paths, it takes twice as many.
        self.first_paths = DENSE_FIRST if is_dense and not has_pairs else sys.maxsize
        self.hot = HOT_DENSE if is_dense else HOT
        # A visit: offspring with how many others, at most, and its work, about.
        self.partners = 0 if is_dense else PARTNERS
        looked = n * (1 + degree / 2) ** (radius - 1) + (n * n / 2 if has_pairs else 0)
        self.visit = int(LOOK * (looked + n) + 2 * n * self.partners)
        self.is_fan = d >= MANY  # whether each direction of a path has one leg

    def of_anneal(self, path: float) -> float:
        """The work of the anneal of path number `path`."""
        if path > self.first_paths:
            path = self.first_paths + (path - self.first_paths) / 2
        return float(min(self.first * 2.0 ** min(path / self.doubled, 60), self.most))

    def of_path(self, path: int) -> int:
        """The work of a whole path, about."""
        return int((1 + MILD_LEGS) * self.of_anneal(path))

    def legs(self, work: float) -> int:
        """How many legs lead to each end, if the anneal has so much work."""
        if self.is_fan:
            return 1
        return int(min(max(work / (LEG * self.first), LEAST_LEGS), MOST_LEGS))


def default_breadth(n: int, d: int) -> int:
    """How many units a round has, if nobody says: few, where units are long."""
    if d > 2:
        return 32
    return 16 if n < 1000 else 4
