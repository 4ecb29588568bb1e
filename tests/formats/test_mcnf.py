"""MCNF files: several objectives of soft clauses."""

import random
import re

import numpy as np
import pytest
from hypothesis import given, settings

import paretoball as pb
from formulas import falsified, is_satisfied, random_formula, random_solutions
from fronts_of_files import feasible_front
from landscape_files import refused_at
from landscapes import built, plains


@pytest.fixture
def written(tmp_path):
    """A function that writes a file and returns its path."""

    def write(content, name="a.mcnf"):
        path = tmp_path / name
        path.write_text(content)
        return path

    return write


def lines_of(formulas, opening="o{}"):
    return "".join(
        " ".join([opening.format(i), *map(str, [weight, *clause, 0])]) + "\n"
        for i, formula in enumerate(formulas, 1)
        for weight, clause in formula
    )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("opening", ["o{}", "o {}", "o\t{} "])
def test_objectives_are_the_weights_of_falsified_clauses(written, seed, opening):
    rng = random.Random(seed)
    formulas = [random_formula(rng, 6, 15) for _ in range(3)]
    formulas[0][0] = (2, [6])
    lines = lines_of(formulas, opening).splitlines(keepends=True)
    rng.shuffle(lines)
    landscape = pb.read_landscape(written("".join(lines), "formula.txt"))
    X = random_solutions(rng, 6, 30)
    expected = [[falsified(formula, x) for formula in formulas] for x in X]
    assert landscape.evaluate(X).tolist() == expected
    assert landscape.sense == ("min",) * 3


def test_both_ways_to_number_objectives_may_mix_and_leave_gaps(written):
    text = "c nd (4, 8), 1\no 3 5 1\n 2 0 o1 2\n-1 0\no1 1 0\n"
    landscape = pb.read_landscape(written(text))
    assert landscape.evaluate([[0, 0], [1, 0]]).tolist() == [[1, 0, 5], [3, 0, 0]]


@pytest.mark.parametrize("end", ["0", "-0", "+0", "00"])
def test_a_0_of_any_spelling_ends_the_last_clause(written, end):
    landscape = pb.read_landscape(written(f"h 1 2 0\no1 3 -1 {end}\n"))
    assert landscape.evaluate([[0, 1], [1, 0]]).tolist() == [[0], [3]]


WRONG = [
    ("o1 3 -1 0\nh 0\n", 2, "a hard clause has no literals, so no solution"),
    ("h 1 0\no1 3 -1 0\nh 2 0 h 0\n", 3, "a hard clause has no literals"),
    ("h 1 2 0\no1 3 -1\n", 2, "'-1' at column 6 is the last word"),
    ("h 1 2\no1 3 -1 0\n", 2, "'o1' at column 1 stands inside a clause"),
    ("o1 3 -1 0\n4 1 0\n", 2, "'4' at column 1 opens a clause, but 'h', or 'o' and"),
    ("o0 3 -1 0\n", 1, "'o0' at column 1 is not a whole number"),
    ("o 0 3 -1 0\n", 1, "'0' at column 3 ends a clause that has no objective"),
    ("o -1 3 -1 0\n", 1, "'-1' at column 3 is not an objective of 1 or more"),
    ("o1 0 -1 0\n", 1, "'0' at column 4 ends a clause that has no objective and w"),
    ("o1 -3 -1 0\n", 1, "'-3' at column 4 is not a weight of 1 or more"),
    ("o1 1 -1 0\no1 -3 -1 0\n", 2, "'-3' at column 4 is not a weight of 1 or more"),
    ("o1 1.5 -1 0\n", 1, "'1.5' at column 4 is not a whole number"),
    ("o1 3 -1 0\no1001 3 1 0\n", 2, "objective 1001, but a file has at most 1,000"),
    ("o1 3 -1 0\no 900000000 3 1 0\n", 2, "objective 900000000, but a file has"),
    ("o1 3 -1 0\no9999999999 3 1 0\n", 2, "is not a whole number"),
    ("o1 3 0\n", None, "it has no literals"),
    ("c nothing\n", None, "it has no literals"),
    ("p mcnf 2 1\no1 1 1 0\n", 1, "'p' at column 1 is not a whole number"),
    ("o1 1 1000000000 0\n", 1, "n = 1000000000, but the file has 1 literal"),
    ("o1 1 1 0\no2 1 " + " ".join(map(str, range(1, 26))) + " 0\n", 2, "25 variables"),
]


@pytest.mark.parametrize(("content", "line", "text"), WRONG)
def test_what_is_no_mcnf_is_refused_by_line(written, content, line, text):
    refused_at(written(content), line, text)


def test_a_thousand_objectives_are_read(written):
    landscape = pb.read_landscape(written("o1 3 -1 0\no1000 4 1 0\n"))
    assert landscape.d == 1000
    assert landscape.evaluate([0])[[0, 1, 999]].tolist() == [0, 0, 4]


def test_only_hard_clauses_may_be_of_either_format(written):
    with pytest.raises(ValueError, match=r"may be any of 'wcnf' .*, 'mcnf'"):
        pb.read_landscape(written("h 1 0\n", "a.txt"))


@pytest.mark.parametrize("seed", range(4))
def test_hard_clauses_are_constraints(written, seed):
    rng = random.Random(seed)
    hard = [clause for _, clause in random_formula(rng, 6, 9) if clause]
    lines = ["h " + " ".join(map(str, [*clause, 0])) for clause in hard]
    lines += lines_of([[*random_formula(rng, 6, 5), (1, [6])]]).splitlines()
    rng.shuffle(lines)
    landscape = pb.read_landscape(written("\n".join(lines)))
    every = list(map(list, np.ndindex(*[2] * 6)))
    kept = [all(is_satisfied(clause, x) for clause in hard) for x in every]
    assert landscape.is_feasible(every).tolist() == kept
    assert landscape.sense == ("min",)
    assert set(landscape.violation(every).ravel().tolist()) <= {0, 1}


def test_repeated_literals_and_opposites_of_hard_clauses_are_exact(written):
    text = "h 1 1 -2 0\nh 2 -2 0\nh -3 0\nh -3 -3 0\no1 1 1 0\n"
    landscape = pb.read_landscape(written(text))
    assert len(landscape.constraints) == 3  # one is always true
    assert landscape.violation([0, 1, 1]).tolist() == [1, 1, 1]
    assert landscape.violation([1, 1, 0]).tolist() == [0, 0, 0]
    assert landscape.constraint_rows.row_factors.tolist() == [1, -1, -1, -1]


def test_a_hard_clause_may_be_longer_than_any_table(written):
    long = " ".join(map(str, range(1, 31)))
    landscape = pb.read_landscape(written(f"h {long} 0\no1 2 -30 0\n"))
    assert landscape.is_feasible([[0] * 30, [0] * 29 + [1]]).tolist() == [False, True]
    assert len(landscape.cooccurrence.neighbours) == 0


def test_only_hard_clauses_leave_nothing_to_minimise(written):
    landscape = pb.read_landscape(written("h 1 2 0\n"))
    assert landscape.evaluate([[0, 0], [1, 1]]).tolist() == [[0], [0]]
    assert landscape.is_feasible([[0, 0], [1, 1]]).tolist() == [False, True]


@pytest.mark.parametrize(
    "name", ["small", "paper-example", "medium", "medium-weighted"]
)
def test_feasible_fronts_of_samples_are_those_in_their_comments(shared_folder, name):
    path = shared_folder / "data" / "scuttle" / f"{name}.mcnf"
    if not path.exists():
        pytest.skip(f"{path} does not exist")
    landscape = pb.read_landscape(path)
    known = re.findall(r"^c nd \((.*)\), (\d+)$", path.read_text(), re.MULTILINE)
    points = {tuple(map(int, point.split(", "))): int(many) for point, many in known}
    assert feasible_front(landscape) == points


@pytest.mark.parametrize("name", ["set-cover", "spot5"])
def test_points_in_comments_of_larger_samples_can_be_checked(shared_folder, name):
    path = shared_folder / "data" / "scuttle" / f"{name}.mcnf"
    if not path.exists():
        pytest.skip(f"{path} does not exist")
    landscape = pb.read_landscape(path)
    hard = [
        list(map(int, line.split()[1:-1]))
        for line in path.read_text().splitlines()
        if line.startswith("h")
    ]
    assert len(landscape.constraints) == len(hard)
    for x in np.random.default_rng(1).integers(0, 2, (20, landscape.n)).tolist():
        right = [int(not is_satisfied(clause, x)) for clause in hard]
        assert landscape.violation(x).tolist() == right


@pytest.mark.parametrize("suffix", ["mcnf", "wcnf"])
def test_constraints_that_are_clauses_are_written_as_such(tmp_path, suffix):
    ones = [((j,), [0, 1]) for j in range(3)]
    not_both, all_three = (ones[:2], "<=", 1), (ones, "==", 3)
    some = ([((0,), [4, 0]), ((2,), [0, 3])], ">=", 2)
    always = (ones, "<=", 3)
    landscape = pb.Landscape.from_subfunctions(
        3, [[((0,), [0, 2])]], "min", constraints=[not_both, all_three, some, always]
    )
    pb.write_landscape(landscape, tmp_path / f"a.{suffix}")
    lines = (tmp_path / f"a.{suffix}").read_text().splitlines()
    assert lines[:5] == ["h -1 -2 0", "h 1 0", "h 2 0", "h 3 0", "h -1 3 0"]
    back = pb.read_landscape(tmp_path / f"a.{suffix}")
    every = list(np.ndindex(2, 2, 2))
    assert back.is_feasible(every).tolist() == landscape.is_feasible(every).tolist()


@pytest.mark.parametrize(
    ("constraint", "text"),
    [
        (([((j,), [0, 1]) for j in range(3)], "<=", 1), "it is no clause"),
        (([((j,), [0, j + 1]) for j in range(3)], ">=", 3, "load"), r"\('load'\)"),
        (([((0, 1), [0, 1, 1, 0])], ">=", 1), "it has terms of several variables"),
    ],
)
def test_constraints_that_are_none_are_refused(tmp_path, constraint, text):
    landscape = pb.Landscape.from_subfunctions(3, [[]], "min", constraints=[constraint])
    with pytest.raises(ValueError, match=f"MCNF has hard clauses only, but .*{text}"):
        pb.write_landscape(landscape, tmp_path / "a.mcnf")


@settings(max_examples=15)
@given(plain=plains(max_n=4, max_d=3))
def test_landscapes_that_can_be_said_come_back_exactly(tmp_path_factory, plain):
    """Every landscape can, once its objectives are minimised and lifted above 0."""
    path = tmp_path_factory.getbasetemp() / "a.mcnf"
    lift = [
        ((), [sum(max(map(abs, table)) for _, table in objective)])
        for objective in plain.objectives
    ]
    lifted = [[*given, up] for given, up in zip(plain.objectives, lift)]
    landscape = built(plain._replace(objectives=lifted, sense=["min"] * len(lifted)))
    pb.write_landscape(landscape, path)
    back = pb.read_landscape(path)
    every = np.array(list(np.ndindex(*[2] * plain.n)))
    assert (back.n, back.d, back.sense) == (landscape.n, landscape.d, landscape.sense)
    assert back.evaluate(every).tolist() == landscape.evaluate(every).tolist()


def test_a_file_says_clauses_that_fail_at_one_assignment_each(tmp_path):
    landscape = pb.Landscape.from_subfunctions(
        4, [[((0, 2), [3, 1, 1, 4])], [], [((3,), [0, 2])]], "min"
    )
    pb.write_landscape(landscape, tmp_path / "a.mcnf")
    assert (tmp_path / "a.mcnf").read_text().splitlines() == [
        "o1 1 1 0",
        "o1 1 -1 0",
        "o1 2 1 3 0",
        "o1 3 -1 -3 0",
        "o1 1 4 -4 0",
        "o2 1 4 -4 0",
        "o3 2 -4 0",
    ]


@pytest.mark.parametrize("i", range(3))
def test_any_maximised_objective_is_refused(tmp_path, i):
    senses = ["max" if j == i else "min" for j in range(3)]
    landscape = pb.Landscape.from_subfunctions(2, [[]] * 3, senses)
    with pytest.raises(ValueError, match=f"minimises, but objective {i} is maximised"):
        pb.write_landscape(landscape, tmp_path / "a.mcnf")


@pytest.mark.parametrize("count", [1, 2000])
@pytest.mark.parametrize("soft", ["o1 3 1 0", "3 1 0"])
def test_a_soft_clause_after_many_hard_ones_and_comments_tells_the_format(
    written, count, soft
):
    path = written("c x\n" * count + "h 1 2 0\n" * count + soft + "\n", "a.txt")
    assert pb.read_landscape(path).evaluate([[0, 0], [1, 0]]).tolist() == [[3], [0]]


def test_a_maximised_objective_is_refused(tmp_path):
    landscape = pb.mnk(5, 1, seed=1)
    with pytest.raises(ValueError, match="MCNF minimises, but objective 0 is maximi"):
        pb.write_landscape(landscape, tmp_path / "a.mcnf")
