"""The layout BY_CLIQUES: for each variable, copies of the cliques that read it."""

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.climber.affected import (
    ARITY,
    COLUMNS,
    COPIES,
    MEMBERS,
    OWNER,
    SEVERAL,
    VALUES,
    Affected,
    no_affected,
    with_itself,
)
from paretoball.landscape import Cliques, Landscape
from paretoball.numerics import sort


def affected_by_cliques(landscape: Landscape, dtype: np.dtype) -> Affected:
    """What flips change, from copies of all cliques."""
    n, cliques = landscape.n, landscape.cliques
    at, variables = with_itself(landscape.cooccurrence, np.ones(n, np.bool_))
    arities, owners = np.diff(cliques.mask_at), _owners(cliques)
    widths = _table_sizes(cliques, owners)
    group_at = np.zeros(n + 1, np.int64)
    groups = np.empty((len(cliques.readers), COLUMNS), np.int64)
    keys = np.empty(int(np.diff(cliques.reader_at).max(initial=0)), np.int64)
    _list_groups(cliques, owners, widths, group_at, groups, keys)
    found = no_affected(dtype)._replace(
        at=at,
        variables=variables,
        blocks=np.append(np.flatnonzero(np.diff(arities, prepend=-1)), len(arities)),
        owners=owners.astype(np.int32),
        group_at=group_at,
        groups=groups[: group_at[-1]].copy(),
        members=np.empty(int((arities**2).sum()), np.uint32),
        values=np.empty(int((arities * widths).sum()), dtype),
    )
    _copy_cliques(cliques, owners, found, keys)
    return found


def copies_memory(landscape: Landscape, dtype: np.dtype) -> int:
    """The bytes of all copies, and of the lists of affected variables."""
    cliques = landscape.cliques
    arities, owners = np.diff(cliques.mask_at), _owners(cliques)
    kinds = len(np.unique(arities * (landscape.d + 1) + owners))
    groups = min(len(cliques.readers), landscape.n * kinds)  # at most
    values = int((arities * _table_sizes(cliques, owners)).sum())
    listed = int(landscape.degrees.sum()) + landscape.n + int((arities**2).sum())
    at = 16 * landscape.n + 4 * len(owners)
    return at + 4 * listed + 8 * COLUMNS * groups + dtype.itemsize * values


def _owners(cliques: Cliques) -> np.ndarray:
    """The objective whose entries differ in each clique, or SEVERAL: int64."""
    owners = np.full(len(cliques.mask_at) - 1, SEVERAL, np.int64)
    _find_owners(cliques, owners)
    return owners


def _table_sizes(cliques: Cliques, owners: np.ndarray) -> np.ndarray:
    """The numbers in the copy of each clique's table: int64."""
    widths = np.where(owners == SEVERAL, len(cliques.constant), 1)
    return np.asarray(widths << np.diff(cliques.mask_at))


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


@kernel
def _list_groups(cliques, owners, widths, group_at, groups, keys):
    """List the groups of all variables, one variable after the other."""
    count, member, value = 0, 0, 0
    for j in range(len(group_at) - 1):
        before = -1
        for at in range(_sort_readers(cliques, owners, j, keys)):
            key = keys[at] >> 32
            c = np.int64(
                cliques.readers[cliques.reader_at[j] + (keys[at] & 0xFFFFFFFF)]
            )
            arity = cliques.mask_at[c + 1] - cliques.mask_at[c]
            if key != before:
                groups[count, ARITY] = arity
                groups[count, OWNER] = owners[c]
                groups[count, COPIES] = 0
                groups[count, MEMBERS] = member
                groups[count, VALUES] = value
                count += 1
                before = key
            groups[count - 1, COPIES] += 1
            member += arity
            value += widths[c]
        group_at[j + 1] = count


@kernel
def _copy_cliques(cliques, owners, found, keys):
    """Copy each clique for each of its variables, which comes first in the copy."""
    d, member, value = cliques.tables.shape[1], 0, 0
    for j in range(len(found.group_at) - 1):
        for at in range(_sort_readers(cliques, owners, j, keys)):
            e = cliques.reader_at[j] + (keys[at] & 0xFFFFFFFF)
            c = np.int64(cliques.readers[e])
            own_bit = np.int64(cliques.reader_bits[e])
            first, row = cliques.mask_at[c], cliques.table_at[c]
            arity = cliques.mask_at[c + 1] - first
            found.members[member] = j
            member += 1
            for b in range(arity):
                if cliques.masks[first + b] != j:
                    found.members[member] = cliques.masks[first + b]
                    member += 1
            low = own_bit - 1  # the bits below that of j move up by one
            for entry in range(1 << arity):
                others = entry >> 1
                source = row + ((others & ~low) << 1 | (others & low))
                source += own_bit * (entry & 1)
                if owners[c] == SEVERAL:
                    for i in range(d):
                        found.values[value] = cliques.tables[source, i]
                        value += 1
                else:
                    found.values[value] = cliques.tables[source, owners[c]]
                    value += 1
