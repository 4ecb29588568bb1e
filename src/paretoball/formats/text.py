"""Texts: lines of words, and words as numbers, each error with its line.

Numbers are written with ASCII digits. Whatever else Python takes for one, such as
`1_000`, `NaN` or digits of other scripts, is refused.
"""

import re
from array import array
from collections.abc import Iterable, Sequence, Set
from functools import cached_property
from itertools import filterfalse
from operator import methodcaller

import numpy as np

from paretoball.formats.disk import Misplaced
from paretoball.landscape import EXACT
from paretoball.numerics import LARGEST_FLOAT
from paretoball.system import brief, check_memory, counted, readable_bytes

COPIES = 50  # bytes of lines, words and numbers per byte of text, at most
WHOLE = re.compile(rb"[-+]?[0-9]{1,400}")
REAL = re.compile(rb"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")
DIGITS = b"0123456789+-"
SPACES = b" \t\n\r\v\f"  # what stands between words
IS_SPACE = np.isin(np.arange(256), list(SPACES))  # of each byte
PLAIN = DIGITS + SPACES
MOST_DIGITS = 18  # of numbers that surely fit
MARKS = b".eE"  # what reals have besides digits
LARGEST_REAL = LARGEST_FLOAT - 1  # above, floats stand for several whole numbers
FEW = 8  # words of a line that tell a format from others
BLOCK = 1 << 12  # words or lines that are dealt with together
LONGEST = 40  # bytes of a word that an error shows


class Text:
    """The lines of a file, counted from 1 in errors and from 0 here."""

    def __init__(self, content: bytes):
        size = readable_bytes(len(content))
        check_memory(f"to read a text of {size} takes", COPIES * len(content))
        self.lines = content.splitlines()
        self._head: list[list[bytes]] = []
        self._openings: dict[tuple[bytes, ...], list[bytes]] = {}

    def without(self, *comments: bytes) -> "Text":
        """The same text; lines that start with any of these bytes are empty."""
        bare = Text(b"")
        bare.lines = list(self.lines)
        for line in self.starting(*comments):
            bare.lines[line] = b""
        return bare

    def starting(self, *marks: bytes) -> list[int]:
        """The lines that start with any of these bytes, perhaps after spaces."""
        if not marks:
            return []
        first = self._first_letters()
        is_marked = np.isin(first, list(b"".join(marks)))
        for line in np.flatnonzero(IS_SPACE[first] & (first != ord("\n"))).tolist():
            is_marked[line] = self.lines[line].lstrip().startswith(marks)
        found: list[int] = np.flatnonzero(is_marked).tolist()
        return found

    def _first_letters(self) -> np.ndarray:
        """The first byte of each line: a line feed if it is empty."""
        letters = np.frombuffer(b"\n%b\n" % end_to_end(self.lines, b"\n"), np.uint8)
        starts = np.flatnonzero(letters == ord("\n"))[:-1] + 1
        return letters[starts][: len(self.lines)]

    def containing(self, part: bytes) -> list[int]:
        """The lines that have these bytes somewhere."""
        joined = end_to_end(self.lines, b"\n")
        found, line, at = dict[int, None](), 0, 0
        for match in re.finditer(re.escape(part), joined):
            line += joined.count(b"\n", at, match.start())
            found[line], at = None, match.start()
        return list(found)

    @cached_property
    def filled(self) -> "array[int]":
        """The lines that are not empty."""
        first = self._first_letters()
        is_filled = ~IS_SPACE[first]
        for line in np.flatnonzero(~is_filled & (first != ord("\n"))).tolist():
            is_filled[line] = bool(self.lines[line].strip())
        return array("q", np.flatnonzero(is_filled).tobytes())

    def without_blanks(self) -> "Text":
        """The lines that are not empty, one after the other."""
        if len(self.filled) == len(self.lines):
            return self
        bare = Text(b"")
        bare.lines = [self.lines[line] for line in self.filled]
        return bare

    def head(self, count: int) -> list[list[bytes]]:
        """The words of the first lines that are not empty."""
        for line in self.filled[len(self._head) : count]:
            self._head.append(self.lines[line].split())
        return self._head[:count]

    def opening(self, *comments: bytes) -> list[bytes]:
        """A few words of the first line that is neither empty nor a comment."""
        if comments not in self._openings:
            others = filterfalse(methodcaller("startswith", comments), self.lines)
            some = filter(None, map(bytes.lstrip, others))
            found = next((line for line in some if not line.startswith(comments)), b"")
            self._openings[comments] = found.split(None, FEW)[:FEW]
        return self._openings[comments]

    def words(self, first: int = 0, last: int | None = None) -> "Words":
        """All words of the lines from `first` up to, but without, `last`."""
        return Words(self.lines[first:last], first)

    def only(self, chosen: Iterable[int]) -> "Words":
        """The words of the chosen lines."""
        lines = [b""] * len(self.lines)
        for line in chosen:
            lines[line] = self.lines[line]
        return Words(lines, 0)

    def rows(self, columns: int, first: int = 0, last: int | None = None) -> "Words":
        """The same, if every line that is not empty has so many words."""
        lines = self.lines[first:last]
        lengths = np.diff(_words_of(lines)[1])
        is_wrong = (lengths != 0) & (lengths != columns)
        if is_wrong.any():
            wrong = int(np.argmax(is_wrong))
            found, right = counted(int(lengths[wrong]), "word"), columns
            raise Misplaced(first + wrong, f"the line has {found}, not {right}")
        words = Words(lines, first)
        words._count = int(lengths.sum())
        return words


class Words:
    """The words of some lines, one after the other."""

    def __init__(self, lines: Sequence[bytes], first: int, indent: int = 0):
        self.lines = lines
        self.first = first  # the number of the first line in its text
        self.indent = indent  # columns of that line that are left out

    @cached_property
    def every(self) -> list[bytes]:
        """Each word; splitting takes longer than reading numbers."""
        return self._joined.split()

    @cached_property
    def _joined(self) -> bytes:
        return end_to_end(self.lines, b"\n")

    @cached_property
    def _count(self) -> int:
        """How many there are; `Text.rows` knows it without splitting."""
        return len(self.every)

    def __len__(self) -> int:
        return self._count

    def replaced(self, every: list[bytes]) -> "Words":
        """Other words in the same places."""
        same = Words(self.lines, self.first, self.indent)
        same.every = every
        return same

    def among(self, chosen: Set[bytes]) -> np.ndarray:
        """Which words are among the chosen ones: (words,) bool."""
        every = self.every
        return np.fromiter(map(chosen.__contains__, every), np.bool_, len(every))

    @property
    def first_bytes(self) -> np.ndarray:
        """The first byte of each word: (words,) uint8."""
        letters = np.frombuffer(self._joined, np.uint8)
        return letters[_starts(self._joined)]

    def opened_by(self, letters: bytes, kind: re.Pattern[bytes]) -> np.ndarray:
        """Which words are of a kind that begins with any of these letters."""
        found = np.isin(self.first_bytes, list(letters))
        some = np.flatnonzero(found)
        words = [self.every[at] for at in some.tolist()]
        right = set(filter(kind.fullmatch, set(words)))
        found[some] = [word in right for word in words]
        return found

    def line_of(self, at: int) -> int:
        """The line of word `at`; after the last word, the last line."""
        return self._place(at)[0]

    def _place(self, at: int) -> tuple[int, int]:
        """The line of word `at`, and which word of that line it is."""
        before = _words_of(self.lines)[1]
        last = max(0, len(self.lines) - 1)
        line = min(int(np.searchsorted(before, at, side="right")) - 1, last)
        return self.first + line, at - int(before[line])

    def refusal(self, at: int, what: str) -> Misplaced:
        """The error that word `at` is wrong: it and `what` make a sentence."""
        line, before = self._place(at)
        content = self.lines[line - self.first]
        start = int(np.flatnonzero(_starts(content))[before])
        word = content[start:].split(None, 1)[0]
        column = start + 1 + (self.indent if line == self.first else 0)
        return Misplaced(line, f"{shown(word)} at column {column} {what}")

    def numbers(self) -> np.ndarray:
        """All words as whole numbers; as `wholes`, but sooner where all is well."""
        joined = self._joined
        if joined.translate(None, PLAIN) or not _are_plain(joined):
            return self.wholes()
        return np.fromstring(joined, np.int64, sep=" ")

    def wholes(
        self, start: int = 0, stop: int | None = None, step: int = 1
    ) -> np.ndarray:
        """Some of the words as whole numbers: int64."""
        some = self.every[start:stop:step]
        joined = end_to_end(some)
        try:
            if joined.translate(None, DIGITS):
                raise ValueError
            numbers = np.fromiter(map(int, some), np.int64, len(some))
        except (ValueError, OverflowError):
            raise self._worst(some, start, step, WHOLE, "a whole number") from None
        if len(numbers) and max(int(numbers.max()), -int(numbers.min())) > EXACT:
            raise self._worst(some, start, step, WHOLE, "a whole number")
        return numbers

    def reals(
        self, start: int = 0, stop: int | None = None, step: int = 1
    ) -> np.ndarray:
        """Some of the words as numbers: int64 if all are whole, otherwise float64."""
        some = self.every[start:stop:step]
        joined = end_to_end(some)
        if len(joined.translate(None, MARKS)) == len(joined):
            if joined.translate(None, DIGITS):
                raise self._worst(some, start, step, REAL, "a number")
            return self.wholes(start, stop, step)
        try:
            if joined.translate(None, DIGITS + MARKS):
                raise ValueError
            numbers = np.array(list(map(float, some)))
        except ValueError:
            raise self._worst(some, start, step, REAL, "a number") from None
        if not np.abs(numbers).max() <= LARGEST_REAL:
            raise self._worst(some, start, step, REAL, "a number")
        return numbers

    def indices(
        self, n: int, base: int, start: int = 0, stop: int | None = None, step: int = 1
    ) -> np.ndarray:
        """Some of the words as variables, which a file counts from `base` on."""
        numbers = self.wholes(start, stop, step) - base
        outside = (numbers < 0) | (numbers >= n)
        if outside.any():
            at = start + step * int(np.argmax(outside))
            right = f"is not one of the variables {base} to {n - 1 + base}"
            raise self.refusal(at, right)
        return numbers

    def _worst(
        self, some: list[bytes], start: int, step: int, kind: re.Pattern, what: str
    ) -> Misplaced:
        """The error of the first word that is not such a number, or is too large."""
        largest = EXACT if what == "a whole number" else LARGEST_REAL
        blocks = range(0, len(some), BLOCK)
        first = next(e for e in blocks if not _are(some[e : e + BLOCK], kind, largest))
        for e, word in enumerate(some[first : first + BLOCK], first):
            at = start + step * e
            if not kind.fullmatch(word) or not word.translate(None, b"+-"):
                return self.refusal(at, f"is not {what}")
            value = int(word) if WHOLE.fullmatch(word) else float(word)
            if not abs(value) <= largest:
                power = (largest + 1).bit_length() - 1
                return self.refusal(at, f"is too large: numbers end at 2**{power} here")
        raise AssertionError("every word is such a number")


def end_to_end(parts: Sequence[bytes], between: bytes = b"") -> bytes:
    """All parts as one; to join millions at once would take 80 bytes for each."""
    blocks = range(0, len(parts), BLOCK)
    return between.join([between.join(parts[e : e + BLOCK]) for e in blocks])


def _starts(text: bytes) -> np.ndarray:
    """Whether a word starts at each byte of a text: (size,) bool."""
    is_space = IS_SPACE[np.frombuffer(b"\n" + text, np.uint8)]
    found: np.ndarray = is_space[:-1] > is_space[1:]
    return found


def _words_of(lines: Sequence[bytes]) -> tuple[np.ndarray, np.ndarray]:
    """The first byte of each word, and how many words there are before each line.

    The last of these numbers, (lines + 1,), is that of all words.
    """
    joined = end_to_end(lines, b"\n") + b"\n"
    letters = np.frombuffer(joined, np.uint8)
    starts = np.flatnonzero(_starts(joined))
    line_ends = np.flatnonzero(letters == ord("\n"))[: len(lines)]
    return letters[starts], np.append(0, np.searchsorted(starts, line_ends))


def _are(words: list[bytes], kind: re.Pattern, largest: int) -> bool:
    """Whether all words are numbers of this kind, none of them too large."""
    number, letters = (int, DIGITS) if kind is WHOLE else (float, DIGITS + MARKS)
    try:
        is_odd = b"".join(words).translate(None, letters)
        return not is_odd and max(map(abs, map(number, words))) <= largest
    except ValueError:
        return False


def _are_plain(numbers: bytes) -> bool:
    """Whether signs stand before digits, spaces before signs, and no number is long."""
    each = np.frombuffer(b" %b " % numbers, np.uint8)
    is_digit, is_sign = each >= ord("0"), (each == ord("-")) | (each == ord("+"))
    starts = np.flatnonzero(is_digit[1:] > is_digit[:-1])
    ends = np.flatnonzero(is_digit[1:] < is_digit[:-1])
    follows = is_sign[1:] & (is_digit | is_sign)[:-1]
    leads = is_sign[:-1] & ~is_digit[1:]
    is_long = (ends - starts).max(initial=0) > MOST_DIGITS
    return bool(len(starts) and not is_long and not follows.any() and not leads.any())


def shown(word: bytes) -> str:
    """A word for an error message."""
    return brief(word[:LONGEST].decode(errors="backslashreplace"))
