"""Merging: subfunctions that read the same variables become one clique.

A clique whose variables are all in another clique is folded into that one. So Algorithm
1 visits fewer tables; sums of integers are exact, and f stays the same.
"""

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.landscape.cliques import Cliques, with_readers
from paretoball.landscape.subfunctions import MAX_ARITY, Subfunctions
from paretoball.numerics import offsets
from paretoball.system import check_memory, counted

COPIES = 3  # copies of a merged table in memory, while it is merged and laid out


def merged_cliques(n: int, d: int, signs: np.ndarray, given: Subfunctions) -> Cliques:
    """The cliques of the given subfunctions; objectives with sign -1 are negated."""
    arities, masks, clique = _merged_masks(n, given)
    at = offsets(1 << arities)
    check_memory(
        f"{at[-1]:,} rows of merged tables, for {counted(d, 'objective')} each, need",
        COPIES * 8 * int(at[-1]) * d,
    )
    tables, places = np.zeros((at[-1], d), np.int64), np.empty(MAX_ARITY, np.int64)
    _add_tables(tables, given, at[clique], places)
    if (signs < 0).any():
        tables *= signs
    constant = np.zeros(d, np.int64)
    if 0 in arities[-1:]:
        arities, constant, tables = arities[:-1], tables[-1].copy(), tables[:-1]
    every = with_readers(n, constant, arities, masks, tables)
    kept = np.ones(len(arities), np.bool_)
    if len(np.unique(arities)) > 1:
        _fold_tables(every, kept, places)
    if kept.all():
        return every
    count = int(kept.sum())
    if kept[:count].all():  # no copy if these are the first ones
        tables = tables[: at[count]]
    else:
        tables = tables[np.repeat(kept, 1 << arities)]
    masks = masks[np.repeat(kept, arities)]
    return with_readers(n, constant, arities[kept], masks, tables)


def _merged_masks(
    n: int, given: Subfunctions
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Arities and masks of cliques, descending; the clique of each subfunction."""
    arities = np.diff(given.mask_at)
    clique, counts = np.empty(len(arities), np.int64), [0]
    found, kinds = [np.zeros(0, np.int64)], np.unique(arities)[::-1]
    for k in kinds:
        own = np.flatnonzero(arities == k)
        rows = np.sort(given.masks[given.mask_at[own, None] + np.arange(k)], axis=1)
        first, which = _distinct_rows(rows, n)
        clique[own] = sum(counts) + which
        counts.append(len(first))
        found.append(rows[first].ravel())
    return np.repeat(kinds, counts[1:]), np.concatenate(found), clique


def _distinct_rows(rows: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Where each distinct row first stands, and the number of each row among these."""
    width, key = int(n).bit_length(), rows
    if width * rows.shape[1] <= 62:
        key = np.zeros(len(rows), np.int64)
        for column in rows.T:
            key = key << width | column
    _, first, which = np.unique(key, return_index=True, return_inverse=True, axis=0)
    return first, which.ravel()


@kernel
def _add_tables(tables, given, at, places):
    """Add the table of subfunction s to its clique's, which starts at `at[s]`."""
    for s in range(len(at)):
        mask = given.masks[given.mask_at[s] : given.mask_at[s + 1]]
        is_sorted = True
        for b in range(len(mask)):
            places[b] = 0
            for other in mask:
                places[b] += other < mask[b]
            is_sorted &= places[b] == b
        for entry in range(1 << len(mask)):
            row = entry
            if not is_sorted:
                row = 0
                for b in range(len(mask)):
                    row |= (entry >> b & 1) << places[b]
            value = given.tables[given.table_at[s] + entry]
            tables[at[s] + row, given.objective[s]] += value


@kernel
def _fold_tables(cliques, kept, places):
    """Add the table of each clique inside a larger one, its host, to that of the host.

    `kept` becomes False for these. Arities descend, so hosts are decided on before.
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
    """Whether clique `host` reads all variables of c; `places` has their bits in it."""
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
