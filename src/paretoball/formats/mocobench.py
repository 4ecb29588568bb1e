"""What the two formats of mocobench have in common: lines that start with `p`."""

from typing import NamedTuple

from paretoball.formats.disk import Misplaced
from paretoball.formats.nk import MOST_OBJECTIVES
from paretoball.formats.source import Source
from paretoball.formats.text import Text, Words, shown
from paretoball.landscape import Landscape
from paretoball.system import counted

COMMENT = b"c"
UNKNOWN_RHO = b"c rho is not known: the 0 below stands for it\n"


class _Parts(NamedTuple):
    """A file of mocobench, taken apart."""

    text: Text  # without its comments
    header: Words  # the words of the first line
    line: int  # where that line is
    starts: list[int]  # the first line of each part that the header announces


def taken_apart(
    source: Source, kind: bytes, fields: str, titles: list[bytes]
) -> _Parts:
    """The parts of a file whose header is `p kind fields`, each after a `p title`."""
    text = source.checked_text.without(COMMENT)
    lines = text.starting(b"p")
    _check_header(text, [b"p", kind], fields)
    for e, title in enumerate(titles, 1):
        right = f"'p {title.decode()}'"
        if e == len(lines):
            raise Misplaced(text.filled[-1], f"the line {right} does not follow")
        if text.lines[lines[e]].split() != [b"p", title]:
            found = shown(text.lines[lines[e]].strip())
            raise Misplaced(lines[e], f"the line is {found}, not {right}")
    if len(lines) > 1 + len(titles):
        raise Misplaced(lines[1 + len(titles)], "the line starts with p, not a number")
    if len(between := text.words(lines[0] + 1, lines[1])):
        raise between.refusal(0, f"is in place of 'p {titles[0].decode()}'")
    header = text.words(lines[0], lines[0] + 1)
    return _Parts(text, header, lines[0], [line + 1 for line in lines[1:]])


def _check_header(text: Text, start: list[bytes], fields: str) -> None:
    """Refuse a text whose first line does not start so, or has too few words."""
    right = f"'{b' '.join(start).decode()} {fields}'"
    if not text.filled:
        raise ValueError(f"it has comments only, not {right}")
    words = text.head(1)[0]
    if words[:2] != start or len(words) != 2 + len(fields.split()):
        found = shown(b" ".join(words))
        raise Misplaced(text.filled[0], f"the first line is {found}, not {right}")


def check_maximised(landscape: Landscape, kind: str) -> None:
    """Refuse to write objectives that are minimised, or more than can be read."""
    if "min" in landscape.sense:
        i = landscape.sense.index("min")
        raise ValueError(f"{kind} maximises, but objective {i} is minimised")
    if landscape.d > MOST_OBJECTIVES:
        raise ValueError(
            f"there are {landscape.d} objectives, but files have {MOST_OBJECTIVES} "
            "at most"
        )


def rows_of(parts: _Parts, start: int, columns: int, count: int) -> Words:
    """The words of the part that starts at this line, if it is so many rows."""
    later = [line - 1 for line in parts.starts if line > start]
    stop = later[0] if later else len(parts.text.lines)
    words = parts.text.rows(columns, start, stop)
    if len(words) != columns * count:
        found = counted(len(words) // columns, "row")
        title = shown(parts.text.lines[start - 1].strip())
        raise Misplaced(stop - 1, f"after {title} come {found}, not {count:,}")
    return words
