"""Nearest-neighbour NK landscapes of Goldman's P3.

Two lines `value bits`, the worst and the best solution, which also tell n; then n rows
of 2^(K + 1) numbers. Row i reads variables i, i + 1, ..., i + K, wrapping at n, and the
first one is the highest bit of an index. The objective is the sum, maximised; P3 maps
it to 0 for the worst and 1 for the best solution, which are not used here.
"""

import numpy as np

from paretoball.formats.disk import Misplaced
from paretoball.formats.nk import check_bits, checked_arity
from paretoball.formats.source import Source
from paretoball.formats.text import REAL
from paretoball.landscape import Landscape, Terms

NAME = "nk-goldman"
TITLE = "nearest-neighbour NK landscape of Goldman"
SUFFIXES: tuple[str, ...] = ()


def sniff(source: Source) -> bool:
    """Whether two lines of a value and bits come before a row of 4, 8, 16, ..."""
    head = source.text.head(3)
    return (
        [len(words) for words in head[:2]] == [2, 2]
        and len(head) == 3
        and len(head[2]) >= 4
        and len(head[2]).bit_count() == 1
        and all(REAL.fullmatch(words[0]) for words in head[:2])
        and len(head[0][1]) == len(head[1][1])
        and not (head[0][1] + head[1][1]).translate(None, b"01")
    )


def read(source: Source) -> Landscape:
    """The landscape in such a file."""
    text = source.checked_text
    if len(text.filled) < 3:
        raise Misplaced(text.filled[-1], "the file has less than three lines")
    n = len(text.head(1)[0][-1])
    for line in text.filled[:2]:
        solution = text.rows(2, line, line + 1)
        solution.reals(0, 1)
        check_bits(solution, 1, n)
    start = text.filled[2]
    columns = len(text.lines[start].split())
    k = checked_arity(columns.bit_length() - 1, start)
    if columns != 1 << k or not 1 <= k <= n:
        raise Misplaced(
            start, f"a row of {columns}, not of 2, 4, ... up to 2^n numbers"
        )
    words = text.rows(columns, start)
    if len(words) != n * columns:
        found = f"{len(words) // columns:,} rows of numbers, not n = {n:,}"
        raise Misplaced(text.filled[-1], f"there are {found}, as the first line says")
    masks = (np.arange(n)[:, None] + np.arange(k)[::-1]) % n
    return Landscape.from_terms(n, [[Terms(masks, words.reals().reshape(n, -1))]])
