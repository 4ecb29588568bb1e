"""rMNK: the means of its tables, and back."""

import csv
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from fronts_of_files import front_of_quadratic
from nk_files import RMNK, assert_values, bits_of, refused, written
from paretoball import Landscape, mnk, read_landscape, write_landscape


def plain_value(text: str, x: tuple) -> list[float]:
    """f(x) as the format defines it: the mean of N entries."""
    lines = [line for line in text.splitlines() if not line.startswith("c")]
    m, n, K = map(int, lines[0].split()[3:])
    links_at, tables_at = lines.index("p links") + 1, lines.index("p tables") + 1
    total = [Fraction(0)] * m
    for objective in range(m):
        for i in range(n):
            index = 0
            for j in range(K + 1):
                link = lines[links_at + i * (K + 1) + j].split()[objective]
                index += x[int(link)] << j
            row = lines[tables_at + i * 2 ** (K + 1) + index]
            total[objective] += Fraction(row.split()[objective])
    return [float(value / n) for value in total]


def test_objectives_are_means_of_tables(tmp_path):
    landscape = read_landscape(written(tmp_path / "a.dat", RMNK))
    assert (landscape.n, landscape.sense) == (3, ("max", "max"))
    assert_values(landscape, lambda x: plain_value(RMNK, x))


def test_the_mean_of_one_whole_table_is_whole(tmp_path):
    whole = "p rMNK 1 1 1 0\np links\n0\np tables\n-3\n4611686018427387904\n"
    landscape = read_landscape(written(tmp_path / "a", whole))
    assert landscape.evaluate([[0], [1]]).tolist() == [[-3], [2**62]]


DAMAGE = [
    (
        "p rMNK 0.5 2 3 1",
        "p rMNK 0.5 2 3",
        2,
        "first line is 'p rMNK 0.5 2 3', not 'p r",
    ),
    ("p rMNK 0.5 2 3 1", "p RMNK 0.5 2 3 1", 2, "first line is 'p RMNK"),
    ("p rMNK 0.5", "p rMNK NaN", 2, "'NaN' at column 8 is not a number"),
    ("0.5 2 3 1", "0.5 2 1_0 1", 2, "'1_0' at column 14 is not a whole number"),
    ("0.5 2 3 1", "0.5 2 3 3", 2, "K = 3, but it must be from 0 to N - 1 = 2"),
    ("0.5 2 3 1", "0.5 2 3 -1", 2, "K = -1, but"),
    ("0.5 2 3 1", "0.5 2 99 30", 2, "reads 31 variables here, not 0 to 24"),
    ("0.5 2 3 1", "0.5 0 3 1", 2, "there are 0 objectives here, not 1 to 20"),
    ("0.5 2 3 1", "0.5 3 3 1", 4, "the line has 2 words, not 3"),
    ("0.5 2 3 1", "0.5 2 4 1", 9, "after 'p links' come 6 rows, not 8"),
    ("p links", "p linkz", 3, "the line is 'p linkz', not 'p links'"),
    ("p links", "7", 10, "the line is 'p tables', not 'p links'"),
    ("p links", "7\np links", 3, "'7' at column 1 is in place of 'p links'"),
    ("p tables\n", "", 21, "the line 'p tables' does not follow"),
    ("p tables", "p tables\np tables", 11, "starts with p, not a number"),
    (
        "0  0\n1  2",
        "0  3\n1  2",
        4,
        "'3' at column 4 is not one of the variables 0 to 2",
    ),
    ("0  0\n1  2", "0  0\n0  2", 5, "'0' at column 1 is in this mask already"),
    ("0  0\n1  2", "0  0\n1  0", 5, "'0' at column 4 is in this mask already"),
    ("0.4  0.8\n", "", 21, "after 'p tables' come 11 rows, not 12"),
    ("0.4  0.8\n", "0.4  0.8\n1 2\n", 23, "come 13 rows, not 12"),
    ("0.4  0.8", "0.4", 22, "the line has 1 word, not 2"),
    ("0.4  0.8", "0.4  inf", 22, "'inf' at column 6 is not a number"),
    ("0.4  0.8", "0.4  0,8", 22, "'0,8' at column 6 is not a number"),
    ("0.4  0.8", "0.4  1e400", 22, "too large"),
    ("0.4  0.8", "0.4  ٣", 22, "is not a number"),
]


@pytest.mark.parametrize(("old", "new", "line", "text"), DAMAGE)
def test_damage_is_told_by_its_line(tmp_path, old, new, line, text):
    assert old in RMNK
    refused(tmp_path / "bad.rmnk", RMNK.replace(old, new, 1), "rmnk", line, text)


def test_comments_alone_are_refused(tmp_path):
    refused(tmp_path / "bad", "c one\nc two\n", "rmnk", 0, "comments only, not 'p rMNK")


@st.composite
def mnk_like(draw, numbers):
    """A landscape with n subfunctions of k variables for each objective."""
    n = draw(st.integers(1, 5))
    k = draw(st.integers(1, min(n, 3)))
    masks = st.permutations(range(n)).map(lambda order: tuple(order[:k]))
    tables = st.lists(numbers, min_size=2**k, max_size=2**k)
    objective = st.lists(st.tuples(masks, tables), min_size=n, max_size=n)
    return n, draw(st.lists(objective, min_size=1, max_size=3))


WHOLE = st.integers(-(2**45), 2**45)
REAL = st.floats(-1e6, 1e6).filter(lambda value: value == 0 or abs(value) > 1e-200)
DECIMAL = st.integers(-(10**9), 10**9).map(lambda value: value / 10**6)


@settings(max_examples=30)
@given(given=mnk_like(WHOLE) | mnk_like(REAL) | mnk_like(DECIMAL))
def test_what_is_written_is_read_back(tmp_path_factory, given):
    path = tmp_path_factory.getbasetemp() / "trip.rmnk"
    landscape = Landscape.from_subfunctions(*given)
    try:
        write_landscape(landscape, path)
    except ValueError as refusal:
        if "cannot be told from its tables" not in str(refusal):
            raise
        assume(False)
    again = read_landscape(path)
    X = bits_of(np.random.default_rng(0), landscape.n, 32)
    assert_array_equal(again.evaluate(X), landscape.evaluate(X))
    assert (again.n, again.sense) == (landscape.n, landscape.sense)
    assert_array_equal(again.subfunctions.masks, landscape.subfunctions.masks)


def test_each_objective_has_its_own_steps(tmp_path):
    tables = [[0.5, 1.5], [0.001, 0.003], [2, 7], [0.25, 0.75]]
    given = [[((j,), table) for j in range(3)] for table in tables]
    landscape = Landscape.from_subfunctions(3, given)
    assert len(set(landscape.scale.tolist())) == 4
    write_landscape(landscape, tmp_path / "a.rmnk")
    X = bits_of(np.random.default_rng(0), 3, 8)
    again = read_landscape(tmp_path / "a.rmnk")
    assert_array_equal(again.evaluate(X), landscape.evaluate(X))


@pytest.mark.parametrize("q", [100, None])
def test_generated_landscapes_are_read_back(tmp_path, q):
    landscape = mnk(60, 2, d=2, q=q, model="random", rho=0.5, seed=3)
    write_landscape(landscape, tmp_path / "a.dat", format="rmnk")
    again = read_landscape(tmp_path / "a.dat")
    X = bits_of(np.random.default_rng(0), 60, 100)
    assert_array_equal(again.evaluate(X), landscape.evaluate(X))


ONE = ((0,), [0, 1])
REFUSALS = [
    ([[]] * 21, "max", "there are 21 objectives, but files have 20 at most"),
    ([[ONE, ONE]], ["min"], "rMNK maximises, but objective 0 is minimised"),
    (
        [[ONE, ONE], [ONE]],
        ["max", "max"],
        "2 for each objective, but objective 1 has 1 sub",
    ),
    ([[ONE, ONE], []], ["max", "max"], "objective 1 has 0 subfunctions"),
    ([[ONE, ((0, 1), [0, 1, 2, 3])]], ["max"], "here one reads 1 and one 2"),
    ([[((), [3]), ((), [4])]], ["max"], "1 or more, but here one reads 0 and one 0"),
    ([[((0,), [5, 2**52]), ONE]], ["max"], "tables have 2\\*\\*53 steps or more"),
    ([[((0,), [5, -(2**52)]), ONE]], ["max"], "tables have 2\\*\\*53 steps or more"),
    ([[ONE, ONE]] * 2, ["max", "min"], "rMNK maximises, but objective 1 is minimised"),
    ([[((0,), [5, 2**50]), ONE]], ["max"], "objective 0 can reach 2.25e"),
]


@pytest.mark.parametrize(("objectives", "sense", "text"), REFUSALS)
def test_what_does_not_fit_is_refused(tmp_path, objectives, sense, text):
    landscape = Landscape.from_subfunctions(2, objectives, sense)
    with pytest.raises(ValueError, match=text) as refusal:
        write_landscape(landscape, tmp_path / "a.rmnk")
    assert str(refusal.value).startswith(f"{tmp_path / 'a.rmnk'}: ")
    assert not (tmp_path / "a.rmnk").exists()


def test_steps_finer_than_readers_choose_are_refused(tmp_path):
    arrays = [[0], [0, 1], [0], [0, 2], [2.0**-50, 1.0]]
    given = list(map(np.array, arrays))
    finest = Landscape.from_arrays(1, 1, *given, scale=[2.0**50])
    with pytest.raises(ValueError, match=r"steps of 1/1\.1259e\+15, which"):
        write_landscape(finest, tmp_path / "a.rmnk")
    given[-1] = np.array([2.0**-47, 1.0])
    write_landscape(
        Landscape.from_arrays(1, 1, *given, scale=[2.0**50]), tmp_path / "b.rmnk"
    )
    assert read_landscape(tmp_path / "b.rmnk").evaluate([0]).tolist() == [2.0**-47]


def test_a_suffix_of_two_formats_is_asked_back(tmp_path):
    with pytest.raises(
        ValueError, match=r"'rmnk' \(.*'mubqp' \(.*have this suffix: give"
    ):
        write_landscape(mnk(5, 1, d=2, seed=1), tmp_path / "a.dat")


def test_samples_are_read(shared_folder):
    paths = sorted((shared_folder / "data" / "rmnk").glob("*.dat"))
    assert len(paths) == 7
    rng = np.random.default_rng(1)
    for path in paths:
        landscape = read_landscape(path)
        m, n, K = map(int, path.stem.split("_")[2:5])
        assert (landscape.d, landscape.n, landscape.k) == (m, n, K + 1)
        steps = set((landscape.scale / n).tolist())
        assert steps <= {10.0**digits for digits in range(16)}
        x = bits_of(rng, n, 1)[0]
        expected = plain_value(path.read_text(), tuple(x.tolist()))
        assert landscape.evaluate(x).tolist() == expected


@pytest.mark.long
def test_the_front_of_a_sample_is_the_known_one(shared_folder):
    folder = shared_folder / "data" / "rmnk"
    landscape = read_landscape(folder / "rmnk_0_2_25_1_0.dat")
    with open(folder / "rmnk_0_2_25_1_0.front.csv", newline="") as file:
        sums = [[Fraction(word) for word in row] for row in csv.reader(file)]
    known = sorted((float(a / 25), float(b / 25)) for a, b in sums)
    assert len(known) == 64
    assert front_of_quadratic(landscape) == known
