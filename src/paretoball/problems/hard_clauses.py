"""Hard clauses: each is the constraint that one of its literals holds at least.

A literal is a term of one variable, so no clause is too long for a table, and clauses
add nothing to the co-occurrence graph.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from paretoball.landscape import Landscape, Terms
from paretoball.problems.clauses import Clauses, without_repeats

HOLDS = np.array([[0, 1], [1, 0]])  # whether a literal holds: plain, negated


class EmptyClause(ValueError):
    """A hard clause has no literals; `clause` is its number."""

    def __init__(self, clause: int):
        super().__init__("has no literals, so no solution satisfies it")
        self.clause = clause


class Row(NamedTuple):
    """A constraint as `Landscape.from_terms` takes it."""

    terms: list[Terms]
    relation: str
    bound: Any


def literal_sum(literals: np.ndarray) -> Terms:
    """How many of the literals hold: a term for each.

    >>> literal_sum(np.array([1, -3])).tables.tolist()
    [[0, 1], [1, 0]]
    """
    return Terms(np.abs(literals)[:, None] - 1, HOLDS[(literals < 0).astype(np.intp)])


def clause_rows(clauses: Clauses) -> list[Row]:
    """A constraint for each clause that is not always true; weights do not matter.

    A literal that is there twice counts once.
    """
    empty = np.flatnonzero(np.diff(clauses.at) == 0)
    if len(empty):
        raise EmptyClause(int(empty[0]))
    bare, is_true = without_repeats(clauses)
    masks, tables = literal_sum(bare.literals)
    ends = pairwise(bare.at.tolist())
    return [
        Row([Terms(masks[first:last], tables[first:last])], ">=", 1)
        for (first, last), skipped in zip(ends, is_true.tolist())
        if not skipped
    ]


def clauses_of(landscape: Landscape) -> Iterator[list[int]]:
    """The constraints of a landscape as clauses, if they are such.

    `g >= bound` is a clause if any literal is enough, or if all are needed, which makes
    a clause of each. What holds always is left out.
    """
    rows = landscape.constraint_rows
    for c, name in enumerate(landscape.constraints.names):
        if (rows.wide.rows == c).any():
            raise ValueError(f"{_refused(c, name)}: it has terms of several variables")
        part = slice(rows.row_at[c], rows.row_at[c + 1])
        variables = rows.row_variables[part].tolist()
        factors = rows.row_factors[part].tolist()
        constant = int(rows.constant[c])
        for sign, bound in ((1, int(rows.lower[c])), (-1, -int(rows.upper[c]))):
            signed = [sign * factor for factor in factors]
            found = _clauses(variables, signed, bound - sign * constant)
            if found is None:
                raise ValueError(f"{_refused(c, name)}: it is no clause")
            yield from found


def _refused(c: int, name: str) -> str:
    return f"constraint {c} ({name!r}) cannot be told by clauses"


def _clauses(
    variables: list[int], factors: list[int], bound: int
) -> list[list[int]] | None:
    """The clauses that say `sum of factor times variable >= bound`, if there are such.

    >>> _clauses([0, 1], [-1, -1], -1)  # not both
    [[-1, -2]]
    >>> _clauses([0, 1], [1, -1], 1)  # both literals are needed
    [[1], [-2]]
    >>> _clauses([0, 1, 2], [1, 1, 1], 2) is None  # two of three
    True
    """
    sizes = [abs(factor) for factor in factors]
    needed = bound - sum(factor for factor in factors if factor < 0)
    literals = [j + 1 if f > 0 else -j - 1 for j, f in zip(variables, factors)]
    if needed <= 0:
        return []
    if all(size >= needed for size in sizes):
        return [literals]
    if sum(sizes) - min(sizes) < needed:
        return [[literal] for literal in literals]
    return None
