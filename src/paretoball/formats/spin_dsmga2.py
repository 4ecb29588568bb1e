"""Spin glasses of DSMGA-II, which BinaryGOMEA reads, too.

`n`, the lowest energy divided by n, then a line `i j J` for each coupling, with spins
from 1 on. The objective is the energy -sum J_ij s_i s_j, minimised, with s = 2x - 1:
so its minimum is n times the number in the file. These programs maximise the sum
itself, divided by n.
"""

from paretoball.formats.disk import Misplaced
from paretoball.formats.source import Source
from paretoball.formats.spin import spin_glass
from paretoball.formats.text import REAL, WHOLE
from paretoball.landscape import Landscape

NAME = "spin-dsmga2"
TITLE = "spin glass of DSMGA-II"
SUFFIXES: tuple[str, ...] = ()


def sniff(source: Source) -> bool:
    """Whether two numbers have a line each, before lines of three."""
    head = source.text.head(3)
    return (
        [len(words) for words in head] == [1, 1, 3]
        and bool(WHOLE.fullmatch(head[0][0]))
        and bool(REAL.fullmatch(head[1][0]))
        and all(WHOLE.fullmatch(word) for word in head[2][:2])
    )


def read(source: Source) -> Landscape:
    """The landscape in such a file."""
    text = source.checked_text
    if len(text.filled) < 2:
        raise Misplaced(text.filled[-1], "the energy and the couplings are missing")
    first, second = text.filled[:2]
    n = int(text.rows(1, first, first + 1).wholes()[0])
    if n < 1:
        raise Misplaced(first, f"n = {n}, but it must be at least 1")
    text.rows(1, second, second + 1).reals()
    return spin_glass(n, first, text.rows(3, second + 1), base=1)
