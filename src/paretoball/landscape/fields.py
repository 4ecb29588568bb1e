"""The fields of a landscape, checked, of whatever a problem is given as."""

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from paretoball.landscape.constraints import Constraints
from paretoball.landscape.fixed_point import checked_reaches, tell_lost_digits
from paretoball.landscape.given_constraints import (
    GivenConstraint,
    TermsConstraint,
    checked_constraints,
)
from paretoball.landscape.naming import checked_labels, checked_names, telling_names
from paretoball.landscape.numbering import Numbering
from paretoball.landscape.repeats import merged_repeats
from paretoball.landscape.senses import checked_sense
from paretoball.landscape.spelled_out import spelled_out
from paretoball.landscape.square import Square, negated, square_reaches
from paretoball.landscape.steps import in_steps
from paretoball.landscape.subfunctions import (
    Objective,
    Subfunctions,
    flattened,
    listed_objectives,
)
from paretoball.landscape.terms import Terms, stacked
from paretoball.landscape.variables import checked_n


class _Fields(NamedTuple):
    """What a `Landscape` has, in its order, which says what each is."""

    n: int
    content: Subfunctions | Square
    signs: np.ndarray
    scale: np.ndarray
    real: bool
    names: tuple[str, ...]
    given_labels: tuple[Hashable, ...] | None
    numbering: Numbering | None
    constraints: Constraints


def fields_of_pairs(
    n: int,
    objectives: Iterable[Objective],
    sense: str | Sequence[str],
    labels: Iterable[Hashable] | None,
    names: Iterable[str] | None,
    constraints: Iterable[GivenConstraint],
) -> _Fields:
    """The fields of a landscape of subfunctions as people write them."""
    lists = listed_objectives(objectives)
    own_labels = checked_labels(labels, checked_n(n))
    own_names = checked_names(names, len(lists))
    with telling_names(own_names):
        d, given = flattened(spelled_out(lists, own_labels))
        merged = merged_repeats(given)
    checked = checked_constraints(n, constraints, own_labels)
    return fields_of_subfunctions(
        n, d, merged, sense, None, own_labels, own_names, checked
    )


def fields_of_terms(
    n: int,
    objectives: Sequence[Sequence[Terms]],
    sense: str | Sequence[str],
    labels: Iterable[Hashable] | None,
    names: Iterable[str] | None,
    constraints: Iterable[GivenConstraint | TermsConstraint],
) -> _Fields:
    """The fields of a landscape of many terms at once."""
    d, given = len(objectives), stacked(objectives)
    own_labels = checked_labels(labels, checked_n(n))
    checked = checked_constraints(n, constraints, own_labels)
    return fields_of_subfunctions(n, d, given, sense, None, own_labels, names, checked)


def fields_of_subfunctions(
    n: int,
    d: int,
    given: Subfunctions,
    sense: str | Sequence[str],
    scale: Sequence[float] | None,
    labels: Iterable[Hashable] | None,
    names: Iterable[str] | None,
    constraints: Constraints,
) -> _Fields:
    """The fields of a landscape of subfunctions that nobody else has a hold of."""
    n = checked_n(n)
    signs = checked_sense(sense, d)
    own_names, own_labels = checked_names(names, d), checked_labels(labels, n)
    with telling_names(own_names):
        exact, steps, real = in_steps(n, d, given, scale)
    if real and scale is None:
        tell_lost_digits(given, exact, steps, own_names)
    return _Fields(
        n, exact, signs, steps, real, own_names, own_labels, None, constraints
    )


def fields_of_square(
    square: Square,
    sense: str | Sequence[str],
    labels: Iterable[Hashable] | None,
    names: Iterable[str] | None,
    constraints: Iterable[GivenConstraint | TermsConstraint],
) -> _Fields:
    """The fields of a landscape of a square, which is changed in place."""
    n, d = square.linear.shape
    n = checked_n(n)
    signs = checked_sense(sense, d)
    own_names, own_labels = checked_names(names, d), checked_labels(labels, n)
    with telling_names(own_names):
        checked_reaches(square_reaches(square))
    checked = checked_constraints(n, constraints, own_labels)
    inside, scale = negated(square, signs), np.ones(d)
    return _Fields(n, inside, signs, scale, False, own_names, own_labels, None, checked)
