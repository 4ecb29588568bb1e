"""NK landscapes of Tinós: tables, and a matrix that says which variables they read.

`Parameters`, `n K`, `F_el`, then n rows of 2^(K + 1) numbers, a title such as `M_out`,
and n rows of n numbers, K + 1 ones among zeros. The lowest variable of a row is the
lowest bit of an index. The objective is the sum of the n tables, maximised.
"""

import numpy as np

from paretoball.formats.disk import Misplaced
from paretoball.formats.nk import checked_arity
from paretoball.formats.source import Source
from paretoball.formats.text import Words, shown
from paretoball.landscape import Landscape, Terms

NAME = "nk-tinos"
TITLE = "NK landscape of Tinós"
SUFFIXES: tuple[str, ...] = ()
FIRST, TABLES = b"Parameters", b"F_el"


def sniff(source: Source) -> bool:
    """Whether its first word says so."""
    return source.text.opening() == [FIRST]


def read(source: Source) -> Landscape:
    """The landscape in such a file."""
    text = source.checked_text
    for e, title in ((0, FIRST), (2, TABLES)):
        if text.head(3)[e : e + 1] != [[title]]:
            line = text.filled[min(e, len(text.filled) - 1)]
            raise Misplaced(line, f"the title {title.decode()!r} is missing")
    start = text.filled[1]
    n, K = text.rows(2, start, start + 1).wholes().tolist()
    k = checked_arity(K + 1, start)
    if not 0 <= K < n:
        raise Misplaced(start, f"K = {K}, but it must be from 0 to n - 1 = {n - 1}")
    if len(text.filled) != 2 * n + 4:
        found = f"{len(text.filled):,} lines, not 2 n + 4 = {2 * n + 4:,}"
        raise Misplaced(text.filled[-1], f"the file has {found}")
    title = text.filled[3 + n]
    if len(text.lines[title].split()) != 1:
        raise Misplaced(title, f"{shown(text.lines[title])} is no title in one word")
    tables = text.rows(1 << k, text.filled[2] + 1, title).reals().reshape(n, 1 << k)
    masks = _masks(text.rows(n, title + 1), n, k)
    return Landscape.from_terms(n, [[Terms(masks, tables)]])


def _masks(words: Words, n: int, k: int) -> np.ndarray:
    """The variables with a one in each row."""
    matrix = words.wholes()
    wrong = (matrix != 0) & (matrix != 1)
    if wrong.any():
        raise words.refusal(int(np.argmax(wrong)), "is neither 0 nor 1")
    ones = matrix.reshape(n, n).sum(axis=1)
    if (ones != k).any():
        row = int(np.argmax(ones != k))
        line = words.line_of(row * n)
        raise Misplaced(line, f"the row has {ones[row]} ones, not K + 1 = {k}")
    return np.nonzero(matrix.reshape(n, n))[1].reshape(n, k)
