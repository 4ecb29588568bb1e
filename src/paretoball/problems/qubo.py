"""QUBO: quadratic functions of bits, one matrix per objective."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from paretoball.landscape import Landscape
from paretoball.problems.constraining import (
    Constraint,
    constraint_terms,
    listed_constraints,
    polynomials_of,
)
from paretoball.problems.factors import checked_factors
from paretoball.problems.labelled import numbered
from paretoball.problems.products import constants, polynomial_terms
from paretoball.problems.quadratic import listed, one_each, quadratic_form
from paretoball.problems.squares import square_of
from paretoball.problems.vartypes import BINARY


def qubo(
    matrices: Any,
    sense: str | Sequence[str] = "min",
    offset: Any = 0,
    weight: Any = "weight",
    labels: Iterable[Hashable] | None = None,
    names: Iterable[str] | None = None,
    constraints: Iterable[Constraint] = (),
) -> Landscape:
    """The landscape of f(x) = xᵀ Q x + offset, with one matrix Q per objective.

    Objectives are minimised unless `sense` says otherwise; `from_polynomials` maximises
    them. All entries count: Q_ij + Q_ji is the factor of x_i x_j, and Q_ii that of x_i.

    Parameters
    ----------
    matrices
        One matrix or a list of them, in whatever mix of kinds; an array (d, n, n) is d
        of them. A matrix is an array or a list of rows; a matrix of `scipy.sparse`; a
        dict `{(i, j): factor}`, with `{i: factor}` for one variable and `{(): factor}`
        for none; or a graph of networkx, whose edges count once each. Factors are ints,
        floats, `Fraction` or `Decimal`.
    sense
        `"max"` or `"min"`, for all objectives or one by one.
    offset
        A number for all objectives, or a list of one for each.
    weight
        The attribute of a graph's edges that is their factor, 1 where it is missing; a
        list has one attribute for each objective.
    labels
        One label per variable, in their order. Dicts and graphs may do without: if
        their labels are whole numbers, variables are sorted by them; otherwise they
        stand in the order in which labels appear.
    names
        One name per objective; f0, f1, ... if there are none.
    constraints
        Triples `(terms, relation, bound)`, or with a name as fourth part; the relation
        is `"<="`, `">="` or `"=="`. Terms are a dict `{(i, j, ...): factor}` of any
        degree, a row of n factors, or pairs `(variables, table)` as in
        `Landscape.from_subfunctions`.

    Examples
    --------
    >>> cost, risk = [[3, -2], [0, 1]], {("bond", "stock"): 4, "stock": -1}
    >>> landscape = qubo([cost, risk], labels=["bond", "stock"])
    >>> landscape.evaluate([1, 1]).tolist()
    [2, 3]
    >>> landscape = qubo(cost, constraints=[([1, 1], "==", 1), ({(0, 1): 3}, "<=", 2)])
    >>> landscape.is_feasible([[1, 0], [1, 1]]).tolist()
    [True, False]
    """
    given = listed(matrices)
    weights = one_each(weight, len(given), "weight")
    forms = [
        quadratic_form(one, weights[i], f"objective {i}", BINARY)
        for i, one in enumerate(given)
    ]
    rows = listed_constraints(constraints)
    found = numbered(forms, labels, polynomials_of(rows))
    held = constraint_terms(rows, found)
    offsets = [
        _checked_offset(one, f"objective {i}")
        for i, one in enumerate(one_each(offset, len(given), "offset"))
    ]
    square = square_of(found.objectives, offsets)
    if square is not None:
        return Landscape.from_square(square, sense, found.labels, names, held)
    objectives = [
        polynomial_terms([*some, constants(one)], spins=False)
        for some, one in zip(found.objectives, offsets)
    ]
    return Landscape.from_terms(found.n, objectives, sense, found.labels, names, held)


def _checked_offset(offset: Any, where: str) -> np.ndarray:
    """An offset as a vector of one."""
    return checked_factors([offset], lambda _: f"the offset of {where}")
