"""NK and Mk landscapes of the paper's authors: pairs of a mask and a table."""

import pytest

from nk_files import CHICANO, MALEO, assert_values, refused, written
from paretoball import read_landscape


def plain_value(text: str, x: tuple) -> list[float]:
    """f(x) as the format defines it: the first variable is the highest bit."""
    total = list[float]()
    mask = list[int]()
    for line in text.splitlines():
        words = line.split()
        if words[0] == "p":
            total.append(0)
        elif words[0] == "m":
            mask = [int(word) for word in words[1:]]
        elif words[0] != "c":
            index = 0
            for variable in mask:
                index = 2 * index + x[variable]
            total[-1] += float(words[index])
    return total


@pytest.mark.parametrize("text", [CHICANO, MALEO])
def test_objectives_are_sums_of_tables(tmp_path, text):
    landscape = read_landscape(written(tmp_path / "a", text))
    assert set(landscape.sense) == {"max"}
    assert landscape.d == text.count("p ")
    assert_values(landscape, lambda x: plain_value(text, x))


def test_numbers_without_fractions_are_whole(tmp_path):
    text = CHICANO.replace("2.5", "2.0")
    landscape = read_landscape(written(tmp_path / "a", text))
    assert not landscape.real
    assert_values(landscape, lambda x: plain_value(text, x))


@pytest.mark.parametrize("header", ["p NK 3 1", "p NK 3 1 8", "p NK 3 1 -1 3"])
def test_there_is_a_subfunction_per_variable_unless_said(tmp_path, header):
    pairs = "m 0 1\n1 2 3 4\nm 1 2\n5 6 7 8\nm 2 0\n0 1 5 9\n"
    text = f"{header}\n{pairs}"
    landscape = read_landscape(written(tmp_path / "a", text))
    assert_values(landscape, lambda x: plain_value(text, x))


def test_a_letter_and_a_number_may_touch(tmp_path):
    landscape = read_landscape(written(tmp_path / "a", "p MK 2\nm1\n3 5\n"))
    assert landscape.evaluate([[0, 0], [0, 1]]).tolist() == [[3], [5]]


DAMAGE = [
    (
        "p NK 4 1 8 3",
        "p NK 4 1 8",
        3,
        "after this header come 3 subfunctions, not 4",
    ),
    ("p NK 4 1 8 3", "p NK 4 2 8 3", 3, "K = 2, but a mask has 2 variables"),
    ("p NK 4 1 8 3", "p NK 0 1 8 3", 3, "n = 0, but it must be 1"),
    (
        "p NK 4 1 8 3",
        "p NK 2 1 8 3",
        7,
        "'3' at column 3 is not one of the variables 0",
    ),
    (
        "p NK 4 1 8 3",
        "p NK 4",
        3,
        "the header is 'p NK 4', not 'p NK n K q m' or 'p MK n'",
    ),
    ("p NK 4 1 8 3", "p MK 4 1", 3, "the header is 'p MK 4 1', not"),
    ("p NK 4 1 8 3", "p cnf 4 1", 3, "the header is 'p cnf 4 1', not"),
    ("p NK 4 1 8 3", "p cnf 4", 3, "the header is 'p cnf 4', not"),
    ("p NK 4 1 8 3", "p NK 4 1 8 3 7", 3, "the header is"),
    ("p NK 4 1 8 3", "p NK 1_0 1 8 3", 3, "'1_0' at column 6 is not a whole number"),
    ("p NK 4 1 8 3\n", "", 3, "'m 1 0' does not start with 'p NK' or 'p MK'"),
    ("m 1 0\n", "", 4, "'0.0 1.0 2.0 3.0' does not start with 'm' and a mask"),
    ("m 1 0\n", "m 1 1\n", 4, "'1' at column 5 is in this mask already"),
    ("m 3 1\n", "m 3 3\n", 7, "'3' at column 5 is in this mask already"),
    ("m 1 0\n", "m 1 -1\n", 4, "'-1' at column 5 is not one of the variables 0 to 3"),
    ("m 1 0\n", "m 1 0 2\n", 5, "a table of 4 numbers, but its mask needs 8"),
    ("m 1 0\n", "m" + " 0" * 25 + "\n", 4, "reads 25 variables here, not 0 to 24"),
    ("m 1 0\n", "m 1 x\n", 4, "'x' at column 5 is not a whole number"),
    ("0.0 1.0 2.0 3.0\n", "", 4, "no table follows this mask"),
    ("0.0 1.0", "0.0 NaN", 5, "'NaN' at column 5 is not a number"),
    ("0.0 1.0", "0.0", 5, "a table of 3 numbers, but its mask needs 4"),
    ("6.0 1.0 1.0 2.5\n", "", 9, "no table follows this mask"),
]


@pytest.mark.parametrize(("old", "new", "line", "text"), DAMAGE)
def test_damage_is_told_by_its_line(tmp_path, old, new, line, text):
    assert old in CHICANO
    refused(tmp_path / "bad", CHICANO.replace(old, new, 1), "nk-chicano", line, text)


def test_the_last_of_too_many_objectives_is_told(tmp_path):
    text = "p MK 3\nm 0\n0 1\n"
    assert read_landscape(written(tmp_path / "a", text * 20)).d == 20
    said = "there are 22 objectives here, not 1 to 20"
    refused(tmp_path / "bad", text * 22, "nk-chicano", 64, said)


def test_the_first_variable_that_is_in_a_mask_twice_is_told(tmp_path):
    bad = CHICANO.replace("m 3 1", "m 2 2").replace("m 0 2", "m 1 1")
    said = "'2' at column 5 is in this mask already"
    refused(tmp_path / "bad", bad, "nk-chicano", 7, said)


def test_objectives_have_the_same_variables(tmp_path):
    bad = MALEO[::-1].replace("p MK 3"[::-1], "p MK 4"[::-1], 1)[::-1]
    refused(tmp_path / "bad", bad, "nk-chicano", 9, "n = 4, but it must be 3")


def test_comments_alone_are_refused(tmp_path):
    refused(tmp_path / "bad", "c one\n", "nk-chicano", 0, "no line 'p NK' or 'p MK'")
