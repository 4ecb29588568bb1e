"""Beasley's files of quadratic problems in the OR-Library: maximise x'Qx.

The number of problems, then for each a line `n m` and a line `i j q` per entry of one
triangle, indices from 1 on. Q is symmetric, so entries beside the diagonal count twice.
A file with several problems is refused: they are no objectives of one.
"""

from paretoball.formats.disk import Misplaced
from paretoball.formats.source import Source
from paretoball.formats.text import WHOLE
from paretoball.formats.triplets import Listing, below, quadratic_form
from paretoball.landscape import Landscape

NAME = "beasley"
TITLE = "Beasley's quadratic problems, maximised"
SUFFIXES: tuple[str, ...] = ()


def sniff(source: Source) -> bool:
    """Whether a list follows a line with one whole number."""
    head = source.text.head(3)
    if list(map(len, head)) != [1, 2, 3]:
        return False
    return all(map(WHOLE.fullmatch, [*head[0], *head[1], *head[2][:2]]))


def read(source: Source) -> Landscape:
    """The landscape of a file with one problem."""
    if not source.text.filled:
        raise ValueError("it has no lines of text")
    line = source.text.filled[0]
    words = source.text.words(line, line + 1)
    problems = words.wholes(0, 1)[0]
    if len(words) != 1 or problems != 1:
        found = f"{problems} problems" if len(words) == 1 else f"{len(words)} words"
        right = (
            "a landscape is one problem: give each a file of its own, below a line 1"
        )
        raise Misplaced(line, f"the first line says {found}; {right}")
    problem = Listing(below(source.text, 1))
    return quadratic_form(problem.entries(base=1), "max", twice=True)
