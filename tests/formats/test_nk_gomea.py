"""Additively decomposable functions of GOMEA."""

import pytest

from nk_files import GOMEA, assert_values, refused, written
from paretoball import read_landscape, supported_front


def plain_value(text: str, x: tuple) -> list[float]:
    """f(x) as the format defines it: character j of the bits is variable j."""
    total, mask = 0.0, list[int]()
    for line in text.splitlines()[1:]:
        first, *rest = line.split()
        if not first.startswith('"'):
            mask = [int(word) for word in rest]
        elif first == '"' + "".join(str(x[variable]) for variable in mask) + '"':
            total += float(rest[0])
    return [total]


def test_the_objective_is_the_sum_of_entries_in_any_order(tmp_path):
    landscape = read_landscape(written(tmp_path / "a", GOMEA))
    assert (landscape.n, landscape.sense) == (4, ("max",))
    assert_values(landscape, lambda x: plain_value(GOMEA, x))


DAMAGE = [
    ("4 3\n", "4 2\n", 1, "m = 2, but there are 3 subfunctions"),
    ("4 3\n", "4 4\n", 1, "m = 4, but there are 3 subfunctions"),
    ("4 3\n", "4 3 1\n", 1, "the line has 3 words, not 2"),
    ("4 3\n", "0 3\n", 1, "n = 0, but it must be at least 1"),
    ("4 3\n", "3 3\n", 2, "'3' at column 5 is not one of the variables 0 to 2"),
    ("2 0 3", "3 0 3", 2, "the line is not 'k v...', a mask of k variables"),
    ("2 0 3", "2 0 0", 2, "'0' at column 5 is in this mask already"),
    ("3 3 1 0", "3 3 3 3", 10, "'3' at column 5 is in this mask already"),
    ("2 0 3", "2 0 -1", 2, "'-1' at column 5 is not one of the variables"),
    ('"00" 0.5\n', "", 2, "3 entries of this mask's table follow, not 4"),
    ('"01" 0.25', '"01" 0.25 3', 4, "'3' at column 11 is not 2 bits in quotes"),
    ('"01" 0.25', '"0_1" 0.25', 4, "is not 2 bits in quotes"),
    ('"01" 0.25', '"02" 0.25', 4, "is not 2 bits in quotes"),
    ('"01" 0.25', '"011" 0.25', 4, "is not 2 bits in quotes"),
    ('"01" 0.25', "01 0.25", 2, "3 entries of this mask's table follow, not 4"),
    ('"01" 0.25', '"00" 0.25', 4, "is in this table already"),
    ('"01" 0.25\n"10" 0\n', '"00" 1\n"00" 2\n', 4, "is in this table already"),
    ('"01" 0.25', '"01" nan', 4, "'nan' at column 6 is not a number"),
    ('"111" 9\n', "", 10, "7 entries of this mask's table follow, not 8"),
    ('"111" 9\n', '"111" 9 4\n', 18, "'4' at column 9 is one too many"),
    ('"111" 9\n', '"111" 9\n1', 19, "the line is not 'k v...', a mask of k variables"),
]


@pytest.mark.parametrize(("old", "new", "line", "text"), DAMAGE)
def test_damage_is_told_by_its_line(tmp_path, old, new, line, text):
    assert old in GOMEA
    refused(tmp_path / "bad", GOMEA.replace(old, new, 1), "nk-gomea", line, text)


def test_the_optimum_of_a_sample_is_the_known_one(shared_folder):
    folder = shared_folder / "data" / "nk"
    landscape = read_landscape(folder / "gomea_nk_n5s1_L40_1.txt")
    known = float((folder / "gomea_nk_n5s1_L40_1_vtr.txt").read_text())
    assert known == 28.02645
    assert supported_front(landscape).F.tolist() == [[known]]
