"""CNF: formulas of DIMACS and SATLIB, and how many of their clauses are satisfied.

`p cnf n m`, then clauses. A line that starts with `%` ends the file, as in SATLIB's.
"""

import numpy as np

from paretoball.formats.clause_lines import (
    COMMENT,
    Meaning,
    header_of,
    landscape_of,
    split,
)
from paretoball.formats.source import Source
from paretoball.landscape import Landscape

NAME = "cnf"
TITLE = "CNF: the number of satisfied clauses, maximised"
SUFFIXES = (".cnf",)
END = b"%"


def sniff(source: Source) -> bool:
    """Whether the first line is `p cnf`."""
    return source.text.opening(COMMENT)[:2] == [b"p", b"cnf"]


def read(source: Source) -> Landscape:
    """The landscape of a CNF file."""
    text = source.text.without(COMMENT)
    header = header_of(text, "cnf")
    last = None
    if END in source.content:
        last = next(iter(text.starting(END)), None)
    found = split(text.words(header.line + 1, last))
    m = len(found.starts)
    meaning = Meaning(np.zeros(m, int), np.zeros(m, int), np.ones(m, np.int64))
    return landscape_of(found, meaning, header, satisfied=True)
