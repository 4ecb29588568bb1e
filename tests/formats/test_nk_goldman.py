"""Nearest-neighbour NK landscapes of Goldman."""

import numpy as np
import pytest

from nk_files import GOLDMAN_NK, assert_values, refused, written
from paretoball import mnk, read_landscape, supported_front


def plain_value(text: str, x: tuple) -> list[float]:
    """f(x) as P3 computes it, before it is mapped to 0 to 1."""
    lines = [line.split() for line in text.splitlines()]
    n, total = len(lines[0][1]), 0.0
    K = len(lines[2]).bit_length() - 2
    for i in range(n):
        index = 0
        for neighbour in range(i, i + K + 1):
            index = index << 1 | x[neighbour % n]
        total += float(lines[2 + i][index])
    return [round(total, 12)]


def test_the_objective_is_the_sum_of_tables(tmp_path):
    landscape = read_landscape(written(tmp_path / "a", GOLDMAN_NK))
    assert (landscape.n, landscape.sense) == (4, ("max",))
    assert_values(landscape, lambda x: plain_value(GOLDMAN_NK, x))


def test_the_solutions_in_a_file_are_the_worst_and_the_best(tmp_path):
    adjacent = mnk(12, 2, d=1, q=50, seed=5)
    best, worst = supported_front(adjacent), adjacent.evaluate(np.zeros(12, int))
    tables = adjacent.subfunctions.tables.reshape(12, 2, 2, 2).transpose(0, 3, 2, 1)
    rows = "".join(" ".join(map(str, row)) + "\n" for row in tables.reshape(12, 8))
    bits = "".join(map(str, best.X[0].astype(int)))
    text = f"{worst[0]} {'0' * 12}\n{best.F[0, 0]} {bits}\n{rows}"
    landscape = read_landscape(written(tmp_path / "a", text))
    assert landscape.evaluate(best.X).tolist() == best.F.tolist()
    assert supported_front(landscape).F.tolist() == best.F.tolist()
    assert landscape.evaluate(np.zeros(12, int)).tolist() == worst.tolist()


DAMAGE = [
    ("0.5 0101", "x 0101", 1, "'x' at column 1 is not a number"),
    ("0.5 0101", "0.5", 1, "the line has 1 word, not 2"),
    ("0.5 0101", "0.5 0121", 1, "'0121' at column 5 is not a solution of 4 bits"),
    ("0.5 0101", "0.5 010", 2, "'1100' at column 3 is not a solution of 3 bits"),
    ("9 1100", "9 1100 1", 2, "the line has 3 words, not 2"),
    ("0.1 0.2 0.3", "0.2 0.3", 3, "a row of 3, not of 2, 4, ... up to 2.n numbers"),
    (
        "0.1 0.2 0.3 0.5",
        "1 " * 32,
        3,
        "a row of 32, not of 2, 4, ... up to 2.n numbers",
    ),
    ("0.1 0.2 0.3 0.5", "1", 3, "a row of 1, not of 2, 4"),
    ("1 2 3 5", "1 2 3", 4, "the line has 3 words, not 4"),
    ("1 2 3 5", "1 2 3 1_0", 4, "'1_0' at column 7 is not a number"),
    ("4 3 2 0\n", "", 5, "there are 3 rows of numbers, not n = 4"),
]


@pytest.mark.parametrize(("old", "new", "line", "text"), DAMAGE)
def test_damage_is_told_by_its_line(tmp_path, old, new, line, text):
    assert old in GOLDMAN_NK
    bad = GOLDMAN_NK.replace(old, new, 1)
    refused(tmp_path / "bad", bad, "nk-goldman", line, text)
