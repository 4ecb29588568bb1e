"""Fronts of small landscapes by enumeration, some from their polynomials."""

from collections import Counter

import numpy as np

from paretoball import Landscape
from paretoball.landscape import monomials


def front_of_quadratic(landscape: Landscape) -> list[tuple[float, float]]:
    """The front of two maximised objectives of degree 2, by all 2^n solutions."""
    n = landscape.n
    Q = np.zeros((2, n, n), np.int64)
    constant = np.zeros(2, np.int64)
    for degree, (masks, factors) in enumerate(monomials(landscape)):
        if degree == 0 and len(masks):
            constant = factors[0]
        elif degree > 0 and len(masks):
            Q[:, masks[:, 0], masks[:, -1]] = factors.T
    half = n // 2
    left, right = _all_bits(half), _all_bits(n - half)
    kept = np.zeros((0, 2), np.int64)
    for some in np.array_split(left, max(1, len(left) >> 6)):
        F = [_values(q, some, right).ravel() + c for q, c in zip(Q, constant)]
        kept = _front(np.concatenate([kept, np.stack(F, axis=1)]))
    return sorted(map(tuple, (kept / landscape.scale).tolist()))


def feasible_front(landscape: Landscape) -> dict[tuple[int, ...], int]:
    """The front of feasible solutions, and how many solutions each point has."""
    X = _all_bits(landscape.n)
    F = landscape.evaluate(X[landscape.is_feasible(X)])
    counts = Counter(map(tuple, F.tolist()))
    points = np.array(list(counts)) * landscape.signs
    is_beaten = [
        bool(((points >= one).all(axis=1) & (points > one).any(axis=1)).any())
        for one in points
    ]
    kept = [point for point, beaten in zip(counts, is_beaten) if not beaten]
    return {point: counts[point] for point in kept}


def _all_bits(n: int) -> np.ndarray:
    """All solutions of n variables."""
    return np.arange(1 << n)[:, None] >> np.arange(n) & 1


def _values(q: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """x^T q x for all x that begin like a row of `left` and end like one of `right`."""
    half = left.shape[1]
    alone = np.einsum("ai,ij,aj->a", left, q[:half, :half], left)
    other = np.einsum("ai,ij,aj->a", right, q[half:, half:], right)
    return alone[:, None] + other + left @ (q[:half, half:] @ right.T)


def _front(F: np.ndarray) -> np.ndarray:
    """The rows that no other row dominates, each once."""
    best = F[F.sum(axis=1).argmax()]
    F = F[(best <= F).any(axis=1)]
    F = F[np.lexsort((-F[:, 1], -F[:, 0]))]
    highest = np.concatenate(
        [[np.iinfo(np.int64).min], np.maximum.accumulate(F[:-1, 1])]
    )
    return np.asarray(F[F[:, 1] > highest])
