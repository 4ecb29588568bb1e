"""Hard clauses as constraints, and constraints as clauses."""

import random

import numpy as np
import pytest

import paretoball as pb
from formulas import is_satisfied, random_formula
from paretoball.problems import clauses_of


@pytest.mark.parametrize("seed", range(8))
def test_hard_clauses_hold_in_feasible_solutions_and_in_no_others(seed):
    rng = random.Random(seed)
    n = rng.randint(1, 6)
    hard = [clause for _, clause in random_formula(rng, n, 8) if clause]
    landscape = pb.maxsat([(2, [1])], n=n, hard=hard)
    every = list(map(list, np.ndindex(*[2] * n)))
    kept = [all(is_satisfied(clause, x) for clause in hard) for x in every]
    assert landscape.is_feasible(every).tolist() == kept
    again = pb.maxsat([[1]], n=n, hard=list(clauses_of(landscape)))
    assert again.is_feasible(every).tolist() == kept


@pytest.mark.parametrize("seed", range(8))
def test_linear_constraints_are_told_by_clauses_or_refused(seed):
    rng = random.Random(seed)
    every, told = list(map(list, np.ndindex(2, 2, 2, 2))), 0
    for _ in range(40):
        terms = [((j,), [rng.randint(-2, 2), rng.randint(-2, 2)]) for j in range(4)]
        low = sum(min(table) for _, table in terms)
        high = sum(max(table) for _, table in terms)
        relation = rng.choice(["<=", ">=", "=="])
        row = (terms, relation, rng.randint(low, high))
        landscape = pb.Landscape.from_subfunctions(4, [[]], constraints=[row])
        try:
            clauses = list(clauses_of(landscape))
        except ValueError:
            continue
        told += 1
        kept = [all(is_satisfied(clause, x) for clause in clauses) for x in every]
        assert landscape.is_feasible(every).tolist() == kept
    assert told > 5
