"""Ten kinds of landscapes for the soak, and what their definitions say of a solution.

Values and constraints are worked out from the numbers that a landscape was made of, as
sums of Python's integers and fractions. Nothing is shared with the package's kernels.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

import paretoball as pb

K = 3  # a subfunction reads its own variable and so many others
DECIMALS = 6  # of real tables
CLAUSES = 4.2  # per variable, where random 3-SAT is hardest
GB = 10**9


class Case(NamedTuple):
    """A landscape, and the same by its definition."""

    landscape: pb.Landscape
    value: Callable[[np.ndarray], list[Any]]  # f(x), one exact number per objective
    violated: Callable[[np.ndarray], int]  # how many constraints x violates


class Kind(NamedTuple):
    """A kind of landscapes, its size, and what a run of it may take."""

    make: Callable[[int], Case]
    n: int
    tiny: int  # n of a landscape of the same kind, to compile with and for tests
    memory_limit: int  # bytes
    radius: int | None = None  # None is the package's choice
    max_archive: int | None = None

    def options(self) -> dict[str, Any]:
        """What `solve` is asked for besides its limits."""
        return {"radius": self.radius, "max_archive": self.max_archive, "seed": 1}


def free(_: np.ndarray) -> int:
    """There are no constraints to violate."""
    return 0


def total(values: np.ndarray) -> int | Fraction:
    """An exact sum; a float is the decimal that it is printed as."""
    if values.dtype.kind == "f":
        return sum(map(Fraction, map(repr, values.tolist())), Fraction(0))
    return sum(values.tolist())


def case_of_tables(n: int, masks: np.ndarray, tables: np.ndarray) -> Case:
    """Subfunctions with masks (d, m, k) and tables (d, m, 2^k), maximised."""
    d, m, k = masks.shape
    counts = np.arange(d * m + 1)
    landscape = pb.Landscape.from_arrays(
        n,
        d,
        np.repeat(np.arange(d), m),
        counts * k,
        masks.ravel(),
        counts << k,
        tables.ravel(),
    )

    def value(x: np.ndarray) -> list[Any]:
        entries = x[masks].astype(np.int64) @ (1 << np.arange(k))
        read = np.take_along_axis(tables, entries[..., None], axis=2)[..., 0]
        return [total(each) for each in read]

    return Case(landscape, value, free)


def ring(n: int, d: int = 2) -> Case:
    """The adjacent MNK model: subfunction l reads l, l + 1, ..., l + K."""
    tables = np.random.default_rng(1).integers(0, 100, (d, n, 2 << K))
    masks = (np.arange(n)[:, None] + np.arange(K + 1)) % n
    return case_of_tables(n, np.repeat(masks[None], d, axis=0), tables)


def reals(n: int) -> Case:
    """Subfunctions that read variables far apart, with decimals in their tables."""
    rng = np.random.default_rng(2)
    steps = np.sort(rng.permuted(np.tile(np.arange(1, n), (2 * n, 1)), axis=1)[:, :K])
    masks = np.zeros((2 * n, K + 1), np.int64)
    masks[:, 1:] = steps
    masks = (masks + np.tile(np.arange(n), 2)[:, None]) % n
    tables = rng.random((2, n, 2 << K)).round(DECIMALS)
    return case_of_tables(n, masks.reshape(2, n, K + 1), tables)


def dense(n: int) -> Case:
    """Two full matrices, minimised."""
    Q = np.random.default_rng(3).integers(-100, 101, (2, n, n))

    def value(x: np.ndarray) -> list[Any]:
        chosen = np.flatnonzero(x)
        return [int(each[np.ix_(chosen, chosen)].sum()) for each in Q]

    return Case(pb.qubo(Q), value, free)


def formula(n: int) -> Case:
    """Two random 3-SAT formulas, an objective each."""
    rng = np.random.default_rng(4)
    count = int(CLAUSES * n)
    variables = rng.random((2, count, n)).argpartition(2, axis=2)[:, :, :3]
    wanted = rng.integers(0, 2, variables.shape)
    literals = np.where(wanted == 1, variables + 1, -variables - 1)

    def value(x: np.ndarray) -> list[Any]:
        return (x[variables] == wanted).any(axis=2).sum(axis=1).tolist()

    return Case(pb.maxsat(literals.tolist(), n=n), value, free)


def knapsack(n: int) -> Case:
    """Two profits, and two capacities of half of the weights."""
    profits, weights = np.random.default_rng(5).integers(10, 101, (2, 2, n))
    bounds = (weights.sum(axis=1) // 2).tolist()

    def value(x: np.ndarray) -> list[Any]:
        return [total(row[x]) for row in profits]

    def violated(x: np.ndarray) -> int:
        return sum(total(row[x]) > most for row, most in zip(weights, bounds))

    return Case(pb.knapsack(profits, weights, bounds), value, violated)


def covering(n: int) -> Case:
    """Columns of two costs, each of which covers a fiftieth of n / 5 rows or more."""
    rng = np.random.default_rng(6)
    costs, covers = rng.integers(1, 101, (2, n)), rng.random((n // 5, n)) < 0.02
    covers[np.arange(n // 5), rng.integers(0, n, n // 5)] = True

    def value(x: np.ndarray) -> list[Any]:
        return [total(row[x]) for row in costs]

    def violated(x: np.ndarray) -> int:
        return sum(not row[x].any() for row in covers)

    return Case(pb.set_covering(costs, covers.astype(np.int64)), value, violated)


def assignment(n: int) -> Case:
    """The square root of n agents, as many tasks, one for each; two costs of pairs."""
    side = int(n**0.5)
    costs = np.random.default_rng(7).integers(1, 1001, (2, side, side))
    pair = np.arange(side * side).reshape(side, side)
    ones = [{(int(j),): 1 for j in line} for line in (*pair, *pair.T)]
    landscape = pb.qubo(
        [dict(enumerate(each.ravel().tolist())) for each in costs],
        constraints=[(line, "==", 1) for line in ones],
    )

    def value(x: np.ndarray) -> list[Any]:
        return [total(each.ravel()[x]) for each in costs]

    def violated(x: np.ndarray) -> int:
        chosen = x[pair]
        return sum(int(line.sum()) != 1 for line in (*chosen, *chosen.T))

    return Case(landscape, value, violated)


def of_objectives(d: int) -> Callable[[int], Case]:
    """Rings of so many objectives."""
    return lambda n: ring(n, d)


KINDS = {
    "ring-20000": Kind(ring, 20_000, 40, GB),
    "ring-1000000": Kind(ring, 1_000_000, 40, 2 * GB),
    "dense-3000": Kind(dense, 3000, 40, GB),
    "3-sat": Kind(formula, 1000, 20, GB, radius=2),
    "mnk-4": Kind(of_objectives(4), 1000, 20, GB, max_archive=200_000),
    "mnk-6": Kind(of_objectives(6), 1000, 20, GB, max_archive=100_000),
    "reals": Kind(reals, 1000, 20, GB),
    "knapsack": Kind(knapsack, 5000, 30, GB),
    "covering": Kind(covering, 2000, 20, GB),
    "assignment": Kind(assignment, 1600, 16, GB),
}
