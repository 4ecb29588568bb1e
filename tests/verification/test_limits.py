"""Constraints in verification: every row feasible, in integers of their own."""

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import naive
import paretoball as pb
from landscapes import solutions_of
from paretoball import Archive, Landscape, verify
from paretoball.report.text import landscape_lines
from paretoball.running.run_file import read_run, write_run
from paretoball.verification.limits import Limits

ONES = [((j,), [0, 1]) for j in range(4)]
WIDE = [((0, 2), [0, 0.5, 2, 1]), ((3, 1), [0, 0, 0.25, 1]), ((), [0.1])]
GIVEN = [(ONES, "<=", 3), (WIDE, ">=", 1.1, "wide"), (ONES, "==", 2)]
LIMITED = Landscape.from_subfunctions(4, [ONES], constraints=GIVEN)
KNAPSACK = Landscape.from_subfunctions(
    4, [ONES], constraints=[([((j,), [0, j + 1]) for j in range(4)], "<=", 4, "load")]
)


def test_limits_are_those_of_the_definition_after_any_flips():
    rng, limits = np.random.default_rng(1), Limits(LIMITED)
    x = [0, 1, 1, 0]
    limits.set(x)
    for j in rng.integers(0, 4, 60).tolist():
        limits.flip(j)
        x[j] = 1 - x[j]
        right = [float(each) for each in naive.violation(GIVEN, x)]
        assert limits.violations() == right
        assert limits.violated == {c for c, each in enumerate(right) if each}


@pytest.mark.parametrize("toward", [-np.inf, np.inf])
@pytest.mark.parametrize("relation", ["<=", ">="])
@pytest.mark.parametrize("whole", [1, 3, -2])
def test_bounds_beside_a_whole_number_are_taken_at_their_word(relation, whole, toward):
    bound = float(np.nextafter(float(whole), toward))
    terms = [((j,), [0, whole // abs(whole)]) for j in range(4)]
    constraints = [(terms, relation, bound)]
    landscape = Landscape.from_subfunctions(4, [ONES], constraints=constraints)
    limits = Limits(landscape)
    assert list(limits.bound_failures()) == []
    for x in solutions_of(4).tolist():
        limits.set(x)
        beyond = sum(x) * (whole // abs(whole)) - Fraction(bound)
        assert (not limits.violated) == (
            beyond <= 0 if relation == "<=" else beyond >= 0
        )


def test_failures_name_the_constraint_and_what_it_is():
    limits = Limits(LIMITED)
    limits.set([0, 0, 0, 0])
    assert list(limits.failures()) == [
        "constraint 1 ('wide'), as 0.1 is not >= 1.1",
        "constraint 2, as 0 is not == 2",
    ]


def saved(path: Path, *X: Any, landscape: Landscape = KNAPSACK) -> Path:
    """A file with these solutions, marked as local optima, feasible or not."""
    archive = Archive(landscape.d, sense=landscape.sense)
    for x in X:
        archive.report(landscape.evaluate(x), x)
    pb.save_front(archive, landscape.unconstrained, path)
    header, arrays = read_run(path)
    pb.save_front(_feasible(landscape), landscape, path)
    right, _ = read_run(path)
    for name in ("landscape", "constraints"):
        header[name] = right[name]
    arrays["optimum"][:] = True
    write_run(path, _stripped(header), arrays)
    return path


def _feasible(landscape: Landscape) -> Archive:
    """Any front that is feasible."""
    archive, X = Archive(landscape.d, sense=landscape.sense), solutions_of(4)
    x = X[landscape.is_feasible(X)][0]
    archive.report(landscape.evaluate(x), x)
    return archive


def _stripped(header: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in header.items() if k not in ("format", "version")}


def test_an_infeasible_row_fails_by_the_name_of_its_constraint(tmp_path):
    path = saved(tmp_path / "a.npz", [1, 0, 0, 1])
    (failure,) = verify(KNAPSACK, path).failures
    assert failure == (
        "climb 0, step 0 violates constraint 0 ('load'), as 5 is not <= 4"
    )


def test_only_feasible_neighbours_are_better_than_a_local_optimum(tmp_path):
    best = saved(tmp_path / "best.npz", [1, 0, 1, 0])
    report = verify(KNAPSACK, best, local=1)
    assert (report.failures, report.optima) == ([], 1)
    poor = saved(tmp_path / "poor.npz", [1, 0, 0, 0])
    (failure,) = verify(KNAPSACK, poor, local=1).failures
    assert failure.endswith("marked as a local optimum, but flipping [1] dominates it")


def test_beyond_single_flips_nothing_is_promised(tmp_path):
    path = saved(tmp_path / "a.npz", [0, 0, 0, 1])
    report = verify(KNAPSACK, path, local=1)
    assert report.failures == []
    assert report.remarks == ["climbs of radius None promise nothing for radius 1"]
    further = verify(KNAPSACK, path, local=3)
    assert further.failures[0].endswith("but flipping [0, 1, 3] dominates it")
    assert further.remarks == [
        "with constraints, a local optimum is one of single flips: nothing is promised "
        "for radius 3"
    ]


def test_a_run_of_other_constraints_is_not_this_one(tmp_path):
    path = saved(tmp_path / "a.npz", [1, 0, 1, 0])
    (failure,) = verify(KNAPSACK.unconstrained, path).failures
    assert failure.startswith("the run belongs to a landscape with the digest")
    header, arrays = read_run(path)
    write_run(path, _stripped(header) | {"constraints": 2}, arrays)
    assert (
        "constraints is 2, but the landscape has 1" in verify(KNAPSACK, path).failures
    )


def test_what_takes_no_constraints_says_so():
    takers = {
        "a Climber": lambda: pb.Climber(KNAPSACK, radius=1),
        "supported_front": lambda: pb.supported_front(KNAPSACK),
        "upper_bound": lambda: pb.upper_bound(KNAPSACK, [0]),
    }
    for who, call in takers.items():
        text = f"^{who} does not take constraints into account; give it landscape.uncon"
        with pytest.raises(ValueError, match=text):
            call()


def test_info_tells_the_constraints():
    lines = list(landscape_lines(LIMITED))
    assert "constraints       3 (1 <=, 1 ==, 1 >=), of at most 4 terms" in lines
    bare = landscape_lines(LIMITED.unconstrained)
    assert not [line for line in bare if "constraints" in line]


# Bounds, worked out a second time.


@pytest.mark.parametrize("field", ["lower", "upper"])
@pytest.mark.parametrize("by", [1, -1])
def test_a_bound_that_is_a_step_off_fails(field, by):
    given = [(ONES, "==", 2), (WIDE, ">=", 1.1, "wide"), (WIDE, "<=", 2.5)]
    landscape = Landscape.from_subfunctions(4, [ONES], constraints=given)
    assert verify(landscape, _feasible(landscape)).failures == []
    for c, (_, relation, *_) in enumerate(given):
        if relation not in {"lower": (">=", "=="), "upper": ("<=", "==")}[field]:
            continue
        arrays = landscape.constraints.arrays
        moved = getattr(arrays, field).copy()
        moved[c] += by
        wrong = replace(landscape.constraints, arrays=arrays._replace(**{field: moved}))
        (failure,) = Limits(replace(landscape, constraints=wrong)).bound_failures()
        assert failure.startswith(f"constraint {c}")
        assert "steps, but the landscape has" in failure


def test_a_landscape_with_a_wrong_bound_is_not_verified():
    landscape = Landscape.from_subfunctions(4, [ONES], constraints=[(ONES, "<=", 2.7)])
    arrays = landscape.constraints.arrays._replace(upper=np.array([3]))
    wrong = replace(
        landscape, constraints=replace(landscape.constraints, arrays=arrays)
    )
    archive = Archive(1)
    archive.report(wrong.evaluate([1, 1, 1, 0]), [1, 1, 1, 0])
    assert verify(wrong, archive).failures == [
        "constraint 0 asks for <= 2.7, from 0 to 2 steps, but the landscape has 0 to 3",
        "climb 0, step 0 violates constraint 0, as 3 is not <= 2.7",
    ]


def test_both_ways_to_a_bound_lead_to_the_same():
    rng = np.random.default_rng(1)
    for _ in range(100):
        n, digits = int(rng.integers(1, 9)), int(rng.integers(0, 19))
        size = 10.0 ** rng.integers(-9, 10)
        factors = [round(size * each, digits) for each in rng.normal(size=n).tolist()]
        terms = [((j,), [0, each]) for j, each in enumerate(factors)]
        x = rng.integers(0, 2, n).tolist()
        near = sum(each for each, bit in zip(factors, x) if bit)
        bounds = [near, round(near, digits), near + size / 7, Fraction(near), 3]
        rows = [(terms, relation, each) for relation in ("<=", ">=") for each in bounds]
        rows.append((terms, "==", round(near, digits)))
        rows = [row for row in rows if _can_be(n, row)]
        limits = Limits(Landscape.from_subfunctions(n, [[]], constraints=rows))
        assert list(limits.bound_failures()) == []


def test_every_constraint_is_told_in_its_own_units():
    """Grids of 1, 0.5, 0.1 and 0.125, in all relations."""
    units = [1, 0.5, 0.1, 0.125]
    relations = [">=", "<=", "==", ">="]
    given = [
        ([((j,), [0, unit]) for j in range(4)], relation, 2 * unit)
        for unit, relation in zip(units, relations)
    ]
    limits = Limits(Landscape.from_subfunctions(4, [ONES], constraints=given))
    for x in solutions_of(4).tolist():
        limits.set(x)
        right = [float(each) for each in naive.violation(given, x)]
        assert limits.violations() == right
        told = [
            f"constraint {c}, as {round(sum(x) * unit, 9):g} is not {relation} "
            f"{2 * unit:g}"
            for c, (unit, relation) in enumerate(zip(units, relations))
            if right[c]
        ]
        found = [re.sub(r"\.0\b", "", each) for each in limits.failures()]
        assert found == told


@pytest.mark.parametrize(
    ("bound", "least"),
    [
        (12345678.9012, 12_345_678_902),  # twelve digits are meant
        (123456789.0122, 123_456_789_012),  # thirteen may be those of a sum of floats
        (1234567890.1232, 1_234_567_890_123),
    ],
)
def test_a_bound_of_thirteen_digits_may_be_a_sum(bound, least):
    terms = [((0,), [0, 999999999999.999]), ((1,), [0, 0.001])]
    constraints = [(terms, ">=", bound)]
    landscape = Landscape.from_subfunctions(2, [[]], constraints=constraints)
    limits = Limits(landscape)
    assert limits.lower == landscape.constraints.arrays.lower.tolist() == [least]
    assert list(limits.bound_failures()) == []


def _can_be(n: int, row: Any) -> bool:
    """Whether a solution satisfies this constraint."""
    try:
        Landscape.from_subfunctions(n, [[]], constraints=[row])
    except ValueError:
        return False
    return True
