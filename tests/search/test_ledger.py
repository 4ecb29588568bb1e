"""The ledger against the definitions: values, violations, prices and tolls."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import naive
from constrained import Case, cases
from paretoball import Landscape
from paretoball._jit import kernel
from paretoball.search.path import ledger as files
from paretoball.search.path.ledger import (
    Ledger,
    NoLedger,
    enter,
    is_feasible,
    new_ledger,
    open_ledger,
)

look, toll = kernel(files.look), kernel(files.toll)
feasible_after, set_prices = kernel(files.would_be_feasible), files.set_prices
adjust_resources = kernel(files.adjust_resources)
adjust_others = kernel(files.adjust_others)


enter_now, is_feasible_now = kernel(enter), kernel(is_feasible)
eighths = st.integers(0, 80).map(lambda number: number / 8)  # sums of them are exact


@st.composite
def ledgers(draw: Any) -> tuple[Case, Ledger, np.ndarray]:
    """A ledger with prices, some constraints taken for resources, at a solution."""
    case = draw(cases())
    n, m = case.landscape.n, len(case.constraints)
    x = np.array(draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)), np.uint8)
    sides = draw(st.lists(st.sampled_from([-1, 0, 1]), min_size=m, max_size=m))
    ledger = new_ledger(case.landscape)
    ledger.sides[:] = sides
    ledger.prices[:] = draw(st.lists(eighths, min_size=m, max_size=m))
    open_ledger(ledger, x)
    return case, ledger, x


def check_standing(case: Case, ledger: Ledger, x: np.ndarray) -> None:
    """Values and the list of what is violated are those of x."""
    values = [naive.total(terms, x.tolist()) for terms, *_ in case.constraints]
    assert ledger.values.tolist() == values
    far = naive.violation(case.constraints, x)
    violated = ledger.violated[: ledger.bad[0]].tolist()
    assert sorted(violated) == [c for c, each in enumerate(far) if each]
    for c, place in enumerate(ledger.place.tolist()):
        assert place == (violated.index(c) if c in violated else -1)
    assert is_feasible_now(ledger) == (not any(far))


def check_look(case: Case, ledger: Ledger, x: np.ndarray, j: int) -> None:
    """What a flip of j would change, and cost, is that of the definitions."""
    constraints, count = case.constraints, look(ledger, x, j)
    touched = ledger.touched[:count].tolist()
    changes = naive.changes(constraints, x.tolist(), j)
    assert len(set(touched)) == count
    assert {c for c, change in enumerate(changes) if change} <= set(touched)
    assert [changes[c] for c in touched] == ledger.changes[touched].tolist()
    prices, sides = ledger.prices.tolist(), ledger.sides.tolist()
    assert toll(ledger, count, True) == naive.toll(constraints, prices, sides, x, j)
    beyond = naive.toll(constraints, prices, [0] * len(sides), x, j)
    assert toll(ledger, count, False) == beyond
    after = naive.violation(constraints, naive.flipped(x, [j]))
    assert feasible_after(ledger, x, j) == (not any(after))


@pytest.mark.plain
@pytest.mark.bounds
@given(ledgers(), st.lists(st.integers(0, 5), max_size=12))
def test_a_ledger_stays_that_of_the_definitions_flip_by_flip(drawn, flips):
    case, ledger, x = drawn
    n = case.landscape.n
    check_standing(case, ledger, x)
    for j in (flip % n for flip in flips):
        for other in range(n):
            check_look(case, ledger, x, other)
        enter_now(ledger, x, j)
        x[j] ^= 1
        check_standing(case, ledger, x)
    again = new_ledger(case.landscape)
    open_ledger(again, x)
    assert_array_equal(again.values, ledger.values)


@pytest.mark.plain
def test_without_constraints_everything_is_feasible():
    assert is_feasible(NoLedger(np.zeros(1, np.int64)))


def limited(relation: str, bound: int, factors: Any, *more: Any) -> Landscape:
    """A landscape with one linear constraint, and further ones."""
    n = len(factors)
    terms = [((j,), [0, int(factor)]) for j, factor in enumerate(factors)]
    constraints = [(terms, relation, bound), *more]
    return Landscape.from_subfunctions(n, [terms], constraints=constraints)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("relation", "bound", "factors", "side"),
    [
        ("<=", 20, [4] * 16, 1),
        (">=", 20, [4] * 16, -1),
        ("==", 20, [4] * 16, 0),
        ("<=", 20, [4] * 15, 0),  # too few parts
        ("<=", 15, [4] * 16, 0),  # too little room
        ("<=", 16, [4] * 16, 1),
        ("<=", -20, [-4] * 16, 1),
        ("<=", 20, [1] * 60 + [4], 1),
        ("<=", 20, [1] * 16 + [4], 0),  # one of them large
    ],
)
def test_a_resource_has_many_small_parts_and_one_bound(relation, bound, factors, side):
    ledger = new_ledger(limited(relation, bound, factors))
    assert ledger.sides.tolist() == [side]
    assert ledger.resources.tolist() == ([0] if side else [])
    assert ledger.sizes[0] == np.abs(factors).mean()


def test_constants_are_no_part_of_a_resource():
    terms = [*(((j,), [5, 9]) for j in range(16)), ((), [1000])]
    some = [((j,), [0, 1]) for j in range(16)]
    bounds = {1096: 1, 1095: 0}
    for bound, side in bounds.items():
        landscape = Landscape.from_subfunctions(
            16, [some], constraints=[(terms, "<=", bound)]
        )
        assert new_ledger(landscape).sides.tolist() == [side]


TWO = limited("<=", 40, [4] * 32, ([((0,), [0, 6])], "<=", 3))


@pytest.mark.plain
def test_first_prices_are_what_a_flip_costs_by_the_size_of_a_flip():
    ledger = new_ledger(TWO)
    set_prices(ledger, 24.0)
    assert ledger.least.tolist() == [6.0, 4.0]
    assert ledger.prices.tolist() == [3.0, 4.0]  # of a resource, half


@pytest.mark.plain
@pytest.mark.parametrize("relation", ["<=", ">="])
def test_scarce_resources_get_dearer_and_abundant_ones_cheaper(relation):
    landscape = limited(relation, 40, [4] * 32)
    ledger = new_ledger(landscape)
    set_prices(ledger, 24.0)
    prices = []
    for ones in (0, 10, 32):
        x = np.array([1] * ones + [0] * (32 - ones), np.uint8)
        open_ledger(ledger, x)
        ledger.prices[:] = 3.0
        adjust_resources(ledger)
        prices.append(float(ledger.prices[0]))
    assert prices[1] == 3.0
    most = 3.0 * min(files.RISE / 32, files.MOST_RISE)
    rises = [price - 3.0 for price in prices]
    assert_allclose(
        rises, np.array([-1, 0, 1]) * most * (1 if relation == "<=" else -1)
    )
    for price, bound in ((1e30, 6.0 * files.MOST), (1e-30, 6.0 / files.MOST)):
        ledger.prices[:] = price
        adjust_resources(ledger)
        assert ledger.prices[0] == bound


@pytest.mark.plain
def test_other_prices_rise_while_violated_and_fall_to_the_least():
    ledger = new_ledger(TWO)
    set_prices(ledger, 24.0)
    x = np.zeros(32, np.uint8)
    x[0] = 1
    open_ledger(ledger, x)
    adjust_others(ledger)
    assert ledger.prices.tolist() == [3.0, 4.0 * files.STEEPER]
    x[0] = 0
    open_ledger(ledger, x)
    ledger.prices[1] = 8.0
    adjust_others(ledger)
    assert ledger.prices.tolist() == [3.0, 8.0 * files.MILDER]
    for _ in range(300):
        adjust_others(ledger)
    assert ledger.prices.tolist() == [3.0, 4.0]
    x[0] = 1
    open_ledger(ledger, x)
    ledger.prices[1] = 1e30
    adjust_others(ledger)
    assert ledger.prices[1] == 4.0 * files.MOST
