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

BY_STENCILS, BY_CLIQUES, BY_ROWS = 0, 1, 2  # the layouts
SEVERAL = -1  # objectives have entries in a clique

# The columns of `Affected.groups`.
ARITY = 0  # variables of each clique
OWNER = 1  # the objective that has entries in them, or SEVERAL
RECORDS = 2  # cliques in the group
START = 3  # where their records start in `records`
COLUMNS = 4

EXTRA = 2  # words of a record after its variables: the bit that flips, and the table


class Affected(NamedTuple):
    """What the flip of each variable changes; empty where stencils tell it."""

    at: np.ndarray  # (n + 1,) int64: where the variables affected by each one start
    variables: np.ndarray  # uint32: its neighbours and itself, ascending
    is_whole: np.ndarray  # (n,) bool: whether it affects all variables; not listed then
    # For BY_CLIQUES.
    group_at: np.ndarray  # (n + 2,) int64: where the groups of each variable start
    groups: np.ndarray  # (groups, COLUMNS) int64: records of one arity and owner
    records: np.ndarray  # uint32: variables, bit that flips, start of the table
    values: np.ndarray  # different tables: of their owner, or a vector for each entry
    # For BY_ROWS. Vectors of d numbers lie end to end.
    row_at: np.ndarray  # (n + 1,) int64: where its row starts in `factors`, in vectors
    factors: np.ndarray  # a vector for each entry: q_ij; 0 for i = j
    linear: np.ndarray  # a vector for each variable: its score where all bits are 0


def no_affected(dtype: np.dtype) -> Affected:
    """Nothing, as stencils tell what a flip changes."""
    return Affected(
        at=np.zeros(0, np.int64),
        variables=np.zeros(0, np.uint32),
        is_whole=np.zeros(0, np.bool_),
        group_at=np.zeros(0, np.int64),
        groups=np.zeros((0, COLUMNS), np.int64),
        records=np.zeros(0, np.uint32),
        values=np.zeros(0, dtype),
        row_at=np.zeros(0, np.int64),
        factors=np.zeros(0, dtype),
        linear=np.zeros(0, dtype),
    )


def most_rescored(affected: Affected) -> int:
    """The most variables whose scores one flip changes."""
    if affected.is_whole.any():
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
