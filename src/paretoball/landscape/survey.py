"""The survey: what is counted and bounded, once, of all tables of a landscape."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from paretoball.landscape.blocks import exact_means, exact_sum
from paretoball.landscape.cliques import Cliques, clique_spreads
from paretoball.landscape.subfunctions import Subfunctions
from paretoball.numerics import exact_sums


class Survey(NamedTuple):
    """Counts and bounds of subfunctions, and of the cliques that they are merged into.

    A spread is the highest minus the lowest entry of a clique's table.
    """

    m: int  # subfunctions
    k: int  # the most variables that a subfunction reads
    max_occurrence: int  # the most subfunctions that read one variable
    cliques: int  # how many there are
    means: list[Fraction]  # of each objective over all solutions, in its own sense
    spreads_of_one: list[int]  # added up over the readers of that variable with most
    spreads_of_all: list[int]  # added up over all cliques
    largest_entry: int  # the largest absolute value in a clique's table


def surveyed(n: int, d: int, given: Subfunctions, cliques: Cliques) -> Survey:
    """The survey of subfunctions, and of the cliques that they are merged into."""
    of_one, of_all = [0] * d, [0] * d
    for i, column in enumerate(clique_spreads(cliques)):
        of_read = exact_sums(cliques.reader_at, column[cliques.readers])
        of_one[i], of_all[i] = int(of_read.max()), exact_sum(column)
    tables = cliques.tables
    return Survey(
        m=len(given.objective),
        k=int(np.diff(given.mask_at).max(initial=0)),
        max_occurrence=int(np.bincount(given.masks, minlength=n).max()),
        cliques=len(cliques.mask_at) - 1,
        means=exact_means(d, given),
        spreads_of_one=of_one,
        spreads_of_all=of_all,
        largest_entry=max(int(tables.max(initial=0)), -int(tables.min(initial=0))),
    )
