"""PySAT: the same weights, the same optima, the same names."""

import re
import sys
from decimal import Decimal

import numpy as np
import pytest

import paretoball as pb

formula = pytest.importorskip("pysat.formula")
from pysat.solvers import Solver  # noqa: E402

from paretoball.adapters.pysat import (  # noqa: E402
    feasible_solution,
    from_pysat,
    to_model,
)


def random_clause(rng: np.random.Generator, n: int) -> list[int]:
    k = int(rng.integers(1, min(n, 3) + 1))
    return ((rng.permutation(n)[:k] + 1) * rng.choice([-1, 1], k)).tolist()


def random_wcnf(rng: np.random.Generator):
    n = int(rng.integers(1, 11))
    wcnf = formula.WCNF()
    for _ in range(int(rng.integers(1, 30))):
        wcnf.append(random_clause(rng, n), weight=int(rng.integers(1, 20)))
    return wcnf


def satisfied(clauses: list[list[int]], X: np.ndarray) -> np.ndarray:
    """Which clauses each solution satisfies, says a solver of PySAT: (rows, clauses).

    A variable is added to each clause; it follows if all other literals are false.
    """
    n = X.shape[1]
    added = n + 1 + np.arange(len(clauses))
    longer = [[*clause, int(v)] for clause, v in zip(clauses, added)]
    are_true = np.empty((len(X), len(clauses)), bool)
    with Solver(bootstrap_with=longer) as solver:
        for row, x in zip(are_true, X.tolist()):
            bits = [v if bit else -v for v, bit in enumerate(x, 1)]
            _, follows = solver.propagate(assumptions=bits)
            row[:] = ~np.isin(added, follows)
    return are_true


def test_weights_of_random_formulas_are_what_pysat_says():
    rng = np.random.default_rng(1)
    for _ in range(20):
        wcnf = random_wcnf(rng)
        X = rng.integers(0, 2, (1000, wcnf.nv), np.uint8)
        are_true = satisfied(wcnf.soft, X)
        highest, lowest = from_pysat(wcnf), from_pysat(wcnf, "min")
        assert highest.evaluate(X)[:, 0].tolist() == (are_true @ wcnf.wght).tolist()
        assert lowest.evaluate(X)[:, 0].tolist() == (~are_true @ wcnf.wght).tolist()
        cnf = formula.CNF(from_clauses=wcnf.soft)
        counted = from_pysat([cnf, wcnf]).evaluate(X)
        assert counted[:, 0].tolist() == are_true.sum(axis=1).tolist()


def test_optima_are_those_of_a_solver():
    from pysat.examples.rc2 import RC2

    rng = np.random.default_rng(2)
    for _ in range(50):
        wcnf = random_wcnf(rng)
        landscape = from_pysat(wcnf, "min")
        every = np.array(list(np.ndindex(*[2] * landscape.n)), np.uint8)
        with RC2(wcnf) as solver:
            model = solver.compute()
            lowest = solver.cost
        assert landscape.evaluate(every).min() == lowest
        bits = np.isin(np.arange(1, landscape.n + 1), model)
        assert landscape.evaluate(bits).tolist() == [lowest]
        assert to_model(bits)[: len(model)] == model[: landscape.n]


def test_labels_are_the_numbers_of_pysat_or_what_they_stand_for():
    cnf = formula.CNF(from_clauses=[[1, -2], [2, 3]])
    assert from_pysat(cnf).labels == (1, 2, 3)
    pool = formula.IDPool()
    pool.id("rain"), pool.id(("sun", 1))
    assert from_pysat(cnf, pool=pool).labels == ("rain", ("sun", 1), 3)


@pytest.mark.parametrize("numbers", [(1, 3), (3, 1), (2, 5, 4)])
def test_formulas_have_the_variables_of_all(numbers):
    formulas = [formula.CNF(from_clauses=[[-v]]) for v in numbers]
    landscape = from_pysat(formulas)
    assert (landscape.n, landscape.d) == (max(numbers), len(numbers))
    ones = [1] * landscape.n
    for i, v in enumerate(numbers):
        x = [*ones[: v - 1], 0, *ones[v:]]
        assert landscape.evaluate(x).tolist() == [j == i for j in range(len(numbers))]


def test_decimal_weights_stay_exact():
    wcnf = formula.WCNF()
    wcnf.append([1], weight=Decimal("0.1"))
    wcnf.append([1, 2], weight=Decimal("0.2"))
    assert from_pysat(wcnf).evaluate([1, 0]).tolist() == [0.3]


def test_what_is_no_formula_is_refused():
    with pytest.raises(TypeError, match="this is a str"):
        from_pysat("p cnf 1 1")
    with pytest.raises(TypeError, match="this is a And"):
        from_pysat(formula.And(formula.Atom("a"), formula.Atom("b")))


def test_hard_clauses_and_bounds_are_constraints():
    hard = formula.WCNFPlus()
    hard.append([1, 2])
    hard.append([[1, 2, -3], 1], is_atmost=True)
    hard.append([1], weight=3)
    landscape = from_pysat(hard)
    assert landscape.violation([0, 0, 0]).tolist() == [1, 0]
    assert landscape.violation([1, 1, 0]).tolist() == [0, 2]
    assert landscape.is_feasible({1: 1, 2: 0, 3: 1})


def test_a_solver_finds_a_feasible_solution_or_proves_that_there_is_none():
    rng = np.random.default_rng(3)
    found = 0
    for _ in range(50):
        n = int(rng.integers(1, 8))
        hard = [random_clause(rng, n) for _ in range(int(rng.integers(1, 25)))]
        landscape = pb.maxsat([[1]], n=n, hard=hard)
        every = np.array(list(np.ndindex(*[2] * n)), np.uint8)
        if landscape.is_feasible(every).any():
            x = feasible_solution(landscape)
            assert (x.dtype, x.shape) == (np.uint8, (n,))
            assert landscape.is_feasible(x)
            found += 1
        else:
            with pytest.raises(ValueError, match="no solution satisfies all constr"):
                feasible_solution(landscape)
    assert 10 < found < 50
    assert feasible_solution(pb.maxsat([[1, 2]])).shape == (2,)
    with pytest.raises(ValueError, match=r"constraint 0 \('c0'\) .* it is no clause"):
        feasible_solution(pb.knapsack([1, 1, 1], [1, 1, 1], 1))


def test_the_solver_is_the_one_that_is_named(monkeypatch):
    named = []

    def fake(name, bootstrap_with):
        named.append(name)
        return Solver(name=name, bootstrap_with=bootstrap_with)

    monkeypatch.setattr("pysat.solvers.Solver", fake)
    landscape = pb.maxsat([[1], [2]], hard=[[1, 2], [-1, -2], [-2]])
    assert feasible_solution(landscape, "minisat22").tolist() == [1, 0]
    assert feasible_solution(landscape, solver="glucose4").tolist() == [1, 0]
    assert named == ["minisat22", "glucose4"]


def test_without_pysat_one_line_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pysat.formula", None)
    with pytest.raises(ImportError, match=r"python-sat: .* 'paretoball\[pysat\]'$"):
        from_pysat([])


def test_models_are_made_of_bits_and_of_dicts():
    landscape = from_pysat(formula.CNF(from_clauses=[[1, -2], [3]]))
    result = pb.solve(landscape, max_climbs=2, seed=1)
    assert to_model(result.solution(0)) == to_model(result.X[0])
    assert to_model({20: 0, 3: True}) == [3, -20]


@pytest.mark.parametrize(
    ("x", "text"),
    [
        ([2, 0], "x is [2, 0], not one solution"),
        ([[1, 0], [1, 1]], "not one solution"),
        ({"a": 1}, "x has the label 'a', but variables of PySAT are whole numbers"),
        ({0: 1}, "x has the label 0"),
        ({1: 1, 0: 1}, "x has the label 0"),
        ({1: 1, 2.5: 1}, "x has the label 2.5"),
        ({1: 1, 2: 3}, "not one solution"),
        ([1, -1], "not one solution"),
        ([1, 0.5], "not one solution"),
    ],
)
def test_what_is_no_solution_makes_no_model(x, text: str):
    with pytest.raises(ValueError, match=re.escape(text)):
        to_model(x)
