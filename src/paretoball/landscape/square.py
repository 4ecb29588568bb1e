"""Squares: the objectives of dense matrices, kept as one square of their factors.

A pair of variables takes 8 bytes per objective here. As a subfunction it takes 72, and
in a clique 32 more, so these are made only where somebody asks for them. A clique is a
pair with a factor that is not 0. Each variable's own factor is folded into the clique
of its lowest neighbour.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import reduce
from typing import NamedTuple

import numpy as np

from paretoball._jit import kernel
from paretoball.landscape.cliques import Graph, Survey
from paretoball.landscape.fixed_point import sizes
from paretoball.landscape.subfunctions import exact_sum
from paretoball.numerics import offsets
from paretoball.system import check_memory, counted

ALONE = -1  # in place of a neighbour, for a variable that has none
AT_ONCE = 64  # solutions that are evaluated together


class Square(NamedTuple):
    """Objectives of degree 2 at most; in a landscape, maximised and in steps."""

    constant: np.ndarray  # (d,) int64
    linear: np.ndarray  # (n, d) int64: the factor of x_j
    pairs: np.ndarray  # (n, n, d) int32 or int64: of x_i x_j, both ways; 0 if i = j

    def negate(self, signs: np.ndarray) -> None:
        """Negate objectives of sign -1, in place."""
        self.constant[:] *= signs
        self.linear[:] *= signs
        for i in np.flatnonzero(signs < 0):
            self.pairs[:, :, i] *= -1  # NumPy 2.4.6 negates strided views wrongly

    def reaches(self) -> np.ndarray:
        """A bound on the absolute value of each objective: (d,) ints, exact."""
        alone = [exact_sum(sizes(own)) for own in self.linear.T]
        rows = [list(map(exact_sum, sizes(row.T))) for row in self.pairs]
        fixed = [abs(each) for each in self.constant.tolist()]
        return np.array(np.array(rows, object).sum(axis=0) // 2 + alone + fixed, object)

    def survey(self, signs: np.ndarray) -> Survey:
        """The survey of the subfunctions and cliques that a square stands for."""
        n, d = self.linear.shape
        hosts, pairs = self.hosts(), int(self.degrees().sum()) // 2
        is_alone, is_linear = hosts == ALONE, self.linear != 0
        alone = np.where(is_alone[:, None], np.abs(self.linear), 0)
        products, spreads, sums = np.zeros((3, n, d), np.int64)
        largest = int(alone.max())
        for i in range(n):
            row = np.array(self.pairs[i].T, np.int64, order="C")  # (d, n)
            products[i], sums[i] = np.count_nonzero(row, axis=1), row.sum(axis=1)
            hosting = np.flatnonzero((hosts == i) | (np.arange(n) == hosts[i]))
            own = self.linear[i] * (hosts[i] == hosting)[:, None]
            other = self.linear[hosting] * (hosts[hosting] == i)[:, None]
            tables = np.stack([0 * own, own, other, own + other + row[:, hosting].T])
            np.abs(row, out=row)
            row[:, hosting] = (tables.max(axis=0) - tables.min(axis=0)).T
            spreads[i] = row.sum(axis=1)
            row[:, hosting] = np.abs(tables).max(axis=0).T
            largest = max(largest, int(row.max()))
        read = products + is_linear
        m = int(products.sum()) // 2 + is_linear.sum() + (self.constant != 0).sum()
        twice = [exact_sum(own) for own in sums.T]
        whole = zip(self.constant.tolist(), self.linear.sum(axis=0).tolist(), twice)
        means = [Fraction(8 * c + 4 * a + b, 8) for c, a, b in whole]
        return Survey(
            m=int(m),
            k=2 if pairs else int(is_linear.any()),
            max_occurrence=int(read.sum(axis=1).max()),
            cliques=pairs + int(is_linear[is_alone].any(axis=1).sum()),
            means=[mean * sign for mean, sign in zip(means, signs.tolist())],
            spreads_of_one=(spreads + alone).max(axis=0).tolist(),
            spreads_of_all=[
                exact_sum(twice) // 2 + exact_sum(once)
                for twice, once in zip(spreads.T, alone.T)
            ],
            largest_entry=largest,
        )

    def hosts(self) -> np.ndarray:
        """The lowest neighbour of each variable, or ALONE: (n,) int64."""
        rows = self._are_neighbours()
        return np.array([row.argmax() if row.any() else ALONE for row in rows])

    def degrees(self) -> np.ndarray:
        """The number of neighbours of each variable: (n,) int64."""
        return np.array([np.count_nonzero(row) for row in self._are_neighbours()])

    def graph(self) -> Graph:
        """The co-occurrence graph: each pair with a factor that is not 0 is an edge."""
        at = offsets(self.degrees())
        edges = counted(int(at[-1]) // 2, "edge")
        check_memory(f"a co-occurrence graph of {edges} needs", 4 * int(at[-1]))
        neighbours = np.empty(at[-1], np.int32)
        for j, row in enumerate(self._are_neighbours()):
            neighbours[at[j] : at[j + 1]] = np.flatnonzero(row)
        return Graph(at, neighbours)

    def evaluate(self, X: np.ndarray, F: np.ndarray) -> None:
        """F[row] = f(X[row]), maximised, in steps."""
        F[:] = self.constant
        for first in range(0, len(X), AT_ONCE):
            some = X[first : first + AT_ONCE]
            ones, counts = np.empty(some.shape, np.int32), np.zeros(len(some), np.int64)
            _add_factors(self, some, F[first : first + AT_ONCE], ones, counts)

    def _are_neighbours(self) -> Iterator[np.ndarray]:
        """For each variable, which others it has a factor with: (n,) bool."""
        none = np.zeros(len(self.linear), np.bool_)
        return (reduce(np.logical_or, row.T, none) for row in self.pairs)


@kernel
def _add_factors(square, X, F, ones, counts):
    """Add all but the constant to F; `ones` lists the variables below i that are 1."""
    n, d = square.linear.shape
    for i in range(n):
        for row in range(len(X)):
            if X[row, i] == 0:
                continue
            for o in range(d):
                total = square.linear[i, o]
                for e in range(counts[row]):
                    total += square.pairs[i, ones[row, e], o]
                F[row, o] += total
            ones[row, counts[row]] = i
            counts[row] += 1
