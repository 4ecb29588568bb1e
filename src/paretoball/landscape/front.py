"""Fronts: what results, archives, exact fronts, offspring and reports share."""

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


def bit_names(n: int) -> list[str]:
    """The names of the variables in tables: x0, x1, ..."""
    return [f"x{j}" for j in range(n)]
