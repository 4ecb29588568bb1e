"""Ising models: quadratic functions of spins, which are -1 or 1."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
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
from paretoball.problems.labelled import Objective, by_label, numbered
from paretoball.problems.products import Products, constants, polynomial_terms
from paretoball.problems.quadratic import (
    check_unmasked,
    listed,
    one_each,
    quadratic_form,
)
from paretoball.problems.vartypes import SPIN
from paretoball.system import brief, counted


def ising(
    models: Any,
    sense: str | Sequence[str] = "min",
    weight: Any = "weight",
    labels: Iterable[Hashable] | None = None,
    names: Iterable[str] | None = None,
    constraints: Iterable[Constraint] = (),
) -> Landscape:
    """The landscape of f = Σ h_i s_i + Σ J_ij s_i s_j + offset, with s = 2x - 1.

    All entries of J count, as in sᵀ J s: a symmetric matrix counts each pair twice, so
    give one triangle where a pair counts once. Diagonal entries add themselves to f,
    since s_i s_i = 1.

    Parameters
    ----------
    models
        One model or a list of them. A model is a tuple `(h, J)` or `(h, J, offset)`, or
        J alone. h is a vector, a dict `{label: factor}` or None. J is a matrix, a
        sparse matrix, a dict `{(i, j): factor}` or a graph, as in `qubo`; an array (d,
        n, n) is d models.
    sense, weight, labels, names, constraints
        As in `qubo`, but mappings and rows of constraints are of spins, too.

    Examples
    --------
    >>> landscape = ising(([1, 0, 0], {(0, 1): -1, (1, 2): 2}, 10))
    >>> landscape.evaluate([1, 1, 0]).tolist()  # 1 - 1 - 2 + 10
    [8]
    """
    given = [models] if isinstance(models, tuple) else listed(models)
    weights = one_each(weight, len(given), "weight")
    read = [_model(one, weights[i], i) for i, one in enumerate(given)]
    rows = listed_constraints(constraints, SPIN)
    found = numbered(read, labels, polynomials_of(rows))
    objectives = [polynomial_terms(some, spins=True) for some in found.objectives]
    return Landscape.from_terms(
        found.n, objectives, sense, found.labels, names, constraint_terms(rows, found)
    )


def _model(given: Any, weight: Any, i: int) -> Objective:
    """Objective i: its fields, its couplings and its offset."""
    where = f"objective {i}"
    parts = given if isinstance(given, tuple) else (None, given)
    if len(parts) not in (2, 3):
        raise TypeError(
            f"{where} is a tuple of {counted(len(parts), 'entry', 'entries')}, not "
            "(h, J) or (h, J, offset); several models are a list"
        )
    h, J, *rest = parts
    fields, couplings = _fields(h, where), quadratic_form(J, weight, where, SPIN)
    if None not in (fields.n, couplings.n) and fields.n != couplings.n:
        raise ValueError(
            f"{where} has {counted(fields.n or 0, 'field')} in h, but "
            f"{counted(couplings.n or 0, 'variable')} in J"
        )
    offset = constants(checked_factors(rest, lambda _: f"{where}, offset"))
    n = couplings.n if fields.n is None else fields.n
    return Objective(n, [*fields.parts, *couplings.parts, offset])


def _fields(h: Any, where: str) -> Objective:
    """The sum of h_i s_i."""
    if h is None:
        return Objective(None, [])
    if isinstance(h, Mapping):
        keys = [(label,) for label in h]
        return Objective(None, [by_label(keys, list(h.values()), f"{where}, h")])
    check_unmasked(h, f"h of {where}")
    vector = np.asarray(h) if hasattr(h, "__array__") else h
    is_list = isinstance(h, list | tuple) and not any(map(np.iterable, h))
    if not is_list and (not isinstance(vector, np.ndarray) or vector.ndim != 1):
        raise TypeError(
            f"{where} has {brief(h)} for h, not a vector, a dict or None; several "
            "models are a list"
        )
    factors = checked_factors(vector, lambda e: f"{where}, entry {e} of h")
    n = len(factors)
    return Objective(n, [Products(np.arange(n)[:, None], factors)])
