"""WCNF: soft clauses with weights; the objective is the weight of the falsified ones.

Old files have a line `p wcnf n m [top]`, then a weight before each clause; a clause of
weight `top` or more is hard. Files since 2022 have no such line, and `h` in place of
the weight of a hard clause.
"""

import re
from typing import IO

import numpy as np

from paretoball.formats.clause_lines import (
    COMMENT,
    HARD,
    Header,
    Meaning,
    check_before,
    header_of,
    landscape_of,
    looks_like_clauses,
    opening,
    positive,
    split,
)
from paretoball.formats.soft_clauses import hard_lines, soft_clauses
from paretoball.formats.source import Source
from paretoball.formats.text import WHOLE, Words
from paretoball.landscape import EXACT, Landscape

NAME = "wcnf"
TITLE = "WCNF: the weight of falsified clauses, minimised"
SUFFIXES = (".wcnf",)
CLAUSE = re.compile(rb"(?:h|\+?[1-9][0-9]*)(?:\s+[-+]?[1-9][0-9]*)*+\s+0")


def sniff(source: Source) -> bool:
    """Whether it has a p line, or its lines are clauses, some hard or with a minus.

    With the suffix, any clauses will do: `5 0` may also be the header of a graph.
    """
    if source.text.opening(COMMENT)[:2] == [b"p", b"wcnf"]:
        return True
    return looks_like_clauses(source.text, CLAUSE, source.suffix in SUFFIXES)


def read(source: Source) -> Landscape:
    """The landscape of a WCNF file."""
    text = source.text.without(COMMENT)
    line = opening(text)
    header = None
    if line is not None and text.lines[line].split()[0] == b"p":
        header = header_of(text, "wcnf")
    words = text.words(0 if header is None else header.line + 1)
    is_mark = _hard_marks(words, header)
    found = split(words, is_mark)
    before = np.ones(len(found.starts), np.int64)
    check_before(found, before, "weight of 1 or more")
    is_hard = is_mark[found.starts]
    if header is not None and header.top is not None and header.top <= EXACT:
        is_hard |= found.numbers[found.starts] >= header.top
    positive(found, found.starts, "a weight")
    objective = np.where(is_hard, HARD, 0)
    meaning = Meaning(before, objective, found.numbers[found.starts])
    return landscape_of(found, meaning, header, satisfied=False)


def _hard_marks(words: Words, header: Header | None) -> np.ndarray:
    """Which words are `h`, or weights of hard clauses that are beyond 62 bits."""
    if header is None:
        return words.among({b"h"})
    top = header.top
    if top is None or top <= EXACT:
        return words.among(set())
    digits = len(str(EXACT))
    large = {word for word in set(words.every) if len(word) >= digits}
    return words.among({w for w in large if WHOLE.fullmatch(w) and int(w) >= top})


def write(landscape: Landscape, file: IO[bytes]) -> None:
    """Write a landscape with one objective, in the form since 2022."""
    if landscape.d > 1:
        raise ValueError(
            f"WCNF has one objective, but the landscape has {landscape.d}: "
            "MCNF has several"
        )
    lines = hard_lines(landscape, "WCNF") + soft_clauses(landscape, 0, "WCNF")
    file.write("".join(lines).encode())
