"""The survey: what is counted and bounded, once, of all tables of a landscape."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from paretoball.landscape.blocks import blocks, exact_sum, matrix
from paretoball.landscape.cliques import Cliques
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
    first = cliques.table_at[:-1]
    highest = np.maximum.reduceat(cliques.tables, first, axis=0)
    lowest = np.minimum.reduceat(cliques.tables, first, axis=0)
    spreads = (highest.astype(np.uint64) - lowest.astype(np.uint64)).T  # up to 2**63
    of_read = [exact_sums(cliques.reader_at, own[cliques.readers]) for own in spreads]
    return Survey(
        m=len(given.objective),
        k=int(np.diff(given.mask_at).max(initial=0)),
        max_occurrence=int(np.bincount(given.masks, minlength=n).max()),
        cliques=len(first),
        means=_exact_means(d, given),
        spreads_of_one=[int(own.max()) for own in of_read],
        spreads_of_all=[exact_sum(own) for own in spreads],
        largest_entry=max(int(highest.max(initial=0)), -int(lowest.min(initial=0))),
    )


def _exact_means(d: int, given: Subfunctions) -> list[Fraction]:
    """The mean of each objective over all solutions, in its steps."""
    means = [Fraction(0)] * d
    for block in blocks(given.mask_at):
        tables = matrix(given.table_at, given.tables, block)
        at = np.searchsorted(given.objective[block], np.arange(d + 1)).tolist()
        for i in range(d):
            own = tables[at[i] : at[i + 1]]
            means[i] += Fraction(exact_sum(own), tables.shape[1])
    return means
