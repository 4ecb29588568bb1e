"""Tables: CSV files whose names no spreadsheet takes for formulas."""

import csv
from pathlib import Path

import pytest

from paretoball.formats.tables import as_csv, write_table


def names_in(path: Path) -> list[str]:
    """The names of columns as they are written."""
    with open(path, newline="", encoding="utf-8") as file:
        return next(csv.reader(file))


@pytest.mark.parametrize(
    "name", ["=1+1", "@sum", "\tx", "\rx", "+x", "-x", "-", "+1-1"]
)
def test_a_name_that_would_be_run_gets_a_quote(tmp_path, name):
    write_table(tmp_path / "a.csv", ["f0", name], [])
    assert (tmp_path / "a.csv").read_bytes() == f"f0,'{name}\n".encode()


@pytest.mark.parametrize("name", ["cost", "-1", "+1.5", "-.5", "a=b", 'é, "x"', "'a"])
def test_other_names_stay_as_they_are(tmp_path, name):
    write_table(tmp_path / "a.csv", [name, "f1"], [[1, 2.5], ["=x", None]])
    assert names_in(tmp_path / "a.csv") == [name, "f1"]
    assert (tmp_path / "a.csv").read_bytes().endswith(b"f1\n1,2.5\n=x,\n")


def test_lines_end_in_line_feeds():
    assert as_csv([["a", "b"], [1, 'x"y']]) == b'a,b\n1,"x""y"\n'
    assert as_csv([]) == b""
