"""MNK landscapes: the paper's benchmark, by our own seeds or by the authors'.

Each objective has one subfunction per variable. Subfunction l reads variable l and K
others, and has a random table of 2^(K+1) entries. The model says which others: the next
K, any K, or K of the next `window` variables. Variables wrap at n.
"""

from typing import Any

import numpy as np

from paretoball.landscape import EXACT, MAX_ARITY, Landscape, checked_n
from paretoball.numerics import offsets
from paretoball.problems.correlation import checked_rho, correlated
from paretoball.problems.drawing import Seed, distinct_numbers, generator_of
from paretoball.problems.java_random import JavaRandom
from paretoball.problems.memory import check_tables
from paretoball.system import checked_whole

DECIMALS = 9  # of real entries with a correlation, as in the files of mocobench
JAVA_INT = 2**31
JAVA_LONG = 2**63


def mnk(
    n: int,
    K: int,
    d: int = 2,
    q: int | None = 100,
    model: str | int = "adjacent",
    seed: Seed = None,
    rng: Seed = None,
    rho: float | None = None,
) -> Landscape:
    """A random MNK landscape, every objective with its own masks and tables.

    With `rho`, it is a ρMNK landscape by Verel, Liefooghe, Jourdan and Dhaenens (2013):
    all objectives have the same masks, and entries at the same place of their tables
    have this correlation. Theirs have real entries and the random model, and f is the
    mean over subfunctions, where it is their sum here.

    Parameters
    ----------
    K
        How many variables each subfunction reads besides its own.
    q
        Table entries are uniform in 0, 1, ..., q - 1; None for reals in [0, 1).
    model
        Which other variables subfunction l reads: `"adjacent"`, l + 1 to l + K;
        `"random"`, any K; or a whole number W, any K of l + 1 to l + W.
    seed, rng
        Two names of one argument: the same seed gives the same landscape; None gives a
        new one each time.
    rho
        The correlation of any two objectives, as in `random_qubo`; None for objectives
        that have nothing in common.

    Examples
    --------
    >>> mnk(n=1000, K=3, d=2, q=100, model="adjacent", seed=1)
    Landscape(n=1,000, d=2 (max/max), k=4, c=8, m=2,000)
    """
    n, K, d, window = checked_sizes(n, K, d, q, model)
    correlation = None if rho is None else checked_rho(rho, d)
    draw = generator_of(seed, rng)
    if correlation is not None:
        masks = [_drawn_masks(n, K, model, window, draw)] * d
        return _from_matrices(masks, _correlated_tables(n, K, d, q, correlation, draw))
    masks, tables = [], []
    for _ in range(d):
        masks.append(_drawn_masks(n, K, model, window, draw))
        size = (n, 2 << K)
        tables.append(draw.random(size) if q is None else draw.integers(q, size=size))
    return _from_matrices(masks, tables)


def _drawn_masks(
    n: int, K: int, model: str | int, window: int, draw: np.random.Generator
) -> np.ndarray:
    """The masks of one objective: (n, K + 1)."""
    if model == "adjacent":
        return _masks_of(_following(n, K))
    return _masks_of(distinct_numbers(n, K, window, draw))


def _correlated_tables(
    n: int, K: int, d: int, q: int | None, rho: float, draw: np.random.Generator
) -> list[np.ndarray]:
    """The tables of each objective, (n, 2^(K+1)), with the correlation rho."""
    u = correlated(d, n << (K + 1), rho, draw).reshape(d, n, 2 << K)
    if q is None:
        return list(np.round(u, DECIMALS))
    return [np.minimum((own * q).astype(np.int64), q - 1) for own in u]


def mnk_java(
    n: int,
    K: int,
    d: int = 2,
    q: int | None = 100,
    model: str | int = "adjacent",
    pseed: int = 1,
) -> Landscape:
    """The MNK landscape that the authors' Java makes of `pseed`, bit for bit.

    Parameters are as in `mnk`.

    Examples
    --------
    >>> landscape = mnk_java(n=20, K=2, pseed=1)
    >>> landscape.subfunctions.tables[:8].tolist()
    [9, 95, 74, 87, 5, 78, 25, 99]
    """
    n, K, d, window = checked_sizes(n, K, d, q, model)
    q, pseed = checked_for_java(q, pseed)
    masks, tables = [], []
    for stream in _java_streams(d, pseed):
        masks.append(_java_masks(n, K, model, window, stream))
        tables.append(_java_tables(n, K, q, stream))
    return _from_matrices(masks, tables)


def checked_for_java(q: Any, pseed: Any) -> tuple[int | None, int]:
    """q and pseed, if they fit into Java's int and long."""
    if q is not None:
        q = checked_whole("q", q, 1, JAVA_INT - 1, "in Java")
    return q, checked_whole("pseed", pseed, -JAVA_LONG, JAVA_LONG - 1)


def _java_streams(d: int, pseed: int) -> list[JavaRandom]:
    """The generator of each objective."""
    seeds = JavaRandom(pseed)
    return [JavaRandom(seeds.next_long()) for _ in range(d)]


def _java_masks(
    n: int, K: int, model: str | int, window: int, stream: JavaRandom
) -> np.ndarray:
    """The masks of one objective: (n, K + 1).

    All subfunctions shuffle the same list, each as the one before has left it. In the
    random model, entries are variables, with n - 1 in place of l itself; with a window,
    entry e is the variable l + 1 + e.
    """
    if model == "adjacent":
        return _masks_of(_following(n, K))
    shuffled = list(range(window))
    others = np.empty((n, K), np.int64)
    for row in others:
        for i in range(K):
            j = i + stream.next_int(window - i)
            shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
        row[:] = shuffled[:K]
    if model != "random":
        return _masks_of(others)
    own = np.arange(n)[:, None]
    return np.hstack([own, np.where(others == own, n - 1, others)])


def _java_tables(n: int, K: int, q: int | None, stream: JavaRandom) -> np.ndarray:
    """The tables of one objective: (n, 2^(K+1)) int64 or float64."""
    count = n << (K + 1)
    flat = stream.next_doubles(count) if q is None else stream.next_ints(q, count)
    return flat.reshape(n, 2 << K)


def _following(n: int, K: int) -> np.ndarray:
    """0, 1, ..., K - 1 in each of n rows."""
    return np.tile(np.arange(K), (n, 1))


def _masks_of(others: np.ndarray) -> np.ndarray:
    """Row l reads l, and l + 1 + j for every j in row l of `others`, wrapping."""
    n = len(others)
    own = np.arange(n)[:, None]
    return np.hstack([own, (own + 1 + others) % n])


def _from_matrices(masks: list[np.ndarray], tables: list[np.ndarray]) -> Landscape:
    """The landscape whose objective i has one subfunction per row of `masks[i]`."""
    d, (n, k) = len(masks), masks[0].shape
    return Landscape.from_arrays(
        n,
        d,
        objective=np.repeat(np.arange(d), n),
        mask_at=offsets(np.full(d * n, k)),
        masks=np.concatenate(masks, axis=None),
        table_at=offsets(np.full(d * n, 1 << k)),
        tables=np.concatenate(tables, axis=None),
    )


def checked_sizes(
    n: Any, K: Any, d: Any, q: Any, model: Any
) -> tuple[int, int, int, int]:
    """n, K, d, and the window: how many variables the K others are chosen from."""
    n = checked_n(n)
    K = checked_whole("K", K, 0, min(n, MAX_ARITY) - 1, f"where n = {n}")
    d = checked_whole("d", d, 1)
    if q is not None:
        checked_whole("q", q, 1, EXACT)
    check_tables(f"{d} × {n:,} tables of {2 << K:,} entries", d * n, d * n << (K + 1))
    if model in ("adjacent", "random"):
        return n, K, d, K if model == "adjacent" else n - 1
    if isinstance(model, str):
        raise ValueError(f"model {model!r} is not 'adjacent', 'random' or a window")
    where = f"as a window where K = {K} and n = {n}"
    return n, K, d, checked_whole("model", model, K, n - 1, where)
