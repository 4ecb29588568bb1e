"""OPB files: sums of products of literals, by statement, or refused by line."""

import random
from math import prod

import numpy as np
import pytest

import paretoball as pb
from formulas import random_solutions
from landscape_files import refused_at
from paretoball.formats import read_described


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
    lies = pb.read_landscape(written("* #variable= 2 #constraint= 0\nmin: 2 x3;\n"))
    assert lies.n == 3


def test_other_names_become_labels_in_their_order(written):
    landscape = pb.read_landscape(written("min: 1 y 2 x1 ~a_0;\nmax: 1 x0;\n"))
    assert landscape.labels == ("y", "x1", "a_0", "x0")
    assert landscape.evaluate([1, 1, 0, 1]).tolist() == [3, 1]


WRONG = [
    ("min: 1 x1;\n1 x1 1 x2 >= 1;\n", 2, "a constraint: constraints are not supported"),
    ("min: 1 x1; 1 x1 = 1;", 1, "a constraint: constraints are not supported yet"),
    ("1 x1 x2\n -3 ~x4<=-1\n;min: 1 x1;\n", 1, "a constraint: constraints"),
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


@pytest.mark.parametrize(
    "content",
    ["min: 1 x1;", "*\n  max : -1 y;", "* x\n* #variable= 1\n\nmin:\n1 x1;"],
)
def test_it_is_recognised_by_how_it_begins(written, content):
    _, titles = read_described(written(content, "a.txt"))
    assert titles == ["OPB: pseudo-Boolean objectives"]


def test_constraints_are_recognised_too(written):
    refused_at(written("1 x1 +2 x2 >= 1 ;", "a.txt"), 1, "constraints are not")
    with pytest.raises(ValueError, match="none of the formats"):
        pb.read_landscape(written("1 2 3 ;", "a.txt"))


def test_constraints_in_samples_are_named(shared_folder):
    lines = {"sat/small-max": 7, "sat/tiny-multiopt": 5, "scuttle/dal": 39}
    for name, line in lines.items():
        path = shared_folder / "data" / f"{name}.opb"
        if not path.exists():
            pytest.skip(f"{path} does not exist")
        refused_at(path, line, "constraints are not supported yet")
