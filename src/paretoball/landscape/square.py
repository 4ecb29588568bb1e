"""Squares: the objectives of dense matrices, kept as one square of their factors.

A pair of variables takes 8 bytes per objective here. As a subfunction it takes 72, and
in a clique 32 more, so these are made only where somebody asks for them. All else that
a landscape tells is worked out from the square, and is the same: a clique is a pair
with a factor that is not 0, and each variable's own factor is folded into the first
clique that reads it, which is the one of its lowest neighbour.
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.landscape.blocks import LOW_HALF, exact_sum
from paretoball.landscape.cliques import Graph
from paretoball.landscape.fixed_point import sizes
from paretoball.landscape.survey import Survey
from paretoball.numerics import offsets
from paretoball.system import check_memory, counted

ALONE = -1  # in place of a neighbour, for a variable that has none
AT_ONCE = 64  # solutions that are evaluated together


class Square(NamedTuple):
    """Objectives of degree 2 at most; in a landscape, maximised and in steps.

    The factors of pairs are one block of memory, with zeros where i = j.
    """

    constant: np.ndarray  # (d,) int64
    linear: np.ndarray  # (n, d) int64: the factor of x_j
    pairs: np.ndarray  # (n, n, d) int32 or int64: that of x_i x_j, at (j, i) as well


class _Tally(NamedTuple):
    """What is added up over all pairs."""

    neighbours: np.ndarray  # (n,) int64: of each variable
    products: np.ndarray  # (n, d) int64: its factors that are not 0
    spreads: np.ndarray  # (n, d) int64: those of the cliques that read it, added up
    factors: np.ndarray  # (d,) int64: all factors, added up
    spread: np.ndarray  # (d,) int64: the spreads of all cliques, added up
    largest: np.ndarray  # (1,) int64: the largest absolute value of an entry


def negated(square: Square, signs: np.ndarray) -> Square:
    """The same square, with objectives of sign -1 negated in place."""
    square.constant[:] *= signs
    square.linear[:] *= signs
    for i in np.flatnonzero(signs < 0):
        square.pairs[:, :, i] *= -1  # NumPy 2.4.6 negates strided views wrongly
    return square


def square_reaches(square: Square) -> np.ndarray:
    """A bound on the absolute value of each objective: (d,) ints, exact.

    A factor of a pair is at most 2^62 in size.
    """
    n, d = square.linear.shape
    high, low = np.zeros((n, d), np.int64), np.zeros((n, d), np.int64)
    _add_sizes(square.pairs, high, low)
    alone = [exact_sum(sizes(own)) for own in square.linear.T]
    fixed = [abs(each) for each in square.constant.tolist()]
    of_pairs = (high.astype(object) * (LOW_HALF + 1) + low).sum(axis=0)
    return np.array(of_pairs + np.array(alone, object) + fixed, object)


@kernel
def _add_sizes(pairs, high, low):
    """Add absolute values to the row of each pair: their upper and lower 32 bits."""
    n, _, d = pairs.shape
    for i in range(n):
        for j in range(i):
            for o in range(d):
                size = abs(np.int64(pairs[i, j, o]))
                high[i, o] += size >> 32
                low[i, o] += size & LOW_HALF


def square_survey(square: Square, signs: np.ndarray) -> Survey:
    """The survey of the subfunctions and cliques that a square stands for."""
    n, d = square.linear.shape
    hosts = square_hosts(square)
    tally = _Tally(
        neighbours=np.zeros(n, np.int64),
        products=np.zeros((n, d), np.int64),
        spreads=np.zeros((n, d), np.int64),
        factors=np.zeros(d, np.int64),
        spread=np.zeros(d, np.int64),
        largest=np.zeros(1, np.int64),
    )
    _tally_pairs(square, hosts, tally)
    is_alone, is_linear = hosts == ALONE, square.linear != 0
    alone = np.abs(square.linear[is_alone])
    tally.spreads[is_alone] = alone
    pairs, read = int(tally.neighbours.sum()) // 2, tally.products + is_linear
    m = int(tally.products.sum()) // 2 + is_linear.sum() + (square.constant != 0).sum()
    sums = zip(square.constant, square.linear.sum(axis=0), tally.factors)
    means = [Fraction(4 * int(c) + 2 * int(a) + int(b), 4) for c, a, b in sums]
    return Survey(
        m=int(m),
        k=2 if pairs else int(is_linear.any()),
        max_occurrence=int(read.sum(axis=1).max()),
        cliques=pairs + int(is_linear[is_alone].any(axis=1).sum()),
        means=[mean * sign for mean, sign in zip(means, signs.tolist())],
        spreads_of_one=tally.spreads.max(axis=0).tolist(),
        spreads_of_all=(tally.spread + alone.sum(axis=0)).tolist(),
        largest_entry=max(int(tally.largest[0]), int(alone.max(initial=0))),
    )


@kernel
def _tally_pairs(square, hosts, tally):
    """Add each pair to the tally. No sum is beyond 2^62, the most that f reaches."""
    n, d = square.linear.shape
    for i in range(n):
        for j in range(i):
            is_pair = _is_pair(square.pairs, i, j)
            tally.neighbours[i] += is_pair
            tally.neighbours[j] += is_pair
            for o in range(d):
                factor = np.int64(square.pairs[i, j, o])
                own = square.linear[i, o] if hosts[i] == j else 0
                other = square.linear[j, o] if hosts[j] == i else 0
                total = own + other + factor
                highest = max(max(0, own), max(other, total))
                lowest = min(min(0, own), min(other, total))
                tally.products[i, o] += factor != 0
                tally.products[j, o] += factor != 0
                tally.spreads[i, o] += highest - lowest
                tally.spreads[j, o] += highest - lowest
                tally.factors[o] += factor
                tally.spread[o] += highest - lowest
                tally.largest[0] = max(tally.largest[0], max(highest, -lowest))


@inlined
def _is_pair(pairs, i, j):
    """Whether the factor of x_i x_j is not 0, in one objective at least."""
    for o in range(pairs.shape[2]):
        if pairs[i, j, o] != 0:
            return True
    return False


def square_hosts(square: Square) -> np.ndarray:
    """The lowest neighbour of each variable, or ALONE: (n,) int64.

    The clique of the two is the one that the variable's own factor is folded into.
    """
    hosts = np.full(len(square.linear), ALONE)
    _find_hosts(square.pairs, hosts)
    return hosts


@kernel
def _find_hosts(pairs, hosts):
    for i in range(len(hosts)):
        for j in range(len(hosts)):
            if _is_pair(pairs, i, j):
                hosts[i] = j
                break


def square_degrees(square: Square) -> np.ndarray:
    """The number of neighbours of each variable: (n,) int64."""
    degrees = np.zeros(len(square.linear), np.int64)
    _visit_neighbours(square.pairs, degrees, np.zeros(0, np.int32))
    return degrees


def square_graph(square: Square) -> Graph:
    """The co-occurrence graph: an edge for each pair with a factor that is not 0."""
    at = offsets(square_degrees(square))
    edges = counted(int(at[-1]) // 2, "edge")
    check_memory(f"a co-occurrence graph of {edges} needs", 4 * int(at[-1]))
    neighbours = np.empty(at[-1], np.int32)
    _visit_neighbours(square.pairs, at[:-1].copy(), neighbours)
    return Graph(at, neighbours)


@kernel
def _visit_neighbours(pairs, cursor, neighbours):
    """Add 1 to `cursor[i]` for each neighbour of i; list them if there is a list."""
    for i in range(len(cursor)):
        for j in range(len(cursor)):
            if _is_pair(pairs, i, j):
                if len(neighbours):
                    neighbours[cursor[i]] = j
                cursor[i] += 1


def evaluate_square(square: Square, X: np.ndarray, F: np.ndarray) -> None:
    """F[row] = f(X[row]), maximised, in steps."""
    F[:] = square.constant
    for first in range(0, len(X), AT_ONCE):
        some = X[first : first + AT_ONCE]
        ones, counts = np.empty(some.shape, np.int32), np.zeros(len(some), np.int64)
        _add_factors(square, some, F[first : first + AT_ONCE], ones, counts)


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
