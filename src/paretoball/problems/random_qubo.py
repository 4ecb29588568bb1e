"""Random QUBO: the multi-objective benchmark mUBQP, with correlated objectives."""

import numpy as np

from paretoball.landscape import SHARE, Landscape, Terms, checked_n, products
from paretoball.problems.correlation import checked_above, checked_rho, correlated
from paretoball.problems.drawing import Seed, generator_of
from paretoball.problems.random_graphs import check_pairs, chosen
from paretoball.problems.squares import landscape_of_matrices
from paretoball.system import checked_whole

LARGEST = 100  # entries are from -100 to 100


def random_qubo(
    n: int,
    d: int = 2,
    density: float = 0.8,
    rho: float = 0.0,
    seed: Seed = None,
    rng: Seed = None,
) -> Landscape:
    """A random QUBO: objective i is x'Qx with a matrix Q of its own, maximised.

    It follows the definition of mUBQP by Liefooghe, Verel and Hao (2014). The matrices
    are not symmetric: the product of x_a and x_b has the sum of both entries as factor.
    An entry is 0 in all matrices at once, or 200 u - 100, rounded, where u is uniform
    from 0 to 1. Two objectives have u of correlation `rho` at the same entry.

    Parameters
    ----------
    density
        The probability that an entry is drawn, on the diagonal as elsewhere.
    rho
        The correlation of any two objectives: at most 1, and above -1 for d = 2, above
        -0.4826 for d = 3, and so on, a little more than -1 / (d - 1).
    seed, rng
        As in `mnk`.

    Examples
    --------
    >>> random_qubo(n=100, d=2, density=0.8, rho=-0.5, seed=1)
    Landscape(n=100, d=2 (max/max), k=2, c=198, m=9,601)
    """
    n, d = checked_n(n), checked_whole("d", d, 1)
    density, rho = checked_above("density", density, 0), checked_rho(rho, d)
    is_dense, entries = density * SHARE >= 1, density * n * n
    drawn = (8 * d + 24) * entries + 6 * d * n * n  # bytes: draws, matrices, a square
    check_pairs(entries, d, drawn if is_dense else None)
    draw = generator_of(seed, rng)
    places = chosen(n * n, density, draw)
    u = correlated(d, len(places), rho, draw)
    if is_dense:
        return landscape_of_matrices([_matrix(n, places, own) for own in u])
    a, b = places // n, places % n
    pairs, which = np.unique(
        np.minimum(a, b) * n + np.maximum(a, b), return_inverse=True
    )
    masks = np.column_stack([pairs // n, pairs % n])
    return Landscape.from_terms(n, [_form(masks, which, _entries(own)) for own in u])


def _entries(u: np.ndarray) -> np.ndarray:
    """What uniform numbers say, from -100 to 100."""
    return np.rint(2 * LARGEST * u - LARGEST).astype(np.int16)


def _matrix(n: int, places: np.ndarray, u: np.ndarray) -> np.ndarray:
    """The matrix of one objective, with an entry for each of the places."""
    matrix = np.zeros((n, n), np.int16)
    matrix.ravel()[places] = _entries(u)
    return matrix


def _form(masks: np.ndarray, which: np.ndarray, entries: np.ndarray) -> list[Terms]:
    """One objective: `entries[e]` times both variables in row `which[e]` of `masks`."""
    factors = np.bincount(which, entries, len(masks)).astype(np.int64)
    masks, factors = masks[factors != 0], factors[factors != 0]
    alone = masks[:, 0] == masks[:, 1]
    return [
        products(masks[alone, :1], factors[alone]),
        products(masks[~alone], factors[~alone]),
    ]
