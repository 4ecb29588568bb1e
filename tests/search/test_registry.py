"""The registry: methods by name, with those that share their kernels."""

from itertools import product

import numpy as np
import pytest

from landscapes import ring
from paretoball import Climber, Landscape
from paretoball.search import (
    AUTO,
    DEFAULT_METHOD,
    EXACT,
    METHODS,
    Asked,
    method_named,
    relatives,
)
from paretoball.search.path import Searcher
from paretoball.search.path.ledger import Ledger, NoLedger

ONES = [((j,), [0, 1]) for j in range(3)]
FREE = ring(3, 1, seed=1)
BOUND = Landscape.from_subfunctions(3, [ONES], constraints=[(ONES, "<=", 2)])
ASKED = Asked(None, 1, 1, 2)


@pytest.mark.plain
def test_methods_are_found_by_their_names():
    assert list(METHODS) == ["path", "pls", "multistart"]
    for name, unit in (("path", "path"), ("pls", "path"), ("multistart", "climb")):
        method = method_named(name)
        assert (method.name, method.unit) == (name, unit)
    assert (EXACT, AUTO, DEFAULT_METHOD) == ("exact", "auto", "auto")


@pytest.mark.plain
def test_under_constraints_a_method_keeps_its_plan():
    for name in METHODS:
        method = method_named(name)
        assert method.breadth(BOUND) == method.breadth(BOUND.unconstrained)
        plan = method.plan(BOUND, ASKED)
        assert type(plan) is type(method.plan(FREE, ASKED))
        assert getattr(plan, "landscape", BOUND) is BOUND  # all of it, if it is whole
        kept = plan.kept()
        assert tuple(kept.numbers) == tuple(method.kept_numbers)
        assert set(kept.arrays) == set(method.kept_arrays)


@pytest.mark.plain
def test_the_constraints_of_a_landscape_choose_the_searcher_of_a_method():
    nobody = np.empty((0, 3), np.uint8)
    for name in METHODS:
        for landscape in (FREE, BOUND):
            climber = Climber(landscape.unconstrained, 1)
            found = method_named(name).searcher(landscape, climber, ASKED, nobody)
            has_engine = name != "multistart" or landscape is BOUND
            assert isinstance(found, Searcher) == has_engine
            if isinstance(found, Searcher):
                ledger = Ledger if landscape is BOUND else NoLedger
                assert type(found.unit.ledger) is ledger
                assert found.landscape is landscape


@pytest.mark.plain
def test_runs_of_one_objective_and_climbs_have_no_fillings():
    nobody = np.empty((0, 3), np.uint8)
    for d, bounds in product((1, 2), ([], [(ONES, "<=", 2)])):
        landscape = Landscape.from_subfunctions(3, [ONES] * d, constraints=bounds)
        climber = Climber(landscape.unconstrained, 1)
        for name in METHODS:
            found = method_named(name).searcher(landscape, climber, ASKED, nobody)
            if isinstance(found, Searcher):
                assert found.has_fillings == (name != "multistart" and d == 2)


@pytest.mark.plain
def test_paths_and_fillings_share_their_kernels():
    assert relatives("path") == relatives("pls") == ["path", "pls"]
    assert relatives("multistart") == ["multistart"]


@pytest.mark.plain
@pytest.mark.parametrize("name", ["exact", "auto", "", "Path", "paths"])
def test_what_is_no_search_is_refused(name):
    with pytest.raises(ValueError, match="method") as caught:
        method_named(name)
    assert "multistart" in str(caught.value)
