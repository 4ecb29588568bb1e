"""Fronts: what results, archives, exact fronts, offspring and reports share."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Protocol

import numpy as np


class Front(Protocol):
    """Objective vectors, each with a solution; plots, indicators and files take any."""

    @property
    def F(self) -> np.ndarray:
        """Objective vectors in the problem's units and sense: (size, d)."""

    @property
    def X(self) -> np.ndarray:
        """Solutions: (size, n) bool; row i has the objectives F[i]."""

    @property
    def n(self) -> int:
        """The number of variables."""

    @property
    def d(self) -> int:
        """The number of objectives."""

    @property
    def sense(self) -> tuple[str, ...]:
        """`"max"` or `"min"` for each objective."""

    @property
    def names(self) -> tuple[str, ...]:
        """A name for each objective."""


def bit_names(n: int, labels: Iterable[Hashable] | None = None) -> list[Hashable]:
    """The names of the variables in tables: their labels, or x0, x1, ..."""
    return [f"x{j}" for j in range(n)] if labels is None else list(labels)


def distinct_columns(
    names: Sequence[Hashable], taken: Iterable[Hashable] = ()
) -> list[Hashable]:
    """The names of columns, all different, and none of those that are taken.

    A name that an earlier column has gets an underscore, or more.

    >>> distinct_columns(["a", "step", "step_", 7], taken=["cost", "step"])
    ['a', 'step__', 'step_', 7]
    """
    given, before = set(names), set(taken)
    distinct = list[Hashable]()
    for name in names:
        if name in before:
            name = f"{name}_"
            while name in given or name in before:
                name += "_"
        before.add(name)
        distinct.append(name)
    return distinct
