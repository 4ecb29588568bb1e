"""Random quadratic objectives, and what they are worth by numpy alone."""

import numpy as np


def random_matrices(rng: np.random.Generator, n: int, d: int = 1) -> np.ndarray:
    """d upper triangular matrices of small whole numbers, many of them zero."""
    Q = rng.integers(-50, 51, (d, n, n)) * (rng.random((d, n, n)) < 0.4)
    return np.triu(Q)


def values(Q: np.ndarray, X: np.ndarray) -> np.ndarray:
    """x Q x for each row x of X and each matrix of Q: (rows, d)."""
    return np.einsum("ri,dij,rj->rd", X, Q, X)
