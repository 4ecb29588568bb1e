"""The registry: methods by name, with those that share their kernels."""

import pytest

from landscapes import ring
from paretoball import Landscape
from paretoball.search import (
    AUTO,
    DEFAULT_METHOD,
    EXACT,
    METHODS,
    Asked,
    method_for,
    method_named,
    relatives,
)
from paretoball.search.constrained.methods import _Constrained

ONES = [((j,), [0, 1]) for j in range(3)]
FREE = ring(3, 1, seed=1)
BOUND = Landscape.from_subfunctions(3, [ONES], constraints=[(ONES, "<=", 2)])


@pytest.mark.plain
def test_methods_are_found_by_their_names():
    assert list(METHODS) == ["path", "pls", "multistart"]
    for name, unit in (("path", "path"), ("pls", "path"), ("multistart", "climb")):
        for method in (method_named(name), method_for(name, FREE)):
            assert (method.name, method.unit) == (name, unit)
            assert not isinstance(method, _Constrained)
    assert (EXACT, AUTO, DEFAULT_METHOD) == ("exact", "auto", "auto")


@pytest.mark.plain
def test_under_constraints_a_method_keeps_its_name_and_plan():
    for name in METHODS:
        plain, method = method_named(name), method_for(name, BOUND)
        assert isinstance(method, _Constrained)
        for what in ("name", "unit", "kept_numbers", "kept_arrays"):
            assert getattr(method, what) == getattr(plain, what)
        assert method.breadth(BOUND) == plain.breadth(BOUND)
        plan = method.plan(BOUND, Asked(None, 1, 1, 2))
        assert type(plan) is type(plain.plan(FREE, Asked(None, 1, 1, 2)))
        assert getattr(plan, "landscape", BOUND) is BOUND  # all of it, if it is whole


@pytest.mark.plain
def test_paths_and_fillings_share_their_kernels():
    assert relatives("path") == relatives("pls") == ["path", "pls"]
    assert relatives("multistart") == ["multistart"]


@pytest.mark.plain
@pytest.mark.parametrize("name", ["exact", "auto", "", "Path", "paths"])
def test_what_is_no_search_is_refused(name):
    for ask in (method_named, lambda name: method_for(name, BOUND)):
        with pytest.raises(ValueError, match="method") as caught:
            ask(name)
        assert "multistart" in str(caught.value)
