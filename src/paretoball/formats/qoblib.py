"""QOBLIB's files of quadratic problems, `.qs`: minimise x'Qx + a constant.

A comment `# ObjectiveOffset k`, a header `n m`, then a line `i j q` per entry of one
triangle, indices from 1 on. Entries beside the diagonal count twice. What other
comments say, such as another n, does not count.
"""

import numpy as np

from paretoball.formats.disk import Misplaced
from paretoball.formats.source import Source
from paretoball.formats.text import Words
from paretoball.formats.triplets import COMMENT, OFFSET, listing, quadratic_form
from paretoball.landscape import Landscape

NAME = "qs"
TITLE = "QOBLIB's quadratic form, minimised"
SUFFIXES = (".qs",)


def sniff(source: Source) -> bool:
    """Whether it is a list with such a comment, or has the suffix."""
    is_marked = OFFSET in source.content or source.suffix in SUFFIXES
    return is_marked and listing(source).looks_right


def read(source: Source) -> Landscape:
    """The landscape of a quadratic form and a constant."""
    entries = listing(source).entries(base=1)
    offset = _offset(source)
    return quadratic_form(entries, "min", twice=True, offset=offset)


def _offset(source: Source) -> float | None:
    """The constant that a comment tells; there may be none."""
    found = None
    for e, line in enumerate(source.text.lines):
        if OFFSET not in line:
            continue
        words = Words([line.replace(COMMENT, b" ", 1)], e)
        if not line.lstrip().startswith(COMMENT) or words.every[:1] != [OFFSET]:
            continue
        if found is not None or len(words) != 2:
            raise Misplaced(e, "one number follows ObjectiveOffset, once in a file")
        value: np.ndarray = words.reals(1)
        found = value.tolist()[0]
    return found
