"""The layout BY_CLIQUES: for each variable, a record of each clique that reads it.

A record is the variables of the clique, the bit of the variable that flips, and where
the table starts in a pool. Records of one variable lie together, so a flip reads them
from one end to the other. The pool has each table once, less its first entry, which
makes no difference to scores; of an objective that alone has entries there, if there is
just one. So the clauses of a formula share a few small tables. After those of the last
variable come records of all cliques, once each, for starts.
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
    Records,
    with_itself,
)
from paretoball.landscape import Cliques, Landscape
from paretoball.numerics import sort


class _Pool(NamedTuple):
    """Different tables, end to end, and where each clique finds its own."""

    values: np.ndarray  # the tables
    starts: np.ndarray  # (cliques,) int64: where the table of each clique starts
    known: np.ndarray  # (2 ** b,) int64: a hash table of cliques with new tables, or -1


def affected_by_cliques(landscape: Landscape, dtype: np.dtype) -> Records:
    """What flips change, from records of all cliques."""
    n, cliques = landscape.n, landscape.cliques
    at, variables = with_itself(landscape.cooccurrence, np.ones(n, np.bool_))
    arities, owners = np.diff(cliques.mask_at), _owners(cliques)
    pool = _pooled(cliques, owners, dtype)
    group_at = np.zeros(n + 2, np.int64)
    groups = np.empty((_most_groups(landscape, owners), COLUMNS), np.int64)
    records = np.empty(_words(arities), np.uint32)
    found = Records(
        at=at,
        variables=variables,
        group_at=group_at,
        groups=groups,
        records=records,
        values=pool.values,
    )
    keys = np.empty(len(owners), np.int64)
    _write_records(cliques, owners, pool.starts, found, keys)
    return found._replace(groups=groups[: group_at[-1]].copy())


def records_memory(landscape: Landscape, dtype: np.dtype) -> int:
    """The bytes of records, tables and lists of affected variables, at most."""
    cliques = landscape.cliques
    arities, owners = np.diff(cliques.mask_at), _owners(cliques)
    words = int(landscape.degrees.sum()) + landscape.n + _words(arities)
    groups = 8 * COLUMNS * _most_groups(landscape, owners)
    values = int(_table_sizes(cliques, owners).sum())
    return 16 * landscape.n + groups + 4 * words + dtype.itemsize * values


def _words(arities: np.ndarray) -> int:
    """The words of all records."""
    return int(((arities + 1) * (arities + EXTRA)).sum())


def _owners(cliques: Cliques) -> np.ndarray:
    """The objective whose entries differ in each clique, or SEVERAL: int64."""
    owners = np.full(len(cliques.mask_at) - 1, SEVERAL, np.int64)
    _find_owners(cliques, owners)
    return owners


def _most_groups(landscape: Landscape, owners: np.ndarray) -> int:
    """As many groups or more: for each variable one for each arity and owner."""
    arities = np.diff(landscape.cliques.mask_at)
    kinds = len(np.unique(arities * (landscape.d + 1) + owners))
    return min(len(landscape.cliques.readers), landscape.n * kinds) + kinds


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
def _write_records(cliques, owners, starts, found, keys):
    """Write the groups and records of all variables; then of all cliques, once each."""
    count, place, n = 0, 0, len(found.group_at) - 2
    for j in range(n + 1):
        first = cliques.reader_at[j] if j < n else 0
        last = cliques.reader_at[j + 1] if j < n else len(owners)
        before = -1
        for at in range(last - first):
            c = np.int64(cliques.readers[first + at]) if j < n else at
            keys[at] = _kind_of(cliques, owners, c) << 32 | at
        sort(keys, 0, last - first)
        for at in range(last - first):
            kind, e = keys[at] >> 32, first + (keys[at] & 0xFFFFFFFF)
            c = np.int64(cliques.readers[e]) if j < n else e
            if kind != before:
                _begin_group(cliques, owners, found.groups[count], c, place)
                count += 1
                before = kind
            found.groups[count - 1, RECORDS] += 1
            for b in range(cliques.mask_at[c], cliques.mask_at[c + 1]):
                found.records[place] = cliques.masks[b]
                place += 1
            found.records[place] = cliques.reader_bits[e] if j < n else 0
            found.records[place + 1] = starts[c]
            place += EXTRA
        found.group_at[j + 1] = count


@inlined
def _kind_of(cliques, owners, c):
    """A number for the arity and the owner of clique c."""
    arity = cliques.mask_at[c + 1] - cliques.mask_at[c]
    return arity * (cliques.tables.shape[1] + 1) + owners[c] + 1


@inlined
def _begin_group(cliques, owners, group, c, place):
    """Begin the group of clique c, whose records start here."""
    group[ARITY] = cliques.mask_at[c + 1] - cliques.mask_at[c]
    group[OWNER] = owners[c]
    group[RECORDS] = 0
    group[START] = place
