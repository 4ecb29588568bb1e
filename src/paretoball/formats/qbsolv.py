"""Qbsolv's files of quadratic problems, `.qubo`: minimise Σ q_ii x_i + Σ q_ij x_i x_j.

`p qubo 0 end diagonals couplers`, then a line `i i q` or `i j q` per entry, indices
from 0 up to, but without, `end`. Variables are the indices that occur, which become
their labels. Each entry counts once, and is there once. Comment lines start with `c`;
what they say, such as an offset or a scale, does not count.
"""

from typing import IO

import numpy as np

from paretoball.formats.disk import Misplaced
from paretoball.formats.quadratic import Written, checked_quadratic
from paretoball.formats.source import Source
from paretoball.formats.text import Text
from paretoball.formats.triplets import (
    Entries,
    check_count,
    labelled_entries,
    quadratic_form,
)
from paretoball.landscape import Landscape

COMMENT = b"c"
NAME = "qubo"
TITLE = "qbsolv's quadratic form, minimised"
SUFFIXES = (".qubo",)


def sniff(source: Source) -> bool:
    """Whether the first line that is no comment starts with `p qubo`."""
    return source.text.opening(COMMENT)[:2] == [b"p", b"qubo"]


def read(source: Source) -> Landscape:
    """The landscape of a quadratic form."""
    text = source.text.without(COMMENT)
    line, end, diagonals, couplers = _header(text)
    entries, labels = labelled_entries(text.rows(3, line + 1), end)
    _check_counts(entries, diagonals, couplers, line)
    return quadratic_form(entries, "min", labels=labels)


def _header(text: Text) -> tuple[int, int, int, int]:
    """The line of the header, and its three numbers."""
    head = text.head(1)
    if not head or len(head[0]) != 6 or head[0][:2] != [b"p", b"qubo"]:
        found = text.filled[0] if head else 0
        raise Misplaced(found, "the header is not `p qubo 0 end diagonals couplers`")
    line = text.filled[0]
    end, diagonals, couplers = text.words(line, line + 1).wholes(3).tolist()
    return line, end, diagonals, couplers


def _check_counts(entries: Entries, diagonals: int, couplers: int, line: int) -> None:
    """Refuse other numbers of entries; diagonals that are 0 count, or do not."""
    is_diagonal = entries.rows == entries.columns
    found = int(is_diagonal.sum())
    if diagonals != np.count_nonzero(entries.values[is_diagonal]):
        check_count("diagonal entries", diagonals, found, line)
    check_count("couplers", couplers, len(is_diagonal) - found, line)


def write(landscape: Landscape, file: IO[bytes]) -> None:
    """Write all diagonal entries, also those that are 0, and the couplers."""
    form = checked_quadratic(landscape, "a .qubo file")
    if form.constant:
        raise ValueError(
            f"its objective has the constant {form.constant}, but a .qubo file has no "
            "place for one: write bqpjson"
        )
    file.writelines(line.encode() + b"\n" for line in _lines(form))


def _lines(form: Written) -> list[str]:
    """The lines of a file."""
    ids, names = form.ids, [f"c {each}" for each in form.told_labels]
    end = max(ids) + 1
    header = f"p qubo 0 {end} {len(ids)} {len(form.couplers)}"
    diagonal = [f"{i} {i} {q!r}" for i, q in zip(ids, form.linear)]
    couplers = [f"{ids[i]} {ids[j]} {q!r}" for i, j, q in form.couplers]
    return [*names, header, *diagonal, *couplers]
