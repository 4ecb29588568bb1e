"""Cliques: tables of d-vectors over a few variables each, whose sum is f, maximised."""

from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.landscape.subfunctions import Subfunctions, blocks, exact_sum, matrix
from paretoball.numerics import exact_sums, offsets, sort


class Cliques(NamedTuple):
    """A vector Mk Landscape as kernels see it.

    Cliques are sorted by descending arity, so each table starts at a multiple of its
    length. After a flip, a clique reads the row that it reads now, xor the bit.
    """

    constant: np.ndarray  # (d,) int64: the part of f that reads no variable
    mask_at: np.ndarray  # (cliques + 1,) int64: where each mask starts in `masks`
    masks: np.ndarray  # int32: the variables read, ascending
    table_at: np.ndarray  # (cliques + 1,) int64: where each table starts in `tables`
    tables: np.ndarray  # (rows, d) int32 or int64: one d-vector per table entry
    reader_at: np.ndarray  # (n + 1,) int64: where each variable's readers start
    readers: np.ndarray  # uint32: the cliques that read the variable, ascending
    reader_bits: np.ndarray  # uint32: 1 << the variable's place in that clique's mask


class Graph(NamedTuple):
    """The co-occurrence graph: which variables are read together."""

    at: np.ndarray  # (n + 1,) int64: where each variable's neighbours start
    neighbours: np.ndarray  # int32: the variables read together with it, ascending


class Survey(NamedTuple):
    """Counts and bounds of subfunctions and cliques; spreads are highest - lowest."""

    m: int  # subfunctions
    k: int  # the most variables that a subfunction reads
    max_occurrence: int  # the most subfunctions that read one variable
    cliques: int  # how many there are
    means: list[Fraction]  # of each objective over all solutions, in its own sense
    spreads_of_one: list[int]  # added up over the readers of that variable with most
    spreads_of_all: list[int]  # added up over all cliques
    largest_entry: int  # the largest absolute value in a clique's table


def sorted_index(order: np.ndarray) -> np.ndarray:
    """Where each entry of a table over sorted variables stands in the table as given.

    Row s of `order` sorts mask s: its sorted variable b is the given one `order[s, b]`.
    """
    index = np.zeros((len(order), 1), np.int64)
    for bit in 1 << order.T:
        index = np.hstack([index, index + bit[:, None]])
    return index


def with_readers(
    n: int,
    constant: np.ndarray,
    arities: np.ndarray,
    masks: np.ndarray,
    tables: np.ndarray,
) -> Cliques:
    """The same cliques, with the list of the cliques that read each variable."""
    cliques = Cliques(
        constant=constant,
        mask_at=offsets(arities),
        masks=masks.astype(np.int32),
        table_at=offsets(1 << arities),
        tables=tables,
        reader_at=offsets(np.bincount(masks, minlength=n)),
        readers=np.empty(len(masks), np.uint32),
        reader_bits=np.empty(len(masks), np.uint32),
    )
    _list_readers(cliques, cliques.reader_at[:-1].copy())
    return cliques


def no_cliques(n: int, constant: np.ndarray) -> Cliques:
    """The cliques of a constant function."""
    arities, masks = np.zeros(0, np.int64), np.zeros(0, np.int32)
    return with_readers(n, constant, arities, masks, np.zeros((0, len(constant)), int))


@kernel
def _list_readers(cliques, cursor):
    """Fill in `readers` and `reader_bits`; `cursor` is where each variable's start."""
    for c in range(len(cliques.mask_at) - 1):
        for b in range(cliques.mask_at[c + 1] - cliques.mask_at[c]):
            j = cliques.masks[cliques.mask_at[c] + b]
            cliques.readers[cursor[j]] = c
            cliques.reader_bits[cursor[j]] = 1 << b
            cursor[j] += 1


@inlined
def row_read(cliques, c, x):
    """The row of `tables` that clique c reads at x."""
    row = cliques.table_at[c]
    for b in range(cliques.mask_at[c + 1] - cliques.mask_at[c]):
        row += np.int64(x[cliques.masks[cliques.mask_at[c] + b]]) << b
    return row


@kernel
def evaluate_rows(cliques, X, F):
    """F[row] = f(X[row]), maximised, in steps."""
    for row in range(len(X)):
        for i in range(F.shape[1]):
            F[row, i] = cliques.constant[i]
        for c in range(len(cliques.mask_at) - 1):
            here = row_read(cliques, c, X[row])
            for i in range(F.shape[1]):
                F[row, i] += cliques.tables[here, i]


def cooccurrence_graph(cliques: Cliques) -> Graph:
    """The co-occurrence graph: an edge where two variables share a clique."""
    n = len(cliques.reader_at) - 1
    degrees = np.zeros(n, np.int64)
    seen = np.full(n, -1, np.int32)
    _visit_neighbours(cliques, degrees, seen, np.zeros(0, np.int32))
    at = offsets(degrees)
    neighbours = np.empty(at[-1], np.int32)
    seen[:] = -1
    _visit_neighbours(cliques, at[:-1].copy(), seen, neighbours)
    return Graph(at, neighbours)


@kernel
def _visit_neighbours(cliques, cursor, seen, neighbours):
    """Add 1 to `cursor[j]` for each neighbour of j; list them if there is a list."""
    for j in range(len(cursor)):
        first = cursor[j]
        seen[j] = j
        for e in range(cliques.reader_at[j], cliques.reader_at[j + 1]):
            c = cliques.readers[e]
            for other in cliques.masks[cliques.mask_at[c] : cliques.mask_at[c + 1]]:
                if seen[other] != j:
                    seen[other] = j
                    if len(neighbours):
                        neighbours[cursor[j]] = other
                    cursor[j] += 1
        if len(neighbours):
            sort(neighbours, first, cursor[j])


def surveyed(n: int, d: int, given: Subfunctions, cliques: Cliques) -> Survey:
    """The survey of subfunctions, and of the cliques that they are merged into."""
    first = cliques.table_at[:-1]
    highest = np.maximum.reduceat(cliques.tables, first, axis=0)
    lowest = np.minimum.reduceat(cliques.tables, first, axis=0)
    spreads = (highest.astype(np.uint64) - lowest.astype(np.uint64)).T  # up to 2**63
    of_read = [exact_sums(cliques.reader_at, own[cliques.readers]) for own in spreads]
    return Survey(
        m=len(given.objective),
        k=int(np.diff(given.mask_at).max(initial=0)),
        max_occurrence=int(np.bincount(given.masks, minlength=n).max()),
        cliques=len(first),
        means=_exact_means(d, given),
        spreads_of_one=[int(own.max()) for own in of_read],
        spreads_of_all=[exact_sum(own) for own in spreads],
        largest_entry=max(int(highest.max(initial=0)), -int(lowest.min(initial=0))),
    )


def _exact_means(d: int, given: Subfunctions) -> list[Fraction]:
    """The mean of each objective over all solutions, in its steps."""
    means = [Fraction(0)] * d
    for block in blocks(given.mask_at):
        tables = matrix(given.table_at, given.tables, block)
        at = np.searchsorted(given.objective[block], np.arange(d + 1)).tolist()
        for i, (first, end) in enumerate(pairwise(at)):
            means[i] += Fraction(exact_sum(tables[first:end]), tables.shape[1])
    return means
