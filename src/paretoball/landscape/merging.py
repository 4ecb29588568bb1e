"""Merging: subfunctions become cliques.

All subfunctions of all objectives that read the same variables become one clique with a
table of d-vectors. A clique whose variables are all in another clique is folded into
that one. Sums of integers are exact, so f stays the same, and Algorithm 1 visits fewer
tables.
"""

from functools import partial
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np

from paretoball._jit import inlined, kernel
from paretoball.landscape.blocks import Block, blocks, matrix
from paretoball.landscape.cliques import Cliques, with_readers
from paretoball.landscape.subfunctions import MAX_ARITY, Subfunctions
from paretoball.system import check_memory, counted

COPIES = 3  # copies of a merged table in memory, while it is merged and laid out


class _Part(NamedTuple):
    """Subfunctions of one arity k, as they are given."""

    clique: np.ndarray  # (m,) int64: their clique, among those of this arity
    objective: np.ndarray  # (m,) int64
    masks: np.ndarray  # (m, k) int64
    tables: np.ndarray  # (m, 2^k) int64


def merged_cliques(n: int, d: int, signs: np.ndarray, given: Subfunctions) -> Cliques:
    """The cliques of the given subfunctions; objectives with sign -1 are negated."""
    masks, parts = list[np.ndarray](), list[list[_Part]]()
    for _, group in groupby(blocks(given.mask_at), partial(_arity, given)):
        mask, own = _merged_masks(n, given, list(group))
        masks.append(mask)
        parts.append(own)
    rows = sum(len(mask) << mask.shape[1] for mask in masks)
    check_memory(
        f"{rows:,} rows of merged tables, for {counted(d, 'objective')} each, need",
        COPIES * 8 * rows * d,
    )
    tables, first = np.zeros((rows, d), np.int64), 0
    for mask, own in zip(masks, parts):
        last = first + (len(mask) << mask.shape[1])
        total = tables[first:last].reshape(len(mask), -1, d)
        for part in own:
            _add_tables(total, part, np.empty(MAX_ARITY, np.int64))
        first = last
    if (signs < 0).any():
        tables *= signs
    if masks and masks[-1].shape[1] == 0:
        return _fold(n, tables[-1].copy(), masks[:-1], tables[:-1])
    return _fold(n, np.zeros(d, np.int64), masks, tables)


def _arity(given: Subfunctions, block: Block) -> int:
    """How many variables each subfunction of a block reads."""
    first = block.start if isinstance(block, slice) else block[0]
    return int(given.mask_at[first + 1] - given.mask_at[first])


def _merged_masks(
    n: int, given: Subfunctions, group: list[Block]
) -> tuple[np.ndarray, list[_Part]]:
    """The distinct masks of blocks of one arity, ascending, and who reads them."""
    own = [matrix(given.mask_at, given.masks, block) for block in group]
    mask = np.concatenate([_ascending(each) for each in own])
    first, clique = _distinct_rows(mask, n)
    ends = np.cumsum([len(each) for each in own])
    return mask[first], [
        _Part(
            which,
            given.objective[block],
            each,
            matrix(given.table_at, given.tables, block),
        )
        for which, block, each in zip(np.split(clique, ends), group, own)
    ]


def _ascending(masks: np.ndarray) -> np.ndarray:
    """The masks with each row sorted: themselves, if they are sorted already."""
    falls = np.zeros(len(masks), np.bool_)
    for left, right in pairwise(masks.T):
        falls |= left > right
    if falls.any():
        masks = masks.copy()
        masks[falls] = np.sort(masks[falls], axis=1)
    return masks


def _distinct_rows(rows: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Where each distinct row first stands, and the number of each row among these.

    The entries of rows are below n.
    """
    width = int(n).bit_length()
    if rows.shape[1] == 0:
        return np.zeros(1, np.int64), np.zeros(len(rows), np.int64)
    if width * rows.shape[1] <= 62:
        key = rows[:, 0].copy()
        for column in rows.T[1:]:
            key <<= width
            key |= column
        _, first, which = np.unique(key, return_index=True, return_inverse=True)
    else:
        _, first, which = np.unique(
            rows, axis=0, return_index=True, return_inverse=True
        )
    return first, which.ravel()


@kernel
def _add_tables(total, part, places):
    """Add each table to that of its clique, whose variables ascend.

    `total` is (cliques, 2^k, d); `places` has room for k numbers.
    """
    arity = part.masks.shape[1]
    for s in range(len(part.masks)):
        is_sorted = True
        for b in range(arity):
            places[b] = 0
            for other in range(arity):
                places[b] += part.masks[s, other] < part.masks[s, b]
            is_sorted &= places[b] == b
        for entry in range(part.tables.shape[1]):
            row = entry
            if not is_sorted:
                row = 0
                for b in range(arity):
                    row |= (entry >> b & 1) << places[b]
            total[part.clique[s], row, part.objective[s]] += part.tables[s, entry]


def _fold(
    n: int, constant: np.ndarray, masks: list[np.ndarray], tables: np.ndarray
) -> Cliques:
    """Lay groups of masks end to end, and fold small cliques into large ones.

    Each group has the cliques of one arity; arities descend, in `tables` as well.
    """
    none = [np.zeros(0, np.int64)]
    arities = np.concatenate([np.full(len(g), g.shape[1]) for g in masks] or none)
    flat_masks = np.concatenate([g.ravel() for g in masks] or none)
    every = with_readers(n, constant, arities, flat_masks, tables)
    kept = np.ones(len(arities), np.bool_)
    if len(masks) > 1:
        _fold_tables(every, kept, np.empty(MAX_ARITY, np.int64))
    if kept.all():
        return every
    return with_readers(
        n,
        constant,
        arities[kept],
        flat_masks[np.repeat(kept, arities)],
        _kept_rows(tables, kept, every.table_at),
    )


def _kept_rows(tables: np.ndarray, kept: np.ndarray, at: np.ndarray) -> np.ndarray:
    """The tables of cliques that are kept: no copy if these are the first ones."""
    count = int(kept.sum())
    if kept[:count].all():
        return tables[: at[count]]
    return np.asarray(tables[np.repeat(kept, np.diff(at))])


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
