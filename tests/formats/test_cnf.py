"""CNF files: clauses as they lie in the wild, or refused by line."""

import random

import numpy as np
import pytest

import paretoball as pb
from formulas import random_formula, random_solutions, satisfied
from landscape_files import outcome, refused_at


@pytest.fixture
def written(tmp_path):
    """A function that writes a file and returns its path."""

    def write(content, name="a.cnf"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def cnf(n, clauses):
    lines = [" ".join(map(str, [*clause, 0])) for clause in clauses]
    return "\n".join([f"p cnf {n} {len(clauses)}", *lines, ""])


@pytest.mark.parametrize("seed", range(5))
def test_the_objective_is_the_number_of_satisfied_clauses(written, seed):
    rng = random.Random(seed)
    formula = [(1, clause) for _, clause in random_formula(rng, 7, 25)]
    path = written(cnf(7, [clause for _, clause in formula]), "formula.txt")
    landscape = pb.read_landscape(path)
    X = random_solutions(rng, 7, 30)
    assert landscape.evaluate(X)[:, 0].tolist() == [satisfied(formula, x) for x in X]
    assert landscape.sense == ("max",)


PLAIN = "p cnf 4 3\n1 -2 0\n3 0\n-1 2 4 0\n"


@pytest.mark.parametrize(
    "same",
    [
        PLAIN.replace("\n", "\r\n"),
        "\ufeff" + PLAIN,
        PLAIN.rstrip("\n"),
        "c a comment\nc\n\n  c another\n" + PLAIN,
        PLAIN.replace("3 0\n", "c 5 6 0\n3 0\nc non-ASCII: é\n"),
        "p  cnf\t4   3  \n  1   -2\n0 3\n\n0 -1 2\n4 0",
        "p cnf 4 3\n1 -2 0 3 0 -1 2 4 0",
        PLAIN + "%\n0\n\n",
        PLAIN + " %\nwhatever follows",
        PLAIN + "%\n0\n%\n",
        PLAIN.rstrip("0\n") + "-0",
        PLAIN + "c the end",
        PLAIN.replace("3 0", "+3 0"),
    ],
)
def test_spaces_lines_comments_and_trailers_change_nothing(written, same):
    right, found = (pb.read_landscape(written(each)) for each in (PLAIN, same))
    every = np.array(list(np.ndindex(2, 2, 2, 2)))
    assert found.n == 4
    assert found.evaluate(every).tolist() == right.evaluate(every).tolist()


def test_tautologies_empty_clauses_and_unread_variables_are_read(written):
    landscape = pb.read_landscape(written("p cnf 9 4\n1 -1 0\n0\n2 2 0\n-2 0\n"))
    assert landscape.n == 9
    assert landscape.evaluate([0] * 9).tolist() == [2]
    none = pb.read_landscape(written("p cnf 3 0\n"))
    assert none.evaluate([1, 0, 1]).tolist() == [0]


WRONG = [
    ("p cnf 4 3\n1 -2 0\n3 0\n", 1, "says 3 clauses, but the file has 2"),
    ("p cnf 4 1\n1 -2 0\n3 0\n", 1, "says 1 clause, but the file has 2"),
    ("p cnf 4 2\n1 -2 0\n3\n", 3, "'3' at column 1 is the last word, .* end in 0"),
    ("p cnf 4 2\n1 -2 0\n3 -", 3, "'-' at column 3 is not a whole number"),
    ("p cnf 4 2\n1 -2 0\n5 0\n", 3, "'5' at column 1 is no literal .* 1 to 4"),
    ("p cnf 4 2\n1 -2 0\n 1 -5 0", 3, "'-5' at column 4 is no literal"),
    ("p cnf 4 2\n1 -5 0\n7 0\n", 2, "'-5' at column 3 is no literal"),
    ("p cnf 4 1\n1 x 0\n", 2, "'x' at column 3 is not a whole number"),
    ("p cnf 4 1\n1 1_0 0\n", 2, "'1_0' at column 3 is not a whole number"),
    ("p cnf 4 1\n1 ٣ 0\n", 2, "at column 3 is not a whole number"),
    ("p cnf 4 1\n1 2.0 0\n", 2, "'2.0' at column 3 is not a whole number"),
    ("p cnf 4 1\n1 nan 0\n", 2, "'nan' at column 3 is not a whole number"),
    ("p cnf 4 1\n1-2 0\n", 2, "'1-2' at column 1 is not a whole number"),
    ("p cnf 4 1\n1 --2 0\n", 2, "'--2' at column 3 is not a whole number"),
    ("p cnf 4 1\n1 - 2 0\n", 2, "'-' at column 3 is not a whole number"),
    (f"p cnf 4 1\n{10**30} 0\n", 2, "is too large"),
    (f"p cnf 4 1\n{2**62 + 1} 0\n", 2, "is too large"),
    (f"p cnf 4 1\n{'9' * 18} 0\n", 2, "is no literal of the variables 1 to 4"),
    ("p cnf 4 2\n1 0\np cnf 4 2\n2 0\n", 3, "'p' at column 1 is not a whole number"),
    ("p cnf 4\n1 0\n", 1, "the p line has 3 words, but it is 'p cnf n m'"),
    ("p cnf 4 1 7\n1 0\n", 1, "the p line has 5 words"),
    ("p cnf four 1\n1 0\n", 1, "'four' at column 7 is not a whole number"),
    ("p cnf 0 0\n", 1, "the p line says n = 0 and m = 0"),
    ("p cnf -4 1\n1 0\n", 1, "the p line says n = -4"),
    ("p cnf 4 -1\n1 0\n", 1, "the p line says n = 4 and m = -1"),
    ("p cnf 1000000000 1\n1 0\n", 1, "n = 1000000000, but the file has 1 literal"),
    ("1 2 0\n", 1, "the first line begins with '1', not as 'p cnf n m'"),
    ("c only a comment\n", None, "it has no line 'p cnf n m'"),
    ("", None, "it is empty"),
    (b"p cnf 4 1\n\x00\x01 0\n", 2, "here is a zero byte"),
    (
        "p cnf 30 2\n1 0\n" + " ".join(map(str, range(1, 26))) + " 0\n",
        3,
        "a clause reads 25 variables, but a table has at most",
    ),
]


@pytest.mark.parametrize(("content", "line", "text"), WRONG)
def test_what_is_no_cnf_is_refused_by_line(written, content, line, text):
    refused_at(written(content), line, text)


def test_a_file_cut_short_anywhere_is_refused(written):
    whole = cnf(12, [[10, -12], [3], [-11, 2, 4]]).rstrip()
    for length in range(len(whole)):
        assert outcome(written(whole[:length])) is None


def test_many_long_clauses_are_refused_for_their_memory(written):
    clause = " ".join(map(str, range(1, 25))) + " 0\n"
    path = written(f"p cnf 24 10000\n{clause * 10_000}")
    with pytest.raises(MemoryError, match="the tables of 10,000 clauses need"):
        pb.read_landscape(path)


SOLUTIONS = [  # found by enumeration
    "10000100100001101001",
    "10000100000011101001",
    "10010100000011101001",
    "10000100100011101001",
    "10010000010011101001",
    "10010100010011101001",
    "10010001010011101001",
    "01110001111001101111",
]


@pytest.fixture
def satlib(shared_folder):
    path = shared_folder / "data" / "sat" / "uf20-01.cnf"
    if not path.exists():
        pytest.skip(f"{path} does not exist")
    return path


def test_solutions_of_satlib_s_formula_satisfy_all_its_clauses(satlib):
    landscape = pb.read_landscape(satlib)
    assert (landscape.n, landscape.m) == (20, 91)
    X = [[int(bit) for bit in solution] for solution in SOLUTIONS]
    assert landscape.evaluate(X).tolist() == [[91]] * 8
    nearby = np.array(X) ^ np.eye(20, dtype=int)[19]
    assert landscape.evaluate(nearby).max() < 91
    lines = [line.split() for line in satlib.read_text().splitlines()]
    start = lines.index(["p", "cnf", "20", "91"]) + 1
    formula = [(1, [int(word) for word in line[:-1]]) for line in lines[start:][:91]]
    for x in random_solutions(random.Random(1), 20, 50):
        assert landscape.evaluate(x).tolist() == [satisfied(formula, x)]


@pytest.mark.long
def test_no_other_solutions_satisfy_satlib_s_formula(satlib):
    landscape = pb.read_landscape(satlib)
    numbers = np.arange(1 << 20)
    X = (numbers[:, None] >> np.arange(20) & 1).astype(np.uint8)
    best = X[landscape.evaluate(X)[:, 0] == 91]
    assert sorted("".join(map(str, x)) for x in best.tolist()) == sorted(SOLUTIONS)
