"""Directions: how far fronts reach where w points, for three objectives and more.

The directions w are uniform on the simplex, the same for all landscapes. For each, the
largest w · f is known exactly where elimination is narrow; a front reaches that of its
best point. Shares start at the mean of f, like hypervolumes.
"""

from statistics import median

import numpy as np

import paretoball as pb
from paretoball.exact.supported_front import Solver, dot

COUNT, SEED = 40, 40
STEPS = 10**6  # weights are whole numbers of about this sum


def directions(d: int) -> np.ndarray:
    """The weights, inside: (COUNT, d) int64, all positive."""
    drawn = np.random.default_rng(SEED).dirichlet(np.ones(d), COUNT)
    return np.maximum(np.rint(STEPS * drawn).astype(np.int64), 1)


def optima(landscape: pb.Landscape) -> list[int]:
    """For each direction, the largest w · f of any solution."""
    solver = Solver(landscape)
    every = map(tuple, directions(landscape.d).tolist())
    return [dot(w, solver.best(w)[0]) for w in every]


def shares(F: np.ndarray, landscape: pb.Landscape, best: list[int]) -> list[float]:
    """For each direction, the largest w · f of these points, as a share of `best`."""
    W = directions(landscape.d)
    means = W @ (landscape.mean * landscape.scale * landscape.signs)
    reached = (W @ landscape.inside(F).T).max(axis=1)
    return [(a - m) / (b - m) for a, b, m in zip(reached, best, means)]


def worst_and_median(
    F: np.ndarray, landscape: pb.Landscape, best: list[int]
) -> tuple[float, float]:
    """The smallest of these shares, and their median."""
    each = shares(F, landscape, best)
    return min(each), median(each)
