"""Knapsacks of vOptLib: several profits, one capacity.

Numbers in lines of their own, with comments that start with `#`: n, the number p of
objectives, the number 1 of constraints, p times n profits, n weights, and the capacity.
Profits are maximised.
"""

from paretoball.formats.disk import Misplaced
from paretoball.formats.knapsacks import checked_capacity, checked_weights
from paretoball.formats.source import Source
from paretoball.formats.text import WHOLE
from paretoball.landscape import Landscape
from paretoball.problems import knapsack

NAME = "knapsack-voptlib"
TITLE = "knapsack of vOptLib"
SUFFIXES: tuple[str, ...] = ()
COMMENT = b"#"
HEAD = 3  # numbers that tell the sizes


def sniff(source: Source) -> bool:
    """Whether three numbers have a line each, and as many follow as they say."""
    if not source.text.head(1) or not WHOLE.fullmatch(
        (source.text.opening(COMMENT) or [b""])[0]
    ):
        return False
    text = source.text.without(COMMENT)
    head = text.head(HEAD)
    if [len(words) for words in head] != [1] * HEAD:
        return False
    if not all(WHOLE.fullmatch(words[0]) for words in head):
        return False
    n, p, k = (int(words[0]) for words in head)
    return k == 1 and len(text.filled) == HEAD + (p + 1) * n + 1


def read(source: Source) -> Landscape:
    """The landscape in such a file."""
    text = source.checked_text.without(COMMENT)
    if len(text.filled) < HEAD:
        raise ValueError("it has no n, p and k, three whole numbers")
    words = text.rows(1)
    n, p, k = words.wholes(0, HEAD).tolist()
    if n < 1 or p < 1:
        raise Misplaced(text.filled[0], f"n = {n} and p = {p}, but both are 1 or more")
    if k != 1:
        what = f"k = {k} constraints, but these files have one"
        raise Misplaced(text.filled[2], what)
    if len(words) != HEAD + (p + 1) * n + 1:
        right = f"3 + (p + 1) n + 1 = {HEAD + (p + 1) * n + 1:,}"
        found = f"has {len(words):,} numbers, not {right}, for n = {n} and p = {p}"
        raise Misplaced(text.filled[-1], f"the file {found}")
    last = len(words) - 1
    profits = words.wholes(HEAD, last - n).reshape(p, n)
    weights = checked_weights(words, slice(last - n, last))
    return knapsack(profits, weights, checked_capacity(words, last))
