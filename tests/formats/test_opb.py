"""OPB files: sums of products of literals, by statement, or refused by line."""

import random
from math import prod
from operator import eq, ge, gt, le, lt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paretoball as pb
from formulas import random_solutions
from fronts_of_files import feasible_front
from landscape_files import refused_at
from landscapes import built, plains
from paretoball.formats import clause_lines, read_described


@pytest.fixture
def written(tmp_path):
    """A function that writes a file and returns its path."""

    def write(content, name="a.opb"):
        path = tmp_path / name
        path.write_text(content)
        return path

    return write


def value(objective, x):
    """The sum of coefficients times products of literals."""
    return sum(
        factor * prod(x[j] if is_plain else 1 - x[j] for j, is_plain in literals)
        for factor, literals in objective
    )


def statement(sense, objective, name="x{}"):
    terms = [
        " ".join(
            [f"{factor:+d}"]
            + ["~" * (not is_plain) + name.format(j + 1) for j, is_plain in literals]
        )
        for factor, literals in objective
    ]
    return f"{sense}: {' '.join(terms)} ;\n"


def random_objective(rng, n):
    return [
        (
            rng.randint(-9, 9),
            [(rng.randrange(n), rng.random() < 0.5) for _ in range(rng.randint(1, 4))],
        )
        for _ in range(12)
    ]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["x{}", "cost[{}]"])
def test_objectives_are_sums_of_products_of_literals(written, seed, name):
    rng = random.Random(seed)
    objectives = [random_objective(rng, 6) for _ in range(3)]
    objectives[0][:6] = [(1, [(j, True)]) for j in range(6)]
    senses = ["min", "max", "min"]
    text = "".join(statement(s, f, name) for s, f in zip(senses, objectives))
    landscape = pb.read_landscape(written(text, "a.txt"))
    X = random_solutions(rng, 6, 30)
    expected = [[value(objective, x) for objective in objectives] for x in X]
    assert landscape.evaluate(X).tolist() == expected
    assert landscape.sense == ("min", "max", "min")
    labels = range(6) if name == "x{}" else (name.format(j + 1) for j in range(6))
    assert landscape.labels == tuple(labels)


PLAIN = "min: 1 x1 2 x2 ~x3 ;\nmax: -3 x2;\n"


@pytest.mark.parametrize(
    "same",
    [
        PLAIN.replace("\n", "\r\n"),
        "\ufeff" + PLAIN,
        PLAIN.replace("\n", " "),
        PLAIN.rstrip("\n"),
        "* #variable= 3 #constraint= 0\n*\n" + PLAIN,
        "min:1 x1\n* nd (1, 2)\n\n 2 x2\n ~x3;max :-3\tx2;",
        "min: +1 x1 +2 ~x3 x2 x2;max: -1 x2 -2 x2;",
        "min: 1 x1 2 x2 ~x3 5 x1 ~x1;\nmax: -3 x2;",
    ],
)
def test_spaces_lines_comments_and_order_change_nothing(written, same):
    right, found = (pb.read_landscape(written(each)) for each in (PLAIN, same))
    every = np.array(list(np.ndindex(2, 2, 2)))
    assert found.evaluate(every).tolist() == right.evaluate(every).tolist()


def test_the_header_tells_of_variables_in_no_objective(written):
    text = "* #variable= 9 #constraint= 0\nmin: 2 x3;\nmin: ;\n"
    landscape = pb.read_landscape(written(text))
    assert landscape.n == 9
    assert landscape.evaluate([1] * 9).tolist() == [2, 0]


def test_comments_after_a_statement_tell_nothing(written):
    text = "*\nmin: 1 x1 2 x2;\n* #variable= 1 #constraint= 7\n"
    assert pb.read_landscape(written(text)).n == 2
    first = "* #variable= 3 #constraint= 0\n* #variable= 1 #constraint= 7\n"
    assert pb.read_landscape(written(first + text)).n == 3


@pytest.mark.parametrize("name", ["x0", "x01", "x", "X2", "x1x", "x_1"])
def test_a_name_that_is_no_number_makes_all_names_labels(written, name):
    landscape = pb.read_landscape(written(f"min: 5 x2 3 {name};\n"))
    assert landscape.labels == ("x2", name)
    assert landscape.evaluate([[1, 0], [0, 1]]).tolist() == [[5], [3]]


def test_literals_of_constraints_count_where_variables_are_told(written, monkeypatch):
    monkeypatch.setattr(clause_lines, "MOST_UNREAD", 0)
    text = "min: 1 x1;\n1 x1 1 x2 -1 x3 >= -1;\n"
    assert pb.read_landscape(written(text)).n == 3
    assert pb.read_landscape(written("* #variable= 4\n" + text)).n == 4
    told = "n = 5, but the file has 4 literals"
    refused_at(written("* #variable= 5\n" + text), 1, told)
    refused_at(written(text.replace("x2", "x5")), 2, told)


def test_of_named_variables_there_are_as_many_as_names(written):
    text = "* #variable= 5 #constraint= 0\nmin: 1 a 2 b;\n"
    assert pb.read_landscape(written(text)).labels == ("a", "b")


def test_other_names_become_labels_in_their_order(written):
    landscape = pb.read_landscape(written("min: 1 y 2 x1 ~a_0;\nmax: 1 x0;\n"))
    assert landscape.labels == ("y", "x1", "a_0", "x0")
    assert landscape.evaluate([1, 1, 0, 1]).tolist() == [3, 1]


WRONG = [
    ("min: 1 x1;\n1 x1 1 x2 >= 3;\n", 2, "its sum is from 0 to 2, never >= 3"),
    ("min: 1 x1; -1 x1 < -1;", 1, "its sum is from -1 to 0, never <= -2"),
    ("1 x1 x2\n -3 ~x4\n=-4\n;min: 1 x1;\n", 1, "is from -3 to 1, never = -4"),
    ("min: 1 x1;\n1 x1 != 1;\n", 2, "'1 x1 != 1' is neither an objective"),
    ("min: 1 x1;\n1 x1 >= 1 >= 0;\n", 2, "'1 x1 >= 1 >= 0' is neither an"),
    (f"min: 1 x1;\n1 x1\n<= {2**63};\n", 3, "the bound '92.*' is too large"),
    (f"min: 1 x1;\n1 x1 <= {'9' * 999};\n", 2, "the bound '99.*' is too large"),
    (f"min: 1 x1;\n1 x1 <= {'0' * 500}1;\n", 2, "the bound '00.*' is too large"),
    (f"min: 1 x1;\n{2**63} x1 <= 3;\n", 2, "is too large"),
    (f"min: 1 x1;\n3 {' '.join(f'x{j}' for j in range(1, 26))} <= 3;", 2, "reads 25"),
    (f"min: 1 x1; 1 x1\n>= 0; {2**63} x1 <= 3;", 2, "' at column 7 is too large"),
    ("min: 1 x1;\n1 x1 >= 1;\n1 x1 >= ;\n", 3, "'1 x1 >=' is neither an objective"),
    ("min: 1 x1;\n1 x1 >= 1;\nmin: x ;\n", 3, "'x' at column 6 has no coefficient"),
    ("min: 1 x1\n", 1, "'min: 1 x1' does not end in ';'"),
    ("min: 1 x1;\n\n1 x1 >=", 3, "'1 x1 >=' does not end in ';'"),
    ("min: 1 x1;;", 1, "a ';' ends no statement"),
    ("min: x1 ;", 1, "'x1' at column 6 has no coefficient before it"),
    ("min: 1 x1\n 2\n 3 x2 ;", 2, "'2' at column 2 is a coefficient without a var"),
    ("min: 1 x1 2;", 1, "'2' at column 11 is a coefficient without a variable"),
    ("min: 1 x1; max: 1.5 x2;", 1, "'1.5' at column 17 is not a whole number"),
    ("min: 1_0 x1;", 1, "'1_0' at column 6 is not a whole number"),
    ("min: 1 x1 + 2 x2;", 1, "'[+]' at column 11 is not a whole number"),
    ("min: 1 x1 +x2;", 1, "'[+]x2' at column 11 is not a whole number"),
    ("min: 1 ~~x1;", 1, "'~~x1' at column 8 is neither a number nor a variable"),
    ("min: 1 x!:a 2 ~:b 3 c<d;", 1, "'x!:a' at column 8 is neither a number nor"),
    ("min: 1 ~;", 1, "'~' at column 8 is neither a number nor a variable"),
    ("min: 1 x1*2;", 1, "'x1[*]2' at column 8 is neither"),
    ("min: 1 é;", 1, "at column 8 is neither a number nor a variable"),
    (f"min: {2**63} x1;", 1, "is too large"),
    ("min: 1 x1;\n" * 1001, 1001, "here is one more, but a file has at most 1,000"),
    ("minimise: 1 x1;", 1, "'minimise: 1 x1' is neither an objective"),
    ("soft: 6;\n[2] 1 x1 >= 1;\n", 1, "'soft: 6' is neither an objective"),
    ("* only a comment\n", None, "it has no objective"),
    ("min: ;", None, "its objectives have no variables"),
    (
        "* #variable= 2 #constraint= 3\nmin: 2 x2;\n1 x1 >= 1;\n",
        1,
        "the header announces 3 constraints, but 1 follow: it is cut short",
    ),
    ("* #variable= 2 #constraint= 0\nmin: 2 x2;\n1 x1 >= 1;\n", 1, "the header is w"),
    (
        "*\n\n* #variable= 2 #constraint= 0\n\nmin: 1 x1\n 2 ~x3;\n",
        6,
        "'x3' is variable 3, but line 3 tells 2 variables",
    ),
    (
        "* #variable= 2 #constraint= 1\nmin: 1 cost 2 risk;\n1 csot >= 0;\n",
        3,
        "'csot' is variable 3, but line 1 tells 2 variables",
    ),
    ("* #variable= 1 #constraint= 1_0\nmin: 1 x1;\n", 1, "is not .* two whole numbers"),
    ("*\n* #variable= 1e3 #constraint= 0\nmin: 1 x1;\n", 2, "is not .* two whole numb"),
    ("* #variable= 0\nmin: 1 x1;\n", 2, "'x1' is variable 1, but line 1 tells 0 var"),
    (
        "* #variable= 1000000000\nmin: 1 x1;\n",
        1,
        "n = 1000000000, but the file has 1 literal",
    ),
    ("*\nmin: 1 x1000000000;\n", 2, "n = 1000000000, but the file has 1 literal"),
    (
        "min: 1 x1;\nmin: 2 x1\n 3 " + " ".join(f"x{j}" for j in range(1, 26)) + ";",
        3,
        "a product reads 25 variables",
    ),
]


@pytest.mark.parametrize(("content", "line", "text"), WRONG)
def test_what_is_no_opb_is_refused_by_line(written, content, line, text):
    refused_at(written(content), line, text)


def test_a_thousand_objectives_are_read(written):
    text = "".join(f"min: {i} x1;\n" for i in range(1000))
    landscape = pb.read_landscape(written(text))
    assert landscape.evaluate([1]).tolist() == list(range(1000))


@pytest.mark.parametrize("sign", [1, -1])
def test_bounds_and_factors_of_either_sign_end_at_the_largest_number(written, sign):
    relation, largest = "<=" if sign > 0 else ">=", sign * 2**62
    text = "min: 1 x1;\n{} x1 {} {};\n"
    landscape = pb.read_landscape(written(text.format(1, relation, largest)))
    assert landscape.constraints.bounds == (largest,)
    assert landscape.is_feasible([[0], [1]]).tolist() == [True, True]
    landscape = pb.read_landscape(written(text.format(largest, relation, 0)))
    assert landscape.violation([[0], [1]]).tolist() == [[0], [2**62]]
    beyond = largest + sign
    refused_at(written(text.format(1, relation, beyond)), 2, "bound '.*' is too large")
    refused_at(written(text.format(beyond, relation, 0)), 2, "' at column 1 is too la")


@pytest.mark.parametrize(
    ("relation", "bounds"),
    [(">=", [-9, 2]), ("<=", [-1, 9]), ("=", [-1, 2]), (">", [-9, 1]), ("<", [0, 9])],
)
def test_a_constraint_is_refused_where_no_solution_can_satisfy_it(
    written, relation, bounds
):
    """The sum is from -1 to 2."""
    for bound in range(-3, 5):
        path = written(f"min: 1 x1;\n2 x1 -1 x2 {relation} {bound};\n")
        if bounds[0] <= bound <= bounds[1]:
            holds = RELATIONS[relation]
            landscape = pb.read_landscape(path)
            every = list(np.ndindex(2, 2))
            right = [holds(2 * a - b, bound) for a, b in every]
            assert landscape.is_feasible(every).tolist() == right
        else:
            refused_at(path, 2, "no solution satisfies the constraint: .* -1 to 2, nev")


@pytest.mark.parametrize(
    "content",
    ["min: 1 x1;", "*\n  max : -1 y;", "* x\n* #variable= 1\n\nmin:\n1 x1;"],
)
def test_it_is_recognised_by_how_it_begins(written, content):
    _, titles = read_described(written(content, "a.txt"))
    assert titles == ["OPB: pseudo-Boolean objectives and constraints"]


def test_constraints_are_recognised_too(written):
    path = written("1 x1 +2 x2 >= 1 ;\nmin: 1 x1;", "a.txt")
    assert pb.read_landscape(path).is_feasible([[0, 0], [0, 1]]).tolist() == [0, 1]
    refused_at(written("1 x1 +2 x2 >= 1 ;", "a.txt"), None, "it has no objective")
    with pytest.raises(ValueError, match="none of the formats"):
        pb.read_landscape(written("1 2 3 ;", "a.txt"))


RELATIONS = {">=": ge, "<=": le, "=": eq, "<": lt, ">": gt}


@pytest.mark.parametrize("relation", RELATIONS)
def test_constraints_hold_where_their_sums_do(written, relation):
    every, rng = list(np.ndindex(*[2] * 5)), random.Random(1)
    for _ in range(10):
        sums = [random_objective(rng, 5) for _ in range(3)]
        bounds = [rng.choice([value(each, x) for x in every]) for each in sums]
        bounds = [each + {"<": 1, ">": -1}.get(relation, 0) for each in bounds]
        text = "".join(
            statement("", one, "y{}")[2:].replace(";", f"{relation}{bound};")
            for one, bound in zip(sums, bounds)
        )
        names = "".join(f"0 y{j} " for j in range(1, 6))
        landscape = pb.read_landscape(written(f"min: {names};\n{text}"))
        holds = [
            [RELATIONS[relation](value(one, x), bound) for x in every]
            for one, bound in zip(sums, bounds)
        ]
        assert (landscape.violation(every).T == 0).tolist() == holds
        assert landscape.is_feasible(every).tolist() == list(map(all, zip(*holds)))


def test_variables_of_constraints_alone_are_variables(written):
    landscape = pb.read_landscape(written("min: 1 x2;\n1 x4 -1 x1 >= 0;\n"))
    assert landscape.n == 4
    named = pb.read_landscape(written("1 a 1 b <= 1;\nmin: 1 c 1 a;\n"))
    assert named.labels == ("c", "a", "b")


def test_feasible_fronts_of_small_samples(shared_folder):
    known = {
        "small-max": {(1,): 1},
        "tiny-multiopt": {(1, -1): 1},
    }
    for name, front in known.items():
        path = shared_folder / "data" / "sat" / f"{name}.opb"
        if not path.exists():
            pytest.skip(f"{path} does not exist")
        assert feasible_front(pb.read_landscape(path)) == front


def test_a_sample_of_seven_objectives_has_all_its_constraints(shared_folder):
    path = shared_folder / "data" / "scuttle" / "dal.opb"
    if not path.exists():
        pytest.skip(f"{path} does not exist")
    landscape = pb.read_landscape(path)
    assert (landscape.n, landscape.d, len(landscape.constraints)) == (417, 7, 1115)
    x = np.random.default_rng(1).integers(0, 2, 417)
    for line, violation in zip(constraint_lines(path), landscape.violation(x).tolist()):
        *terms, relation, bound = line.replace(";", " ").split()
        total = sum(int(f) * x[int(v[1:]) - 1] for f, v in zip(terms[::2], terms[1::2]))
        assert relation == ">="
        assert violation == max(0, int(bound) - total)


def constraint_lines(path):
    return [line for line in path.read_text().splitlines() if ">=" in line]


@pytest.mark.filterwarnings("ignore:.* has no place for names of constraints")
@settings(max_examples=15)
@given(plain=plains(max_n=4, max_d=3), seed=st.integers(0, 99))
def test_whole_landscapes_come_back_exactly(tmp_path_factory, plain, seed):
    path, rng = tmp_path_factory.getbasetemp() / "a.opb", random.Random(seed)
    bare = built(plain)
    terms = [((), [2]), *plain.objectives[0]]
    reach = sum(max(map(abs, table)) for _, table in terms)
    lowest = sum(min(table) for _, table in terms)
    rows = [
        (terms, "<=", rng.randint(lowest, reach)),
        (terms, ">=", -reach),
        ([((0,), [1, 2]), ((0,), [3, 2])], "==", 4, "always"),
    ]
    landscape = pb.Landscape.from_subfunctions(
        plain.n, plain.objectives, plain.sense, constraints=rows
    )
    pb.write_landscape(landscape, path)
    back = pb.read_landscape(path)
    every = np.array(list(np.ndindex(*[2] * plain.n)))
    assert (back.n, back.sense) == (bare.n, bare.sense)
    assert back.evaluate(every).tolist() == landscape.evaluate(every).tolist()
    assert back.violation(every).tolist() == landscape.violation(every).tolist()


def test_names_are_written_in_their_order(tmp_path):
    landscape = pb.from_polynomials(
        [{("b", "a"): 2, (): -3}, {("a",): 4}],
        labels=["c", "b", "a"],
        constraints=[([1, 1, 2], ">=", 1)],
    )
    pb.write_landscape(landscape, tmp_path / "a.opb")
    assert (tmp_path / "a.opb").read_text().splitlines() == [
        "* #variable= 3 #constraint= 1",
        "max: +0 c +0 b +0 a +2 b a -3 c -3 ~c ;",
        "max: +4 a ;",
        "+1 c +1 b +2 a >= 1 ;",
    ]
    assert pb.read_landscape(tmp_path / "a.opb").labels == ("c", "b", "a")


def test_labels_that_are_not_all_numbers_of_variables_are_names(tmp_path):
    landscape = pb.Landscape.from_subfunctions(
        2, [[((0,), [0, 3]), ((1,), [0, 5])]], labels=["x2", "cost"]
    )
    pb.write_landscape(landscape, tmp_path / "a.opb")
    again = pb.read_landscape(tmp_path / "a.opb")
    assert again.labels == ("x2", "cost")
    assert again.evaluate([[1, 0], [0, 1]]).tolist() == [[3], [5]]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"labels": ["a b", "c"]}, "OPB has no variable named 'a b'"),
        ({"labels": [("a", 1), "c"]}, "OPB has no variable named"),
        ({"labels": ["x2", "x1"]}, "OPB takes names such as 'x2' for the numbers"),
        ({"objectives": [[((0,), [0, 0.5])]]}, "whole numbers, but objective 0 needs"),
        (
            {"constraints": [([((0,), [0, 0.5])], "<=", 1, "w")]},
            r"constraint 0 \('w'\)",
        ),
        (
            {"constraints": [([((0,), [0, 1])], "<=", 0.5)]},
            "constraint 0 .* has others",
        ),
    ],
)
def test_what_opb_cannot_say_is_refused(tmp_path, options, text):
    given = {"n": 2, "objectives": [[((), [3])]], **options}
    with pytest.raises(ValueError, match=text):
        pb.write_landscape(pb.Landscape.from_subfunctions(**given), tmp_path / "a.opb")
