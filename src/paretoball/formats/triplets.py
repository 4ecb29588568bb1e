"""Triplets: files of a header `n m` and lines `i j w`.

Graphs and quadratic forms of many formats look so. The formats differ in the first
index, in the sense, and in how often an entry beside the diagonal counts.
"""

from collections.abc import Hashable, Sequence
from functools import cached_property
from operator import eq
from typing import NamedTuple

import numpy as np

from paretoball.formats.disk import Misplaced
from paretoball.formats.native import MOST_UNREAD
from paretoball.formats.source import Source
from paretoball.formats.text import REAL, WHOLE, Text, Words
from paretoball.landscape import EXACT, Landscape, constant, products
from paretoball.system import brief, counted

COMMENT = b"#"
OFFSET = b"ObjectiveOffset"  # the first word of a comment in QOBLIB's files
TRIANGLE = ": the list is one triangle of a symmetric matrix"
LOOKED_AT = 2  # lines below the header that tell a list from other files


class Entries(NamedTuple):
    """The lines `i j w` of a file."""

    n: int
    rows: np.ndarray  # (m,) int64: i, from 0 on
    columns: np.ndarray  # (m,) int64: j, from 0 on
    values: np.ndarray  # (m,) int64 or float64: w
    words: Words  # the lines, for errors
    width: int  # words per line: 3, or 2 where there is no w


class Listing:
    """A file that may be such a list; comment lines start with `#`."""

    def __init__(self, text: Text):
        self.text = text

    @cached_property
    def looks_right(self) -> bool:
        """Whether the first lines are a header and two or three words each."""
        head = self.text.head(1 + LOOKED_AT)
        if not head or not _is_header(head[0]):
            return False
        if any(len(row) != self.width or not _are_whole(row[:2]) for row in head[1:]):
            return False
        return self.width == 3 or self.is_complete

    @property
    def is_complete(self) -> bool:
        """Whether there are as many lines below the header as it says."""
        return len(self.text.filled) - 1 == abs(self.counts[1])

    @cached_property
    def has_diagonal(self) -> bool:
        """Whether a line is `i i w`."""
        if isinstance(self._words, Words):
            every, width = self._words.every, self.width
            return any(map(eq, every[::width], every[1::width]))
        rows = map(bytes.split, self.text.lines)
        return any(len(row) == 3 and row[0] == row[1] for row in rows)

    @cached_property
    def line(self) -> int:
        """The line of the header."""
        if not self.text.filled:
            raise ValueError("it has no header: n and m, two whole numbers")
        return self.text.filled[0]

    @cached_property
    def counts(self) -> tuple[int, int]:
        """The two numbers in the header; words may follow, but no more numbers."""
        words = self.text.lines[self.line].split()
        if not _is_header(words):
            right = "n and m, the numbers of variables and of entries"
            raise Misplaced(self.line, f"the header is not {right}")
        return int(words[0]), int(words[1])

    @cached_property
    def width(self) -> int:
        """Two or three words per line, as in the line below the header."""
        second = self.text.head(2)[1:]
        return 2 if second and len(second[0]) == 2 else 3

    @cached_property
    def _words(self) -> Words | Misplaced:
        """All lines below the header, or what is wrong with one."""
        try:
            return self.text.rows(self.width, self.line + 1)
        except Misplaced as refusal:
            return refusal

    def entries(self, base: int, width: int = 3, signed: bool = False) -> Entries:
        """All entries, if there are as many as the header says; i and j from `base` on.

        A width of 2 allows lines without w. If `signed`, the numbers in the header may
        be negative.
        """
        if min(self.counts) < 0 and not signed:
            raise Misplaced(self.line, "a number in the header is negative")
        n, m = map(abs, self.counts)
        words = self._checked_words(m, width)
        check_size(n, len(words) // self.width, self.line)
        rows = words.indices(n, base, 0, None, self.width)
        columns = words.indices(n, base, 1, None, self.width)
        return Entries(n, rows, columns, self._values(words), words, self.width)

    def labelled(self) -> tuple[Entries, list[int]]:
        """All entries, over the indices that occur in them, and these indices."""
        words = self._checked_words(self.counts[1], 3)
        return labelled_entries(words, EXACT)

    def _checked_words(self, m: int, width: int) -> Words:
        """All lines below the header, if there are as many as it says."""
        if isinstance(self._words, Misplaced):
            raise self._words
        if self.width < width:
            found = self.text.filled[1]
            raise Misplaced(found, f"the line has 2 words, not {width}")
        check_count("entries", m, len(self._words) // self.width, self.line)
        return self._words

    def _values(self, words: Words) -> np.ndarray:
        """The weights of all lines; 1 where there are none."""
        if self.width == 2:
            return np.ones(len(words) // 2, np.int64)
        return words.reals(2, None, 3)


def listing(source: Source) -> Listing:
    """A file as a list of triplets, looked at once."""
    return source.once(_listing)


def _listing(source: Source) -> Listing:
    has_comments = COMMENT in source.content
    return Listing(source.text.without(COMMENT) if has_comments else source.text)


def is_plain(source: Source) -> bool:
    """Whether a file is such a list, and nothing in it tells of one format only."""
    found = listing(source)
    if not found.looks_right or min(found.counts) < 0:
        return False
    return not tells_offset(source)


def tells_offset(source: Source) -> bool:
    """Whether a comment starts with ObjectiveOffset."""
    return bool(offset_lines(source))


def offset_lines(source: Source) -> list[int]:
    """The lines with such a comment."""
    return source.once(_offset_lines)


def _offset_lines(source: Source) -> list[int]:
    if OFFSET not in source.content:
        return []
    return [
        e
        for e in source.text.containing(OFFSET)
        if source.text.lines[e].replace(COMMENT, b" ", 1).split()[0] == OFFSET
    ]


def below(text: Text, count: int) -> Text:
    """The same text; its first `count` lines with words are empty."""
    rest = text.without()
    for line in text.filled[:count]:
        rest.lines[line] = b""
    return rest


def labelled_entries(words: Words, end: int) -> tuple[Entries, list[int]]:
    """Lines `i j w` over the indices below `end` that occur, and these indices."""
    given = np.stack([words.indices(end, 0, column, None, 3) for column in (0, 1)])
    labels, places = np.unique(given, return_inverse=True)
    if not len(labels):
        raise ValueError("it has no entries, so no variables")
    rows, columns = places.reshape(given.shape)
    values = words.reals(2, None, 3)
    return Entries(len(labels), rows, columns, values, words, 3), labels.tolist()


def check_count(what: str, announced: int, found: int, line: int) -> None:
    """Refuse a header that announces another number of lines."""
    if announced != found:
        why = "it is cut short" if found < announced else "the header is wrong"
        said = f"the header announces {brief(announced)} {what}"
        raise Misplaced(line, f"{said}, but {found} follow: {why}")


def check_size(n: int, entries: int, line: int) -> None:
    """Refuse an n that is far above what so many entries can read."""
    if n < 1:
        raise Misplaced(line, f"the header says {n} variables: there is at least 1")
    if n > 2 * entries + MOST_UNREAD:
        found = counted(entries, "entry", "entries")
        raise Misplaced(
            line,
            f"the header says {brief(n)} variables, but the file has {found}: at most "
            f"{MOST_UNREAD:,} variables may be in none of them",
        )


def quadratic_form(
    entries: Entries,
    sense: str,
    twice: bool = False,
    spins: bool = False,
    offset: float | None = None,
    labels: Sequence[Hashable] | None = None,
) -> Landscape:
    """The landscape of Σ w_ii x_i + Σ w_ij x_i x_j, in bits or in spins.

    No entry may be there twice. With `twice`, entries are one triangle of a symmetric
    matrix: w_ij counts as w_ji, too.
    """
    check_distinct(entries, TRIANGLE if twice else "")
    is_linear = entries.rows == entries.columns
    pairs = np.stack([entries.rows, entries.columns], axis=1)[~is_linear]
    factors = entries.values[~is_linear]
    terms = [
        products(entries.rows[is_linear, None], entries.values[is_linear], spins),
        products(pairs, _doubled(factors) if twice else factors, spins),
    ]
    if offset is not None:
        terms.append(constant(offset))
    return Landscape.from_terms(entries.n, [terms], sense, labels=labels)


def _doubled(values: np.ndarray) -> np.ndarray:
    """Twice the values; as Python's ints where 64 bits may not hold them."""
    is_large = values.dtype.kind == "i" and np.abs(values).max(initial=0) > EXACT // 2
    return 2 * (values.astype(object) if is_large else values)


def check_distinct(entries: Entries, why: str = "") -> None:
    """Refuse a pair that is there twice, as `i j` or as `j i`."""
    again = first_repeat(entries.rows, entries.columns)
    if again is not None:
        first, second = (entries.words.line_of(entries.width * e) for e in again)
        what = "the entry is in line {before} already"
        raise Misplaced(second, what + why, before=first)


def first_repeat(rows: np.ndarray, columns: np.ndarray) -> tuple[int, int] | None:
    """An entry, and the first one after it with the same indices in either order.

    >>> first_repeat(np.array([0, 1, 2, 1]), np.array([1, 2, 2, 0]))
    (0, 3)
    """
    low, high = np.minimum(rows, columns), np.maximum(rows, columns)
    order = np.lexsort((high, low))
    same = np.flatnonzero((np.diff(low[order]) == 0) & (np.diff(high[order]) == 0))
    if not len(same):
        return None
    at = same[np.argmin(order[same + 1])]
    return int(order[at]), int(order[at + 1])


def _is_header(words: Sequence[bytes]) -> bool:
    """Whether a line starts with two whole numbers, and no third number follows."""
    is_short = len(words) == 2 or (len(words) > 2 and not REAL.fullmatch(words[2]))
    return is_short and _are_whole(words[:2])


def _are_whole(words: Sequence[bytes]) -> bool:
    return all(map(WHOLE.fullmatch, words))
