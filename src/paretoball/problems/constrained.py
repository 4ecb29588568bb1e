"""More constraints for a landscape that there is: a random one, or one of a file."""

from collections.abc import Iterable
from dataclasses import replace

from paretoball.landscape import Landscape, checked_constraints, joined_constraints
from paretoball.problems.constraining import (
    Constraint,
    constraint_terms,
    listed_constraints,
    polynomials_of,
)
from paretoball.problems.labelled import numbered


def constrained(landscape: Landscape, constraints: Iterable[Constraint]) -> Landscape:
    """The same landscape with these constraints beside its own, given as in `qubo`.

    Those without a name are named by their number, as always. A name that is taken gets
    a number at its end.

    Examples
    --------
    >>> from paretoball.problems import cardinality, mnk
    >>> landscape = constrained(mnk(6, 1, seed=1), [cardinality(6, "==", 3)])
    >>> landscape.is_feasible([[1, 1, 1, 0, 0, 0], [1] * 6]).tolist()
    [True, False]
    """
    given = listed_constraints(constraints)
    found = numbered([], landscape.labels, polynomials_of(given))
    rows = constraint_terms(given, found)
    own = checked_constraints(landscape.n, rows, landscape.given_labels)
    return replace(
        landscape, constraints=joined_constraints([landscape.constraints, own])
    )
