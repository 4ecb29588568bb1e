"""The layout BY_CLIQUES: for each variable, a record of each clique that reads it.

A record is the variables of the clique, the bit of the variable that flips, and where
the table starts in a pool. Records of one variable lie together, so a flip reads them
from one end to the other. The pool has each table once, less its first entry, which
makes no difference to scores; of an objective that alone has entries there, if there is
just one. So the clauses of a formula share a few small tables.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.climber.affected import (
    ARITY,
    COLUMNS,
    EXTRA,
    OWNER,
    RECORDS,
    SEVERAL,
    START,
    Affected,
    no_affected,
    with_itself,
)
from paretoball.landscape import Cliques, Landscape
from paretoball.numerics import sort


class _Pool(NamedTuple):
    """Different tables, end to end, and where each clique finds its own."""

    values: np.ndarray  # the tables
    starts: np.ndarray  # (cliques,) int64: where the table of each clique starts
    known: np.ndarray  # (2 ** b,) int64: a hash table of cliques with new tables, or -1


def affected_by_cliques(landscape: Landscape, dtype: np.dtype) -> Affected:
    """What flips change, from records of all cliques."""
    n, cliques = landscape.n, landscape.cliques
    at, variables = with_itself(landscape.cooccurrence, np.ones(n, np.bool_))
    arities, owners = np.diff(cliques.mask_at), _owners(cliques)
    pool = _pooled(cliques, owners, dtype)
    group_at = np.zeros(n + 1, np.int64)
    groups = np.empty((_most_groups(landscape, owners), COLUMNS), np.int64)
    records = np.empty(int((arities * (arities + EXTRA)).sum()), np.uint32)
    keys = np.empty(int(np.diff(cliques.reader_at).max(initial=0)), np.int64)
    found = no_affected(dtype)._replace(
        at=at,
        variables=variables,
        blocks=np.append(np.flatnonzero(np.diff(arities, prepend=-1)), len(arities)),
        owners=owners.astype(np.int32),
        group_at=group_at,
        groups=groups,
        records=records,
        values=pool.values,
    )
    _write_records(cliques, pool.starts, found, keys)
    return found._replace(groups=groups[: group_at[-1]].copy())


def records_memory(landscape: Landscape, dtype: np.dtype) -> int:
    """The bytes of records, tables and lists of affected variables, at most."""
    cliques = landscape.cliques
    arities, owners = np.diff(cliques.mask_at), _owners(cliques)
    listed = int(landscape.degrees.sum()) + landscape.n + len(owners)
    words = listed + int((arities * (arities + EXTRA)).sum())
    groups = 8 * COLUMNS * _most_groups(landscape, owners)
    values = int(_table_sizes(cliques, owners).sum())
    return 16 * landscape.n + groups + 4 * words + dtype.itemsize * values


def _owners(cliques: Cliques) -> np.ndarray:
    """The objective whose entries differ in each clique, or SEVERAL: int64."""
    owners = np.full(len(cliques.mask_at) - 1, SEVERAL, np.int64)
    _find_owners(cliques, owners)
    return owners


def _most_groups(landscape: Landscape, owners: np.ndarray) -> int:
    """No less than the number of groups: one for each arity and owner, or fewer."""
    arities = np.diff(landscape.cliques.mask_at)
    kinds = len(np.unique(arities * (landscape.d + 1) + owners))
    return min(len(landscape.cliques.readers), landscape.n * kinds)


def _table_sizes(cliques: Cliques, owners: np.ndarray) -> np.ndarray:
    """The numbers in the table of each clique, as the pool has it: int64."""
    widths = np.where(owners == SEVERAL, len(cliques.constant), 1)
    return np.asarray(widths << np.diff(cliques.mask_at))


def _pooled(cliques: Cliques, owners: np.ndarray, dtype: np.dtype) -> _Pool:
    """The pool of all tables."""
    sizes = _table_sizes(cliques, owners)
    pool = _Pool(
        values=np.empty(int(sizes.sum()), dtype),
        starts=np.empty(len(owners), np.int64),
        known=np.full(1 << (2 * len(owners)).bit_length(), -1),
    )
    used = _fill_pool(cliques, owners, sizes, pool)
    return pool._replace(values=pool.values[:used].copy())


@kernel
def _find_owners(cliques, owners):
    """The objective whose entries differ in each clique, if there is just one."""
    d = cliques.tables.shape[1]
    for c in range(len(owners)):
        first, found = cliques.table_at[c], 0
        for i in range(d):
            differs = False
            for row in range(first + 1, cliques.table_at[c + 1]):
                differs |= cliques.tables[row, i] != cliques.tables[first, i]
            if differs:
                owners[c] = i
                found += 1
        if found != 1:
            owners[c] = SEVERAL


@kernel
def _fill_pool(cliques, owners, sizes, pool):
    """Put each table at the end of the pool, and keep it if it is a new one."""
    tables, values, known, used = cliques.tables, pool.values, pool.known, 0
    for c in range(len(owners)):
        first, end = cliques.table_at[c], used
        for row in range(first, cliques.table_at[c + 1]):
            for i in range(tables.shape[1]):
                if owners[c] == SEVERAL or owners[c] == i:
                    values[end] = tables[row, i] - tables[first, i]
                    end += 1
        digest = sizes[c]
        for e in range(used, end):
            digest = (digest * 31 + np.int64(values[e])) & 0x3FFFFFFFFFFFFF
            digest ^= digest >> 17
        at = digest & (len(known) - 1)
        while known[at] >= 0 and not _is_same(pool, sizes, known[at], used, sizes[c]):
            at = (at + 1) & (len(known) - 1)
        if known[at] < 0:
            known[at] = c
            pool.starts[c] = used
            used = end
        else:
            pool.starts[c] = pool.starts[known[at]]
    return used


@inlined
def _is_same(pool, sizes, c, first, size):
    """Whether the table of clique c equals `size` values of the pool."""
    if sizes[c] != size:
        return False
    for e in range(size):
        if pool.values[pool.starts[c] + e] != pool.values[first + e]:
            return False
    return True


@kernel
def _write_records(cliques, starts, found, keys):
    """Write the groups and records of all variables, one variable after the other."""
    groups, records, d = found.groups, found.records, cliques.tables.shape[1]
    count, place = 0, 0
    for j in range(len(found.group_at) - 1):
        before = -1
        for at in range(_sort_readers(cliques, found.owners, j, keys)):
            e = cliques.reader_at[j] + (keys[at] & 0xFFFFFFFF)
            c, key = np.int64(cliques.readers[e]), keys[at] >> 32
            if key != before:
                groups[count, ARITY] = key // (d + 1)
                groups[count, OWNER] = found.owners[c]
                groups[count, RECORDS] = 0
                groups[count, START] = place
                count += 1
                before = key
            groups[count - 1, RECORDS] += 1
            for b in range(cliques.mask_at[c], cliques.mask_at[c + 1]):
                records[place] = cliques.masks[b]
                place += 1
            records[place] = cliques.reader_bits[e]
            records[place + 1] = starts[c]
            place += EXTRA
        found.group_at[j + 1] = count


@inlined
def _sort_readers(cliques, owners, j, keys):
    """Sort the readers of j by arity and owner, into `keys`; return how many."""
    first, d = cliques.reader_at[j], cliques.tables.shape[1]
    count = cliques.reader_at[j + 1] - first
    for at in range(count):
        c = np.int64(cliques.readers[first + at])
        arity = cliques.mask_at[c + 1] - cliques.mask_at[c]
        keys[at] = (arity * (d + 1) + owners[c] + 1) << 32 | at
    sort(keys, 0, count)
    return count
