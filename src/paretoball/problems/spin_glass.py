"""Spin glasses: random couplings between neighbours on a torus."""

from typing import Any

import numpy as np

from paretoball.landscape import EXACT, Landscape, checked_n, products
from paretoball.problems.drawing import Seed, generator_of, nonzero
from paretoball.problems.random_graphs import check_pairs
from paretoball.system import brief, checked_whole

STEPS = 100_000  # Gaussian couplings are in units of 1 / STEPS


def spin_glass(
    shape: tuple[int, ...],
    couplings: str | int = "pm",
    d: int = 2,
    seed: Seed = None,
    rng: Seed = None,
) -> Landscape:
    """A spin glass on a torus, with couplings of its own for each objective.

    Objective i is the energy E_i = -Σ J_i(a, b) s_a s_b over all neighbours a and b on
    the lattice, where s = 2x - 1 is -1 or 1. It is minimised.

    Parameters
    ----------
    shape
        The sides of the lattice, which wrap: `(30, 30)` is a square lattice,
        `(10, 10, 10)` a cubic one. The last coordinate of a spin counts fastest. Along
        a side of 2 there is one bond between two neighbours, not two.
    couplings
        `"pm"`: -1 or 1; `"gaussian"`: 100,000 times a standard normal number, rounded;
        a whole number q: from -q to q without 0, all with the same probability.
    seed, rng
        As in `mnk`.

    Examples
    --------
    >>> spin_glass(shape=(10, 10, 10), couplings="pm", d=2, seed=1)
    Landscape(n=1,000, d=2 (min/min), k=2, c=12, m=6,000)
    """
    sides = _checked_shape(shape)
    n, d = checked_n(int(np.prod(sides, dtype=object))), checked_whole("d", d, 1)
    check_pairs(n * len(sides), d)
    largest = _checked_couplings(couplings)
    draw = generator_of(seed, rng)
    bonds = _bonds(sides)
    objectives = []
    for _ in range(d):
        if largest is None:
            normal = draw.standard_normal(len(bonds))
            strengths = np.rint(STEPS * normal).astype(np.int64)
        else:
            strengths = nonzero(-largest, largest, len(bonds), draw)
        objectives.append([products(bonds, -strengths, spins=True)])
    return Landscape.from_terms(n, objectives, "min")


def _checked_shape(shape: Any) -> tuple[int, ...]:
    """The sides of a lattice."""
    if not isinstance(shape, tuple | list) or not shape:
        raise TypeError(f"shape = {brief(shape)} is not a tuple of sides")
    return tuple(checked_whole("a side of shape", side, 2) for side in shape)


def _checked_couplings(couplings: Any) -> int | None:
    """The largest coupling, if all are equally likely; None for Gaussian ones."""
    if isinstance(couplings, str) and couplings in ("pm", "gaussian"):
        return 1 if couplings == "pm" else None
    if isinstance(couplings, str):
        raise ValueError(
            f"couplings = {brief(couplings)} is not 'pm', 'gaussian' or a whole number"
        )
    return checked_whole("couplings", couplings, 1, EXACT)


def _bonds(sides: tuple[int, ...]) -> np.ndarray:
    """All pairs of neighbours on the torus: (bonds, 2), ascending."""
    spins = np.arange(int(np.prod(sides))).reshape(sides)
    ends = []
    for axis, side in enumerate(sides):
        here, there = spins, np.roll(spins, -1, axis)
        if side == 2:
            here, there = (each.take([0], axis) for each in (here, there))
        ends.append(np.column_stack([here.ravel(), there.ravel()]))
    bonds = np.concatenate(ends)
    bonds.sort(axis=1)
    return bonds[np.lexsort((bonds[:, 1], bonds[:, 0]))]
