"""Notices: a warning is at the line of whoever called the package."""

import inspect

import pytest

from paretoball.system.notices import notice

INSIDE = """
from paretoball.system.notices import notice

def outer(depth):
    return outer(depth - 1) if depth else notice("mind this")
"""


@pytest.mark.parametrize("module", ["paretoball.rooms.deep", "paretoball"])
@pytest.mark.parametrize("depth", [0, 1, 5])
def test_a_warning_points_to_the_line_outside_of_the_package(module, depth):
    names: dict = {"__name__": module}
    exec(INSIDE, names)
    line = inspect.currentframe().f_lineno + 2  # type: ignore[union-attr]
    with pytest.warns(UserWarning, match="^mind this$") as caught:
        names["outer"](depth)
    assert (caught[0].filename, caught[0].lineno) == (__file__, line)


def test_a_package_with_a_similar_name_is_another_one():
    names: dict = {"__name__": "paretoballs.deep"}
    exec(INSIDE, names)
    with pytest.warns(UserWarning, match="mind this") as caught:
        names["outer"](2)
    assert caught[0].filename == "<string>"


def test_a_warning_of_nobody_else_is_there_too():
    with pytest.warns(UserWarning, match="mine") as caught:
        notice("mine")
    assert caught[0].filename == __file__
