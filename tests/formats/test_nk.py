"""Formats of NK landscapes and spin glasses: recognised, read, or refused in a line."""

import numpy as np
import pytest

from nk_files import PAIRS, is_read, refused, written
from paretoball import read_landscape
from paretoball.formats import read_described
from paretoball.formats.disk import Misplaced
from paretoball.formats.nk import checked_arity, checked_objectives
from paretoball.formats.registry import FORMATS
from paretoball.formats.source import Source

EACH = pytest.mark.parametrize(("name", "text"), PAIRS, ids=[name for name, _ in PAIRS])

OTHERS = {
    "edges with a header": "4 3\n1 2 1\n2 3 1\n3 4 -1\n",
    "edges without weights": "4 3\n1 2\n2 3\n3 4\n",
    "edges without a header": "1 2 5\n1 3 -5\n2 3 5\n3 4 1\n",
    "a header like a solution": "-16 10\n" + "1 2 5\n" * 10,
    "spins of toulbar2": "-16 100\n" + "1 2 5\n" * 100,
    "ten edges": "16 10\n" + "1 2 5\n" * 10,
    "edges cut short": "16 110\n" + "1 2 5\n" * 9,
    "spins cut short": "-16 10\n" + "1 2 5\n" * 9,
    "CNF": "c\np cnf 3 2\n1 -2 0\n2 3 0\n",
    "WCNF": "p wcnf 3 2 9\n9 1 -2 0\n2 2 3 0\n",
    "WCNF of 2022": "3 1 2 0\n4 1 3 0\n1 -2 3 0\n2 1 2 0\n",
    "soft clauses of one literal": "3 1 0\n4 -1 0\n1 2 0\n2 -2 0\n",
    "MCNF": "h 1 2 0\no1 3 1 0\no2 4 -1 0\nh 1 0\n",
    "OPB": "min: +1 x1 +2 x2;\n+1 x1 +1 x2 >= 1;\n",
    "qbsolv": "p qubo 0 4 1 1\n0 0 3\n0 1 -5\n",
    "Beasley": "1\n3 2\n1 1 5\n1 2 -4\n",
    "a square matrix": "1 2 3 4\n2 1 0 5\n3 0 1 7\n4 5 7 1\n",
    "points": "1 9\n2 8\n3 5\n4 1\n",
    "numbers, one per line": "5\n3\n9\n1\n",
    "points with fractions": "1.5 9\n1 8\n3 5\n2 1\n",
    "ragged lines": "1 2\n5 2\n3 2\n4\n",
    "three lines": "1 2\n5 2\n3 2\n",
    "knapsack of GOMEA": "2 3\n\n10\n0 1 2\n1 3 4\n2 5 6\n",
    "prose": "Folder containing files\nof several\nkinds\n",
    "one number": "28.026450",
}


NOISE = [
    b"\0\1\2",
    b"x",
    b"0\n0",
    b"9" * 5000,
    b"p",
    b"c only\n",
    b"1 2\n" * 3,
    b'"',
    b"-1 1\n1",
    b"\xff" * 9,
    "٣ ٤\n١ ٢".encode(),
    b"1e999",
    b"{}",
    b"99999999999 1\n1\n1 2 3\n",
]


def recognised(content: bytes) -> list[str]:
    source = Source("file", content)
    return [each.NAME for each in FORMATS if each.sniff(source)]


@EACH
def test_a_format_is_recognised_by_its_content(name, text):
    assert recognised(text.encode()) == [name]
    windows = text.replace("\n", "\r\n").rstrip().encode()
    assert recognised(b"\xef\xbb\xbf" + windows) == [name]
    assert recognised(f"\n\n{text}\n \n".encode()) == [name]


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_other_files_are_not_taken_for_one(text):
    ours = {name for name, _ in PAIRS}
    assert not ours & set(recognised(text.encode()))


LOOKS = {
    "nk-dsmga2": [
        ("3 0 1\n1 2 3 4 5 6\n9\n1 0 2\n", True),
        ("2 2 3\n1 2 3 4 5 6 7 8\n9\n1 0\n", True),
        ("1 1 1\n.5 2 3 4\n", True),
        ("3 0 1\n1 2\n", False),
        ("3 0 1\n1 2 3\n", False),
        ("0 0 1\n1 2 3 4\n", False),
        ("3 0 0\n1 2 3 4\n", False),
        ("3 -1 1\n1 2 3 4\n", False),
        ("3 1 1\n1 2 3 4 5 6\n", False),
        ("3 24 1\n1 2 3 4\n", False),
        ("3 0\n1 2 3 4\n", False),
        ("3 0 1 1\n1 2 3 4\n", False),
        ("3 0 1.0\n1 2 3 4\n", False),
        ("3 0 1\nx 2 3 4\n", False),
        ("3 0 1\n", False),
    ],
    "nk-goldman": [
        (".5 01\n9 11\n1 2 3 5\n", True),
        (".5 010\n9 110\n1 2 3 5 6 7 8 9\n", True),
        (".5 01\n9 11\n1 2\n", False),
        (".5 01\n9 11\n1 2 3 4 5 6\n", False),
        (".5 01\n9 111\n1 2 3 5\n", False),
        ("x 01\n9 11\n1 2 3 5\n", False),
        (".5 01\nx 11\n1 2 3 5\n", False),
        (".5 21\n9 11\n1 2 3 5\n", False),
        (".5 01\n9 12\n1 2 3 5\n", False),
        (".5 01 1\n9 11\n1 2 3 5\n", False),
        (".5 01\n9\n1 2 3 5\n", False),
        (".5 01\n9 11\n", False),
    ],
    "spin-goldman": [
        ("-6 1010\n5\n0 1 -1\n", True),
        ("-6 1010\n0 1 -1\n1 2 1\n", True),
        ("-6.5 1010\n5\n3 0 -1\n", True),
        ("6 1010\n5\n0 1 -1\n", False),
        ("-6 1010\n5\n0 4 -1\n", False),
        ("-6 1010\n5\n4 0 -1\n", False),
        ("-6 1012\n5\n0 1 -1\n", False),
        ("-x 1010\n5\n0 1 -1\n", False),
        ("-6 1010\n5\n0 1\n", False),
        ("-6 1010\n5\n0 1.0 1\n", False),
        ("-6 1010\n5 5\n0 1 1\n", False),
        ("-6 1010 1\n5\n0 1 1\n", False),
        ("-6 1010\n0 1 1\n", False),
        ("-6 11\n" + "0 1 5\n" * 11, False),
        ("-6 11\n" + "0 1 5\n" * 10, True),
        ("-6 11\n11\n" + "0 1 5\n" * 10, True),
    ],
    "spin-dsmga2": [
        ("4\n-1.25\n1 2 -1\n", True),
        ("4.0\n-1\n1 2 1\n", False),
        ("4\nx\n1 2 1\n", False),
        ("4\n-1\n1.0 2 1\n", False),
        ("4\n-1\n1 2.0 1\n", False),
        ("4\n-1\n1 2\n", False),
        ("4 1\n-1\n1 2 1\n", False),
        ("4\n-1 1\n1 2 1\n", False),
    ],
    "nk-gomea": [
        ('4 2\n2 0 1\n"00" 1\n', True),
        ("4 2\n2 0 1\n00 1\n", False),
        ('4 2 1\n2 0 1\n"00" 1\n', False),
        ('4 2.0\n2 0 1\n"00" 1\n', False),
        ('4 2\n2 0 x\n"00" 1\n', False),
        ("4 2\n2 0 1\n", False),
    ],
}


@pytest.mark.parametrize(
    ("name", "text", "looks_right"),
    [(name, *each) for name, some in LOOKS.items() for each in some],
)
def test_the_first_lines_tell_a_format(name, text, looks_right):
    assert (name in recognised(text.encode())) == looks_right


@EACH
def test_line_ends_marks_and_empty_lines_change_nothing(tmp_path, name, text):
    landscape, (title,) = read_described(written(tmp_path / "a", text))
    assert title == next(each.TITLE for each in FORMATS if name == each.NAME)
    X = np.random.default_rng(0).integers(0, 2, (20, landscape.n))
    windows = text.replace("\n", "\r\n").rstrip()
    for content in (windows, "\ufeff" + text, f"\n \n{text}\n\n"):
        again = read_landscape(written(tmp_path / "b", content))
        assert np.array_equal(again.evaluate(X), landscape.evaluate(X))


@EACH
def test_a_file_cut_short_at_a_line_is_refused(tmp_path, name, text):
    lines = text.encode().splitlines(keepends=True)
    may_end = {"mubqp-bare": {1, 4}, "spin-dsmga2": {3, 4, 5}}.get(name, set())
    if text.count("p MK") == 2:
        may_end = {2, 4, 6, 7, 8, 9}
    if name == "spin-goldman" and lines[1] != b"5\n":  # does not say how many follow
        may_end = {2, 3, 4, 5}
    for count in range(1, len(lines)):
        parsed = is_read(tmp_path / "cut", b"".join(lines[:count]), name)
        assert parsed == (count in may_end), count


@EACH
def test_damage_is_read_or_refused_in_one_line(tmp_path, name, text):
    rng = np.random.default_rng(7)
    spoils = [
        b"",
        b" ",
        b"\n",
        b"-",
        b"9",
        b"nan",
        b"1_0",
        b".",
        b"p",
        b"\xc3\xa9",
        b"1e9",
    ]
    content = text.encode()
    refusals = 0
    for trial in range(60):
        at = int(rng.integers(len(content)))
        spoil = spoils[int(rng.integers(len(spoils)))]
        changed = content[:at] + spoil + content[at + int(rng.integers(4)) :]
        refusals += not is_read(tmp_path / "bad", changed, name)
        if trial % 6 == 0:
            is_read(tmp_path / "bad", changed, None)
    assert refusals > 20


@pytest.mark.parametrize("name", dict(PAIRS))
@pytest.mark.parametrize("content", NOISE)
def test_noise_is_refused_even_where_the_format_is_given(tmp_path, name, content):
    assert not is_read(tmp_path / "noise", content, name)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rmnk", "p rMNK 0 2 1000000000 1\np links\np tables\n"),
        ("rmnk", "p rMNK 0 1000000000 10 1\np links\np tables\n"),
        ("rmnk", "p rMNK 0 2 1000000000 999999999\np links\np tables\n"),
        ("mubqp", "p MUBQP 0 2 1000000000 1\np matrices\n1 2\n"),
        ("nk-chicano", "p MK 1000000000\nm 5\n0 1\n"),
        ("nk-chicano", "p NK 1000000000 1000000000\n"),
        ("nk-chicano", "p MK 3\nm 0\n0 1\n" * 1000),
        ("nk-gomea", '1000000000 1\n1 5\n"0" 1\n"1" 2\n'),
        ("nk-tinos", "Parameters\n1000000000 2\nF_el\n1 2\nM_out\n1\n"),
        ("nk-dsmga2", "1000000000 2 1\n1 2 3 4 5 6 7 8\n1\n0 1\n"),
        ("nk-dsmga2", "10 1000000000 1\n1 2 3 4 5 6 7 8\n1\n0 1\n"),
        ("spin-dsmga2", "1000000000\n-1\n1 2 1\n"),
    ],
)
def test_a_small_file_makes_no_huge_landscape(tmp_path, name, text):
    assert not is_read(tmp_path / "lying", text.encode(), name)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("nk-chicano", "p MK 2000000\nm 5\n0 1\n"),
        ("nk-gomea", '2000000 1\n1 5\n"0" 1\n"1" 2\n'),
        ("spin-dsmga2", "2000000\n-1\n1 2 1\n"),
    ],
)
def test_few_variables_are_in_no_mask(tmp_path, name, text):
    refused(
        tmp_path / "lying", text, name, 1, "at most 1,048,576 variables may be in no"
    )


SMALLEST = {
    "cnf": "p cnf 1 1\n1 0\n",
    "nk-dsmga2": "1 0 1\n0 1\n1\n0\n",
    "nk-chicano": "p NK 1 0\nm 0\n0 1\n",
    "nk-gomea": '1 1\n1 0\n"0" 0\n"1" 1\n',
    "nk-goldman": "0 0\n1 1\n0 1\n",
    "nk-tinos": "Parameters\n1 0\nF_el\n0 1\nM\n1\n",
    "rmnk": "p rMNK 0 1 1 0\np links\n0\np tables\n0\n1\n",
    "mubqp": "p MUBQP 0 1 1 1\np matrices\n1\n",
    "mubqp-bare": "1\n",
    "setcover": "1 1\n1\n1 1\n",
    "knapsack-gomea": "1 1\n0\n1 0 1\n",
    "knapsack-voptlib": "1\n1\n1\n1\n0\n0\n",
    "knapsack-zitzler": "knapsack problem specification (1 knapsack, 1 item)\n"
    "=\nknapsack 1:\ncapacity: 0\nitem 1:\nweight: 0\nprofit: 1\n",
    "beasley": "1\n1 1\n1 1 1\n",
    "qplib": "one\nLBN\nmaximize\n1\n1\n0\n0\n",
}


@pytest.mark.parametrize("name", SMALLEST)
def test_there_may_be_one_variable(tmp_path, name):
    path = written(tmp_path / "a", SMALLEST[name])
    landscape = read_landscape(path, format=name)
    assert landscape.evaluate([[0], [1]]).tolist() == [[0], [1]]


def test_a_mask_of_another_size_is_told(tmp_path):
    text = "p NK 2 0\nm 0\n0 1\nm 0 1\n0 1 2 3\n"
    said = "K = 0, but a mask has 2 variables"
    refused(tmp_path / "bad", text, "nk-chicano", 1, said)


@pytest.mark.parametrize(
    ("check", "first", "last"), [(checked_arity, 0, 24), (checked_objectives, 1, 20)]
)
def test_arities_and_objectives_are_from_the_first_to_the_last(check, first, last):
    assert [check(each, 6) for each in (first, last)] == [first, last]
    for each in (-1, first - 1, last + 1):
        with pytest.raises(Misplaced, match=f" {each} .* not {first} to {last}$") as no:
            check(each, 6)
        assert no.value.line == 6
