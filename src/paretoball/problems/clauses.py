"""Clauses: disjunctions of literals with weights, as terms of a landscape.

A literal is a whole number: v for variable v, counted from 1, and -v for its negation.
One assignment of its variables falsifies a clause, so its table has one entry that
differs from all others.
"""

from typing import NamedTuple

import numpy as np

from paretoball.landscape import MAX_ARITY, Terms
from paretoball.numerics import offsets, sums_by_row
from paretoball.problems.memory import check_tables
from paretoball.system import counted


class Clauses(NamedTuple):
    """Clauses laid end to end."""

    literals: np.ndarray  # int64: none of them is 0
    at: np.ndarray  # (m + 1,) int64: where each clause starts in `literals`
    weights: np.ndarray  # (m,): ints, floats, or objects that are numbers


class LongClause(ValueError):
    """A clause reads more variables than a table can; `clause` is its number."""

    def __init__(self, clause: int, variables: int):
        super().__init__(
            f"reads {variables} variables, but a table has at most "
            f"2**{MAX_ARITY} entries, for {MAX_ARITY} variables"
        )
        self.clause = clause


def clause_terms(clauses: Clauses, satisfied: bool) -> list[Terms]:
    """The weight of all satisfied clauses, or that of all falsified ones.

    Literals may be repeated. A clause with a variable and its negation is always true,
    and one without literals never.

    Examples
    --------
    >>> clause = Clauses(np.array([1, -2]), np.array([0, 2]), np.array([5]))
    >>> [each.tables.tolist() for each in clause_terms(clause, satisfied=True)]
    [[[5, 5, 0, 5]]]
    >>> [each.tables.tolist() for each in clause_terms(clause, satisfied=False)]
    [[[0, 0, 5, 0]]]
    """
    clauses, is_true = without_repeats(clauses)
    arities = np.diff(clauses.at)
    if arities.max(initial=0) > MAX_ARITY:
        c = int(np.argmax(arities > MAX_ARITY))
        raise LongClause(c, int(arities[c]))
    entries = int((1 << arities).sum())
    check_tables(
        f"the tables of {counted(len(arities), 'clause')}", len(arities), entries
    )
    found = []
    for k in np.unique(arities).tolist():
        chosen = np.flatnonzero(~is_true & (arities == k))
        literals = clauses.literals[clauses.at[chosen, None] + np.arange(k)]
        found.append(_terms(literals, clauses.weights[chosen], satisfied))
    if satisfied:
        weights = clauses.weights[is_true]
        found.append(Terms(np.zeros((len(weights), 0), np.int64), weights[:, None]))
    return [terms for terms in found if len(terms.masks)]


def _terms(literals: np.ndarray, weights: np.ndarray, satisfied: bool) -> Terms:
    """Clauses of k different variables each, one per row of `literals`."""
    m, k = literals.shape
    wrong = ((literals < 0) << np.arange(k)).sum(axis=1)  # the assignment that fails
    if satisfied:
        tables = np.repeat(weights, 1 << k).reshape(m, 1 << k)
        tables[np.arange(m), wrong] = 0
    else:
        tables = np.zeros((m, 1 << k), weights.dtype)
        tables[np.arange(m), wrong] = weights
    return Terms(np.abs(literals) - 1, tables)


def without_repeats(clauses: Clauses) -> tuple[Clauses, np.ndarray]:
    """The same clauses, no variable twice in any, and which of them are always true.

    Those that are always true have no literals any more.
    """
    literals, is_true = clauses.literals, np.zeros(len(clauses.weights), np.bool_)
    repeats = _repeats(clauses)
    if not repeats.any():
        return clauses, is_true
    owner = np.repeat(np.arange(len(is_true)), np.diff(clauses.at))
    some = np.flatnonzero(repeats[owner])
    order = some[np.lexsort((literals[some], np.abs(literals[some]), owner[some]))]
    one, next_one = order[:-1], order[1:]
    is_same = owner[one] == owner[next_one]
    is_true[owner[one[is_same & (literals[one] == -literals[next_one])]]] = True
    keep = ~is_true[owner]
    keep[one[is_same & (literals[one] == literals[next_one])]] = False
    at = offsets(sums_by_row(clauses.at, keep))
    return clauses._replace(literals=literals[keep], at=at), is_true


def _repeats(clauses: Clauses) -> np.ndarray:
    """Which clauses have a variable more than once."""
    lengths = np.diff(clauses.at)
    repeats = np.zeros(len(lengths), np.bool_)
    for length in np.unique(lengths).tolist():
        chosen = np.flatnonzero(lengths == length)
        literals = clauses.literals[clauses.at[chosen, None] + np.arange(length)]
        variables = np.sort(np.abs(literals), axis=1)
        repeats[chosen] = (variables[:, 1:] == variables[:, :-1]).any(axis=1)
    return repeats
