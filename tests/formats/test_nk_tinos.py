"""NK landscapes of Tinós."""

import numpy as np
import pytest

from nk_files import TINOS, assert_values, refused, written
from paretoball import read_landscape


def plain_value(text: str, x: tuple) -> list[float]:
    """f(x) as the format defines it: the lowest variable is the lowest bit."""
    lines = [line.split() for line in text.splitlines()]
    n, total = int(lines[1][0]), 0.0
    for i in range(n):
        row = lines[4 + n + i]
        variables = [j for j in range(n) if row[j] == "1"]
        index = sum(x[variable] << j for j, variable in enumerate(variables))
        total += float(lines[3 + i][index])
    return [round(total, 12)]


def test_the_objective_is_the_sum_of_tables(tmp_path):
    landscape = read_landscape(written(tmp_path / "a", TINOS))
    assert (landscape.n, landscape.sense) == (4, ("max",))
    assert_values(landscape, lambda x: plain_value(TINOS, x))


DAMAGE = [
    ("Parameters", "Parameter", 1, "the title 'Parameters' is missing"),
    ("F_el", "F_em", 3, "the title 'F_el' is missing"),
    ("4 1\n", "4 1 1\n", 2, "the line has 3 words, not 2"),
    ("4 1\n", "4 4\n", 2, "K = 4, but it must be from 0 to n - 1 = 3"),
    ("4 1\n", "4 -1\n", 2, "K = -1, but it must be from 0 to n - 1 = 3"),
    ("4 1\n", "3 1\n", 12, "the file has 12 lines, not 2 n . 4 = 10"),
    ("4 1\n", "99 30\n", 2, "reads 31 variables here, not 0 to 24"),
    ("4 1\n", "4 2\n", 4, "the line has 4 words, not 8"),
    ("0.1 0.2", "0.1 nan", 4, "'nan' at column 5 is not a number"),
    ("0.1 0.2", "0.1", 4, "the line has 3 words, not 4"),
    ("M_out", "M out", 8, "'M out' is no title in one word"),
    ("1 1 0 0", "1 1 0", 9, "the line has 3 words, not 4"),
    ("1 1 0 0", "1 2 0 0", 9, "'2' at column 3 is neither 0 nor 1"),
    ("1 1 0 0", "1 1 0 1", 9, "the row has 3 ones, not K . 1 = 2"),
    ("0 1 0 1", "0 1 1 1", 10, "the row has 3 ones, not K . 1 = 2"),
    ("1 0 1 0", "0 0 0 0", 11, "the row has 0 ones, not K . 1 = 2"),
    ("1 0 1 0", "1 0 0 -1", 11, "'-1' at column 7 is neither 0 nor 1"),
    ("1 0 0 1\n", "", 11, "the file has 11 lines, not 2 n . 4 = 12"),
]


@pytest.mark.parametrize(("old", "new", "line", "text"), DAMAGE)
def test_damage_is_told_by_its_line(tmp_path, old, new, line, text):
    assert old in TINOS
    refused(tmp_path / "bad", TINOS.replace(old, new, 1), "nk-tinos", line, text)


def test_a_sample_has_the_values_of_a_plain_reader(shared_folder):
    path = shared_folder / "data" / "nk" / "tinos_NK_1.dat"
    landscape, text = read_landscape(path), path.read_text()
    assert (landscape.n, landscape.k) == (10, 3)
    for x in np.random.default_rng(0).integers(0, 2, (100, 10)).tolist():
        expected = plain_value(text, tuple(x))
        assert landscape.evaluate(x).tolist() == pytest.approx(expected, abs=1e-11)
