"""Polynomials in bits or spins, of any degree up to 24, with labels of any kind."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from paretoball.landscape import Landscape
from paretoball.problems.constraining import (
    Constraint,
    constraint_terms,
    listed_constraints,
    polynomials_of,
)
from paretoball.problems.labelled import Objective, from_mapping, numbered
from paretoball.problems.products import polynomial_terms
from paretoball.problems.quadratic import listed
from paretoball.problems.vartypes import SPIN, vartype_of
from paretoball.system import brief


def from_polynomials(
    polynomials: Mapping[Any, Any] | Iterable[Mapping[Any, Any]],
    sense: str | Sequence[str] = "max",
    vartype: str | None = None,
    labels: Iterable[Hashable] | None = None,
    names: Iterable[str] | None = None,
    constraints: Iterable[Constraint] = (),
) -> Landscape:
    """The landscape of f = Σ factor · product of variables, one polynomial each.

    Objectives are maximised unless `sense` says otherwise; `qubo` and `ising` minimise
    them.

    Parameters
    ----------
    polynomials
        One mapping or a list of them, one per objective. A key is a tuple or a
        frozenset of labels, `()` for a constant; a key of another kind is one label. A
        variable may be there twice: x x = x, and s s = 1. The value is the factor, an
        int, a float, a `Fraction` or a `Decimal`. dimod's `BinaryPolynomial` is such a
        mapping, and knows its `vartype`.
    vartype
        `"BINARY"`: variables are the bits x. `"SPIN"`: they are s = 2x - 1, so that bit
        0 is spin -1. If it is None, it is that of the polynomials, or `"BINARY"`.
    sense, labels, names, constraints
        As in `qubo`; polynomials of constraints are in the same variables, bits or
        spins.

    Examples
    --------
    >>> landscape = from_polynomials([{("a", "b", "c"): 2, ("c",): -1}, {("a",): 1}])
    >>> landscape.evaluate([1, 1, 1]).tolist()
    [1, 1]
    >>> one_of_two = ({("a",): 1, ("b",): 1}, "<=", 1)
    >>> landscape = from_polynomials({("a", "b"): 2}, constraints=[one_of_two])
    >>> landscape.is_feasible([1, 1])
    False
    """
    given = listed(polynomials, "a mapping")
    kinds, read = [], []
    for i, one in enumerate(given):
        where = f"objective {i}"
        if not isinstance(one, Mapping):
            raise TypeError(f"{where} is {brief(one)}, not a mapping of products")
        kinds.append(vartype_of(one, where, vartype))
        read.append(Objective(None, [from_mapping(one, where)]))
    rows = listed_constraints(constraints, vartype)
    found = numbered(read, labels, polynomials_of(rows))
    objectives = [
        polynomial_terms(some, kinds[i] == SPIN, f"objective {i}")
        for i, some in enumerate(found.objectives)
    ]
    return Landscape.from_terms(
        found.n, objectives, sense, found.labels, names, constraint_terms(rows, found)
    )
