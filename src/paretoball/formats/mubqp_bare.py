"""mUBQP without its header: N^2 rows of M whole numbers, and nothing else."""

from itertools import pairwise
from math import isqrt

from paretoball.formats.disk import Misplaced
from paretoball.formats.mubqp import from_matrices
from paretoball.formats.nk import checked_objectives
from paretoball.formats.source import Source
from paretoball.formats.text import WHOLE, Text
from paretoball.landscape import Landscape
from paretoball.system import counted

NAME = "mubqp-bare"
TITLE = "mUBQP without header"
SUFFIXES: tuple[str, ...] = ()


def sniff(source: Source) -> bool:
    """Whether N^2 lines, 4 or more, have as many whole numbers each, 2 or more.

    Other files may look so: lists of edges say in their first line how many follow, or
    have a pair of nodes in each line; clauses end in 0, a square matrix has as many
    lines as columns, and points and edges without a header are sorted.
    """
    text = source.text
    rows, head = len(text.filled), text.head(10)
    if rows < 4 or isqrt(rows) ** 2 != rows or len(head[0]) in (1, rows):
        return False
    if head[0][-1] == b"%d" % (rows - 1) or {len(head[0])} != set(map(len, head)):
        return False
    if not all(WHOLE.fullmatch(word) for words in head for word in words):
        return False
    last = (text.lines[line].split()[-1] for line in text.filled)
    if _are_edges(text) or _is_sorted(text):
        return False
    return any(word != b"0" for word in last)


def _are_edges(text: Text) -> bool:
    """Whether all lines may be two nodes, and perhaps a weight."""
    if len(text.head(1)[0]) > 3:
        return False
    pairs = (text.lines[line].split()[:2] for line in text.filled)
    return all(len(set(pair)) == 2 and all(map(bytes.isdigit, pair)) for pair in pairs)


def _is_sorted(text: Text) -> bool:
    """Whether the first numbers of all lines rise or fall; what is none counts so."""
    words = (text.lines[line].split(None, 1)[0] for line in text.filled)
    try:
        rises = falls = True
        for one, next_one in pairwise(map(int, words)):
            rises, falls = rises and one <= next_one, falls and one >= next_one
            if not rises and not falls:
                return False
    except ValueError:
        return True
    return True


def read(source: Source) -> Landscape:
    """The landscape in such a file."""
    text = source.checked_text
    m = checked_objectives(len(text.head(1)[0]), text.filled[0])
    words = text.rows(m)
    n = isqrt(len(words) // m)
    if n * n * m != len(words):
        found = counted(len(words) // m, "row")
        raise Misplaced(
            text.filled[-1], f"there are {found}, which is no square number"
        )
    return from_matrices(n, words.numbers())
