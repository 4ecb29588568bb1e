"""Knapsacks of MO-GOMEA: `d n`, then d knapsacks, each a capacity and its items.

An item is its number, from 1 on, its weight and its profit. Objective i is the profit
in knapsack i, maximised, and constraint i its capacity; an item is in all knapsacks or
in none. Numbers may stand in lines of their own. Capacities may end in .5, which is
rounded down, since weights are whole.
"""

import numpy as np

from paretoball.formats.disk import Misplaced
from paretoball.formats.knapsacks import Knapsack, from_knapsacks
from paretoball.formats.source import Source
from paretoball.formats.text import REAL, WHOLE, Words
from paretoball.landscape import Landscape

NAME = "knapsack-gomea"
TITLE = "knapsacks of MO-GOMEA"
SUFFIXES: tuple[str, ...] = ()
SEEN = 4  # lines that tell it from others


def sniff(source: Source) -> bool:
    """Whether two numbers, a capacity, and item 1 come first."""
    head = source.text.head(SEEN)
    if [len(words) for words in head[:2]] != [2, 1] or len(head) < 3:
        return False
    words = [word for line in head for word in line]
    return (
        all(WHOLE.fullmatch(word) for word in words[:2] + words[3:])
        and bool(REAL.fullmatch(words[2]))
        and words[3] == b"1"
        and len(head[2]) in (1, 3)
    )


def read(source: Source) -> Landscape:
    """The landscape in such a file."""
    text = source.checked_text
    words = text.words()
    if len(words) < 2:
        raise Misplaced(text.filled[0], "the header is not d and n, two whole numbers")
    d, n = words.wholes(0, 2).tolist()
    if d < 1 or n < 1:
        raise Misplaced(text.filled[0], f"d = {d} and n = {n}, but both are 1 or more")
    size = 1 + 3 * n
    if len(words) != 2 + d * size:
        found = f"has {len(words):,} numbers, not 2 + d (1 + 3 n) = {2 + d * size:,}"
        where = f"for d = {d} and n = {n}"
        raise Misplaced(text.filled[-1], f"the file {found} {where}")
    for first in range(2, len(words), size):
        _check_items(words, first + 1, n)
    return from_knapsacks(
        words,
        [
            Knapsack(
                first,
                slice(first + 2, first + size, 3),
                slice(first + 3, first + size, 3),
            )
            for first in range(2, len(words), size)
        ],
    )


def _check_items(words: Words, first: int, n: int) -> None:
    """Refuse items whose numbers are not 1 to n."""
    numbers = words.wholes(first, first + 3 * n, 3)
    wrong = numbers != np.arange(1, n + 1)
    if wrong.any():
        item = int(np.argmax(wrong))
        raise words.refusal(first + 3 * item, f"is not {item + 1}, the next item")
