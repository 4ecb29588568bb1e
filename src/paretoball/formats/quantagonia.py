"""Quantagonia's files of quadratic problems, `.qubo`: x'Qx + a constant.

`MINIMIZE` or `MAXIMIZE`, the number of problems (1), a factor (1), the constant, a
header `n m`, then a line `i j q` per entry of the upper triangle, indices from 0 on.
Entries beside the diagonal count twice. Lines `f i value`, which fix a variable, are
refused.
"""

from paretoball.formats.disk import Misplaced
from paretoball.formats.source import Source
from paretoball.formats.text import Text, shown
from paretoball.formats.triplets import Listing, below, quadratic_form
from paretoball.landscape import Landscape

SENSES = {b"MINIMIZE": "min", b"MAXIMIZE": "max"}
NAME = "quantagonia"
TITLE = "Quantagonia's quadratic form"
SUFFIXES = (".qubo",)


def sniff(source: Source) -> bool:
    """Whether the first line is one of the two words, and a number follows."""
    head = source.text.head(2)
    return list(map(len, head)) == [1, 1] and head[0][0] in SENSES


def read(source: Source) -> Landscape:
    """The landscape of a file with one problem."""
    text = source.text
    head = text.head(4)
    if not head or len(head[0]) != 1 or head[0][0] not in SENSES:
        raise ValueError("its first line is neither MINIMIZE nor MAXIMIZE")
    for place, what in enumerate(("number of problems", "factor"), start=1):
        if _number(text, place, what) != 1:
            line = text.filled[place]
            raise Misplaced(line, f"the {what} is {shown(head[place][0])}, not 1")
    offset = _number(text, 3, "constant")
    _check_free(text)
    entries = Listing(below(text, 4)).entries(base=0)
    return quadratic_form(entries, SENSES[head[0][0]], twice=True, offset=offset)


def _number(text: Text, place: int, what: str) -> float:
    """The only number in a line, which is counted without empty lines."""
    if place >= len(text.filled):
        raise ValueError(f"it is cut short: it has no {what}")
    line = text.filled[place]
    value: float = text.rows(1, line, line + 1).reals().tolist()[0]
    return value


def _check_free(text: Text) -> None:
    """Refuse lines that fix variables."""
    last = text.filled[-1]
    if text.lines[last].split()[0] == b"f":
        raise Misplaced(last, "a variable is fixed: put its value into the problem")
