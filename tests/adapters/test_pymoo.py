"""pymoo: the same values, minimised, and algorithms that start from our front."""

import pickle
import sys
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

import paretoball as pb
from landscapes import random_landscape
from paretoball import Landscape
from quadratics import random_matrices, values

pytest.importorskip("pymoo")
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.indicators.hv import HV
from pymoo.operators.crossover.pntx import TwoPointCrossover
from pymoo.operators.mutation.bitflip import BitflipMutation
from pymoo.operators.sampling.rnd import BinaryRandomSampling
from pymoo.optimize import minimize

from paretoball.adapters.pymoo import to_problem, to_pymoo_result


def quadratic(Q: np.ndarray, sense: list[str]) -> Landscape:
    """The landscape of x Q x, entry by entry."""
    objectives = []
    for each in Q:
        entries = [(i, j, int(each[i, j])) for i, j in np.argwhere(each).tolist()]
        objectives.append(
            [
                ((i,), [0, q]) if i == j else ((i, j), [0, 0, 0, q])
                for i, j, q in entries
            ]
        )
    return Landscape.from_subfunctions(Q.shape[1], objectives, sense)


def test_problems_have_the_values_of_the_landscape():
    rng = np.random.default_rng(1)
    for trial in range(50):
        n, d = int(rng.integers(1, 15)), 1 + trial % 3
        Q = random_matrices(rng, n, d)
        problem = to_problem(quadratic(Q, ["min", "max", "min"][:d]))
        assert (problem.n_var, problem.n_obj, problem.vtype) == (n, d, bool)
        X = rng.random((1000, n)) < 0.5
        F = values(Q, X.astype(int)) * [1, -1, 1][:d]
        assert problem.evaluate(X).tolist() == F.tolist()


def test_problems_take_one_solution_and_can_be_sent_elsewhere():
    landscape = random_landscape(np.random.default_rng(2))
    problem = pickle.loads(pickle.dumps(to_problem(landscape)))
    x = np.ones(landscape.n, bool)
    expected = landscape.evaluate(x) * [
        1 if sense == "min" else -1 for sense in landscape.sense
    ]
    assert problem.evaluate(x).tolist() == expected.tolist()
    assert (problem.xl == 0).all()
    assert (problem.xu == 1).all()


def test_constraints_are_values_that_pymoo_wants_at_most_zero():
    ones = [((j,), [0, 1]) for j in range(4)]
    rows = [(ones, "<=", 2), (ones[:2], "==", 1), (ones[1:], ">=", 1)]
    landscape = Landscape.from_subfunctions(4, [ones], constraints=rows)
    problem = to_problem(landscape)
    assert (problem.n_ieq_constr, problem.n_eq_constr) == (2, 1)
    every = np.array(list(np.ndindex(2, 2, 2, 2)), bool)
    G, H = problem.evaluate(every, return_values_of=["G", "H"])
    violation = landscape.violation(every)
    assert G.tolist() == violation[:, [0, 2]].tolist()
    assert H.tolist() == violation[:, [1]].tolist()


def test_constraints_are_told_in_their_own_units():
    ones = [((j,), [0, 1]) for j in range(3)]
    halves = [((j,), [0, 0.5]) for j in range(3)]
    cents = [((j,), [0, 1.25]) for j in range(3)]
    rows = [(halves, "<=", 0.5), (ones, "==", 1), (cents, "==", 1.25)]
    landscape = Landscape.from_subfunctions(3, [ones], constraints=rows)
    found = to_problem(landscape).evaluate(
        np.ones((1, 3), bool), return_values_of=["G", "H"]
    )
    assert [each.tolist() for each in found] == [[[1.0]], [[2.0, 2.5]]]


def test_nsga2_finds_feasible_solutions_of_a_knapsack():
    landscape = pb.random_knapsack(12, seed=1)
    algorithm = NSGA2(
        pop_size=30,
        sampling=BinaryRandomSampling(),
        crossover=TwoPointCrossover(),
        mutation=BitflipMutation(),
        eliminate_duplicates=True,
    )
    found = minimize(to_problem(landscape), algorithm, ("n_gen", 10), seed=1)
    assert landscape.is_feasible(found.X).all()
    assert found.F.tolist() == (-landscape.evaluate(found.X)).tolist()


@pytest.fixture(scope="module")
def result():
    Q = random_matrices(np.random.default_rng(3), 16, 2)
    return pb.solve(quadratic(Q, ["min", "max"]), max_climbs=2, seed=1)


def test_results_are_what_pymoo_would_have_returned(result):
    found = to_pymoo_result(result)
    theirs = minimize(
        found.problem, NSGA2(pop_size=8, sampling=BinaryRandomSampling()), ("n_gen", 1)
    )
    for name in ("X", "F", "CV", "G", "H"):
        ours, other = getattr(found, name), getattr(theirs, name)
        assert ours.dtype == other.dtype, name
        assert ours.shape == (len(result), *other.shape[1:]), name
    assert found.X.tolist() == result.X.tolist()
    assert found.F.tolist() == (result.F * [1, -1]).tolist()
    assert (
        found.opt.get("F").tolist() == found.pop.get("F").tolist() == found.F.tolist()
    )
    assert found.opt.get("feas").all()
    assert found.exec_time == result.setup_seconds + result.seconds
    assert found.success
    assert found.problem.evaluate(found.X).tolist() == found.F.tolist()


def test_solutions_of_a_result_are_feasible_and_its_end_is_told(result):
    ones = [((j,), [0, 1]) for j in range(16)]
    rows = [(ones, "<=", 16), (ones, ">=", 0), (ones[:1], "<=", 1), ([], "==", 0)]
    limited = Landscape.from_subfunctions(16, [[], []], constraints=rows)
    found = to_pymoo_result(replace(result, source=limited))
    assert found.G.tolist() == [[0.0] * 3] * len(result)
    assert found.H.tolist() == [[0.0]] * len(result)
    assert found.message == result.ending
    broken = replace(result, status="workers died")
    assert broken.failed
    assert not to_pymoo_result(broken).success


def test_one_objective_has_one_solution():
    landscape = Landscape.from_subfunctions(3, [[((j,), [0, 1]) for j in range(3)]])
    found = to_pymoo_result(pb.solve(landscape, max_climbs=1, seed=1))
    assert found.X.tolist() == [True] * 3
    assert found.F.tolist() == [-3]


def test_a_result_from_a_file_has_no_problem(result, tmp_path):
    result.save(tmp_path / "front.npz")
    found = to_pymoo_result(pb.load(tmp_path / "front.npz"))
    assert found.problem is None
    assert found.F.tolist() == (result.F * [1, -1]).tolist()


@pytest.mark.parametrize("as_population", [True, False])
def test_nsga2_starts_from_our_front_and_keeps_it(result, as_population):
    found = to_pymoo_result(result)
    algorithm = NSGA2(
        pop_size=len(result) + 4,
        sampling=found.pop if as_population else result.X,
        crossover=TwoPointCrossover(),
        mutation=BitflipMutation(),
        eliminate_duplicates=True,
    )
    after = minimize(found.problem, algorithm, ("n_gen", 3), seed=1)
    corner = found.F.max(axis=0) + 1
    assert HV(corner)(after.F) >= HV(corner)(found.F) > 0
    children = (len(result) + 4) * 2
    known = len(result) if as_population else 0  # and not evaluated again
    assert after.algorithm.evaluator.n_eval == len(result) + children - known
    weakly = (after.F[None] <= found.F[:, None]).all(axis=2).any(axis=1)
    assert weakly.all()


def test_without_pymoo_one_line_names_the_extra(monkeypatch):
    name = "paretoball.adapters.pymoo"
    monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pymoo.core.population", None)
    with pytest.raises(ImportError, match=r"pip install 'paretoball\[pymoo\]'$"):
        import_module(name)


@pytest.mark.parametrize("d", [1, 2])
def test_where_nothing_is_feasible_there_is_no_solution_as_in_pymoo(d):
    ones = [((j,), [0, 1]) for j in range(3)]
    rows = [(ones, "<=", 1), (ones[:2], "==", 2)]
    landscape = Landscape.from_subfunctions(3, [ones] * d, constraints=rows)
    nothing = pb.solve(landscape, max_climbs=1, seed=1)
    assert len(nothing) == 0
    found = to_pymoo_result(nothing)
    how = {"pop_size": 4, "sampling": BinaryRandomSampling()}
    theirs = minimize(found.problem, NSGA2(**how), ("n_gen", 1), seed=1)
    for name in ("X", "F", "CV", "G", "H", "opt"):
        assert getattr(found, name) is getattr(theirs, name) is None
    assert len(found.pop) == 0
    assert found.message == nothing.ending
