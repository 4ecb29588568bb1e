"""Radius 1: what a flip changes, where only single flips are stored.

Stencils pay off where moves are large or variables have like surroundings. For single
flips there are two plainer layouts of the same numbers:

- BY_CLIQUES, for any landscape: for each variable j records of all cliques that read
  it, one after the other. A list of all variables that a flip of j affects is needed to
  file them, once each.
- BY_ROWS, where no clique reads more than two variables. Then f is quadratic, and a
  flip of j adds ± q_ij to the score of i, where q_ij is the factor of x_i x_j. All q_ij
  of j are its row. The row of a variable with many neighbours is whole: it has an entry
  for each variable. That of any other has one for each neighbour.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import kernel
from paretoball.landscape import Graph
from paretoball.numerics import offsets

BY_CLIQUES, BY_ROWS = 1, 2  # the layouts
SEVERAL = -1  # objectives have entries in a clique

# The columns of `Affected.groups`.
ARITY = 0  # variables of each clique
OWNER = 1  # the objective that has entries in them, or SEVERAL
RECORDS = 2  # cliques in the group
START = 3  # where their records start in `records`
COLUMNS = 4

EXTRA = 2  # words of a record after its variables: the bit that flips, and the table


class Records(NamedTuple):
    """BY_CLIQUES: what the flip of each variable changes."""

    at: np.ndarray  # (n + 1,) int64: where the variables affected by each one start
    variables: np.ndarray  # uint32: its neighbours and itself, ascending
    group_at: np.ndarray  # (n + 2,) int64: where the groups of each variable start
    groups: np.ndarray  # (groups, COLUMNS) int64: records of one arity and owner
    records: np.ndarray  # uint32: variables, bit that flips, start of the table
    values: np.ndarray  # different tables: of their owner, or a vector for each entry


class Rows(NamedTuple):
    """BY_ROWS: the same. Vectors of d numbers lie end to end."""

    at: np.ndarray  # (n + 1,) int64: as in `Records`; whole rows list nothing
    variables: np.ndarray  # uint32: the same
    is_whole: np.ndarray  # (n,) bool: whether a flip affects all variables
    row_at: np.ndarray  # (n + 1,) int64: where its row starts in `factors`, in vectors
    factors: np.ndarray  # a vector for each entry: q_ij; 0 for i = j
    linear: np.ndarray  # a vector for each variable: its score where all bits are 0


class RecordMoves(NamedTuple):
    """M^1, and what flips change, by records."""

    tier_at: np.ndarray  # (r + 2,) int64: moves of size s are tier_at[s]..tier_at[s+1]
    flips: np.ndarray  # (size, r) int32: the variables of each move, ascending, then -1
    affected: Records

    @property
    def layout(self) -> int:
        """The number of this layout."""
        return BY_CLIQUES


class RowMoves(NamedTuple):
    """M^1, and what flips change, by rows."""

    tier_at: np.ndarray  # as in `RecordMoves`
    flips: np.ndarray
    affected: Rows

    @property
    def layout(self) -> int:
        """The number of this layout."""
        return BY_ROWS


class RecordReading(NamedTuple):
    """What a climb by records reads at its solution."""

    here: np.ndarray  # (cliques,) uint32: the row of the tables that each clique reads


class RowReading(NamedTuple):
    """What a climb by rows reads at its solution."""

    signs: np.ndarray  # (n * d,) int8: 1 for a bit 0, -1 for a bit 1


def most_rescored(affected: Records | Rows) -> int:
    """The most variables whose scores one flip changes."""
    if isinstance(affected, Rows) and affected.is_whole.any():
        return len(affected.is_whole)
    return int(np.diff(affected.at).max(initial=0))


def with_itself(graph: Graph, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each chosen variable, its neighbours and itself, ascending; and where."""
    at = offsets(np.where(chosen, np.diff(graph.at) + 1, 0))
    variables = np.empty(int(at[-1]), np.uint32)
    _insert_itself(graph, at, variables)
    return at, variables


@kernel
def _insert_itself(graph, at, variables):
    """List the neighbours of each variable with itself in its place."""
    for j in range(len(at) - 1):
        place = at[j]
        if at[j + 1] == place:
            continue
        is_in = False
        for e in range(graph.at[j], graph.at[j + 1]):
            if not is_in and graph.neighbours[e] > j:
                variables[place] = j
                place += 1
                is_in = True
            variables[place] = graph.neighbours[e]
            place += 1
        if not is_in:
            variables[place] = j
