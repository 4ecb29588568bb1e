"""Constraints of families: polynomials by label, rows of factors, or tables.

A constraint is `(terms, relation, bound)`, or with a name as its fourth part. Terms are
a mapping `{(label, ...): factor}`, a row of n factors, or pairs `(variables, table)` as
in `Landscape.from_subfunctions`.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from numbers import Number
from typing import Any, NamedTuple

import numpy as np

from paretoball.problems.factors import checked_factors
from paretoball.problems.labelled import Numbered, Objective, from_mapping
from paretoball.problems.products import Products, polynomial_terms
from paretoball.problems.quadratic import check_unmasked
from paretoball.problems.vartypes import SPIN, vartype_of
from paretoball.system import brief, counted

Constraint = Sequence[Any]  # terms, relation, bound and, if it has one, a name


class _Given(NamedTuple):
    """A constraint as given, its numbers checked."""

    where: str  # for errors
    terms: Objective | Products | Any  # a mapping, a row of factors, or tables
    rest: tuple[Any, ...]  # relation, bound and, if it has one, a name
    spins: bool


def listed_constraints(
    constraints: Iterable[Constraint], vartype: str | None = None
) -> list[_Given]:
    """Constraints as given, whose polynomials are in bits or in spins."""
    if isinstance(constraints, str | bytes) or not isinstance(constraints, Iterable):
        raise TypeError(f"constraints is {brief(constraints)}, not a list of triples")
    return [
        _listed(one, f"constraint {c}", vartype) for c, one in enumerate(constraints)
    ]


def _listed(given: Any, where: str, vartype: str | None) -> _Given:
    """One constraint, if it has three parts or four."""
    if not isinstance(given, list | tuple) or len(given) not in (3, 4):
        raise TypeError(
            f"{where} is {brief(given)}, not (terms, relation, bound) or "
            "(terms, relation, bound, name)"
        )
    terms, *rest = given
    spins = vartype_of(terms, where, vartype) == SPIN
    if isinstance(terms, Mapping):
        terms = Objective(None, [from_mapping(terms, where)])
    elif _is_row(terms):
        check_unmasked(terms, where)
        factors = checked_factors(terms, lambda j: f"{where}, factor {j}")
        terms = Products(np.arange(len(factors))[:, None], factors)
    return _Given(where, terms, tuple(rest), spins)


def _is_row(terms: Any) -> bool:
    """Whether these are factors, one for each variable."""
    if isinstance(terms, np.ndarray):
        return terms.ndim == 1 and terms.dtype.kind in "biuf"
    is_list = isinstance(terms, list | tuple) and len(terms) > 0
    return is_list and isinstance(terms[0], Number)


def polynomials_of(constraints: Sequence[_Given]) -> dict[str, Objective]:
    """The polynomials of constraints that have labels, by where they stand."""
    return {
        each.where: each.terms
        for each in constraints
        if isinstance(each.terms, Objective)
    }


def constraint_terms(
    constraints: Sequence[_Given], by_number: Numbered
) -> list[tuple[Any, ...]]:
    """Constraints as `Landscape.from_terms` takes them."""
    return [(_terms(each, by_number), *each.rest) for each in constraints]


def _terms(given: _Given, by_number: Numbered) -> Any:
    """The terms of a constraint: of its products, or tables as they are."""
    where, terms, n = given.where, given.terms, by_number.n
    if isinstance(terms, Objective):
        return polynomial_terms(by_number.constraints[where], given.spins, where)
    if not isinstance(terms, Products):
        return terms
    if len(terms.factors) != n:
        raise ValueError(
            f"{where} has a row of {counted(len(terms.factors), 'factor')}, but there "
            f"are {counted(n, 'variable')}"
        )
    return polynomial_terms([terms], given.spins, where)


def cardinality(
    variables: int | Iterable[Hashable],
    relation: str,
    k: int,
    name: str | None = None,
) -> tuple[Any, ...]:
    """The constraint that so many of the variables are 1: at most, at least, exactly k.

    Parameters
    ----------
    variables
        Labels or numbers of variables; or n, for the variables 0 to n - 1.
    relation
        `"<="`, `">="` or `"=="`.

    Examples
    --------
    >>> cardinality(["a", "b"], "<=", 1)
    ([(('a',), [0, 1]), (('b',), [0, 1])], '<=', 1)
    """
    if isinstance(variables, str | bytes):
        raise TypeError(f"variables is {brief(variables)}, not a list of labels")
    listed = list(variables if isinstance(variables, Iterable) else range(variables))
    for each, count in Counter(listed).items():
        if count > 1:
            raise ValueError(f"variable {brief(each)} is given {count} times, not once")
    terms = [((each,), [0, 1]) for each in listed]
    return (terms, relation, k) if name is None else (terms, relation, k, name)
