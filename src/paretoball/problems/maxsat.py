"""MAX-SAT: weighted clauses, one formula per objective, and hard clauses."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from paretoball.landscape import Landscape, checked_labels, checked_n, checked_sense
from paretoball.problems.clauses import LongClause, clause_terms
from paretoball.problems.constraining import (
    Constraint,
    constraint_terms,
    listed_constraints,
    polynomials_of,
)
from paretoball.problems.formulas import Formula, hard_clauses, listed_formulas
from paretoball.problems.hard_clauses import EmptyClause, clause_rows, literal_sum
from paretoball.problems.labelled import numbered


def maxsat(
    formulas: Any,
    sense: str | Sequence[str] = "max",
    labels: Iterable[Hashable] | None = None,
    names: Iterable[str] | None = None,
    n: int | None = None,
    hard: Any = (),
    constraints: Iterable[Constraint] = (),
) -> Landscape:
    """The landscape of one formula or of several, an objective each.

    A maximised objective is the weight of all satisfied clauses; a minimised one is the
    weight of all falsified clauses.

    Parameters
    ----------
    formulas
        A formula is a list of clauses, or of pairs `(weight, clause)`; without weights,
        each clause counts 1. A clause is a list of literals: v for variable v, which
        counts from 1, and -v for its negation, so variable v is `x[v - 1]`. A clause
        without literals is never satisfied. A formula may also be an array with a row
        per clause, or a `CNF` or a `WCNF` of PySAT. Weights are ints, floats, `Decimal`
        or `Fraction`. Several formulas come in a list. What is hard in a `WCNF`, and
        bounds on sums of literals beside clauses, are constraints of all objectives.
    sense, labels, names
        As in `Landscape.from_subfunctions`.
    n
        The number of variables; if None, the largest variable of all clauses.
    hard
        Clauses that must hold, a formula without weights; of a `WCNF` its hard clauses.
        Hard clauses may have any number of literals.
    constraints
        Others, as in `qubo`, by labels, which are 0 to n - 1 unless others are given.

    Examples
    --------
    >>> cost = [(3, [1, -2]), (5, [2])]
    >>> risk = [(1, [-1]), (1, [-2])]
    >>> maxsat([cost, risk]).evaluate([[0, 0], [0, 1], [1, 1]]).tolist()
    [[3, 2], [5, 1], [8, 0]]
    >>> maxsat([cost, risk], sense="min").evaluate([0, 1]).tolist()
    [3, 1]
    >>> maxsat([cost, risk], hard=[[1, 2]]).is_feasible([[0, 0], [0, 1]]).tolist()
    [False, True]
    """
    given = listed_formulas(formulas)
    signs = checked_sense(sense, len(given))
    bounded = [*given, hard_clauses(hard)]
    n = _variables(n, bounded)
    labels = checked_labels(labels, n)
    objectives = []
    for i, formula in enumerate(given):
        try:
            objectives.append(clause_terms(formula.clauses, bool(signs[i] > 0)))
        except LongClause as error:
            raise ValueError(f"{formula.place(error.clause)} {error}") from None
    rows = [row for formula in bounded for row in _rows(formula)]
    rows += _others(constraints, n, labels)
    return Landscape.from_terms(n, objectives, sense, labels, names, rows)


def _rows(formula: Formula) -> list[Any]:
    """The hard clauses of a formula, and its bounds on sums of literals."""
    try:
        rows: list[Any] = list(clause_rows(formula.hard))
    except EmptyClause as error:
        raise ValueError(f"{formula.hard_place(error.clause)} {error}") from None
    for literals, most in formula.at_most:
        rows.append(([literal_sum(literals)], "<=", most))
    return rows


def _others(
    constraints: Iterable[Constraint], n: int, labels: Iterable[Hashable] | None
) -> list[Any]:
    """The constraints that are no clauses."""
    rows = listed_constraints(constraints)
    if not rows:
        return []
    own = range(n) if labels is None else labels
    return constraint_terms(rows, numbered([], own, polynomials_of(rows)))


def _variables(n: int | None, given: Sequence[Formula]) -> int:
    """The number of variables, if no literal is above it."""
    largest, where = 0, ""
    for formula in given:
        for literals, place in formula.every_literal():
            if len(literals) and np.abs(literals).max() > largest:
                e = int(np.abs(literals).argmax())
                largest = abs(int(literals[e]))
                where = f"{place(e)} has the literal {literals[e]}"
    if n is None:
        n = max([largest, *(formula.nv for formula in given)])
        if n == 0:
            raise ValueError(
                "formulas have no literal: give n, the number of variables"
            )
    n = checked_n(n)
    if largest > n:
        raise ValueError(f"{where}, but n = {n}")
    return n
