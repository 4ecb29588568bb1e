"""Constraints as npz files keep them, flat arrays in steps, read without trust."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from paretoball.landscape.constraint_bounds import bounded
from paretoball.landscape.constraints import (
    Constraints,
    constraint_in_words,
    no_constraints,
    unbounded,
)
from paretoball.landscape.fixed_point import check_real_reaches, checked_scale, reaches
from paretoball.landscape.given_constraints import (
    checked_rounded,
    checked_rows,
    telling_constraints,
)
from paretoball.landscape.steps import in_steps
from paretoball.landscape.subfunctions import EXACT, Subfunctions
from paretoball.system import brief


class StoredConstraints(NamedTuple):
    """Constraints as a file has them."""

    subfunctions: Subfunctions  # in steps
    bound: np.ndarray  # (m,) int64: in steps, not widened; ±2^62 if it is beyond reach
    relations: Sequence[Any]
    real: Sequence[Any]
    scale: Sequence[Any]
    names: Sequence[Any]
    rounded: Sequence[Any]


def to_be_stored(constraints: Constraints) -> StoredConstraints:
    """Constraints as a file has them."""
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
    if not len(stored.relations):
        return no_constraints()
    steps = stored.bound.tolist()
    rows = checked_rows(
        [((), *each) for each in zip(stored.relations, steps, stored.names)]
    )
    names, every = tuple(row.name for row in rows), range(len(rows))
    real = np.array([_is_real(names, c, each) for c, each in enumerate(stored.real)])
    with telling_constraints(names, every):
        exact = in_steps(n, len(rows), stored.subfunctions).subfunctions
        check_real_reaches(np.where(real, reaches(len(rows), exact), 0))
    scale = np.ones(len(rows))
    for c in every:
        with telling_constraints(names, [c]):
            scale[c] = checked_scale([stored.scale[c]], 1, bool(real[c]))[0]
    bounds = tuple(
        each / scale[c].item() if real[c] else each for c, each in enumerate(steps)
    )
    rounded = np.zeros(len(rows), np.bool_)
    for c, each in enumerate(stored.rounded):
        rounded[c] = checked_rounded(names, c, each, bool(real[c]))
    relations = tuple(row.relation for row in rows)
    return bounded(unbounded(exact, scale, real, names, relations, bounds, rounded))


def _is_real(names: Sequence[str], c: int, found: Any) -> bool:
    """Whether constraint c is real, if the file says that."""
    if not isinstance(found, bool):
        raise TypeError(
            f"real of {constraint_in_words(c, names[c])} is {brief(found)}, not true "
            "or false"
        )
    return found
