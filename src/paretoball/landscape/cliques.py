"""Cliques: subfunctions merged by the variables they read.

All subfunctions of all objectives that read the same variables become one clique with a
table of d-vectors. A clique whose variables are all in another clique is folded into
that one. Sums of integers are exact, so f stays the same, and Algorithm 1 visits fewer
tables. Inside, every objective is maximised.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.landscape.subfunctions import MAX_ARITY, Subfunctions
from paretoball.numerics import offsets, sort
from paretoball.system import check_memory, counted

COPIES = 3  # copies of a merged table in memory, while it is merged and laid out


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


def merged_cliques(n: int, d: int, signs: np.ndarray, given: Subfunctions) -> Cliques:
    """The cliques of the given subfunctions; objectives with sign -1 are negated."""
    arities = np.diff(given.mask_at)
    constant = np.zeros(d, np.int64)
    masks, tables = [], []
    for arity in np.unique(arities)[::-1]:
        members = np.flatnonzero(arities == arity)
        objective = given.objective[members]
        entries = given.table_at[members, None] + np.arange(1 << arity)
        values = given.tables[entries] * signs[objective, None]
        if arity == 0:
            np.add.at(constant, objective, values[:, 0])
            continue
        mask = given.masks[given.mask_at[members, None] + np.arange(arity)]
        order = np.argsort(mask, axis=1, kind="stable")
        mask = np.take_along_axis(mask, order, axis=1)
        values = np.take_along_axis(values, sorted_index(order), axis=1)
        first, clique = _distinct_rows(mask, n)
        rows = len(first) << int(arity)
        check_memory(
            f"{rows:,} rows of merged tables, for {counted(d, 'objective')} each, need",
            COPIES * 8 * rows * d,
        )
        table = np.zeros((len(first), 1 << arity, d), np.int64)
        for i in range(d):
            _add_rows(table[:, :, i], clique[objective == i], values[objective == i])
        masks.append(mask[first])
        tables.append(table)
    return _fold(n, constant, masks, tables)


def _distinct_rows(rows: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Where each distinct row first stands, and the number of each row among these.

    The entries of rows are below n.
    """
    width = int(n).bit_length()
    if width * rows.shape[1] <= 62:
        shifts = width * np.arange(rows.shape[1])[::-1]
        key = np.bitwise_or.reduce(rows.astype(np.int64) << shifts, axis=1)
        _, first, which = np.unique(key, return_index=True, return_inverse=True)
    else:
        _, first, which = np.unique(
            rows, axis=0, return_index=True, return_inverse=True
        )
    return first, which.ravel()


def _add_rows(total: np.ndarray, where: np.ndarray, rows: np.ndarray) -> None:
    """total[where[s]] += rows[s] for every s, repeats included."""
    if len(where) == 0:
        return
    order = np.argsort(where, kind="stable")
    starts = np.flatnonzero(np.diff(where[order], prepend=-1))
    total[where[order][starts]] = np.add.reduceat(rows[order], starts, axis=0)


def sorted_index(order: np.ndarray) -> np.ndarray:
    """Where each entry of a table over sorted variables stands in the table as given.

    Row s of `order` sorts mask s: its sorted variable b is the given one `order[s, b]`.
    """
    index = np.zeros((len(order), 1), np.int64)
    for bit in 1 << order.T:
        index = np.hstack([index, index + bit[:, None]])
    return index


def _fold(
    n: int, constant: np.ndarray, masks: list[np.ndarray], tables: list[np.ndarray]
) -> Cliques:
    """Lay groups of cliques end to end, and fold small cliques into large ones.

    Each group has the cliques of one arity; arities descend.
    """
    d = len(constant)
    arities = np.concatenate(
        [np.full(len(g), g.shape[1]) for g in masks] or [np.zeros(0, np.int64)]
    )
    flat_masks = np.concatenate([g.ravel() for g in masks] or [np.zeros(0, np.int64)])
    flat_tables = np.concatenate(
        [g.reshape(-1, d) for g in tables] or [np.zeros((0, d), np.int64)]
    )
    every = _index_readers(n, constant, arities, flat_masks, flat_tables)
    kept = np.ones(len(arities), np.bool_)
    if len(masks) > 1:
        _fold_tables(every, kept, np.empty(MAX_ARITY, np.int64))
        keep_variables = np.repeat(kept, arities)
        keep_entries = np.repeat(kept, 1 << arities)
        every = _index_readers(
            n,
            constant,
            arities[kept],
            flat_masks[keep_variables],
            flat_tables[keep_entries],
        )
    return every


def _index_readers(
    n: int,
    constant: np.ndarray,
    arities: np.ndarray,
    masks: np.ndarray,
    tables: np.ndarray,
) -> Cliques:
    """The same cliques, with the list of the cliques that read each variable."""
    mask_at = offsets(arities)
    owner = np.repeat(np.arange(len(arities)), arities)
    place = np.arange(len(masks)) - mask_at[owner]
    by_variable = np.argsort(masks, kind="stable")
    return Cliques(
        constant=constant,
        mask_at=mask_at,
        masks=masks.astype(np.int32),
        table_at=offsets(1 << arities),
        tables=tables,
        reader_at=offsets(np.bincount(masks, minlength=n)),
        readers=owner[by_variable].astype(np.uint32),
        reader_bits=(1 << place[by_variable]).astype(np.uint32),
    )


@kernel
def _fold_tables(cliques, kept, places):
    """Add the table of each clique inside a larger one, its host, to that of the host.

    `kept` becomes False for these cliques. Arities descend, so a host comes before the
    cliques that it takes, and is itself kept or not by then.
    """
    for c in range(len(kept)):
        first, last = cliques.mask_at[c], cliques.mask_at[c + 1]
        rarest = cliques.masks[first]
        for j in cliques.masks[first:last]:
            fewest = cliques.reader_at[rarest + 1] - cliques.reader_at[rarest]
            if cliques.reader_at[j + 1] - cliques.reader_at[j] < fewest:
                rarest = j
        for e in range(cliques.reader_at[rarest], cliques.reader_at[rarest + 1]):
            host = cliques.readers[e]
            if cliques.mask_at[host + 1] - cliques.mask_at[host] <= last - first:
                break
            if kept[host] and _contains(cliques, host, c, places):
                kept[c] = False
                _add_table(cliques, host, c, places)
                break


@inlined
def _contains(cliques, host, c, places):
    """Whether clique `host` reads all variables of clique c.

    If so, `places` has the bit of each in the host's mask.
    """
    b, arity = 0, cliques.mask_at[host + 1] - cliques.mask_at[host]
    for inner in range(cliques.mask_at[c + 1] - cliques.mask_at[c]):
        j = cliques.masks[cliques.mask_at[c] + inner]
        while b < arity and cliques.masks[cliques.mask_at[host] + b] < j:
            b += 1
        if b == arity or cliques.masks[cliques.mask_at[host] + b] != j:
            return False
        places[inner] = b
    return True


@inlined
def _add_table(cliques, host, c, places):
    """Add the table of clique c to that of `host`, with c's variables at `places`."""
    for entry in range(cliques.table_at[host + 1] - cliques.table_at[host]):
        row = cliques.table_at[c]
        for b in range(cliques.mask_at[c + 1] - cliques.mask_at[c]):
            row += (entry >> places[b] & 1) << b
        for i in range(cliques.tables.shape[1]):
            cliques.tables[cliques.table_at[host] + entry, i] += cliques.tables[row, i]


@inlined
def row_read(cliques, c, x):
    """The row of `tables` that clique c reads at x."""
    row = cliques.table_at[c]
    for b in range(cliques.mask_at[c + 1] - cliques.mask_at[c]):
        row |= np.int64(x[cliques.masks[cliques.mask_at[c] + b]]) << b
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
