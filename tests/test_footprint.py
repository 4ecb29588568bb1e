"""Footprints: an edit is noticed by the kernels that it is part of, and by no other."""

import ast
import inspect
import sys
import textwrap
from types import FunctionType
from typing import NamedTuple

import numba
import numpy as np
import pytest

import paretoball  # noqa: F401  for all of its modules
from paretoball._footprint import fields_of, footprint
from paretoball._jit import inlined
from paretoball.climber import scores
from paretoball.climber.climb import climb_now
from paretoball.running import warm_up  # noqa: F401  the same
from paretoball.search import path  # noqa: F401

FACTOR = 3
TABLE = np.arange(4)
PAIR = (1, (2, 3))


class Point(NamedTuple):
    """A tuple that kernels take apart."""

    x: int
    y: int


class Other(NamedTuple):
    """Another one."""

    x: int


@inlined
def scaled(value):
    return FACTOR * value


@inlined
def looked_up(value):
    return TABLE[value] + PAIR[1][0]


@inlined
def of_point(at):
    return scaled(at.x)


@inlined
def of_other(at):
    return looked_up(at.x)


def either(variants):
    """One of several functions, enclosed."""

    def one(at):
        return variants[type(at)](at)

    return one


chosen = either({Point: of_point, Other: of_other})


def root(at):
    return chosen(at) + Point(1, 2).y


def aside(value):
    return value


def edited(function: FunctionType):
    """Code that does something else, with the same arguments."""
    extra = "def f():\n    return 'edited'\n"
    scope: dict = {}
    exec(extra, scope)
    return scope["f"].__code__


@pytest.mark.parametrize("reached", [root, of_point, of_other, scaled, looked_up])
def test_an_edit_of_whatever_is_reached_is_noticed(monkeypatch, reached):
    before = footprint(root)
    monkeypatch.setattr(reached, "__code__", edited(reached))
    assert footprint(root) != before


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FACTOR", 4),
        ("FACTOR", 3.0),
        ("TABLE", np.arange(4) + 1),
        ("TABLE", np.arange(4, dtype=np.int32)),
        ("TABLE", np.arange(4).reshape(2, 2)),
        ("PAIR", (1, (2, 4))),
        ("PAIR", (1, 2, 3)),
        ("scaled", aside),
        ("chosen", aside),
    ],
)
def test_another_constant_is_noticed(monkeypatch, name, value):
    before = footprint(root)
    monkeypatch.setitem(globals(), name, value)
    assert footprint(root) != before


def built(source):
    """The function f of some source."""
    scope: dict = {"__name__": __name__}
    exec(source, scope)
    return scope["f"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(a): return a.x", "def f(a): return a.y"),
        ("def f(a, b=1): return a + b", "def f(a, b=2): return a + b"),
        ("def f(a): return a + 1", "def f(a): return a + 2"),
        ("def f(a): return 'm'", "def f(a): return 'n'"),
        ("def f(a, b): return a - b", "def f(b, a): return a - b"),
        ("def f(a): return len(a)", "def f(a): return sum(a)"),
        ("def f(a): return a < 1", "def f(a): return a <= 1"),
    ],
)
def test_any_other_code_has_another_footprint(one, other):
    assert footprint(built(one)) == footprint(built(one))
    assert footprint(built(one)) != footprint(built(other))


def test_tuples_made_in_a_kernel_are_told_by_their_fields(monkeypatch):
    before = footprint(root)
    monkeypatch.setattr(Point, "_fields", ("y", "x"))
    assert footprint(root) != before


def test_other_functions_and_words_are_not_noticed(monkeypatch):
    before = footprint(root)
    monkeypatch.setattr(aside, "__code__", edited(aside))
    assert footprint(root) == before
    start = scores.start_climb
    source = inspect.getsource(start)
    words = source.replace('"""', '"""More. ', 1) + "\n# a comment\n"
    scope = dict(start.__globals__)
    exec(words, scope)
    assert scope["start_climb"] is not start
    assert footprint(scope["start_climb"]) == footprint(start)


@pytest.mark.parametrize("value", [object(), scores], ids=["object", "module"])
def test_a_global_of_an_unknown_kind_is_refused(monkeypatch, value):
    monkeypatch.setitem(globals(), "FACTOR", value)
    kind = type(value).__name__
    with pytest.raises(TypeError, match=f"a kernel uses FACTOR, which is a {kind}"):
        footprint(root)


def test_fields_are_told_from_the_outside_in():
    class Outer(NamedTuple):
        first: Point
        second: tuple
        third: np.ndarray

    kind = numba.typeof(Outer(Point(1, 2), (Other(1), 2.0), TABLE))
    assert fields_of(kind) == [("first", "second", "third"), ("x", "y"), ("x",)]
    assert fields_of(numba.types.int64) == []


# --- The kernels of the package


def kernels():
    """All kernels of the package, by module and name."""
    modules = [sys.modules[name] for name in sys.modules if name.startswith("paretob")]
    values = [value for module in modules for value in vars(module).values()]
    found = [each.py_func if hasattr(each, "py_func") else each for each in values]
    return {
        f"{each.__module__}.{each.__qualname__}": each
        for each, value in zip(found, values)
        if hasattr(value, "py_func")
    }


DECORATORS = (
    "kernel",
    "inlined",
    "called",
    "by_type",
)  # not in code


def reached_from(function):
    """All functions of the package that a function reaches, by the names it reads."""
    met, waiting = {}, [function]
    while waiting:
        one = waiting.pop()
        one = getattr(one, "py_func", one)
        if isinstance(one, dict):
            waiting += one.values()
        elif isinstance(one, FunctionType) and one.__module__.startswith("paretoball"):
            if id(one) in met or one.__name__ in DECORATORS:
                continue
            met[id(one)] = one
            tree = ast.parse(textwrap.dedent(inspect.getsource(one)))
            names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
            waiting += [one.__globals__[each] for each in names & set(one.__globals__)]
            waiting += [cell.cell_contents for cell in one.__closure__ or ()]
    return list(met.values())


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="there are no kernels")
def test_an_edit_changes_the_kernels_that_reach_it_and_no_others(monkeypatch):
    every = kernels()
    assert len(every) > 40
    before = {name: footprint(each) for name, each in every.items()}
    parts = {name: reached_from(each) for name, each in every.items()}
    some = {id(each): each for reached in parts.values() for each in reached}
    for part in list(some.values())[::7]:
        if part.__closure__:
            continue
        with monkeypatch.context() as patch:
            patch.setattr(part, "__code__", edited(part))
            changed = {name for name in every if footprint(every[name]) != before[name]}
        assert changed == {name for name in every if part in parts[name]}, part
        assert changed


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="there are no kernels")
def test_no_climb_reaches_what_exact_fronts_are_made_of():
    parts = {each.__module__ for each in reached_from(climb_now)}
    assert "paretoball.climber.scores" in parts
    assert not any(module.startswith("paretoball.exact") for module in parts)
