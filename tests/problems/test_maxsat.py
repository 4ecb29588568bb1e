"""MAX-SAT: weights of satisfied and of falsified clauses, as counted one by one."""

import random
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

import paretoball as pb
from formulas import falsified, random_formula, random_solutions, satisfied
from paretoball.problems import clauses


@pytest.mark.parametrize("seed", range(8))
def test_objectives_are_the_weights_counted_clause_by_clause(seed):
    rng = random.Random(seed)
    n = rng.randint(1, 8)
    one, other = (random_formula(rng, n, rng.randint(1, 30)) for _ in range(2))
    landscape = pb.maxsat([one, other], ["max", "min"], n=n)
    X = random_solutions(rng, n, 40)
    expected = [[satisfied(one, x), falsified(other, x)] for x in X]
    assert landscape.evaluate(X).tolist() == expected
    assert landscape.sense == ("max", "min")


FORMULA = [[1, -2], [2, 3, -1], [-3]]


@pytest.mark.parametrize(
    "given",
    [
        FORMULA,
        [FORMULA],
        tuple(map(tuple, FORMULA)),
        [set(clause) for clause in FORMULA],
        [np.array(clause) for clause in FORMULA],
        [(1, clause) for clause in FORMULA],
        [[1, clause] for clause in FORMULA],
        [[(1, clause) for clause in FORMULA]],
        [(1.0, clause) for clause in FORMULA],
        [(Decimal(1), clause) for clause in FORMULA],
        [(np.int32(1), clause) for clause in FORMULA],
        SimpleNamespace(clauses=FORMULA, nv=3),
        [SimpleNamespace(clauses=FORMULA, nv=3)],
        SimpleNamespace(soft=FORMULA, wght=[1, Decimal(1), 1.0], hard=[], nv=3),
    ],
)
def test_a_formula_may_be_given_in_many_ways(given):
    landscape = pb.maxsat(given)
    assert (landscape.n, landscape.d) == (3, 1)
    plain = [(1, clause) for clause in FORMULA]
    for x in np.ndindex(2, 2, 2):
        assert landscape.evaluate(x).tolist() == [satisfied(plain, list(x))]


def test_arrays_are_formulas_of_clauses_of_one_length():
    clauses = np.array([[1, -2], [2, 3]])
    assert pb.maxsat(clauses).evaluate([0, 1, 0]).tolist() == [1]
    both = pb.maxsat(np.array([clauses, -clauses]))
    assert both.evaluate([0, 1, 0]).tolist() == [1, 2]


@pytest.mark.parametrize(
    ("clause", "satisfied_at"),
    [
        ([1, -1], [0, 1]),
        ([1, 2, -1], [0, 1]),
        ([1, 1, 1], [1]),
        ([-1, -1], [0]),
        ([], []),
        ([1] * 40, [1]),
        ([*range(1, 40), -1], [0, 1]),
    ],
)
def test_repeats_opposites_and_no_literals_are_exact(clause, satisfied_at):
    n = 40
    for sense in ("max", "min"):
        landscape = pb.maxsat([(5, clause), (2, [2])], sense, n=n)
        for bit in (0, 1):
            x = [bit] * n
            is_true = bit in satisfied_at
            value = (
                5 * is_true + 2 * bit if sense == "max" else 7 - 5 * is_true - 2 * bit
            )
            assert landscape.evaluate(x).tolist() == [value]


def test_what_is_empty_is_a_clause_among_clauses_and_a_formula_among_formulas():
    assert pb.maxsat([[], [1]], "min").evaluate([0]).tolist() == [2]
    assert pb.maxsat([[], [[1]]], "min").evaluate([0]).tolist() == [0, 1]
    assert pb.maxsat([[], []], "min", n=1).evaluate([0]).tolist() == [2]
    assert pb.maxsat([], n=2).evaluate([0, 0]).tolist() == [0]


def test_weights_of_all_kinds_are_exact():
    weights = [Decimal("0.1"), Decimal("0.2"), Fraction(1, 4), 3, 0.5]
    formula = [(weight, [1]) for weight in weights]
    assert pb.maxsat(formula).evaluate([1]).tolist() == [4.05]
    whole = [(Decimal(2**60), [1]), (2, [1])]
    assert pb.maxsat(whole).evaluate([1]).tolist() == [2**60 + 2]
    assert pb.maxsat([(-3, [1])]).evaluate([1]).tolist() == [-3]
    assert pb.maxsat([(0.25, [1]), (1, [-1])]).evaluate([[1], [0]]).tolist() == [
        [0.25],
        [1],
    ]


QUARTERS = {
    "floats": lambda weight, _: weight / 4,
    "fractions": lambda weight, _: Fraction(weight, 4),
    "decimals": lambda weight, _: Decimal(weight) / 4,
    "ints and floats": lambda weight, c: weight / 4 if c % 2 else weight,
    "below 0": lambda weight, c: weight / -4 if c % 2 else -weight,
    "large": lambda weight, _: 2**53 + weight,
}


@pytest.mark.parametrize("kind", QUARTERS)
def test_weights_of_each_kind_are_counted_in_both_senses(kind):
    rng = random.Random(1)
    formulas = [
        [(QUARTERS[kind](w, c), each) for c, (w, each) in enumerate(one)]
        for one in (random_formula(rng, 5, 20) for _ in range(2))
    ]
    X = random_solutions(rng, 5, 20)
    found = pb.maxsat(formulas, ["max", "min"], n=5).evaluate(X).tolist()
    one, other = formulas
    assert found == [[satisfied(one, x), falsified(other, x)] for x in X]


def test_n_labels_and_names_are_taken():
    landscape = pb.maxsat([[1], [-2]], labels=["a", "b", "c"], names=["sat"], n=3)
    assert landscape.labels == ("a", "b", "c")
    assert landscape.names == ("sat",)
    known = SimpleNamespace(clauses=[[1]], nv=7)
    assert pb.maxsat([known, [[2]]]).n == pb.maxsat([[[2]], known]).n == 7
    assert pb.maxsat([[1], [-3]], n=3).n == pb.maxsat([[1], [-3]]).n == 3
    assert pb.maxsat([[1]], hard=known).n == 7


LONG = list(range(1, 26))

WRONG = [
    (5, TypeError, "formulas is 5, not a list of clauses"),
    ("1 2", TypeError, "formulas is '1 2', not"),
    ([1, 2], TypeError, "objective 0, clause 0 is 1, not a list of ints"),
    ([[1], 2], TypeError, "objective 0, clause 1 is 2, not a list of ints"),
    ([[1], "2"], TypeError, "objective 0, clause 1 is '2', not a list of ints"),
    ([[1], [[2]]], TypeError, r"objective 0, clause 1 has \[2\], but a literal"),
    ([[[1]], [2]], TypeError, "objective 1, clause 0 is 2, not a list of ints"),
    ([[1], [1, 0]], ValueError, "objective 0, clause 1 has the literal 0"),
    ([[1.0]], TypeError, "objective 0, clause 0 has 1.0, but a literal is a whole"),
    ([[True]], TypeError, "objective 0, clause 0 has True"),
    ([["1"]], TypeError, "objective 0, clause 0 has '1'"),
    ([[2**80]], ValueError, "objective 0, clause 0 has a literal of 81 bits"),
    ([[1], [3, -(2**80)]], ValueError, "objective 0, clause 1 has a literal of 81"),
    ([[2**40]], (ValueError, MemoryError), "n = 1,?0"),
    ([[1], LONG], ValueError, "objective 0, clause 1 reads 25 variables, .* 24"),
    ([(1, [1]), [2, 3]], TypeError, r"objective 0, clause 1 is \[2, 3\], not a pair"),
    ([("1", [1])], TypeError, "objective 0, clause 0, weight: '1' is not a real"),
    ([(1j, [1])], TypeError, "clause 0, weight: 1j is not a real number"),
    ([(float("nan"), [1])], ValueError, "clause 0, weight: nan is not a finite"),
    ([(Decimal("NaN"), [1])], ValueError, "weight: NaN is not a finite number"),
    ([(float("inf"), [1])], ValueError, "weight: inf is not a finite number"),
    ([(2**70, [1])], OverflowError, "objective 0, .* has 1180.*, but exact"),
    ([(2**62, [1]), (1, [1])], (ValueError, OverflowError), "objective 0 can reach"),
    ([], ValueError, "no literal"),
    ([[]], ValueError, "no literal"),
    (
        SimpleNamespace(soft=[[1]], wght=[1], hard=[[1, 2], []], nv=2),
        ValueError,
        "objective 0, hard clause 1 has no literals, so no solution satisfies it",
    ),
    (
        SimpleNamespace(soft=[[1]], wght=[1, 2], hard=[], nv=2),
        ValueError,
        "objective 0 has 2 weights for 1 clause",
    ),
    (
        SimpleNamespace(clauses=[[1]], atmosts=[[[1, 0], 1]], nv=2),
        ValueError,
        r"objective 0, the bound \[\[1, 0\], 1\] has the literal 0",
    ),
]


@pytest.mark.parametrize(("given", "kind", "text"), WRONG)
def test_what_is_no_formula_is_refused_by_place(given, kind, text):
    with pytest.raises(kind, match=text):
        pb.maxsat(given)


def test_clauses_may_be_as_long_as_a_table(monkeypatch):
    monkeypatch.setattr(clauses, "MAX_ARITY", 3)
    assert pb.maxsat([[1], [1, 2, -3], [1, 2, 2, 4]]).k == 3
    with pytest.raises(ValueError, match="objective 0, clause 1 reads 4 variables, b"):
        pb.maxsat([[1], [1, 2, 3, 4], [1, 2, 3, 4, 5]])


def test_a_literal_above_n_is_refused():
    with pytest.raises(ValueError, match="clause 1 has the literal -3, but n = 2"):
        pb.maxsat([[1], [-3]], n=2)


HARD = [[1, 2], [-3, -3], [2, -2], [-1, 3]]


@pytest.mark.parametrize(
    "options",
    [
        {"hard": HARD},
        {"hard": tuple(map(tuple, HARD))},
        {"hard": SimpleNamespace(clauses=HARD, nv=3)},
        {"hard": SimpleNamespace(soft=[[9]], wght=[1], hard=HARD, nv=3)},
        {"formulas": SimpleNamespace(soft=[[1]], wght=[1], hard=HARD, nv=3)},
        {
            "formulas": [
                SimpleNamespace(soft=[[1]], wght=[1], hard=HARD[:2], nv=3),
                SimpleNamespace(soft=[[2]], wght=[1], hard=HARD[2:3], nv=3),
            ],
            "hard": HARD[3:],
        },
    ],
)
def test_hard_clauses_may_be_given_in_many_ways(options):
    landscape = pb.maxsat(**{"formulas": [[1]], "n": 3} | options)
    every = list(np.ndindex(2, 2, 2))
    kept = [bool((a or b) and not c and (c or not a)) for a, b, c in every]
    assert landscape.is_feasible(every).tolist() == kept
    assert len(landscape.constraints) == 3  # one is always true


def test_bounds_on_sums_of_literals_are_constraints():
    for given in (
        SimpleNamespace(clauses=[[1]], atmosts=[[[1, 2, -3], 1]], nv=3),
        SimpleNamespace(soft=[[1]], wght=[1], hard=[], atms=[[[1, 2, -3], 1]], nv=3),
    ):
        landscape = pb.maxsat(given)
        assert landscape.violation([1, 1, 0]).tolist() == [2]
        assert landscape.violation([1, 0, 1]).tolist() == [0]


def test_variables_of_hard_clauses_alone_count():
    assert pb.maxsat([[1]], hard=[[-7, 1]]).n == 7
    with pytest.raises(ValueError, match="hard clause 1 has the literal -7, but n = 3"):
        pb.maxsat([[1]], hard=[[1], [-7, 1]], n=3)


@pytest.mark.parametrize(
    ("hard", "kind", "text"),
    [
        (5, TypeError, "hard is 5, not a list of clauses"),
        ([[1], 2], TypeError, "hard clause 1 is 2, not a list of ints"),
        ([[1, 0]], ValueError, "hard clause 0 has the literal 0"),
        ([[1], []], ValueError, "hard clause 1 has no literals, so no solution"),
    ],
)
def test_what_is_no_hard_clause_is_refused_by_place(hard, kind, text):
    with pytest.raises(kind, match=text):
        pb.maxsat([[1]], hard=hard)


def cost(theirs, X):
    """The weight of the falsified soft clauses of a WCNF, for each row of X."""
    total = np.zeros(len(X), np.int64)
    for clause, weight in zip(theirs.soft, theirs.wght):
        true = [X[:, abs(each) - 1] == (each > 0) for each in clause]
        total += weight * ~np.any([np.zeros(len(X), bool), *true], axis=0)
    return total


def test_formulas_of_pysat_have_the_costs_and_optima_that_it_says():
    formula = pytest.importorskip("pysat.formula")
    rc2 = pytest.importorskip("pysat.examples.rc2")
    rng = random.Random(1)
    for _ in range(50):
        n = rng.randint(1, 9)
        theirs = formula.WCNF()
        for weight, clause in random_formula(rng, n, 30):
            if clause:
                theirs.append(clause, weight=weight)
        n = theirs.nv
        landscape = pb.maxsat(theirs, "min")
        X = np.array(random_solutions(rng, n, 1000))
        assert landscape.evaluate(X)[:, 0].tolist() == cost(theirs, X).tolist()
        with rc2.RC2(theirs.copy()) as solver:
            solver.compute()
            every = np.array(list(np.ndindex(*[2] * n)))
            assert landscape.evaluate(every).min() == solver.cost
        unit = theirs.unweighted()
        m = len(theirs.soft)
        unit_cost = m - pb.maxsat(unit).evaluate(X)[:, 0]
        theirs.wght = [1] * m
        assert unit_cost.tolist() == cost(theirs, X).tolist()
