"""NK landscapes of DSMGA-II: a line of variables that ends."""

import pytest

from nk_files import DSMGA2_NK, assert_values, refused, written
from paretoball import read_landscape, supported_front


def plain_value(text: str, x: tuple) -> list[float]:
    """f(x) as DSMGA-II computes it."""
    words = text.split()
    n, K, step = map(int, words[:3])
    count = (n + step - 1) // step
    after = 3 + count * 2 ** (K + 1)
    order = [int(word) for word in words[after + 1 :]]
    total = 0.0
    for j in range(0, n, step):
        size = min(K + 1, n - j)
        index = 0
        for i in range(size):
            index = 2 * index + x[order[j + i]]
        total += float(words[3 + j // step * 2 ** (K + 1) + index])
    return [total]


@pytest.mark.parametrize(
    "text",
    [
        DSMGA2_NK,
        DSMGA2_NK.replace("9 0.5", "9\n0.5"),
        "2 2 3\n1 2 3 4 5 6 7 8\n9\n1 0",
        "3 0 1\n1 2 3 4 5 6\n9\n1 0 2",
        "4 1 1\n1 2 3 4 0 7 6 5 8 9 1 2 3 5 1 1\n0\n3 2 1 0",
    ],
)
def test_the_objective_is_the_sum_of_tables(tmp_path, text):
    path = written(tmp_path / "a", text)
    landscape = read_landscape(path, format="nk-dsmga2")
    assert landscape.sense == ("max",)
    assert_values(landscape, lambda x: plain_value(text, x))


DAMAGE = [
    ("5 2 2\n", "5 2 0\n", 1, "n = 5, K = 2 and step = 0 make no landscape"),
    ("5 2 2\n", "5 -1 2\n", 1, "n = 5, K = -1 and step = 2 make no landscape"),
    ("5 2 2\n", "0 2 2\n", 1, "n = 0, K = 2 and step = 2 make no landscape"),
    ("5 2 2\n", "5 2.0 2\n", 1, "'2.0' at column 3 is not a whole number"),
    ("5 2 2\n", "5 30 2\n", 1, "reads 31 variables here, not 0 to 24"),
    ("5 2 2\n", "6 2 2\n", 4, "has 33 numbers, but n = 6, K = 2 and step = 2 need 34"),
    ("1 2 3 4", "1 2 3", 4, "has 32 numbers, but n = 5, K = 2 and step = 2 need 33"),
    ("1 2 3 4", "1 2 3 inf", 2, "'inf' at column 7 is not a number"),
    ("100.25", "best", 3, "'best' at column 1 is not a number"),
    ("3 0 4", "3 0 5", 4, "'5' at column 5 is not one of the variables 0 to 4"),
    ("3 0 4", "3 0 3", 4, "'3' at column 1 is in the permutation twice"),
]


@pytest.mark.parametrize(("old", "new", "line", "text"), DAMAGE)
def test_damage_is_told_by_its_line(tmp_path, old, new, line, text):
    assert old in DSMGA2_NK
    bad = DSMGA2_NK.replace(old, new, 1)
    refused(tmp_path / "bad", bad, "nk-dsmga2", line, text)


def test_the_optimum_in_a_sample_is_that_of_the_landscape(shared_folder):
    path = shared_folder / "data" / "nk" / "dsmga2_pnk100_4_1_0"
    known = float(path.read_text().splitlines()[2])
    assert known == 75.706257857
    assert supported_front(read_landscape(path)).F.tolist() == [[known]]
