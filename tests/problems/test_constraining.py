"""Constraints of families: mappings, rows and tables say the same."""

import numpy as np
import pytest

import paretoball as pb
from paretoball.problems import products

EVERY = list(np.ndindex(2, 2, 2))
MAPPING = {("a",): 2, ("b", "c"): 3, (): 1}
TABLES = [(("a",), [1, 3]), (("b", "c"), [0, 0, 0, 3])]
LABELS = ["a", "b", "c"]
FAMILIES = {
    "qubo": lambda **given: pb.qubo({("a", "b"): 1, "c": 2}, **given),
    "dense qubo": lambda **given: pb.qubo(np.ones((3, 3), int), **given),
    "maxcut": lambda **given: pb.maxcut({("a", "b"): 1, ("b", "c"): 2}, **given),
    "polynomials": lambda **given: pb.from_polynomials({("a", "b", "c"): 1}, **given),
    "maxsat": lambda **given: pb.maxsat([[1, 2, 3]], **given),
    "ising": lambda **given: pb.ising({("a", "b"): 1, ("b", "c"): 2}, **given),
}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("terms", [MAPPING, TABLES])
def test_mappings_and_tables_are_constraints_of_all_families(family, terms):
    if family == "ising" and terms is MAPPING:
        pytest.skip("mappings are of spins there")
    bare = FAMILIES[family](labels=LABELS)
    rows = [(terms, "<=", 3), (terms, ">=", 4, "more"), (terms, "=", 3)]
    landscape = FAMILIES[family](labels=LABELS, constraints=rows)
    values = [1 + 2 * a + 3 * b * c for a, b, c in EVERY]
    right = [[max(0, v - 3), max(0, 4 - v), abs(v - 3)] for v in values]
    assert landscape.violation(EVERY).tolist() == right
    assert landscape.evaluate(EVERY).tolist() == bare.evaluate(EVERY).tolist()
    assert landscape.constraints.names == ("c0", "more", "c2")
    assert landscape.constraints.relations == ("<=", ">=", "==")
    assert landscape.cooccurrence.neighbours.tolist() == (
        bare.cooccurrence.neighbours.tolist()
    )


@pytest.mark.parametrize("row", [[1, 2, -3], np.array([1, 2, -3]), (1.0, 2, -3)])
@pytest.mark.parametrize("family", [name for name in FAMILIES if name != "ising"])
def test_rows_have_a_factor_for_each_variable(family, row):
    landscape = FAMILIES[family](labels=LABELS, constraints=[(row, ">=", 0)])
    right = [[max(0, 3 * c - a - 2 * b)] for a, b, c in EVERY]
    assert landscape.violation(EVERY).tolist() == right


@pytest.mark.parametrize("dtype", list("?bBhHiIqQefd"))
def test_rows_may_be_arrays_of_every_kind_of_number(dtype):
    rows = [(np.array([1, 0, 1], dtype), relation, 1) for relation in ("<=", ">=")]
    landscape = pb.qubo(np.eye(3), constraints=rows)
    right = [[max(0, a + c - 1), max(0, 1 - a - c)] for a, _, c in EVERY]
    assert landscape.violation(EVERY).tolist() == right


def test_constraints_of_spins_are_of_spins():
    rows = [({("a", "b"): 1}, "==", 1), ([1, 1, 1], "<=", 1)]
    models = {("a", "b"): 1, ("b", "c"): 2}
    by_model = pb.ising(models, labels=LABELS, constraints=rows)
    by_polynomial = pb.from_polynomials(models, vartype="SPIN", constraints=rows)
    for landscape in (by_model, by_polynomial):
        spins = [[2 * bit - 1 for bit in x] for x in EVERY]
        right = [[abs(a * b - 1), max(0, a + b + c - 1)] for a, b, c in spins]
        assert landscape.violation(EVERY).tolist() == right


def test_labels_of_constraints_alone_are_variables():
    landscape = pb.qubo({("a", "b"): 1}, constraints=[({("c",): 1, "a": 1}, "<=", 1)])
    assert landscape.labels == ("a", "b", "c")
    assert landscape.is_feasible([[1, 0, 1], [1, 1, 0]]).tolist() == [False, True]
    numbers = pb.qubo({(0, 1): 1}, constraints=[({(3,): 1, 2: 1}, ">=", 1)])
    assert numbers.n == 4


@pytest.mark.parametrize("relation", ["<=", ">=", "=="])
def test_cardinality_counts_ones(relation):
    right = {"<=": [1, 1, 1, 0], ">=": [0, 0, 1, 1], "==": [0, 0, 1, 0]}[relation]
    for variables in (3, range(3), LABELS):
        given = pb.cardinality(variables, relation, 2)
        labels = LABELS if variables is LABELS else None
        landscape = pb.Landscape.from_subfunctions(
            3, [[]], labels=labels, constraints=[given]
        )
        found = landscape.is_feasible(EVERY).tolist()
        assert found == [bool(right[sum(x)]) for x in EVERY]
    named = pb.cardinality(["b", "c"], "<=", 1, name="rest")
    landscape = pb.qubo(np.eye(3, dtype=int), labels=LABELS, constraints=[named])
    assert landscape.constraints.names == ("rest",)
    assert landscape.is_feasible([[1, 1, 0], [0, 1, 1]]).tolist() == [True, False]


def test_a_landscape_that_there_is_gets_more_constraints():
    bare = pb.mnk(3, 1, seed=1)
    once = pb.constrained(bare, [({0: 2, (1, 2): 1}, "<=", 2, "weight")])
    twice = pb.constrained(once, [([1, 1, 1], ">=", 1), pb.cardinality(2, "<=", 1)])
    assert twice.constraints.names == ("weight", "c1", "c2")
    right = [
        [max(0, 2 * a + b * c - 2), int(a + b + c < 1), max(0, a + b - 1)]
        for a, b, c in EVERY
    ]
    assert twice.violation(EVERY).tolist() == right
    assert twice.evaluate(EVERY).tolist() == bare.evaluate(EVERY).tolist()
    assert (len(bare.constraints), len(once.constraints)) == (0, 1)
    dense = pb.constrained(
        pb.qubo(np.ones((3, 3), int), labels=LABELS), [(TABLES, "<=", 3)]
    )
    assert dense.square is not None
    assert dense.violation({"a": 1, "b": 1, "c": 1}).tolist() == [3]
    with pytest.raises(ValueError, match="constraint 0 has the label 7, which is not"):
        pb.constrained(bare, [({7: 1}, "<=", 1)])


WRONG = [
    (5, TypeError, "constraints is 5, not a list of triples"),
    ([5], TypeError, r"constraint 0 is 5, not \(terms, relation, bound\)"),
    ([([1, 2, 3], "<=")], TypeError, "constraint 0 is .*, not"),
    ([([1, 2, 3], "<", 1)], ValueError, "constraint 0 has the relation '<', not"),
    ([([1, 2], "<=", 1)], ValueError, "a row of 2 factors, but there are 3 variables"),
    ([([1, 2, "x"], "<=", 1)], TypeError, "constraint 0, factor 2: 'x' is not a real"),
    ([({"d": 1}, "<=", 1)], ValueError, "constraint 0 has the label 'd', which is not"),
    (
        [({"a": None}, "<=", 1)],
        TypeError,
        r"constraint 0, \('a',\): None is not a real",
    ),
    ([([(("d",), [0, 1])], "<=", 1)], ValueError, "constraint 0.* 'd'"),
    ([([1, 1, 1], "<=", -1)], ValueError, "constraint 0 asks for <= -1, but its terms"),
    ([([1, 1, 1], "<=", 1, "")], TypeError, "the name of constraint 0 is ''"),
    ([5 * [([1, 1, 1], "<=", 1)]], TypeError, "constraint 0 is"),
    ([([1, 1, 1], "<=", 1, "a", "b")], TypeError, "constraint 0 is .*'b'.*, not"),
    ([(np.ones((1, 3)), "<=", 1)], TypeError, r"constraint 0, sub.*, not \(var"),
    ([(np.array(["a"]), "<=", 1)], TypeError, r"constraint 0, sub.*, not \(var"),
    ([(np.ma.masked_less([1, 0, 1], 1), "<=", 1)], ValueError, "constraint 0 has mas"),
]


@pytest.mark.parametrize(("constraints", "kind", "text"), WRONG)
def test_what_is_no_constraint_is_refused_by_its_number(constraints, kind, text):
    matrix = np.arange(9).reshape(3, 3)
    with pytest.raises(kind, match=text):
        pb.qubo(matrix, labels=LABELS, constraints=constraints)


@pytest.mark.parametrize(("constraints", "kind", "text"), WRONG[1:])
def test_the_number_of_a_constraint_counts_those_before_it(constraints, kind, text):
    before = [([1, 1, 1], "<=", 1), ({"a": 1}, "<=", 0), (TABLES, ">=", 1)]
    matrix = np.arange(9).reshape(3, 3)
    with pytest.raises(kind, match=text.replace("constraint 0", "constraint 3")):
        pb.qubo(matrix, labels=LABELS, constraints=before + constraints)


def test_products_of_constraints_are_as_long_as_tables_allow(monkeypatch):
    monkeypatch.setattr(products, "MAX_ARITY", 3)
    for degree in (3, 4):
        rows = [([1] * 4, ">=", 0), ({tuple(range(degree)): 1}, "<=", 0)]
        if degree == 3:
            found = pb.from_polynomials({}, labels=range(4), constraints=rows)
            assert found.violation([1] * 4).tolist() == [0, 1]
            continue
        with pytest.raises(ValueError, match=r"^constraint 1 has a product of 4 var"):
            pb.from_polynomials({}, labels=range(4), constraints=rows)


def test_labels_as_one_text_are_refused():
    with pytest.raises(TypeError, match="variables is 'ab', not a list of labels"):
        pb.cardinality("ab", "<=", 1)


@pytest.mark.parametrize(("variables", "twice"), [([0, 0, 1], "0"), ("aba", "'a'")])
def test_a_cardinality_names_each_variable_once(variables, twice):
    with pytest.raises(ValueError, match=f"^variable {twice} is given 2 times, not on"):
        pb.cardinality(list(variables), "<=", 1)
