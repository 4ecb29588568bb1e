"""WCNF files, old and new: weights of falsified clauses, exactly written and read."""

import random
from decimal import Decimal

import numpy as np
import pytest

import paretoball as pb
from formulas import falsified, random_formula, random_solutions
from landscape_files import refused_at
from paretoball.formats import wcnf
from paretoball.formats.source import Source


@pytest.fixture
def written(tmp_path):
    """A function that writes a file and returns its path."""

    def write(content, name="a.wcnf"):
        path = tmp_path / name
        path.write_text(content)
        return path

    return write


def lines_of(formula):
    return "".join(
        " ".join(map(str, [weight, *clause, 0])) + "\n" for weight, clause in formula
    )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("head", ["p wcnf 7 25\n", "p wcnf 7 25 1000\n", ""])
def test_the_objective_is_the_weight_of_falsified_clauses(written, seed, head):
    rng = random.Random(seed)
    formula = random_formula(rng, 7, 25)
    formula[0] = (3, [-7, 2])
    landscape = pb.read_landscape(written(head + lines_of(formula), "formula.txt"))
    X = random_solutions(rng, 7, 30)
    assert landscape.evaluate(X)[:, 0].tolist() == [falsified(formula, x) for x in X]
    assert landscape.sense == ("min",)


def test_comments_and_lines_may_be_anywhere(written):
    text = "c x\n5 1\n -2 c? no\n"
    refused_at(written(text), 3, "'c[?]' at column 5 is not a whole number")
    landscape = pb.read_landscape(written("5 1\nc 7 1 0\n -2 0 3 2\n0\n"))
    assert landscape.evaluate([[0, 1], [0, 0]]).tolist() == [[5], [3]]


WRONG = [
    # content, line, what the refusal says
    ("3 -1 0\nc\nh 0\n", 3, "a hard clause has no literals, so no solution"),
    ("p wcnf 2 3 9\n3 -1 0\n9 1 0 9 0\n", 3, "a hard clause has no literals"),
    ("h 1 0\n3 x 0\n", 2, "'x' at column 3 is not a whole number"),
    ("h 1 0\n3 1\n", 2, "'1' at column 3 is the last word"),
    ("h 1\nh 2 0\n", 2, "'h' at column 1 stands inside a clause"),
    (f"p wcnf 2 1 {2**64}\n3 {2**64} 0\n", 2, "stands inside a clause"),
    (f"p wcnf 2 1\n{2**64} 1 0\n", 2, "is too large"),
    ("p wcnf 2 1 9 9\n3 -1 0\n", 1, "the p line has 6 words"),
    ("p wcnf 2 1 x\n3 -1 0\n", 1, "'x' at column 12 is not a whole number"),
    ("p wcnf 2 2 9\n3 -1 0\n", 1, "says 2 clauses, but the file has 1"),
    ("p wcnf 2 1 9\n3 -5 0\n", 2, "'-5' at column 3 is no literal"),
    ("p wcnf 2 1 9\nh -1 0\n", 2, "'h' at column 1 is not a whole number"),
    ("p wcnf 2 2 9\n0 1 0\n1 2 0\n", 2, "'0' at column 1 ends a clause that has no w"),
    ("-3 1 0\n", 1, "'-3' at column 1 is not a weight of 1 or more"),
    ("3 1 0\n2.5 1 0\n", 2, "'2.5' at column 1 is not a whole number"),
    ("3 1 0\n2 1000000000 0\n", 2, "n = 1000000000, but the file has 2 literals"),
    ("3 0\n", None, "it has no literals"),
    ("c nothing\n", None, "it has no literals"),
    ("p cnf 2 1\n1 0\n", 1, "the first line begins with 'p', not as 'p wcnf"),
    (
        "3 " + " ".join(map(str, range(1, 26))) + " 0\n",
        1,
        "a clause reads 25 variables",
    ),
]


@pytest.mark.parametrize(("content", "line", "text"), WRONG)
def test_what_is_no_wcnf_is_refused_by_line(written, content, line, text):
    refused_at(written(content), line, text, format="wcnf")


@pytest.mark.parametrize(
    ("content", "is_recognised"),
    [
        ("p wcnf 2 1\n1 2 0\n", True),
        ("c x\np wcnf 2 1\n", True),
        ("h 1 2 0\n", True),
        ("3 1 -2 0\n4 1 0\n", True),
        ("3 1 2 0\n4 1 0\n", False),
        ("3 2\n1 2 0\n2 3 0\n", False),
        ("0 1 0\n-1 0 0\n", False),
        ("3 -1 0\n4 -1 0 1 0\n", False),
        ("3 -1 0\n4 -1\n", False),
        ("1.5 -1 0\n", False),
    ],
)
def test_other_numbers_are_not_taken_for_clauses(content, is_recognised):
    assert wcnf.sniff(Source("a.dat", content.encode())) == is_recognised


@pytest.mark.parametrize("content", ["3 1 2 0\n4 1 0\n", "5 0\n", "1 2 0\n2 3 0\n"])
def test_with_the_suffix_any_clauses_will_do(content):
    for name, is_recognised in (("a.wcnf", True), ("A.WCNF.gz", True), ("a", False)):
        assert wcnf.sniff(Source(name, content.encode())) == is_recognised


def test_the_suffix_tells_clauses_from_edges(written):
    landscape = pb.read_landscape(written("5 0\n3 1 2 0\n"))
    assert landscape.evaluate([[0, 0], [1, 0]]).tolist() == [[8], [5]]


def test_pysat_reads_what_is_written_and_we_read_what_it_writes(tmp_path):
    formula = pytest.importorskip("pysat.formula")
    rng = random.Random(3)
    given = [each for each in random_formula(rng, 6, 30) if each[1]]
    landscape = pb.maxsat(given, "min", n=6)
    pb.write_landscape(landscape, tmp_path / "ours.wcnf")
    theirs = formula.WCNF(from_file=str(tmp_path / "ours.wcnf"))
    X = random_solutions(rng, 6, 50)
    expected = landscape.evaluate(X).tolist()
    assert pb.maxsat(theirs, "min").evaluate(X).tolist() == expected
    theirs.to_file(str(tmp_path / "theirs.wcnf"))
    assert pb.read_landscape(tmp_path / "theirs.wcnf").evaluate(X).tolist() == expected


@pytest.mark.parametrize(
    "content",
    [
        "h 1 2 0\n3 -1 0\n4 -2 0\nh -2 3 0\n",
        "p wcnf 3 4 9\n9 1 2 0\n3 -1 0\n4 -2 0\n10 -2 3 0\n",
        f"p wcnf 3 4 {2**64}\n{2**64} 1 2 0 3 -1 0\n4 -2 0\n{2**70} -2 3 0\n",
    ],
)
def test_hard_clauses_of_old_and_new_files_are_constraints(written, content):
    landscape = pb.read_landscape(written(content))
    every = list(np.ndindex(2, 2, 2))
    kept = [bool((a or b) and (c or not b)) for a, b, c in every]
    assert landscape.is_feasible(every).tolist() == kept
    assert landscape.evaluate([1, 1, 0]).tolist() == [7]
    assert landscape.sense == ("min",)


@pytest.mark.parametrize("top", [9, 2**62 - 1, 2**62, 2**62 + 1, 2**63, 10**19])
def test_clauses_are_hard_from_the_top_on(written, top):
    above = top + (top != 2**62)
    lines = [f"p wcnf 3 3 {top}", f"{top} 1 0", f"+{above} 2 0", "1 3 0"]
    landscape = pb.read_landscape(written("\n".join(lines)))
    every = list(np.ndindex(2, 2, 2))
    assert landscape.is_feasible(every).tolist() == [a and b for a, b, _ in every]
    assert landscape.evaluate([0, 0, 0]).tolist() == [1]
    lines[1] = f"{top - 1} 1 0"
    if top <= 2**62:
        landscape = pb.read_landscape(written("\n".join(lines)))
        assert landscape.evaluate([0, 0, 1]).tolist() == [top - 1]
        assert landscape.is_feasible([[0, 1, 0], [1, 0, 0]]).tolist() == [True, False]
    elif top > 2**62 + 1:
        refused_at(written("\n".join(lines)), 2, "is too large")


def test_without_top_all_clauses_are_soft(written):
    landscape = pb.read_landscape(written("p wcnf 2 2\n1000 1 0\n1 2 0\n"))
    assert not landscape.constraints


def test_hard_clauses_of_samples_are_read(shared_folder):
    hard = {"bmo": 2, "small": 3, "pre-processing_c_inference_50_54_fq15": 8}
    for name, count in hard.items():
        path = shared_folder / "data" / "sat" / f"{name}.wcnf"
        if not path.exists():
            pytest.skip(f"{path} does not exist")
        text = path.read_text().splitlines()
        assert len(pb.read_landscape(path).constraints) == count
        assert sum(line.startswith("h") for line in text) == count


COSTS = {
    "a table": [((0, 2), [3, 0, 5, 7])],
    "what tables share": [((0, 1), [3, 3, 3, 4]), ((1, 2), [-1, 2, 0, 0]), ((), [4])],
    "a constant": [((), [7])],
    "nothing": [],
    "large": [((0, 1), [0, 2**59, 1, 2**60])],
    "as large as can be": [((0, 1), [0, 2**61, 2**60, 2**60])],
    "a constant as large as can be": [((), [2**61])],
    "the end of 32 bits": [((0, 1), [0, 2**31, 2**31 - 1, 2**31 + 1])],
    "as low as 32 bits go": [((0, 1), [0, 2**31, 5, 7])],
    "a constant and the end of 32 bits": [((0,), [-(2**31), 0]), ((), [2**31])],
    "whole floats": [((0,), [2.0, 5.0]), ((1,), [0.5, 1.5]), ((2,), [0.5, 0.5])],
    "decimals that add up": [((1,), [Decimal("0.5"), 2]), ((1,), [Decimal("1.5"), 0])],
}


@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize("n", [3, 5])
def test_what_can_be_said_in_weights_comes_back_exactly(tmp_path, cost, n):
    landscape = pb.Landscape.from_subfunctions(n, [COSTS[cost]], "min")
    path = tmp_path / "a.wcnf"
    pb.write_landscape(landscape, path)
    back = pb.read_landscape(path)
    every = np.array(list(np.ndindex(*[2] * n)))
    assert back.evaluate(every).tolist() == landscape.evaluate(every).tolist()
    assert (back.n, back.sense) == (n, ("min",))


REFUSED = [
    ([[((0,), [0, 1])]], "max", "WCNF minimises, but objective 0 is maximised"),
    ([[((0,), [0, -1])]], "min", "objective 0 is -1 plus tables .*: add 1 to it"),
    ([[((0,), [0, 0.5])]], "min", "whole numbers, but objective 0 needs 0.5"),
    ([[((), [0.5])]], "min", "whole numbers, but objective 0 needs 0.5"),
    ([[((), [2**61 + 1])]], "min", "add up to 46.*, but they end at"),
    ([[], []], "min", "WCNF has one objective, but the landscape has 2: MCNF"),
    ([[((0, 1), [0, 2**61, 2**60, 2**60 + 1])]], "min", "add up to 46.*, but they"),
    ([[((0, 1), [0, 2**61, 2**61, 2**61])]], "min", "add up to 69.*, but they end at"),
]


@pytest.mark.parametrize(("objectives", "sense", "text"), REFUSED)
def test_what_weights_cannot_say_is_refused(tmp_path, objectives, sense, text):
    landscape = pb.Landscape.from_subfunctions(2, objectives, sense)
    with pytest.raises(ValueError, match=text):
        pb.write_landscape(landscape, tmp_path / "a.wcnf")
    assert list(tmp_path.iterdir()) == []
