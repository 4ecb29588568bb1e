"""Additively decomposable functions of GOMEA, a line per entry of a table.

`n m`, then m subfunctions: a line `k v...` with k variables, which count from 0, and
2^k lines `"bits" value`, in any order; character j of the bits is the j-th variable.
The objective is the sum, maximised.
"""

import numpy as np

from paretoball.formats.disk import Misplaced
from paretoball.formats.native import check_unread
from paretoball.formats.nk import check_distinct, checked_arity, first_highest
from paretoball.formats.source import Source
from paretoball.formats.text import WHOLE, Text, Words
from paretoball.landscape import Landscape
from paretoball.numerics import offsets
from paretoball.system import counted

NAME = "nk-gomea"
TITLE = "NK landscape of GOMEA"
SUFFIXES: tuple[str, ...] = ()


def sniff(source: Source) -> bool:
    """Whether two numbers, a mask and an entry of a table come first."""
    head = source.text.head(3)
    return (
        len(head) == 3
        and len(head[0]) == 2
        and all(WHOLE.fullmatch(word) for word in head[0] + head[1])
        and head[2][0].startswith(b'"')
    )


def read(source: Source) -> Landscape:
    """The landscape in such a file."""
    text = source.checked_text.without()
    start = text.filled[0]
    header = text.rows(2, start, start + 1)
    n, m = header.wholes().tolist()
    if n < 1:
        raise Misplaced(start, f"n = {n}, but it must be at least 1")
    masks_in, tables_in, arities = _sorted_lines(text, m)
    for line in masks_in:  # what is left are variables
        size = text.lines[line].split(None, 1)[0]
        text.lines[line] = text.lines[line].replace(size, b" " * len(size), 1)
    words, entries = text.only(masks_in), text.only(tables_in)
    masks, mask_at = words.indices(n, 0), offsets(arities)
    check_distinct(words, np.arange(len(masks)), mask_at, masks)
    check_unread(n, len(masks), start)
    table_at = offsets(1 << arities)
    places, numbers = _places(entries, arities, table_at), entries.reals(1, None, 2)
    tables = np.empty_like(numbers)
    tables[places] = numbers
    masks, owners = first_highest(mask_at, masks), np.zeros(len(arities), np.int64)
    return Landscape.from_arrays(n, 1, owners, mask_at, masks, table_at, tables)


def _sorted_lines(text: Text, m: int) -> tuple[list[int], list[int], np.ndarray]:
    """The lines with masks and with tables, and how many variables each mask has."""
    masks, tables, arities = list[int](), list[int](), list[int]()
    starts = [text.lines[line].lstrip()[:1] for line in text.filled]
    at = 1
    while at < len(starts):
        line = text.filled[at]
        size, *variables = text.lines[line].split()
        if size != b"%d" % len(variables):
            raise Misplaced(line, "the line is not 'k v...', a mask of k variables")
        arity = checked_arity(len(variables), line)
        table = text.filled[at + 1 : at + 1 + (1 << arity)]
        entries = starts[at + 1 : at + 1 + len(table)].count(b'"')
        if entries < 1 << arity:
            found = counted(entries, "entry", "entries")
            raise Misplaced(
                line, f"{found} of this mask's table follow, not {1 << arity}"
            )
        masks.append(line)
        tables.extend(table)
        arities.append(arity)
        at += 1 + len(table)
    if len(masks) != m:
        found = counted(len(masks), "subfunction")
        raise Misplaced(text.filled[0], f"m = {m}, but there are {found}")
    return masks, tables, np.array(arities, np.int64)


def _places(entries: Words, arities: np.ndarray, table_at: np.ndarray) -> np.ndarray:
    """Where each entry is in the tables, by its bits."""
    sizes = 1 << arities
    found = list[int]()
    for e, (word, k) in enumerate(
        zip(entries.every[::2], np.repeat(arities, sizes).tolist())
    ):
        bits = word[1:-1]
        if word != b'"%b"' % bits or len(bits) != k or bits.translate(None, b"01"):
            raise entries.refusal(2 * e, f"is not {counted(k, 'bit')} in quotes")
        found.append(int(bits or b"0", 2))
    if len(entries) != 2 * len(found):
        raise entries.refusal(len(entries) - 1, "is one too many")
    places = np.repeat(table_at[:-1], sizes) + np.array(found, np.int64)
    order = np.argsort(places, kind="stable")
    again = order[1:][np.diff(places[order]) == 0]
    if len(again):
        raise entries.refusal(2 * int(again.min()), "is in this table already")
    return places
