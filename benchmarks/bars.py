"""Bars: results read from CSV, and what a number is worth beside its bar."""

import csv
from pathlib import Path
from typing import NamedTuple

ABSENT = "not measured"

Record = dict[str, str]


class Line(NamedTuple):
    """A bar, and what was measured."""

    what: str
    bar: str
    beyond: str
    measured: str
    verdict: str


class Results:
    """The CSV files of one folder."""

    def __init__(self, folder: Path):
        self.folder = folder

    def rows(self, name: str, **wanted: object) -> list[Record]:
        """The rows of a file in which these columns have these values."""
        path = self.folder / f"{name}.csv"
        if not path.exists():
            return []
        with path.open(newline="") as lines:
            rows = list(csv.DictReader(lines))
        return [
            row
            for row in rows
            if all(row.get(k) == str(v) for k, v in wanted.items())
            and list(row) != list(row.values())  # tables put one after the other
        ]

    def row(self, name: str, **wanted: object) -> Record:
        """The only such row; empty where there is none."""
        return next(iter(self.rows(name, **wanted)), {})


def number(row: Record, column: str) -> float | None:
    """What a column holds, if it is there and not empty."""
    return float(row[column]) if row.get(column) else None


def verdict(value: float | None, bar: float, beyond: float | None = None) -> str:
    """What a value that should be small is worth."""
    if value is None:
        return ABSENT
    if beyond is not None and value <= beyond:
        return "beyond"
    return "met" if value <= bar else "missed"
