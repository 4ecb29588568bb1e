"""Knapsacks of Zitzler: each has its own capacity, weights and profits.

`knapsack problem specification (2 knapsacks, 250 items)`, then for each knapsack a line
`=`, `knapsack 1:`, `capacity: +6536`, and for each item `item 1:`, `weight: +100` and
`profit: +79`, a line each. Objective i is the profit in knapsack i, maximised, and
constraint i its capacity; an item is in all knapsacks or in none. Capacities may end in
.5, which is rounded down, since weights are whole.
"""

import re

from paretoball.formats.disk import Misplaced
from paretoball.formats.knapsacks import Knapsack, from_knapsacks
from paretoball.formats.source import Source
from paretoball.formats.text import Text, Words, shown
from paretoball.landscape import Landscape

NAME = "knapsack-zitzler"
TITLE = "knapsacks of Zitzler"
SUFFIXES: tuple[str, ...] = ()
FIRST = re.compile(
    rb"knapsack problem specification \(([1-9][0-9]{0,8}) knapsacks?, "
    rb"([1-9][0-9]{0,8}) items?\)"
)
BETWEEN = b"="


def sniff(source: Source) -> bool:
    """Whether its first line says so."""
    return source.text.opening()[:3] == [b"knapsack", b"problem", b"specification"]


def read(source: Source) -> Landscape:
    """The landscape in such a file."""
    text = source.checked_text
    start = text.filled[0]
    header = FIRST.fullmatch(b" ".join(text.lines[start].split()))
    if header is None:
        right = "'knapsack problem specification (2 knapsacks, 250 items)'"
        raise Misplaced(start, f"the first line is not like {right}")
    d, n = int(header[1]), int(header[2])
    lines = [line for line in text.filled[1:] if text.lines[line].strip() != BETWEEN]
    if len(lines) != d * (2 + 3 * n):
        found = f"has {len(lines):,} lines, not d (2 + 3 n) = {d * (2 + 3 * n):,}"
        where = f"below the header of d = {d} knapsacks and n = {n} items"
        raise Misplaced(text.filled[-1], f"the file {found}, {where}")
    return from_knapsacks(
        _numbered(text, lines, n),
        [
            Knapsack(
                first + 1,
                slice(first + 3, first + 2 * (2 * n + 1), 4),
                slice(first + 5, first + 2 * (2 * n + 1), 4),
            )
            for first in range(0, 2 * d * (2 * n + 1), 2 * (2 * n + 1))
        ],
    )


def _numbered(text: Text, lines: list[int], n: int) -> Words:
    """The lines with a title and a number each, if all lines have the right titles."""
    kept = []
    for e, line in enumerate(lines):
        i, place = divmod(e, 2 + 3 * n)
        title = _title(i, place)
        found = text.lines[line].split()
        has_number = title[-1] in (b"capacity:", b"weight:", b"profit:")
        if len(found) != 2 or found[: len(title)] != title:
            right = b" ".join(title).decode() + " and a number" * has_number
            raise Misplaced(line, f"{shown(text.lines[line].strip())} is not {right}")
        if has_number:
            kept.append(line)
    return text.only(kept)


def _title(i: int, place: int) -> list[bytes]:
    """The words that line `place` of knapsack i begins with.

    >>> [_title(0, place) for place in (1, 5)]
    [[b'capacity:'], [b'item', b'2:']]
    """
    if place < 2:
        return [b"capacity:"] if place else [b"knapsack", b"%d:" % (i + 1)]
    item, part = divmod(place - 2, 3)
    return [[b"item", b"%d:" % (item + 1)], [b"weight:"], [b"profit:"]][part]
