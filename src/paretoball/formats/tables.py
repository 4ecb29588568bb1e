"""Tables: CSV files, written row by row, whole or not at all."""

import csv
import io
import re
from collections.abc import Iterable
from typing import IO, Any

from paretoball.formats.disk import PathLike, atomic_write

FORMULA = re.compile(r"[=@\t\r]|[-+](?![0-9.]+$)")  # how cells begin that are run


def write_table(
    path: PathLike, columns: Iterable[str], rows: Iterable[Iterable[Any]]
) -> None:
    """Write a CSV file; one row at a time is in memory.

    A name that a spreadsheet would take for a formula gets a `'` before it.
    """
    atomic_write(path, lambda file: _write_lines(file, columns, rows))


def as_csv(lines: Iterable[Iterable[Any]]) -> bytes:
    """Lines of a CSV file."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue().encode()


def _write_lines(
    file: IO[bytes], columns: Iterable[str], rows: Iterable[Iterable[Any]]
) -> None:
    """Write the names of the columns, then the rows."""
    text = io.TextIOWrapper(file, "utf-8", newline="", write_through=True)
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([f"'{name}" if FORMULA.match(name) else name for name in columns])
    writer.writerows(rows)
    text.detach()
