"""Tables: what campaigns write as CSV, whole or not at all, and the numbers in them."""

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from paretoball.formats import atomic_write


def write_table(
    path: Path, columns: Iterable[str], rows: Iterable[Iterable[Any]]
) -> None:
    """Write a CSV file."""
    content = as_csv([columns, *rows])
    atomic_write(path, lambda file: file.write(content))


def as_csv(lines: Iterable[Iterable[Any]]) -> bytes:
    """Lines of a CSV file."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue().encode()


def deviation(values: Sequence[float]) -> float:
    """The standard deviation of a sample; nan for a single value."""
    return float(np.std(values, ddof=1)) if len(values) > 1 else float("nan")
