"""Mini-buckets: a narrow landscape that is at least as good as a wide one.

To eliminate a variable is to put all tables that read it into one bucket. Where a
bucket would have too many variables, it is cut into several, and each gets a copy of
the variable of its own (Dechter and Rish, 2003). Copies may differ, so the landscape
with copies, the relaxation, has all solutions of the landscape, and more.
"""

from heapq import heapify, heappop, heappush
from typing import NamedTuple

import numpy as np

from paretoball.landscape import Cliques

GONE = -1  # the degree of a variable that is eliminated


class _Relaxation(NamedTuple):
    """Which variable each clique reads, once some are cut into copies."""

    masks: np.ndarray  # int32: those of the cliques, as copies, in order of elimination
    owners: np.ndarray  # (copies,) int32: the variable that each copy is one of


class _Factor(NamedTuple):
    """A table in a bucket: a clique, or what was eliminated before."""

    variables: frozenset[int]
    cliques: tuple[int, ...]  # those that it is made of


def relaxation_of(cliques: Cliques, n: int, width: int) -> _Relaxation:
    """A relaxation of at most this width, or that of the largest clique.

    Variables are eliminated in the order of least degree, counted in the tables that
    are left. The largest factors of a bucket come first into mini-buckets, each into
    the first one that has room.
    """
    masks = [mask.tolist() for mask in np.split(cliques.masks, cliques.mask_at[1:-1])]
    masks = masks[: len(cliques.mask_at) - 1]
    most = max([width + 1, *map(len, masks)])
    reading: list[set[_Factor]] = [set() for _ in range(n)]
    for c, mask in enumerate(masks):
        factor = _Factor(frozenset(mask), (c,))
        for j in mask:
            reading[j].add(factor)
    copies = [list(mask) for mask in masks]  # which copy each clique reads
    owners: list[int] = []
    degrees = [_degree(factors) for factors in reading]
    waiting = [(degree, j) for j, degree in enumerate(degrees)]
    heapify(waiting)
    while waiting:
        degree, j = heappop(waiting)
        if degree != degrees[j]:
            continue  # it is there again, with the degree that it has now
        degrees[j] = GONE
        bucket = sorted(reading[j], key=lambda factor: (-len(factor[0]), factor[1]))
        touched: set[int] = set()
        for group in _grouped(bucket, most) or [[]]:
            members = sorted(c for factor in group for c in factor.cliques)
            for c in members:
                if j in masks[c]:
                    copies[c][masks[c].index(j)] = len(owners)
            owners.append(j)
            variables = frozenset[int]().union(*(factor.variables for factor in group))
            message = _Factor(variables - {j}, tuple(members))
            for u in message.variables:
                reading[u].difference_update(group)
                reading[u].add(message)
            touched |= message.variables
        for u in touched:
            degrees[u] = _degree(reading[u])
            heappush(waiting, (degrees[u], u))
    flat = [copy for mask in copies for copy in mask]
    return _Relaxation(np.array(flat, np.int32), np.array(owners, np.int32))


def _degree(factors: set[_Factor]) -> int:
    """How many variables these factors read."""
    return len(frozenset[int]().union(*(factor.variables for factor in factors)))


def _grouped(bucket: list[_Factor], most: int) -> list[list[_Factor]]:
    """The factors of a bucket, in groups that read at most so many variables."""
    groups: list[list[_Factor]] = []
    scopes: list[frozenset[int]] = []
    for factor in bucket:
        for g, scope in enumerate(scopes):
            if len(scope | factor.variables) <= most:
                groups[g].append(factor)
                scopes[g] = scope | factor.variables
                break
        else:
            groups.append([factor])
            scopes.append(factor.variables)
    return groups
