"""qiskit-optimization: the same values and constraints in both directions."""

import sys

import numpy as np
import pytest

from paretoball import Landscape
from paretoball.adapters.qiskit import from_quadratic_program, to_quadratic_program
from quadratics import random_matrices, values

optimization = pytest.importorskip("qiskit_optimization")


def random_program(rng: np.random.Generator, Q: np.ndarray, names: list[str]):
    """A program that minimises or maximises x Q x + 3, and its sense."""
    program = optimization.QuadraticProgram()
    for name in names:
        program.binary_var(name)
    sense = str(rng.choice(["minimize", "maximize"]))
    linear = rng.integers(-9, 10, len(names))
    getattr(program, sense)(3, linear, Q - np.diag(linear))
    return program, sense[:3]


def test_landscapes_have_the_values_of_programs():
    rng = np.random.default_rng(1)
    for _ in range(20):
        n = int(rng.integers(1, 10))
        Q = random_matrices(rng, n, 2)
        pairs = [random_program(rng, each, [f"v{j}" for j in range(n)]) for each in Q]
        landscape = from_quadratic_program([pair[0] for pair in pairs])
        assert landscape.sense == tuple(pair[1] for pair in pairs)
        assert landscape.labels == tuple(f"v{j}" for j in range(n))
        X = rng.integers(0, 2, (1000, n))
        F = landscape.evaluate(X)
        assert F.dtype == np.int64
        assert F.tolist() == (values(Q, X) + 3).tolist()
        assert F[0, 0] == pairs[0][0].objective.evaluate(X[0])
        again = to_quadratic_program(landscape, "f1")
        assert again.objective.sense == pairs[1][0].objective.sense
        assert [each.name for each in again.variables] == list(landscape.labels)
        for x, fx in zip(X[:20], F):
            assert again.objective.evaluate(x) == fx[1]


def test_labels_that_are_no_text_get_an_x():
    ones = Landscape.from_subfunctions(2, [[((0,), [0, 1]), ((1,), [0, 1])]])
    names = [variable.name for variable in to_quadratic_program(ones).variables]
    assert names == ["x0", "x1"]
    empty = Landscape.from_arrays(2, 1, *ones.subfunctions, labels=["", "a b"])
    names = [variable.name for variable in to_quadratic_program(empty).variables]
    assert names == ["x", "a b"]
    twice = Landscape.from_arrays(2, 1, *ones.subfunctions, labels=[1, "x1"])
    with pytest.raises(ValueError, match="the name 'x1'"):
        to_quadratic_program(twice)


def test_constraints_go_there_and_back():
    program = optimization.QuadraticProgram()
    for name in "abc":
        program.binary_var(name)
    program.maximize(0, {"a": 2, "c": 1})
    program.linear_constraint({"a": 1, "b": 2}, "<=", 2, "roof")
    program.linear_constraint({"c": 0.5, "b": 0.25}, ">=", 0.25, "floor")
    program.quadratic_constraint({"a": 1}, {("a", "b"): -2}, "==", 0, "even")
    landscape = from_quadratic_program(program)
    again = to_quadratic_program(landscape)
    assert landscape.constraints.names == ("roof", "floor", "even")
    for x in np.ndindex(2, 2, 2):
        for each in (program, again):
            assert landscape.is_feasible(x) == each.is_feasible(list(x))
            value = each.objective.evaluate(list(x))
            assert landscape.evaluate(x).tolist() == [value]
    assert len(again.linear_constraints) == 2
    assert again.quadratic_constraints[0].rhs == 0


def test_several_programs_have_all_their_constraints_and_own_senses():
    programs = []
    for sense, bound in (("minimize", 1), ("maximize", 2)):
        programs.append(optimization.QuadraticProgram())
        for name in "abc":
            programs[-1].binary_var(name)
        getattr(programs[-1], sense)(0.5 * bound, {"a": bound})
        relation = "<=" if bound == 1 else ">="
        programs[-1].linear_constraint({"b": 1, "c": 1}, relation, bound, "roof")
    landscape = from_quadratic_program(programs, names=["cost", "gain"])
    assert (landscape.sense, landscape.names) == (("min", "max"), ("cost", "gain"))
    assert landscape.evaluate([1, 0, 0]).tolist() == [1.5, 3]
    assert landscape.constraints.names == ("roof", "roof_2")
    assert landscape.violation([0, 1, 1]).tolist() == [1, 0]
    assert landscape.violation([0, 1, 0]).tolist() == [0, 1]
    for i, name in enumerate(landscape.names):
        again = to_quadratic_program(landscape, i)
        assert again.name == name
        assert again.objective.evaluate([1, 0, 0]) == [1.5, 3][i]
        assert again.objective.sense == programs[i].objective.sense
        assert [each.rhs for each in again.linear_constraints] == [1, 2]


def test_a_constraint_of_no_variables_goes_there():
    landscape = Landscape.from_subfunctions(1, [[]], constraints=[([], "<=", 3)])
    (limit,) = to_quadratic_program(landscape).linear_constraints
    assert (limit.rhs, limit.linear.to_dict()) == (3, {})


@pytest.mark.parametrize("sign", [1, -1])
def test_a_bound_that_floats_would_round_is_refused(sign):
    def program_with(bound: int):
        relation = "<=" if bound > 0 else ">="
        rows = [([((0,), [0, 1])], relation, bound, "far")]
        landscape = Landscape.from_subfunctions(1, [[]], constraints=rows)
        return to_quadratic_program(landscape)

    (limit,) = program_with(sign * 2**53).linear_constraints
    assert limit.rhs == sign * 2**53
    with pytest.raises(OverflowError, match=r"constraint 0 \('far'\) has a number of"):
        program_with(sign * (2**53 + 1))


def test_a_cubic_constraint_is_refused():
    cubic = ([((0, 1, 2), [0] * 7 + [1])], "<=", 0, "none")
    landscape = Landscape.from_subfunctions(3, [[]], constraints=[cubic])
    with pytest.raises(ValueError, match=r"constraint 0 \('none'\) has a product of 3"):
        to_quadratic_program(landscape)


def test_what_is_not_binary_is_refused():
    second = optimization.QuadraticProgram()
    second.binary_var("a")
    second.continuous_var(0, 1, "share")
    with pytest.raises(ValueError, match="'share' is continuous"):
        from_quadratic_program([second])
    program = optimization.QuadraticProgram()
    program.integer_var(0, 3, "count")
    with pytest.raises(ValueError, match="'count' is integer"):
        from_quadratic_program(program)
    with pytest.raises(TypeError, match="this is a dict"):
        from_quadratic_program({})


def test_without_qiskit_one_line_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "qiskit_optimization", None)
    message = r"qiskit-optimization: pip install 'paretoball\[qiskit\]'$"
    with pytest.raises(ImportError, match=message):
        from_quadratic_program([])
    with pytest.raises(ImportError, match=message):
        to_quadratic_program(Landscape.from_subfunctions(1, [[((0,), [0, 1])]]))
