"""Constraints as people write them and as files keep them, checked, in whole steps.

Those with integer tables stay integers; each of the others has a grid of its own.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple, TypeVar

import numpy as np

from paretoball.landscape.constraints import (
    NO_CONSTRAINTS,
    Asked,
    Constraints,
    bounded,
    constraint_in_words,
    unbounded,
)
from paretoball.landscape.exact_tables import exact_number, with_fractions
from paretoball.landscape.fixed_point import (
    check_real_reaches,
    checked_scale,
    is_long,
    reaches,
)
from paretoball.landscape.naming import places, telling
from paretoball.landscape.spelled_out import Objective, flattened
from paretoball.landscape.steps import in_steps, merged_repeats
from paretoball.landscape.subfunctions import (
    EXACT,
    LISTS,
    Number,
    Subfunctions,
    Terms,
    end_to_end,
    stacked,
)
from paretoball.system import brief, notice

RELATIONS = {"<=": "<=", ">=": ">=", "==": "==", "=": "=="}

Given = TypeVar("Given", Objective, Sequence[Terms])
Row = tuple[Given, str, Number] | tuple[Given, str, Number, str | None]
GivenConstraint = Row[Objective]
TermsConstraint = Row[Sequence[Terms]]


class StoredConstraints(NamedTuple):
    """Constraints as npz files keep them."""

    subfunctions: Subfunctions  # in steps
    bound: np.ndarray  # (m,) int64: in steps, not widened; ±2^62 if it is beyond reach
    relations: Sequence[Any]
    real: Sequence[Any]
    scale: Sequence[Any]
    names: Sequence[Any]
    rounded: Sequence[Any]


def checked_constraints(
    n: int,
    constraints: Iterable[GivenConstraint | TermsConstraint],
    labels: tuple[Hashable, ...] | None,
) -> Constraints:
    """The constraints whose terms are pairs `(variables, table)`, or all `Terms`."""
    rows = _checked_rows(constraints)
    if not rows:
        return NO_CONSTRAINTS
    if all(_are_terms(row, "iu") for row in rows):  # files have them by the thousand
        with _telling_constraints(rows):
            exact, scale, _ = in_steps(n, len(rows), stacked([r.terms for r in rows]))
        no = np.zeros(len(rows), np.bool_)
        return bounded(unbounded(exact, scale, no, no, rows))
    place_of = None if labels is None else places(labels)
    parts = [
        _laid(row) if _are_terms(row) else merged_repeats(_laid(row, place_of))
        for row in rows
    ]
    return _constraints(n, rows, parts, [None] * len(rows), [False] * len(rows))


def constraints_of_file(
    n: int,
    constraints: Iterable[GivenConstraint],
    scales: Sequence[float | None],
    rounded: Sequence[Any],
) -> Constraints:
    """The constraints in a file, with their steps per unit, if told; and if rounded."""
    rows = _checked_rows(constraints)
    return _constraints(n, rows, list(map(_laid, rows)), scales, rounded)


def to_be_stored(constraints: Constraints) -> StoredConstraints:
    """Constraints as npz files keep them."""
    arrays, room = constraints.arrays, constraints.tolerances()
    is_upper = np.array([each == "<=" for each in constraints.relations], np.bool_)
    bound = np.where(is_upper, arrays.upper - room, arrays.lower + room)
    is_far = np.where(is_upper, arrays.upper == EXACT, arrays.lower == -EXACT)
    return StoredConstraints(
        arrays.subfunctions,
        np.where(is_far, np.where(is_upper, EXACT, -EXACT), bound),
        list(constraints.relations),
        constraints.real.tolist(),
        constraints.scale.tolist(),
        list(constraints.names),
        constraints.rounded.tolist(),
    )


def constraints_of_stored(n: int, stored: StoredConstraints) -> Constraints:
    """The constraints in a file, if nothing is wrong with them."""
    for name, found in list(stored._asdict().items())[1:]:
        if len(found) != len(stored.relations):
            raise ValueError(
                f"{name} of constraints has {len(found):,} entries, but there are "
                f"{len(stored.relations):,} relations"
            )
    columns = zip(stored.relations, stored.bound.tolist(), stored.names)
    rows = _checked_rows(((), *each) for each in columns)
    real, rounded = np.zeros((2, len(rows)), np.bool_)
    scale = np.ones(len(rows))
    for c, (row, is_real, own) in enumerate(zip(rows, stored.real, stored.scale)):
        if not isinstance(is_real, bool):
            raise TypeError(
                f"real of {row.place} is {brief(is_real)}, not true or false"
            )
        with _telling_constraints([row]):
            scale[c] = checked_scale([own], 1, is_real)[0]
        real[c], rounded[c] = is_real, _checked_rounded(row, stored.rounded[c], is_real)
        if is_real:
            rows[c] = row._replace(bound=row.bound / scale[c].item())
    with _telling_constraints(rows):
        exact, _, _ = in_steps(n, len(rows), stored.subfunctions)
        check_real_reaches(np.where(real, reaches(len(rows), exact), 0))
    return bounded(unbounded(exact, scale, real, rounded, rows))


def _checked_rows(constraints: Any) -> list[Asked]:
    """The constraints, each with a list of terms, a relation, a bound and a name."""
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
        terms, relation, bound, name = (*given, None)[:4]
        if name is None:
            name = f"c{c}"
        if not isinstance(name, str) or not name.strip():
            raise TypeError(
                f"the name of constraint {c} is {brief(name)}, which is no text"
            )
        if names.setdefault(name, c) != c:
            raise ValueError(
                f"constraints {names[name]} and {c} have the same name {brief(name)}"
            )
        place = constraint_in_words(c, name)
        if type(bound) is not int:
            bound = _bound(place, bound)
        if not isinstance(relation, str) or relation not in RELATIONS:
            raise ValueError(
                f"{place} has the relation {brief(relation)}, not '<=', '>=' or '=='"
            )
        if not isinstance(terms, Iterable):
            raise TypeError(
                f"{place} has {brief(terms)} for its terms, not a list of "
                "(variables, table)"
            )
        rows.append(Asked(place, list(terms), RELATIONS[relation], bound, str(name)))
    return rows


def _bound(place: str, bound: Any) -> Number:
    """The bound as a number of Python, if it is finite."""
    number = exact_number(bound)
    if number is None:
        raise TypeError(
            f"{place} has the bound {brief(bound)}, which is not a number, or has more "
            "than 1,000 digits"
        )
    if isinstance(number, float) and not np.isfinite(number):
        raise ValueError(f"{place} has the bound {number}, not a finite number")
    own: Number = bound.item() if isinstance(bound, np.generic) else bound
    return own


def _are_terms(row: Asked, kinds: str = "iufO") -> bool:
    """Whether all terms of a constraint are `Terms`, with tables of these kinds."""
    return all(
        isinstance(each, Terms) and each.tables.dtype.kind in kinds
        for each in row.terms
    )


def _laid(row: Asked, place_of: Mapping[Hashable, int] | None = None) -> Subfunctions:
    """The terms of a constraint; objects in tables only if one is a fraction."""
    with _telling_constraints([row]):
        if _are_terms(row):
            part = stacked([row.terms])
        else:
            part = flattened([row.terms], place_of)
        return with_fractions(part) if part.tables.dtype == object else part


def _constraints(
    n: int,
    rows: list[Asked],
    parts: list[Subfunctions],
    scales: Sequence[float | None],
    are_rounded: Sequence[Any],
) -> Constraints:
    """The constraints of these rows, each with its subfunctions in `parts`."""
    real = np.array([part.tables.dtype.kind not in "iu" for part in parts], np.bool_)
    told = np.array([scale is not None for scale in scales], np.bool_)
    every = end_to_end(parts, np.arange(len(parts)))
    owner = every.owners()
    tables, scale = np.empty(len(owner), np.int64), np.ones(len(rows))
    examples = dict[int, float]()
    for kind, tells in product((False, True), repeat=2):
        own = np.flatnonzero((real == kind) & (told == tells)).tolist()
        given = end_to_end([parts[c] for c in own], np.arange(len(own)))
        known = [scales[c] for c in own] if tells else None
        with _telling_constraints([rows[c] for c in own]):
            exact, scale[own], _ = in_steps(n, len(own), given, known, True)
        tables[np.isin(owner, own)] = exact.tables
        if kind and not tells:
            long = _long_floats(given, exact, scale[own])
            examples = {own[i]: value for i, value in long.items()}
    rounded = np.isin(np.arange(len(rows)), list(examples))
    for c in np.flatnonzero(told).tolist():
        rounded[c] = _checked_rounded(rows[c], are_rounded[c], bool(real[c]))
    loose = unbounded(every._replace(tables=tables), scale, real, rounded, rows)
    if examples:
        _tell_tolerance(loose, examples)
    return bounded(loose)


def _long_floats(
    given: Subfunctions, exact: Subfunctions, scale: np.ndarray
) -> dict[int, float]:
    """Constraints with floats of too many digits for their grids, and one of these."""
    entries, owner = given.tables.astype(np.float64), exact.owners()
    per_unit = scale[owner]
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


def _checked_rounded(row: Asked, found: Any, real: bool) -> bool:
    """Whether a file says that the tables of a constraint are rounded."""
    if not isinstance(found, bool) or (found and not real):
        raise TypeError(
            f"rounded of {row.place} is {brief(found)}, not "
            f"{'true or false' if real else 'false, as its tables are whole'}"
        )
    return found


def _telling_constraints(rows: Sequence[Asked]) -> AbstractContextManager[None]:
    """Let errors call what they call `objective 1` by the place of `rows[1]`."""
    return telling(
        r"objective (\d+)\b", lambda i: rows[i].place if i < len(rows) else None
    )
