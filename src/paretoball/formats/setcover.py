"""Set covering, as in the OR-library and, with two objectives, in vOptLib's 2scp files.

`m n`, then n costs, or n costs and n more for a second objective; then for each of m
rows how many columns cover it, and these columns, which count from 1. Lines end
anywhere. Costs are minimised.
"""

import numpy as np

from paretoball.formats.disk import Misplaced
from paretoball.formats.source import Source
from paretoball.formats.text import WHOLE, Words
from paretoball.landscape import Landscape
from paretoball.problems import set_covering

NAME = "setcover"
TITLE = "set covering"
SUFFIXES: tuple[str, ...] = ()
FEW = 3  # words of a line in lists of edges


def sniff(source: Source) -> bool:
    """Whether rows end where the file ends, for one objective or for two."""
    head = source.text.head(2)
    if len(head) < 2 or len(head[0]) != 2:
        return False
    if not all(WHOLE.fullmatch(word) for word in head[0] + head[1]):
        return False
    if len(head[1]) in (2, FEW) and int(head[0][1]) > FEW:
        return False
    words = source.text.words()
    try:
        _covering(words, words.numbers())
    except Misplaced:
        return False
    return True


def read(source: Source) -> Landscape:
    """The landscape in such a file."""
    text = source.checked_text
    words = text.words()
    numbers = words.numbers()
    if len(numbers) < 2:
        raise Misplaced(text.filled[0], "the header is not m and n, two whole numbers")
    costs, rows = _covering(words, numbers)
    return set_covering(costs, rows)


def _covering(words: Words, numbers: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
    """The costs, (d, n), and the columns of each row, from 0 on, for two or one d.

    If rows fit neither, the error is that of two.
    """
    m, n = numbers[:2].tolist()
    if m < 1 or n < 1:
        what = f"m = {m} and n = {n}, but both are 1 or more"
        raise Misplaced(words.line_of(0), what)
    try:
        d, rows = 2, _rows(words, numbers, 2)
    except Misplaced as refusal:
        try:
            d, rows = 1, _rows(words, numbers, 1)
        except Misplaced:
            raise refusal from None
    return numbers[2 : 2 + d * n].reshape(d, n), rows


def _rows(words: Words, numbers: np.ndarray, d: int) -> list[np.ndarray]:
    """The columns of each row below d times n costs."""
    m, n = numbers[:2].tolist()
    at, rows = 2 + d * n, list[np.ndarray]()
    while len(rows) < m:
        row = f"row {len(rows) + 1} of m = {m}"
        size = int(numbers[at]) if at < len(numbers) else 0
        if at + size >= len(numbers):
            line = words.line_of(len(numbers) - 1)
            raise Misplaced(line, f"the file ends before the end of {row}")
        if not 1 <= size <= n:
            right = f"is not the number of columns of {row}: from 1 to n = {n}"
            raise words.refusal(at, right)
        columns = numbers[at + 1 : at + 1 + size]
        wrong = (columns < 1) | (columns > n)
        if wrong.any():
            right = f"is not one of the columns 1 to {n}"
            raise words.refusal(at + 1 + int(np.argmax(wrong)), right)
        if len(np.unique(columns)) < size:
            raise Misplaced(words.line_of(at + 1), f"{row} has a column twice")
        rows.append(columns - 1)
        at += 1 + size
    if at < len(numbers):
        raise words.refusal(at, f"comes after the last row, m = {m}")
    return rows
