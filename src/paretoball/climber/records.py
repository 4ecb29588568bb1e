"""The layout BY_CLIQUES: for each variable, a record of each clique that reads it.

A flip reads the records of one variable from one end to the other; after those of the
last variable come records of all cliques, once each, for starts. A pool has each table
once, less its first entry, which makes no difference to scores; and of one objective
only, if no other has entries there.
"""

from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.climber.filing import file_listed, with_itself
from paretoball.climber.sharing import place_of
from paretoball.landscape import Cliques, Landscape, row_read
from paretoball.numerics import sort

BY_CLIQUES = 1  # the layout
SEVERAL = -1  # objectives have entries in a clique

# The columns of `_Records.groups`.
ARITY = 0  # variables of each clique
OWNER = 1  # the objective that has entries in them, or SEVERAL
RECORDS = 2  # cliques in the group
START = 3  # where their records start in `records`
COLUMNS = 4

EXTRA = 2  # words of a record after its variables: the bit that flips, and the table


class _Records(NamedTuple):
    """What the flip of each variable changes."""

    at: np.ndarray  # (n + 1,) int64: where the variables affected by each one start
    variables: np.ndarray  # uint32: its neighbours and itself, ascending
    group_at: np.ndarray  # (n + 2,) int64: where the groups of each variable start
    groups: np.ndarray  # (groups, COLUMNS) int64: records of one arity and owner
    records: np.ndarray  # uint32: variables, bit that flips, start of the table
    values: np.ndarray  # different tables: of their owner, or a vector for each entry


class RecordMoves(NamedTuple):
    """M^1, and what flips change, by records."""

    tier_at: np.ndarray  # these two are as in `Forest`
    flips: np.ndarray
    affected: _Records


class RecordReading(NamedTuple):
    """What a climb by records reads at its solution."""

    here: np.ndarray  # (cliques,) uint32: the row of the tables that each clique reads


def affected_by_cliques(landscape: Landscape, dtype: np.dtype) -> _Records:
    """What flips change, from records of all cliques."""
    n, cliques, owners = landscape.n, landscape.cliques, _owners(landscape.cliques)
    at, variables = with_itself(landscape.cooccurrence, np.ones(n, np.bool_))
    values, starts = _pooled(cliques, owners, dtype)
    group_at, records = np.zeros(n + 2, np.int64), np.empty(_words(cliques), np.uint32)
    groups = np.empty((_most_groups(landscape, owners), COLUMNS), np.int64)
    found = _Records(at, variables, group_at, groups, records, values)
    every = np.arange(len(owners), dtype=np.uint32)
    readers = cliques._replace(
        reader_at=np.append(cliques.reader_at, len(cliques.readers) + len(every)),
        readers=np.append(cliques.readers, every),
        reader_bits=np.append(cliques.reader_bits, np.zeros_like(every)),
    )
    keys = np.empty(len(every), np.int64)
    _write_records(readers, _kinds(cliques, owners), starts, found, keys)
    return found._replace(groups=groups[: group_at[-1]].copy())


def records_memory(landscape: Landscape, dtype: np.dtype) -> int:
    """The bytes of records, tables and lists of affected variables, at most."""
    owners = _owners(landscape.cliques)
    words = int(landscape.degrees.sum()) + landscape.n + _words(landscape.cliques)
    groups = 8 * COLUMNS * _most_groups(landscape, owners)
    values = dtype.itemsize * _most_values(landscape.cliques, owners)
    return 16 * landscape.n + groups + 4 * words + values


def _words(cliques: Cliques) -> int:
    """The words of all records."""
    arities = np.diff(cliques.mask_at)
    return int(((arities + 1) * (arities + EXTRA)).sum())


def _owners(cliques: Cliques) -> np.ndarray:
    """The objective whose entries differ in each clique, or SEVERAL: int64."""
    tables, at = cliques.tables, cliques.table_at[:-1]
    varies = np.maximum.reduceat(tables, at) > np.minimum.reduceat(tables, at)
    return np.where(varies.sum(axis=1) == 1, varies.argmax(axis=1), SEVERAL)


def _kinds(cliques: Cliques, owners: np.ndarray) -> np.ndarray:
    """A number for the arity and the owner of each clique: int64."""
    d = len(cliques.constant)
    return np.asarray(np.diff(cliques.mask_at) * (d + 1) + owners - SEVERAL)


def _most_groups(landscape: Landscape, owners: np.ndarray) -> int:
    """As many groups or more: for each variable one for each arity and owner."""
    kinds = len(np.unique(_kinds(landscape.cliques, owners)))
    return min(len(landscape.cliques.readers), landscape.n * kinds) + kinds


def _most_values(cliques: Cliques, owners: np.ndarray) -> int:
    """The numbers in the tables of all cliques, as the pool has them."""
    widths = np.where(owners == SEVERAL, len(cliques.constant), 1)
    return int((widths << np.diff(cliques.mask_at)).sum())


def _pooled(
    cliques: Cliques, owners: np.ndarray, dtype: np.dtype
) -> tuple[np.ndarray, np.ndarray]:
    """Different tables, end to end, and where that of each clique starts."""
    values = np.empty(_most_values(cliques, owners), dtype)
    known = np.full(1 << (2 * len(owners)).bit_length(), -1)
    starts = np.empty(len(owners), np.int64)
    used = _fill_pool(cliques, owners, values, starts, known)
    return values[:used].copy(), starts


@kernel
def _fill_pool(cliques, owners, values, starts, known):
    """Put each table at the end of the pool, and keep it if it is a new one."""
    tables, used = cliques.tables, 0
    for c in range(len(owners)):
        first, end = cliques.table_at[c], used
        for row in range(first, cliques.table_at[c + 1]):
            for i in range(tables.shape[1]):
                if owners[c] == SEVERAL or owners[c] == i:
                    values[end] = tables[row, i] - tables[first, i]
                    end += 1
        starts[c] = place_of(values, known, used, end - used)
        if starts[c] == used:
            used = end
    return used


@kernel
def _write_records(cliques, kinds, starts, found, keys):
    """Write the groups and records of all variables; of each by kind."""
    count, place, d = 0, 0, cliques.tables.shape[1]
    for j in range(len(cliques.reader_at) - 1):
        first, kind = cliques.reader_at[j], -1
        size = cliques.reader_at[j + 1] - first
        for at in range(size):
            keys[at] = kinds[np.int64(cliques.readers[first + at])] << 32 | at
        sort(keys, 0, size)
        for key in keys[:size]:
            if key >> 32 != kind:
                kind = key >> 32
                found.groups[count, ARITY] = kind // (d + 1)
                found.groups[count, OWNER] = kind % (d + 1) + SEVERAL
                found.groups[count, RECORDS] = 0
                found.groups[count, START] = place
                count += 1
            found.groups[count - 1, RECORDS] += 1
            e = first + (key & 0xFFFFFFFF)
            c = np.int64(cliques.readers[e])
            for b in range(cliques.mask_at[c], cliques.mask_at[c + 1]):
                found.records[place] = cliques.masks[b]
                place += 1
            found.records[place] = cliques.reader_bits[e]
            found.records[place + 1] = starts[c]
            place += EXTRA
        found.group_at[j + 1] = count


@inlined
def read_rows(cliques, state, variables):
    """Bring `here` up to date, which flips leave as it was, where these are read."""
    for j in variables:
        for e in range(cliques.reader_at[j], cliques.reader_at[j + 1]):
            c = np.int64(cliques.readers[e])
            state.reading.here[c] = row_read(cliques, c, state.x)


@inlined
def start_by_cliques(cliques, moves, state):
    """f and the scores of single flips at x, clique by clique, from f where x is 0."""
    d, affected, n = len(state.objectives), moves.affected, len(state.x)
    for e in range(n * d):
        state.scores[e] = 0
    for g in range(affected.group_at[n], affected.group_at[n + 1]):
        records, arity, owner, width = _group(affected, g, d)
        for i in range(owner, owner + width):
            values, shape = affected.values[i - owner :], (arity, width, i, d)
            state.fx[i] += _start_group(state.scores, state.x, records, values, shape)


@inlined
def flip_by_cliques(cliques, moves, state, j, is_filed):
    """updateScores for t = {j} and M^1, clique by clique, as the paper has it."""
    d, affected = len(state.objectives), moves.affected
    for g in range(affected.group_at[j], affected.group_at[j + 1]):
        records, arity, owner, width = _group(affected, g, d)
        for i in range(owner, owner + width):
            values, shape = affected.values[i - owner :], (arity, width, i, d)
            _add_group(state.scores, state.x, records, values, shape)
    state.x[j] ^= 1
    if is_filed:
        file_listed(moves, state, j)


@inlined
def _group(affected, g, d):
    """The records of a group, their arity, the first owner, and how many there are."""
    arity, first = affected.groups[g, ARITY], affected.groups[g, START]
    last = first + affected.groups[g, RECORDS] * (arity + EXTRA)
    records, owner = affected.records[first:last], affected.groups[g, OWNER]
    if owner == SEVERAL:
        return records, arity, 0, d
    return records, arity, owner, 1


@kernel
def _start_group(scores, x, records, values, shape):
    """Add the scores of cliques of one arity; return their f, for one objective."""
    arity, width, i, d = shape
    size, total = arity + EXTRA, 0
    for c in range(len(records) // size):
        record = records[c * size : (c + 1) * size]
        table = values[np.int64(record[arity + 1]) :]
        here = 0
        for b in range(arity):
            here |= np.int64(x[record[b]]) << b
        value = table[np.uint64(here * width)]
        total += value
        for b in range(arity):
            change = table[np.uint64((here ^ (1 << b)) * width)] - value
            scores[np.int64(record[b]) * d + i] += change
    return total


@kernel
def _add_group(scores, x, records, values, shape):
    """Lines 1 to 3 of Algorithm 1 for cliques of one arity that read the variable."""
    arity, width, i, d = shape
    if arity == 3:  # a constant is twice as fast: the compiler unrolls loops
        _add_cliques(scores, x, records, values, (3, width, i, d))
    elif arity == 4:
        _add_cliques(scores, x, records, values, (4, width, i, d))
    elif arity == 5:
        _add_cliques(scores, x, records, values, (5, width, i, d))
    elif arity == 6:
        _add_cliques(scores, x, records, values, (6, width, i, d))
    else:
        _add_cliques(scores, x, records, values, shape)


@inlined
def _add_cliques(scores, x, records, values, shape):
    """What a flip adds to the scores of objective i, clique by clique; to S_j, -2 S_j.

    Tables have vectors of `width` numbers; the first of them is that of objective i.
    """
    arity, width, i, d = shape
    size = arity + EXTRA
    for c in range(len(records) // size):  # line 1
        record = records[c * size : (c + 1) * size]
        table = values[np.int64(record[arity + 1]) :]
        here = 0
        for b in range(arity):
            here |= np.int64(x[record[b]]) << b
        there = here ^ np.int64(record[arity])
        gap = table[np.uint64(there * width)] - table[np.uint64(here * width)]
        for b in range(arity):  # line 2
            bit = 1 << b
            change = table[np.uint64((there ^ bit) * width)]
            change -= table[np.uint64((here ^ bit) * width)]
            scores[np.int64(record[b]) * d + i] += change - gap  # line 3
