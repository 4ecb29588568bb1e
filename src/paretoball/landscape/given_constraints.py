"""Constraints as people write them, checked, in whole numbers of steps.

A constraint is `(terms, relation, bound)` or `(terms, relation, bound, name)`. Those
with integer tables stay integers, whatever stands beside them; each of the others has a
grid of its own.
"""

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple, TypeVar

import numpy as np

from paretoball.landscape.constraint_bounds import bounded
from paretoball.landscape.constraints import (
    Constraints,
    constraint_in_words,
    no_constraints,
    unbounded,
)
from paretoball.landscape.exact_tables import exact_number, with_fractions
from paretoball.landscape.fixed_point import is_long, scale_of_entries
from paretoball.landscape.repeats import merged_repeats
from paretoball.landscape.spelled_out import spelled_out
from paretoball.landscape.steps import in_steps
from paretoball.landscape.subfunctions import (
    LISTS,
    Number,
    Objective,
    Subfunctions,
    by_objective,
    end_to_end,
    flattened,
)
from paretoball.landscape.terms import Terms, stacked
from paretoball.system import brief, notice

RELATIONS = {"<=": "<=", ">=": ">=", "==": "==", "=": "=="}
NUMBER = re.compile(r"objective (\d+)\b")  # how errors call what adds up tables

Given = TypeVar("Given")
Row = tuple[Given, str, Number] | tuple[Given, str, Number, str | None]
GivenConstraint = Row[Objective]
TermsConstraint = Row[Sequence[Terms]]


class _Row(NamedTuple):
    """One constraint as given."""

    terms: Any
    relation: str
    bound: Number
    name: str


def checked_constraints(
    n: int,
    constraints: Iterable[GivenConstraint | TermsConstraint],
    labels: tuple[Hashable, ...] | None,
) -> Constraints:
    """The constraints whose terms are pairs `(variables, table)`, or all `Terms`."""
    rows = checked_rows(constraints)
    names = [row.name for row in rows]
    lists = [_listed(c, row) for c, row in enumerate(rows)]
    are_terms = [all(isinstance(each, Terms) for each in terms) for terms in lists]
    if all(are_terms) and not any(map(_has_reals, lists)):
        return _of_wholes(n, rows, lists)
    pairs = [[] if is_ready else terms for terms, is_ready in zip(lists, are_terms)]
    with telling_constraints(names, range(len(rows))):
        spelled = spelled_out(pairs, labels)
    parts = [
        stacked([terms]) if is_ready else merged_repeats(part)
        for terms, is_ready, part in zip(lists, are_terms, _parts(names, spelled))
    ]
    return _constraints(n, rows, parts)


def _has_reals(terms: list[Terms]) -> bool:
    """Whether a table has other numbers than short ints."""
    return any(each.tables.dtype.kind not in "iu" for each in terms)


def _of_wholes(n: int, rows: list[_Row], lists: list[list[Terms]]) -> Constraints:
    """Constraints of whole numbers, all at once: files have them by the thousand."""
    if not rows:
        return no_constraints()
    names = tuple(row.name for row in rows)
    with telling_constraints(names, range(len(rows))):
        exact, scale, _ = in_steps(n, len(rows), stacked(lists))
    relations = tuple(row.relation for row in rows)
    bounds = tuple(row.bound for row in rows)
    no = np.zeros(len(rows), np.bool_)
    return bounded(unbounded(exact, scale, no, names, relations, bounds, no))


def constraints_of_file(
    n: int,
    constraints: Iterable[GivenConstraint],
    scales: Sequence[float | None],
    rounded: Sequence[Any],
) -> Constraints:
    """The constraints in a file, each with its steps per unit if it says them.

    `rounded` tells whether tables are rounded to these steps.
    """
    rows = checked_rows(constraints)
    lists = [_listed(c, row) for c, row in enumerate(rows)]
    parts = _parts([row.name for row in rows], lists)
    return _constraints(n, rows, parts, scales, rounded)


def _parts(names: Sequence[str], lists: Sequence[list[Any]]) -> list[Subfunctions]:
    """The terms of each constraint, laid end to end."""
    parts = []
    for c, terms in enumerate(lists):
        with telling_constraints(names, [c]):
            parts.append(flattened([terms])[1])
    return parts


def _listed(c: int, row: _Row) -> list[Any]:
    """The terms of constraint c."""
    if not isinstance(row.terms, Iterable):
        raise TypeError(
            f"{constraint_in_words(c, row.name)} has {brief(row.terms)} for its terms, "
            "not a list of (variables, table)"
        )
    return list(row.terms)


def checked_rows(constraints: Any) -> list[_Row]:
    """The constraints, each with a relation that there is, a bound and a name."""
    if isinstance(constraints, str | bytes) or not isinstance(constraints, Iterable):
        raise TypeError(
            f"constraints is {brief(constraints)}, not a list of "
            "(terms, relation, bound)"
        )
    rows, names = [], dict[str, int]()
    for c, given in enumerate(constraints):
        if not isinstance(given, LISTS) or len(given) not in (3, 4):
            raise TypeError(
                f"constraint {c} is {brief(given)}, not (terms, relation, bound) or "
                "(terms, relation, bound, name)"
            )
        terms, relation, bound, *name = given
        own = _name(c, *name)
        if names.setdefault(own, c) != c:
            raise ValueError(
                f"constraints {names[own]} and {c} have the same name {brief(own)}"
            )
        if type(bound) is not int:
            bound = _bound(constraint_in_words(c, own), bound)
        rows.append(_Row(terms, _relation(c, own, relation), bound, own))
    return rows


def _name(c: int, name: Any = None) -> str:
    """The name of constraint c: c0, c1, ... if none is given."""
    if name is None:
        return f"c{c}"
    if not isinstance(name, str) or not name.strip():
        raise TypeError(
            f"the name of constraint {c} is {brief(name)}, which is no text"
        )
    return str(name)


def _relation(c: int, name: str, relation: Any) -> str:
    """One of the three relations."""
    if not isinstance(relation, str) or relation not in RELATIONS:
        raise ValueError(
            f"{constraint_in_words(c, name)} has the relation {brief(relation)}, not "
            "'<=', '>=' or '=='"
        )
    return RELATIONS[relation]


def _bound(where: str, bound: Any) -> Number:
    """The bound as a number of Python, if it is finite."""
    number = exact_number(bound)
    if number is None:
        raise TypeError(
            f"{where} has the bound {brief(bound)}, which is not a number, or has more "
            "than 1,000 digits"
        )
    if isinstance(number, float) and not np.isfinite(number):
        raise ValueError(f"{where} has the bound {number}, not a finite number")
    own: Number = bound.item() if isinstance(bound, np.generic) else bound
    return own


def _constraints(
    n: int,
    rows: list[_Row],
    parts: list[Subfunctions],
    scales: Sequence[float | None] | None = None,
    are_rounded: Sequence[Any] = (),
) -> Constraints:
    """The constraints of these rows, each with its subfunctions in `parts`."""
    if not rows:
        return no_constraints()
    names = tuple(row.name for row in rows)
    parts = [_with_numbers(names, c, part) for c, part in enumerate(parts)]
    real = np.array([part.tables.dtype.kind not in "iu" for part in parts])
    known = list(scales) if scales is not None else [None] * len(rows)
    told = np.array([each is not None for each in known])
    scale, rounded, found = np.ones(len(rows)), np.zeros(len(rows), np.bool_), []
    examples = dict[int, float]()
    for kind, tells in product((False, True), repeat=2):
        own = np.flatnonzero((real == kind) & (told == tells))
        given = end_to_end([parts[c] for c in own], np.arange(len(own)))
        own_scale = [known[c] for c in own] if tells else None
        with telling_constraints(names, own.tolist()):
            exact, scale[own], _ = in_steps(n, len(own), given, own_scale, True)
        if kind and not tells:
            long = _long_floats(given, exact, scale[own])
            rounded[own[list(long)]] = True
            examples |= {int(own[i]): value for i, value in long.items()}
        found.append(exact._replace(objective=own[exact.objective]))
    for c, each in enumerate(are_rounded):
        if told[c]:
            rounded[c] = checked_rounded(names, c, each, bool(real[c]))
    every = by_objective(end_to_end(found, np.zeros(len(found), np.int64)))
    relations = tuple(row.relation for row in rows)
    bounds = tuple(row.bound for row in rows)
    loose = unbounded(every, scale, real, names, relations, bounds, rounded)
    if examples:
        _tell_tolerance(loose, examples)
    return bounded(loose)


def _long_floats(
    given: Subfunctions, exact: Subfunctions, scale: np.ndarray
) -> dict[int, float]:
    """Constraints with floats of too many digits for their grids, and one of these."""
    entries, per_unit = given.tables.astype(np.float64), scale_of_entries(exact, scale)
    owner = np.repeat(exact.objective, np.diff(exact.table_at))
    wrong = is_long(exact.tables, per_unit)
    if given.tables.dtype == object:  # beside a fraction, all is exact
        is_exact = [isinstance(each, Fraction) for each in given.tables.tolist()]
        wrong &= ~np.isin(owner, owner[is_exact])
    wrong |= exact.tables / per_unit != entries
    first = np.unique(owner[wrong], return_index=True)[1]
    return dict(zip(owner[wrong][first].tolist(), entries[wrong][first].tolist()))


def _tell_tolerance(constraints: Constraints, examples: dict[int, float]) -> None:
    """Warn that bounds are widened, and of what makes it necessary."""
    c, value = min(examples.items())
    others = f" (the same for {len(examples) - 1:,} more)" * (len(examples) > 1)
    notice(
        f"{constraint_in_words(c, constraints.names[c])} has {value}, which has more "
        f"digits than exact sums have room for: its tables are rounded to steps of "
        f"{1 / constraints.scale[c]:g}, and its bound is widened by "
        f"{constraints[c].tolerance:.3g}, so that no feasible solution is lost{others}"
        "; floats of up to 15 digits, and whole numbers, are exact"
    )


def checked_rounded(names: Sequence[str], c: int, found: Any, real: bool) -> bool:
    """Whether a file says that the tables of constraint c are rounded."""
    if not isinstance(found, bool) or (found and not real):
        raise TypeError(
            f"rounded of {constraint_in_words(c, names[c])} is {brief(found)}, not "
            f"{'true or false' if real else 'false, as its tables are whole'}"
        )
    return found


def _with_numbers(names: Sequence[str], c: int, part: Subfunctions) -> Subfunctions:
    """The terms of constraint c; objects in tables only if one is a fraction."""
    if part.tables.dtype != object:
        return part
    with telling_constraints(names, [c]):
        return with_fractions(part)


@contextmanager
def telling_constraints(names: Sequence[str], own: Sequence[int]) -> Iterator[None]:
    """Let errors speak of constraints where what is checked are sums of any kind.

    `objective 1` becomes `constraint 4 ('budget')` if `own[1]` is 4.
    """

    def called(found: re.Match[str]) -> str:
        if int(found[1]) >= len(own):
            return found[0]
        c = int(own[int(found[1])])
        return constraint_in_words(c, names[c])

    try:
        yield
    except (ValueError, TypeError, OverflowError) as error:
        raise type(error)(NUMBER.sub(called, str(error))) from error.__cause__
