"""Clauses in files: literals up to a 0, and words before them that say what they are.

A clause may lie over several lines, and several may share one. Lines that start with
`c` are comments.
"""

import re
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from paretoball.formats.disk import Misplaced
from paretoball.formats.native import MOST_UNREAD
from paretoball.formats.text import WHOLE, Text, Words, shown
from paretoball.landscape import Landscape, Terms
from paretoball.numerics import offsets
from paretoball.problems import (
    Clauses,
    EmptyClause,
    LongClause,
    Row,
    clause_rows,
    clause_terms,
)
from paretoball.system import counted

COMMENT = b"c"
HARD = -1  # in place of an objective
SEEN = 100_000  # lines in which a format is recognised, most of them comments
LOOKED_AT = 1000  # lines that tell clauses from other numbers
MOST_OBJECTIVES = 1000  # in a file; a small one must not need much memory


class Header(NamedTuple):
    """What the p line of a file says."""

    line: int  # counted from 0
    n: int
    m: int
    top: int | None  # clauses of at least this weight are hard


class _Split(NamedTuple):
    """The words of a file, and where its m clauses begin and end."""

    words: Words
    numbers: np.ndarray  # int64: each word; 1 for one that is no number
    starts: np.ndarray  # (m,) int64: the first word of each clause
    ends: np.ndarray  # (m,) int64: its 0


class Meaning(NamedTuple):
    """What the words before the literals of each clause say."""

    before: np.ndarray  # (m,) int64: how many there are
    objective: np.ndarray  # (m,) int64: from 0 on, or HARD
    weights: np.ndarray  # (m,) int64


def opening(text: Text) -> int | None:
    """The first line of a text without comments that is not empty, if there is one."""
    return text.filled[0] if text.filled else None


def looks_like_clauses(
    text: Text, clause: re.Pattern[bytes], is_sure: bool = False
) -> bool:
    """Whether the first lines are clauses, some of them with a letter or a minus.

    Without either, they may as well be rows of a matrix, or edges, unless something
    else, such as the suffix, `is_sure`.
    """
    looked_at = 0
    for line in text.lines[:SEEN]:
        bare = line.strip()
        if not bare or bare.startswith(COMMENT):
            continue
        if not clause.fullmatch(bare):
            return False
        is_sure = is_sure or bare[:1].isalpha() or b"-" in bare
        looked_at += not bare.startswith(b"h")  # which all of these formats have
        if looked_at == LOOKED_AT:
            break
    return is_sure


def header_of(text: Text, kind: str) -> Header:
    """The p line, `p cnf n m` or `p wcnf n m [top]`."""
    line = opening(text)
    right = "'p cnf n m'" if kind == "cnf" else "'p wcnf n m [top]'"
    if line is None:
        raise ValueError(f"it has no line {right}")
    words = text.words(line, line + 1)
    if words.every[:2] != [b"p", kind.encode()]:
        first = shown(words.every[0])
        raise Misplaced(line, f"the first line begins with {first}, not as {right}")
    if not 4 <= len(words) <= (4 if kind == "cnf" else 5):
        found = counted(len(words), "word")
        raise Misplaced(line, f"the p line has {found}, but it is {right}")
    n, m = words.wholes(2, 4).tolist()
    if n < 1 or m < 0:
        raise Misplaced(line, f"the p line says n = {n} and m = {m}")
    top = None
    if len(words) == 5:
        if not WHOLE.fullmatch(words.every[4]):
            raise words.refusal(4, "is not a whole number")
        top = int(words.every[4])
    return Header(line, n, m, top)


def split(words: Words, is_mark: np.ndarray | None = None) -> _Split:
    """The clauses of a file; words that are marks are no numbers, but open a clause."""
    if is_mark is not None and not is_mark.any():
        is_mark = None
    if is_mark is not None and words.every[-1].lstrip(b"+-0"):
        raise _unfinished(words, len(words))
    numbers = words.numbers() if is_mark is None else _with_ones(words, is_mark)
    if len(numbers) == 0:
        none = np.zeros(0, np.int64)
        return _Split(words, numbers, none, none)
    ends = np.flatnonzero(numbers == 0)
    if len(ends) == 0 or ends[-1] != len(numbers) - 1:
        raise _unfinished(words, len(numbers))
    starts = np.append(0, ends[:-1] + 1)
    if is_mark is not None:
        inside = is_mark.copy()
        inside[starts] = False
        if inside.any():
            what = "stands inside a clause: the one before must end in 0"
            raise words.refusal(int(np.argmax(inside)), what)
    return _Split(words, numbers, starts, ends)


def _unfinished(words: Words, count: int) -> Misplaced:
    """The error of a file of so many words that ends inside a clause."""
    what = "is the last word, but the last clause must end in 0"
    return words.refusal(count - 1, what)


def _with_ones(words: Words, is_mark: np.ndarray) -> np.ndarray:
    """The words as numbers, with a 1 in place of each mark."""
    every = list(words.every)
    for at in np.flatnonzero(is_mark).tolist():
        every[at] = b"1"
    return words.replaced(every).wholes()


def positive(found: _Split, places: np.ndarray, what: str) -> np.ndarray:
    """The numbers before the literals of some clauses, if they are 1 or more."""
    values = found.numbers[places]
    if (values < 1).any():
        at = int(places[np.argmax(values < 1)])
        raise found.words.refusal(at, f"is not {what} of 1 or more")
    return values


def check_before(found: _Split, before: np.ndarray, what: str) -> None:
    """Refuse a clause whose 0 comes before its literals may."""
    is_short = found.starts + before > found.ends
    if is_short.any():
        at = int(found.ends[np.argmax(is_short)])
        raise found.words.refusal(at, f"ends a clause that has no {what}")


def landscape_of(
    found: _Split, meaning: Meaning, header: Header | None, satisfied: bool
) -> Landscape:
    """The landscape of a file that has been split; hard clauses are its constraints.

    With `satisfied`, the weight of satisfied clauses is maximised; otherwise that of
    falsified ones is minimised.
    """
    literals, at = _literals(found, meaning.before, header)
    if header is not None and header.m != len(found.starts):
        says, has = counted(header.m, "clause"), len(found.starts)
        raise Misplaced(header.line, f"the p line says {says}, but the file has {has}")
    n = header.n if header is not None else int(np.abs(literals).max(initial=0))
    order = np.argsort(meaning.objective, kind="stable")
    lengths = np.diff(at)
    by_objective = np.argsort(np.repeat(meaning.objective, lengths), kind="stable")
    literals, at = literals[by_objective], offsets(lengths[order])
    weights, objective = meaning.weights[order], meaning.objective[order]
    d = max(1, int(objective[-1]) + 1 if len(objective) else 1)
    bounds = np.searchsorted(objective, np.arange(HARD, d + 1)).tolist()
    hard, *soft = (
        Clauses(
            literals[at[first] : at[last]],
            at[first : last + 1] - at[first],
            weights[first:last],
        )
        for first, last in pairwise(bounds)
    )
    rows = _rows(found, hard, order)
    if n == 0:
        raise ValueError("it has no literals")
    objectives = [
        _terms(found, own, order[first:], satisfied)
        for own, first in zip(soft, bounds[1:])
    ]
    sense = "max" if satisfied else "min"
    return Landscape.from_terms(n, objectives, sense, constraints=rows)


def _rows(found: _Split, hard: Clauses, order: np.ndarray) -> list[Row]:
    """Hard clauses as constraints; `order[c]` is the place of clause c in the file."""
    try:
        return clause_rows(hard)
    except EmptyClause as error:
        line = found.words.line_of(int(found.starts[order[error.clause]]))
        raise Misplaced(line, f"a hard clause {error}") from None


def _terms(
    found: _Split, soft: Clauses, order: np.ndarray, satisfied: bool
) -> list[Terms]:
    """The soft clauses of one objective."""
    try:
        return clause_terms(soft, satisfied)
    except LongClause as error:
        line = found.words.line_of(int(found.starts[order[error.clause]]))
        raise Misplaced(line, f"a clause {error}") from None


def _literals(
    found: _Split, before: np.ndarray, header: Header | None
) -> tuple[np.ndarray, np.ndarray]:
    """All literals, and where those of each clause start."""
    keep = np.ones(len(found.numbers), np.bool_)
    keep[found.ends] = False
    for e in range(int(before.max(initial=0))):
        keep[found.starts[before > e] + e] = False
    places = np.flatnonzero(keep)
    literals = found.numbers[places]
    sizes = np.abs(literals)
    largest = int(sizes.max(initial=0))
    n = largest if header is None else header.n
    if header is not None:
        check_named(n, len(literals), header.line)
    elif largest:
        at = int(places[np.argmax(sizes)])
        check_named(n, len(literals), found.words.line_of(at))
    if largest > n:
        at = int(places[np.argmax(sizes > n)])
        raise found.words.refusal(at, f"is no literal of the variables 1 to {n}")
    return literals, offsets(found.ends - found.starts - before)


def check_named(n: int, literals: int, line: int) -> None:
    """Refuse an n, told in this line, that is far above the number of literals."""
    if n > literals + MOST_UNREAD:
        raise Misplaced(
            line,
            f"n = {n}, but the file has {counted(literals, 'literal')}: "
            f"at most {MOST_UNREAD:,} variables may be in none of them",
        )
