"""MCNF: WCNF with several objectives, as in BiOptSat, Scuttle and RustSAT.

`h` opens a hard clause; `o1` or `o 1`, and a weight, open a soft clause of the first
objective. Each objective is the weight of its falsified soft clauses.
"""

import re
from typing import IO

import numpy as np

from paretoball.formats.clause_lines import (
    COMMENT,
    HARD,
    MOST_OBJECTIVES,
    Meaning,
    check_before,
    landscape_of,
    looks_like_clauses,
    positive,
    split,
)
from paretoball.formats.disk import Misplaced
from paretoball.formats.soft_clauses import hard_lines, soft_clauses
from paretoball.formats.source import Source
from paretoball.landscape import Landscape

NAME = "mcnf"
TITLE = "MCNF: the weights of falsified clauses, minimised"
SUFFIXES = (".mcnf",)
CLAUSE = re.compile(
    rb"(?:h|(?:o\s*[1-9][0-9]*\s+\+?[1-9][0-9]*))(?:\s+[-+]?[1-9][0-9]*)*+\s+0"
)
OPENING = re.compile(rb"h|o(?:[1-9][0-9]{0,8})?")


def sniff(source: Source) -> bool:
    """Whether the first lines are clauses, each opened by `h` or `o`."""
    return looks_like_clauses(source.text, CLAUSE)


def read(source: Source) -> Landscape:
    """The landscape of a MCNF file."""
    words = source.text.without(COMMENT).words()
    is_mark = words.opened_by(b"ho", OPENING)
    found = split(words, is_mark)
    opened = [words.every[at] for at in found.starts.tolist()]
    is_open = is_mark[found.starts]
    is_hard = np.array([word == b"h" for word in opened], np.bool_)
    is_apart = np.array([word == b"o" for word in opened], np.bool_)
    before = np.where(is_hard | ~is_open, 1, np.where(is_apart, 3, 2))
    check_before(found, before, "objective and weight of 1 or more")
    if not is_open.all():
        right = "opens a clause, but 'h', or 'o' and the number of an objective, must"
        raise words.refusal(int(found.starts[np.argmin(is_open)]), right)
    number = np.array([int(word[1:] or 0) for word in opened], np.int64)
    number[is_apart] = positive(found, found.starts[is_apart] + 1, "an objective")
    weights = np.zeros(len(number), np.int64)
    last = found.starts + before - 1
    weights[~is_hard] = positive(found, last[~is_hard], "a weight")
    if number.max(initial=0) > MOST_OBJECTIVES:
        line = words.line_of(int(found.starts[np.argmax(number)]))
        most = f"but a file has at most {MOST_OBJECTIVES:,}"
        raise Misplaced(line, f"a clause is of objective {number.max()}, {most}")
    meaning = Meaning(before, np.where(is_hard, HARD, number - 1), weights)
    return landscape_of(found, meaning, None, satisfied=False)


def write(landscape: Landscape, file: IO[bytes]) -> None:
    """Write a landscape whose objectives are minimised and never below 0.

    Constraints that are clauses become hard ones.
    """
    file.write("".join(hard_lines(landscape, "MCNF")).encode())
    for i in range(landscape.d):
        lines = soft_clauses(landscape, i, "MCNF")
        file.write("".join(f"o{i + 1} {line}" for line in lines).encode())
