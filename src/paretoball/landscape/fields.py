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
    telling_names,
)
from paretoball.landscape.spelled_out import spelled_out
from paretoball.landscape.square import Square, negated, square_reaches
from paretoball.landscape.square_tables import square_of_subfunctions
from paretoball.landscape.steps import in_steps, merged_repeats
from paretoball.landscape.subfunctions import (
    Objective,
    Subfunctions,
    flattened,
    listed_objectives,
)


def fields_of_pairs(
    n: int,
    objectives: Iterable[Objective],
    sense: str | Sequence[str],
    labels: Iterable[Hashable] | None,
    names: Iterable[str] | None,
    constraints: Iterable[GivenConstraint],
) -> dict[str, Any]:
    """What `Landscape` has, of subfunctions as people write them."""
    lists = listed_objectives(objectives)
    own_labels = checked_labels(labels, checked_n(n))
    own_names = checked_names(names, len(lists))
    with telling_names(own_names):
        d, given = flattened(spelled_out(lists, own_labels))
        merged = merged_repeats(given)
    return fields_of(n, d, merged, sense, own_labels, own_names, constraints)


def fields_of(
    n: int,
    d: int,
    given: Subfunctions | Square,
    sense: str | Sequence[str],
    labels: Iterable[Hashable] | None,
    names: Iterable[str] | None,
    constraints: Iterable[GivenConstraint | TermsConstraint] | Constraints,
    scale: Any = None,
) -> dict[str, Any]:
    """What `Landscape` has, of what nobody else has a hold of."""
    n, signs = checked_n(n), checked_sense(sense, d)
    own_names, own_labels = checked_names(names, d), checked_labels(labels, n)
    with telling_names(own_names):
        if isinstance(given, Square):
            reach = square_reaches(given)
            checked_reaches(reach) if scale is None else check_real_reaches(reach)
            steps, real = np.ones(d) if scale is None else scale, scale is not None
            square: Square | None = given
        else:
            exact, steps, real = in_steps(n, d, given, scale)
            square = None if real else square_of_subfunctions(n, d, exact)
    if not isinstance(given, Square) and real and scale is None:
        tell_lost_digits(given, exact, steps, own_names)
    content = exact if square is None else negated(square, signs)
    if not isinstance(constraints, Constraints):
        constraints = checked_constraints(n, constraints, own_labels)
    return {
        "n": n,
        "content": content,
        "signs": signs,
        "scale": steps,
        "real": real,
        "names": own_names,
        "given_labels": own_labels,
        "constraints": constraints,
    }
