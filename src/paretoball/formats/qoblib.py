"""QOBLIB's files of quadratic problems, `.qs`: minimise x'Qx + a constant.

A comment `# ObjectiveOffset k`, a header `n m`, then a line `i j q` per entry of one
triangle, indices from 1 on. Entries beside the diagonal count twice. What other
comments say, such as another n, does not count.
"""

from paretoball.formats.disk import Misplaced
from paretoball.formats.source import Source
from paretoball.formats.triplets import (
    COMMENT,
    listing,
    offset_lines,
    quadratic_form,
    tells_offset,
)
from paretoball.landscape import Landscape

NAME = "qs"
TITLE = "QOBLIB's quadratic form, minimised"
SUFFIXES = (".qs",)


def sniff(source: Source) -> bool:
    """Whether it is a list with such a comment, or has the suffix."""
    is_marked = tells_offset(source) or source.suffix in SUFFIXES
    return is_marked and listing(source).looks_right


def read(source: Source) -> Landscape:
    """The landscape of a quadratic form and a constant."""
    entries = listing(source).entries(base=1)
    offset = _offset(source)
    return quadratic_form(entries, "min", twice=True, offset=offset)


def _offset(source: Source) -> float | None:
    """The constant that a comment tells; there may be none."""
    lines = offset_lines(source)
    if not lines:
        return None
    words = source.text.words(lines[-1], lines[-1] + 1)
    start = 2 if words.every[0] == COMMENT else 1  # there may be no space
    values: list[float] = words.reals(start).tolist()
    if len(lines) > 1 or len(values) != 1:
        what = "one number follows ObjectiveOffset, once in a file"
        raise Misplaced(lines[-1], what)
    return values[0]
