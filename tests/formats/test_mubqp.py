"""mUBQP with and without its header: x^T Q x, and back."""

import csv

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from fronts_of_files import front_of_quadratic
from nk_files import BARE, MUBQP, assert_values, bits_of, refused, written
from paretoball import Landscape, read_landscape, write_landscape
from paretoball.formats import mubqp, mubqp_bare
from paretoball.formats.source import Source


def plain_value(rows: list[list[int]], x: tuple) -> list[int]:
    """x^T Q x of each column, as the format defines it."""
    n, total = len(x), [0] * len(rows[0])
    for j in range(n):
        for i in range(n):
            for objective, entry in enumerate(rows[j * n + i]):
                total[objective] += entry * x[i] * x[j]
    return total


@pytest.mark.parametrize("text", [MUBQP, BARE])
def test_objectives_are_full_quadratic_forms(tmp_path, text):
    rows = [[int(word) for word in line.split()] for line in BARE.splitlines()]
    landscape = read_landscape(written(tmp_path / "a.dat", text))
    assert (landscape.n, landscape.sense) == (3, ("max", "max"))
    assert_values(landscape, lambda x: plain_value(rows, x))


DAMAGE = [
    (
        "p MUBQP 0 2 3 0.8",
        "p MUBQP 0 2 3",
        2,
        "'p MUBQP 0 2 3', not 'p MUBQP rho M N den",
    ),
    ("p MUBQP 0 2 3 0.8", "p MUBQP 0 2 3 nan", 2, "'nan' at column 15 is not a number"),
    ("p MUBQP 0 2 3 0.8", "p MUBQP 0 2 3.0 0.8", 2, "'3.0' .* not a whole number"),
    ("p MUBQP 0 2 3 0.8", "p MUBQP 0 2 0 0.8", 2, "N = 0, but it must be at least 1"),
    (
        "p MUBQP 0 2 3 0.8",
        "p MUBQP 0 101 3 0.8",
        2,
        "101 objectives here, not 1 to 20",
    ),
    ("p MUBQP 0 2 3 0.8", "p MUBQP 0 2 4 0.8", 12, "come 9 rows, not 16"),
    ("p matrices", "p matrix", 3, "'p matrix', not 'p matrices'"),
    ("p matrices\n", "", 11, "the line 'p matrices' does not follow"),
    ("5 -1", "5", 4, "the line has 1 word, not 2"),
    ("5 -1", "5 -1.5", 4, "'-1.5' at column 3 is not a whole number"),
    ("5 -1", "5 1_0", 4, "'1_0' at column 3 is not a whole number"),
    ("5 -1", "5 9223372036854775808", 4, "too large"),
    ("4 9\n", "", 11, "come 8 rows, not 9"),
    ("4 9\n", "4 9\n1 1", 13, "come 10 rows, not 9"),
]


@pytest.mark.parametrize(("old", "new", "line", "text"), DAMAGE)
def test_damage_is_told_by_its_line(tmp_path, old, new, line, text):
    assert old in MUBQP
    refused(tmp_path / "bad.dat", MUBQP.replace(old, new, 1), "mubqp", line, text)


@pytest.mark.parametrize(
    ("content", "line", "text"),
    [
        ("1 2\n3 4\n", 2, "there are 2 rows, which is no square number"),
        ("1 2\n3 4\n1 2\n3\n", 4, "the line has 1 word, not 2"),
        ("1 2\n3 4\n1 2\n3 x\n", 4, "'x' at column 3 is not a whole number"),
        ("1 " * 101 + "\n", 1, "there are 101 objectives here, not 1 to 20"),
    ],
)
def test_damage_without_header_is_told_by_its_line(tmp_path, content, line, text):
    refused(tmp_path / "bad.dat", content, "mubqp-bare", line, text)


def test_a_single_objective_without_header_is_read_if_so_asked(tmp_path):
    path = written(tmp_path / "a", "5\n3\n9\n1\n")
    assert read_landscape(path, format="mubqp-bare").evaluate([1, 1]).tolist() == [18]


@pytest.mark.parametrize(
    ("content", "is_recognised"),
    [
        ("5 -3\n1 9\n7 -4\n2 1\n", True),
        ("5 3\n1 9\n7 -4\n2 1\n", False),  # a header of three lines
        ("5 -3\n1 9\n7 -4\n2 1 0\n", False),
        ("5 -3 1\n1 9\n7 -4\n2 1\n", False),
        ("5 -3\n1 9\n7 -4\n2 1.5\n", False),
        ("5.5 -3\n1 9\n7 -4\n2 1\n", False),
        ("5 -3\n1 9\n7 -4\n2 1\n3 8\n", False),  # no square of a number
        ("5 -3\n1 9\n7 -4\n", False),
        ("5 -3\n", False),
        ("5 -3 1 4\n1 9 2 7\n7 -4 3 3\n2 1 5 6\n", False),  # a square matrix
        ("5 -3 1\n1 9 2\n7 -4 3\n2 1 5\n", True),
        ("5 -3 1 4 4\n1 9 2 7 4\n7 -4 3 3 4\n2 1 5 6 4\n", True),
        ("5\n1\n7\n2\n", False),
        ("5 -3 0\n1 9 0\n7 -4 0\n2 1 0\n", False),  # clauses
        ("5 -3 0\n1 9 0\n7 -4 0\n2 1 1\n", True),
        ("1 -3\n2 9\n7 -4\n8 1\n", False),  # sorted
        ("1 -3\n2 9\n2 -4\n8 1\n", False),
        ("8 -3\n7 9\n7 -4\n1 1\n", False),
        ("1 -3\n2 9\n8 -4\n7 1\n", True),
        ("8 -3\n7 9\n1 -4\n2 1\n", True),
        ("5 3 9\n1 9 9\n7 4 9\n2 1 9\n", False),  # edges with weights
        ("5 3 9\n1 1 9\n7 4 9\n2 1 9\n", True),
        ("5 3 9 9 9\n1 9 9 9 9\n7 4 9 9 9\n2 1 9 9 9\n", True),
    ],
)
def test_other_numbers_are_not_taken_for_matrices(content, is_recognised):
    assert mubqp_bare.sniff(Source("a.dat", content.encode())) == is_recognised


EDGES = ["2 4\n1 2\n3 1\n1 4\n", "2 3 -5\n1 2 7\n3 1 0\n0 4 1\n"]


@pytest.mark.parametrize("edges", EDGES)
def test_a_list_of_edges_without_header_is_not_swallowed(tmp_path, edges):
    path = written(tmp_path / "a.dat", edges)
    with pytest.raises(ValueError, match=r"it looks like none of .* give format="):
        read_landscape(path)
    assert read_landscape(path, format="mubqp-bare").n == 2
    loop = written(tmp_path / "loop", edges.replace("1 2", "2 2"))
    negative = written(tmp_path / "negative", edges.replace("1 2", "1 -2"))
    for other in (loop, negative):  # no nodes, or no edge
        assert read_landscape(other).n == 2


def test_matrices_beyond_exact_arithmetic_are_refused(tmp_path):
    text = f"p MUBQP 0 1 2 1\np matrices\n0\n{2**62}\n{2**62}\n0\n"
    refused(tmp_path / "bad", text, "mubqp", 0, "objective 0 can reach")


@st.composite
def quadratic(draw):
    """A landscape without products of three variables, whatever its tables are."""
    n = draw(st.integers(1, 5))
    numbers = st.integers(-(2**50), 2**50)
    masks = st.permutations(range(n)).flatmap(
        lambda order: st.integers(1, min(n, 2)).map(lambda k: tuple(order[:k]))
    )
    pairs = masks.flatmap(
        lambda mask: st.tuples(
            st.just(mask),
            st.lists(numbers, min_size=2 ** len(mask), max_size=2 ** len(mask)),
        )
    )
    objectives = draw(st.lists(st.lists(pairs, max_size=6), min_size=1, max_size=3))
    for objective in objectives:
        objective.append(((), [-sum(table[0] for _, table in objective)]))
    return n, objectives


@settings(max_examples=30)
@given(given=quadratic())
def test_what_is_written_is_read_back(tmp_path_factory, given):
    path = tmp_path_factory.getbasetemp() / "trip.mubqp"
    landscape = Landscape.from_subfunctions(*given)
    write_landscape(landscape, path)
    again = read_landscape(path)
    X = bits_of(np.random.default_rng(0), landscape.n, 32)
    assert_array_equal(again.evaluate(X), landscape.evaluate(X))
    assert (again.n, again.sense) == (landscape.n, landscape.sense)


def test_the_file_says_its_density(tmp_path):
    landscape = Landscape.from_subfunctions(2, [[((0, 1), [0, 0, 0, 5])], []])
    write_landscape(landscape, tmp_path / "a.mubqp")
    lines = (tmp_path / "a.mubqp").read_text().splitlines()
    assert lines[1:] == ["p MUBQP 0 2 2 0.25", "p matrices", "0 0", "0 0", "5 0", "0 0"]


BIG = 2**61
REFUSALS = [
    ([[]] * 21, "max", "there are 21 objectives, but files have 20 at most"),
    ([[((0,), [0, 1])]], "min", "mUBQP maximises, but objective 0 is minimised"),
    ([[], []], ["max", "min"], "mUBQP maximises, but objective 1 is minimised"),
    (
        [[], [((0,), [0, 0.5])]],
        "max",
        "whole numbers, but objective 1 needs 0.5",
    ),
    ([[], [((0,), [3, 5])]], "max", "no constants, but objective 1 has 3"),
    ([[], [((0,), [-2.5, 5.0])]], "max", "constants, but objective 1 has -2.5$"),
    (
        [[((2, 0, 1), [0, 0, 0, 0, 0, 0, 0, 1])]],
        "max",
        "products of 2 variables, but here is one of 3: 0, 1, 2",
    ),
    ([[((0, 1), [0, -BIG, -BIG, BIG])]], "max", "objective 0 adds up to more than 2"),
    ([[], [((0, 1), [0, -BIG, 0, 1])]], "max", "objective 1 adds up to more than 2"),
]


@pytest.mark.parametrize(("objectives", "sense", "text"), REFUSALS)
def test_what_does_not_fit_is_refused(tmp_path, objectives, sense, text):
    landscape = Landscape.from_subfunctions(3, objectives, sense)
    with pytest.raises(ValueError, match=text) as refusal:
        write_landscape(landscape, tmp_path / "a.mubqp")
    assert str(refusal.value).startswith(f"{tmp_path / 'a.mubqp'}: ")
    assert not (tmp_path / "a.mubqp").exists()


@pytest.mark.parametrize("sign", [1, -1])
def test_what_adds_up_to_the_largest_number_comes_back(tmp_path, sign):
    half = sign * 2**61
    given = [((0, 1), [0, 0, 0, half]), ((2,), [0, half])]
    landscape = Landscape.from_subfunctions(3, [[], given])
    write_landscape(landscape, tmp_path / "a.mubqp")
    again = read_landscape(tmp_path / "a.mubqp")
    assert again.evaluate([1, 1, 1]).tolist() == [0, 2 * half]


def test_twenty_objectives_are_the_most(tmp_path):
    given = [[((0,), [0, i])] for i in range(20)]
    path = tmp_path / "a.mubqp"
    write_landscape(Landscape.from_subfunctions(1, given), path)
    assert read_landscape(path).evaluate([1]).tolist() == list(range(20))


def test_a_file_that_would_be_huge_is_not_written(tmp_path, monkeypatch):
    landscape = Landscape.from_subfunctions(20_000, [[((0,), [0, 1])]])
    with pytest.raises(
        ValueError, match=r"here 400,000,000, but at most 33,554,432 are"
    ):
        write_landscape(landscape, tmp_path / "a.mubqp")
    small = Landscape.from_subfunctions(4, [[((0,), [0, 1])]])
    monkeypatch.setattr(mubqp, "MOST_NUMBERS", 15)
    with pytest.raises(ValueError, match="here 16, but at most 15"):
        write_landscape(small, tmp_path / "a.mubqp")
    monkeypatch.setattr(mubqp, "MOST_NUMBERS", 16)
    write_landscape(small, tmp_path / "a.mubqp")
    both = Landscape.from_subfunctions(3, [[((0,), [0, 1])]] * 2)
    with pytest.raises(ValueError, match="here 18, but at most 16"):
        write_landscape(both, tmp_path / "a.mubqp")
    monkeypatch.setattr(mubqp, "MOST_NUMBERS", 18)
    write_landscape(both, tmp_path / "a.mubqp")


def known_front(path) -> list[tuple[float, float]]:
    with open(path, newline="") as file:
        return sorted(tuple(map(float, row)) for row in csv.reader(file))


SIZES = {
    "example_mubqp_m3_n100.dat": (100, 3),
    "mub100.dat": (100, 2),
    "mub20.dat": (20, 2),
    "mub200.dat": (200, 2),
    "mubqp_0_2_25_0.8_0.dat": (25, 2),
}


@pytest.mark.parametrize("name", SIZES)
def test_samples_have_the_values_of_their_matrices(shared_folder, name):
    path = shared_folder / "data" / "mubqp" / name
    landscape = read_landscape(path)
    n, d = SIZES[name]
    assert (landscape.n, landscape.d) == (n, d)
    rows = [line for line in path.read_text().splitlines() if line[:1] not in "cp"]
    Q = np.array([row.split() for row in rows], np.int64).reshape(n, n, d)
    X = bits_of(np.random.default_rng(1), n, 10)
    expected = np.einsum("rj,jid,ri->rd", X, Q, X, optimize=True)
    assert_array_equal(landscape.evaluate(X), expected)


def test_the_front_of_a_bare_sample_is_the_known_one(shared_folder):
    folder = shared_folder / "data" / "mubqp"
    known = known_front(folder / "mub20.front.csv")
    assert len(known) == 17
    assert front_of_quadratic(read_landscape(folder / "mub20.dat")) == known


@pytest.mark.long
def test_the_front_of_a_sample_is_the_known_one(shared_folder):
    folder = shared_folder / "data" / "mubqp"
    known = known_front(folder / "mubqp_0_2_25_0.8_0.front.csv")
    assert len(known) == 30
    landscape = read_landscape(folder / "mubqp_0_2_25_0.8_0.dat")
    assert front_of_quadratic(landscape) == known
