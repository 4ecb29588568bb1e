"""Set covering, as in the OR-library, with one objective.

`m n`, then n costs; then for each of m rows how many columns cover it, and these
columns, which count from 1. Lines end anywhere. Costs are minimised.
"""

import numpy as np

from paretoball.formats.disk import Misplaced
from paretoball.formats.source import Source
from paretoball.formats.text import WHOLE, Words
from paretoball.landscape import Landscape
from paretoball.problems import set_covering

NAME = "setcover"
TITLE = "set covering with one objective"
SUFFIXES: tuple[str, ...] = ()
FEW = 3  # words of a line in lists of edges


def sniff(source: Source) -> bool:
    """Whether rows end where the file ends."""
    return 1 in coverings(source)


def read(source: Source) -> Landscape:
    """The landscape in such a file."""
    return covering(source, 1)


def coverings(source: Source) -> list[int]:
    """For how many objectives, one and two, rows end where the file ends."""
    return source.once(_coverings)


def _coverings(source: Source) -> list[int]:
    head = source.text.head(2)
    if len(head) < 2 or len(head[0]) != 2:
        return []
    if not all(WHOLE.fullmatch(word) for word in head[0] + head[1]):
        return []
    if len(head[1]) in (2, FEW) and int(head[0][1]) > FEW:
        return []
    words = source.text.words()
    try:
        numbers = words.numbers()
    except Misplaced:
        return []
    return [d for d in (1, 2) if _fits(words, numbers, d)]


def _fits(words: Words, numbers: np.ndarray, d: int) -> bool:
    """Whether rows below d times n costs end where the file ends."""
    try:
        _rows(words, numbers, d)
    except Misplaced:
        return False
    return True


def covering(source: Source, d: int) -> Landscape:
    """The landscape in a file with d objectives, one or two."""
    text = source.checked_text
    words = text.words()
    numbers = words.numbers()
    if len(numbers) < 2:
        raise Misplaced(text.filled[0], "the header is not m and n, two whole numbers")
    try:
        rows = _rows(words, numbers, d)
    except Misplaced:
        if not _fits(words, numbers, 3 - d):
            raise
        fits = "one objective: 'setcover'" if d == 2 else "two: 'setcover-voptlib'"
        raise ValueError(f"it is set covering of {fits} is its format") from None
    n = int(numbers[1])
    return set_covering(numbers[2 : 2 + d * n].reshape(d, n), rows)


def _rows(words: Words, numbers: np.ndarray, d: int) -> list[np.ndarray]:
    """The columns of each row below d times n costs."""
    m, n = numbers[:2].tolist()
    if m < 1 or n < 1:
        what = f"m = {m} and n = {n}, but both are 1 or more"
        raise Misplaced(words.line_of(0), what)
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
