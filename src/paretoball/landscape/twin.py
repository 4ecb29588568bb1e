"""Twins: a landscape whose variables have other numbers, for searches to work on."""

from dataclasses import replace

import numpy as np

from paretoball.landscape.cliques import (
    Cliques,
    cooccurrence_graph,
    sorted_index,
    with_readers,
)
from paretoball.landscape.landscape import Landscape
from paretoball.landscape.numbering import (
    Numbering,
    better_numbering,
    is_large_and_sparse,
)
from paretoball.landscape.subfunctions import blocks, matrix
from paretoball.system import Pulse, check_memory, nothing

CHUNK = 1 << 16  # rows of tables that are moved between two calls of `pulse`


def may_get_numbers(landscape: Landscape) -> bool:
    """Whether the landscape is of a kind that may have a twin."""
    if landscape.square is not None or landscape.constraints:
        return False  # too dense; constraints read variables far from each other
    return is_large_and_sparse(landscape.cooccurrence)


def in_good_order(landscape: Landscape, pulse: Pulse = nothing) -> Landscape:
    """The landscape, or its twin if that brings neighbours close together."""
    if not may_get_numbers(landscape):
        return landscape
    numbering = better_numbering(landscape.cooccurrence, pulse)
    return _twin_of(landscape, numbering, pulse) if numbering else landscape


def _twin_of(
    landscape: Landscape, numbering: Numbering, pulse: Pulse = nothing
) -> Landscape:
    """The same landscape with these numbers, which are also its labels."""
    before = landscape.cliques
    check_memory(
        "to number variables such that neighbours are close together takes",
        sum(array.nbytes for array in (*before, *landscape.cooccurrence)),
    )
    given = landscape.subfunctions
    given = given._replace(masks=numbering.number[given.masks].astype(np.int64))
    twin = replace(landscape, content=given, given_labels=None, numbering=numbering)
    pulse()
    cliques = _renumbered(landscape.n, before, numbering.number, pulse)
    pulse()
    graph = cooccurrence_graph(cliques)
    vars(twin).update(cliques=cliques, cooccurrence=graph, survey=landscape.survey)
    return twin


def _renumbered(n: int, before: Cliques, number: np.ndarray, pulse: Pulse) -> Cliques:
    """The same cliques, in the order in which `merging` would lay them."""
    masks, tables = np.empty_like(before.masks), np.empty_like(before.tables)
    for block in blocks(before.mask_at):
        assert isinstance(block, slice)  # arities descend
        given = number[matrix(before.mask_at, before.masks, block)]
        order = np.argsort(given, axis=1)
        ascending = np.take_along_axis(given, order, axis=1)
        rows = np.lexsort(ascending.T[::-1])
        matrix(before.mask_at, masks, block)[:] = ascending[rows]
        first, length = before.table_at[block.start], 1 << given.shape[1]
        step = max(1, CHUNK // length)
        for at in range(0, len(rows), step):
            pulse()
            some = rows[at : at + step]
            from_ = first + length * some[:, None] + sorted_index(order[some])
            to = tables[first + length * at :][: from_.size]
            # without "clip", take would fill a copy of `to` first
            np.take(before.tables, from_.ravel(), axis=0, out=to, mode="clip")
    return with_readers(n, before.constant, np.diff(before.mask_at), masks, tables)
