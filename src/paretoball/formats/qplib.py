"""QPLIB's files, those of unconstrained binary problems: ½ x'Qx + b'x + a constant.

A value, or an entry of a list, per line; the rest of a line after `#`, `!` or `%` is a
comment. Name, type, sense, n, the entries `i j v` of the lower triangle of Q, then a
default and exceptions for b, and the constant. Indices count from 1. A starting point,
which may follow, does not count; names of variables become labels. Types end in BN or
BB here, after L, D, C or Q: files of other types have constraints or other variables.
"""

import re

import numpy as np

from paretoball.formats.disk import Misplaced
from paretoball.formats.source import Source
from paretoball.formats.text import Text, Words, shown
from paretoball.formats.triplets import (
    TRIANGLE,
    Entries,
    check_distinct,
    check_size,
)
from paretoball.landscape import Landscape, constant, products
from paretoball.numerics import LARGEST_FLOAT
from paretoball.system import brief

TYPE = re.compile(rb"([LDCQ])([CBMIG])([NBLDCQ])")
REMARKS = (b"#", b"!", b"%")
REMARK = re.compile(rb"[#!%]")
SENSES = {b"minimize": "min", b"maximize": "max"}
NAME = "qplib"
TITLE = "a QPLIB problem"
SUFFIXES = (".qplib",)


def sniff(source: Source) -> bool:
    """Whether the second and the third line are a type and a sense."""
    head = source.text.head(3)
    if len(head) < 3 or not head[1] or not head[2]:
        return False
    return bool(TYPE.fullmatch(head[1][0])) and head[2][0].lower() in SENSES


def read(source: Source) -> Landscape:
    """The landscape of an unconstrained binary problem."""
    lines = _Lines(source.text)
    lines.skip()  # the name
    kind = lines.word("type")
    if not TYPE.fullmatch(kind):
        raise lines.refusal("type", kind, "three letters such as QBN")
    if kind[1:2] != b"B" or kind[2:] not in (b"N", b"B"):
        raise lines.refusal("type", kind, "one without constraints, all binary")
    sense = lines.word("sense").lower()
    if sense not in SENSES:
        raise lines.refusal("sense", sense, "minimize or maximize")
    n = lines.whole("number of variables")
    check_size(n, len(source.text.filled), lines.line)
    terms = []
    if kind[:1] != b"L":
        entries = lines.entries(3)
        rows, columns = (entries.indices(n, 1, e, None, 3) for e in (0, 1))
        values = entries.reals(2, None, 3)
        check_distinct(Entries(n, rows, columns, values, entries, 3), TRIANGLE)
        is_square = rows == columns
        pairs = np.stack([rows, columns], axis=1)[~is_square]
        terms.append(products(rows[is_square, None], _halved(values[is_square])))
        terms.append(products(pairs, values[~is_square]))
    terms.append(products(np.arange(n)[:, None], lines.defaulted(n)))
    terms.append(constant(lines.real("constant")))
    labels = lines.names(n)
    return Landscape.from_terms(n, [terms], SENSES[sense], labels=labels)


def _halved(values: np.ndarray) -> np.ndarray:
    """Half of each value; whole numbers stay whole where all are even."""
    if values.dtype.kind == "i" and not (values % 2).any():
        return values // 2
    largest = np.abs(values).max(initial=0)
    if values.dtype.kind == "i" and largest > LARGEST_FLOAT:
        raise ValueError(f"Q has {largest} and odd numbers: their halves end at 2**52")
    return values / 2


class _Lines:
    """The lines of a file, read one after the other."""

    def __init__(self, text: Text):
        bare = text.without(*REMARKS)
        for line in {line for mark in REMARKS for line in bare.containing(mark)}:
            bare.lines[line] = REMARK.split(bare.lines[line], maxsplit=1)[0]
        for line in text.filled[:1]:  # the name may have such letters
            bare.lines[line] = text.lines[line]
        self.text = bare.without()
        self.at = 0  # how many lines with words have been read

    @property
    def line(self) -> int:
        """The line that was read last."""
        return self.text.filled[self.at - 1]

    @property
    def is_done(self) -> bool:
        return self.at >= len(self.text.filled)

    def skip(self, count: int = 1) -> int:
        """Go on by some lines; the first of them."""
        if self.at + count > len(self.text.filled):
            raise ValueError("it is cut short")
        self.at += count
        return self.text.filled[self.at - count]

    def _one(self, what: str) -> Words:
        """The next line, which has one word."""
        if self.is_done:
            raise ValueError(f"it is cut short: the {what} is missing")
        first = self.skip()
        return self.text.rows(1, first, first + 1)

    def word(self, what: str) -> bytes:
        return self._one(what).every[0]

    def whole(self, what: str) -> int:
        """The next line, a whole number of 0 or more."""
        found = int(self._one(what).wholes()[0])
        if found < 0:
            raise Misplaced(self.line, f"the {what} is {found}: it is 0 or more")
        return found

    def real(self, what: str) -> float:
        value: float = self._one(what).reals().tolist()[0]
        return value

    def entries(self, width: int) -> Words:
        """A number of lines, and these lines."""
        count = self.whole("number of entries")
        if self.at + count > len(self.text.filled):
            left = len(self.text.filled) - self.at
            what = f"{brief(count)} entries are announced, but {left} lines follow"
            raise Misplaced(self.line, f"{what}: it is cut short")
        if not count:
            return Words([], self.line)
        first = self.skip(count)
        return self.text.rows(width, first, self.line + 1)

    def defaulted(self, n: int) -> np.ndarray:
        """A default for n numbers, and exceptions."""
        default = self._one("default").reals()
        exceptions = self.entries(2)
        places = exceptions.indices(n, 1, 0, None, 2)
        values = exceptions.reals(1, None, 2)
        again = np.flatnonzero(np.bincount(places, minlength=n)[places] > 1)
        if len(again):
            raise exceptions.refusal(2 * int(again[-1]), "has a value already")
        found = np.full(n, default[0], np.result_type(default, values))
        found[places] = values
        return found

    def names(self, n: int) -> list[str] | None:
        """The labels of variables, which come after two starting points, if at all."""
        if not self.is_done:
            self._one("value of infinity")
        for _ in range(2):
            if not self.is_done:
                self._one("default")
                self.entries(2)
        named = Words([], 0) if self.is_done else self.entries(2)
        self._end()
        if not len(named):
            return None
        labels = [str(j + 1) for j in range(n)]
        for place, name in zip(named.indices(n, 1, 0, None, 2), named.every[1::2]):
            labels[place] = name.decode(errors="backslashreplace")
        return labels

    def _end(self) -> None:
        """Refuse lines after the names of constraints, which there are none of."""
        if not self.is_done:
            self.entries(2)
        if not self.is_done:
            found = shown(self.text.lines[self.skip()])
            raise Misplaced(self.line, f"{found} is one line too many")

    def refusal(self, what: str, found: bytes, right: str) -> Misplaced:
        """The error that a word is none of those that are right."""
        return Misplaced(self.line, f"the {what} is {shown(found)}, not {right}")
