"""The fields of a landscape, checked, of whatever a problem is given as."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from paretoball.landscape.constraints import Constraints
from paretoball.landscape.fixed_point import (
    check_real_reaches,
    checked_reaches,
    tell_lost_digits,
)
from paretoball.landscape.given_constraints import (
    GivenConstraint,
    TermsConstraint,
    checked_constraints,
)
from paretoball.landscape.naming import (
    checked_labels,
    checked_n,
    checked_names,
    checked_sense,
    places,
    telling_names,
)
from paretoball.landscape.spelled_out import flattened
from paretoball.landscape.square import Square
from paretoball.landscape.square_tables import square_of_subfunctions
from paretoball.landscape.steps import in_steps, merged_repeats
from paretoball.landscape.subfunctions import Subfunctions


def fields_of(
    n: int,
    d: int,
    given: list[list[Any]] | Subfunctions | Square,
    sense: str | Sequence[str],
    labels: Iterable[Hashable] | None,
    names: Iterable[str] | None,
    constraints: Iterable[GivenConstraint | TermsConstraint] | Constraints,
    scale: Any = None,
) -> tuple[Any, ...]:
    """The fields of a `Landscape`, of subfunctions as people write them, or a square.

    Nobody else may have a hold of arrays: they are changed in place.
    """
    n, signs = checked_n(n), checked_sense(sense, d)
    own_names, own_labels = checked_names(names, d), checked_labels(labels, n)
    content: Subfunctions | Square
    with telling_names(own_names):
        if isinstance(given, list):
            place_of = None if own_labels is None else places(own_labels)
            given = merged_repeats(flattened(given, place_of))
        if isinstance(given, Square):
            reach, real = given.reaches(), scale is not None
            check_real_reaches(reach) if real else checked_reaches(reach)
            content, steps = given, scale if real else np.ones(d)
        else:
            content, steps, real = in_steps(n, d, given, scale)
    if isinstance(given, Subfunctions) and isinstance(content, Subfunctions):
        if real and scale is None:
            tell_lost_digits(given, content, steps, own_names)
        content = (not real and square_of_subfunctions(n, d, content)) or content
    if isinstance(content, Square):
        content.negate(signs)
    if not isinstance(constraints, Constraints):
        constraints = checked_constraints(n, constraints, own_labels)
    return n, content, signs, steps, real, own_names, own_labels, constraints
