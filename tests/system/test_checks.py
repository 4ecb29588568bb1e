"""Checks of arguments: the same words for the same mistake, whoever asks."""

from fractions import Fraction

import numpy as np
import pytest

from paretoball.system.checks import (
    brief,
    checked_choice,
    checked_seconds,
    checked_whole,
    is_whole,
    printable,
)


class Multiline:
    """Something whose repr has several lines."""

    def __repr__(self) -> str:
        return "one\n  two"


@pytest.mark.parametrize(
    "value", [Multiline(), [Multiline()] * 99, "x\ny", "a" * 10**6, list(range(10**5))]
)
def test_any_value_is_brief_and_on_one_line(value):
    assert "\n" not in brief(value)
    assert 0 < len(brief(value)) < 100


def test_short_values_are_brief_as_they_are():
    assert brief(7) == "7"
    assert brief("path") == "'path'"
    assert brief([1, 2]) == "[1, 2]"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, größer, 日本, a b", "plain, größer, 日本, a b"),
        ("\x1b[31m", r"\x1b[31m"),
        ("a\u202eb\u2066", r"a\u202eb\u2066"),
        ("\x9b\x7f\x00\n", r"\x9b\x7f\x00\n"),
        ("\udcff", r"\udcff"),
        ("\U000e0041", r"\U000e0041"),
    ],
)
def test_what_a_terminal_would_obey_or_hide_is_shown_as_an_escape(text, shown):
    assert printable(text) == shown


@pytest.mark.parametrize("value", [0, -3, 10**30, np.int8(4), np.uint64(5)])
def test_ints_of_python_and_numpy_are_whole(value):
    assert is_whole(value)


@pytest.mark.parametrize(
    "value", [True, False, np.True_, 1.0, np.float64(2), "3", None, [1], Fraction(4, 2)]
)
def test_nothing_else_is_whole(value):
    assert not is_whole(value)


@pytest.mark.parametrize(
    ("value", "lowest", "highest"),
    [(1, 1, None), (10**30, 0, None), (5, 5, 5), (-2, -2, 0), (np.int16(7), 1, 9)],
)
def test_whole_numbers_in_range_come_back_as_ints(value, lowest, highest):
    checked = checked_whole("count", value, lowest, highest)
    assert type(checked) is int
    assert checked == value


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (0, ValueError, "count = 0, but it must be from 1 to 30 where n = 9"),
        (31, ValueError, "count = 31, but it must be from 1 to 30 where n = 9"),
        (True, TypeError, "count = True is not a whole number"),
        (1.0, TypeError, "count = 1.0 is not a whole number"),
        ("2", TypeError, "count = '2' is not a whole number"),
        (None, TypeError, "count = None is not a whole number"),
    ],
)
def test_other_values_are_refused_by_name_value_and_range(value, kind, text):
    with pytest.raises(kind) as caught:
        checked_whole("count", value, 1, 30, "where n = 9")
    assert str(caught.value) == text


def test_a_range_may_have_no_end():
    with pytest.raises(ValueError) as caught:  # noqa: PT011 (the whole text is below)
        checked_whole("d", -1, 1)
    assert str(caught.value) == "d = -1, but it must be at least 1"


@pytest.mark.parametrize("value", [1, 0.25, np.float32(0.5), Fraction(1, 4), 1e300])
def test_seconds_come_back_as_floats(value):
    assert type(checked_seconds("time_limit", value)) is float
    assert checked_seconds("time_limit", value) == float(value)
    assert checked_seconds("time_limit", float("inf")) == float("inf")


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (0, ValueError, "time_limit = 0 s, but it must be above 0"),
        (-1.5, ValueError, "time_limit = -1.5 s, but it must be above 0"),
        (float("nan"), ValueError, "time_limit = nan s, but it must be above 0"),
        (True, TypeError, "time_limit = True is not a number of seconds"),
        ("5", TypeError, "time_limit = '5' is not a number of seconds"),
        (None, TypeError, "time_limit = None is not a number of seconds"),
        (1j, TypeError, "time_limit = 1j is not a number of seconds"),
    ],
)
def test_what_is_no_time_is_refused(value, kind, text):
    with pytest.raises(kind) as caught:
        checked_seconds("time_limit", value)
    assert str(caught.value) == text


def test_a_choice_is_one_of_those_there_are():
    choices = ("next", "best", "uniform")
    for choice in choices:
        assert checked_choice("selection", choice, choices) == choice


@pytest.mark.parametrize("value", ["worst", "", "Next", None, 1, ["next"], b"next"])
def test_other_choices_are_refused_with_those_there_are(value):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 (the whole text is below)
        checked_choice("selection", value, ("next", "best", "uniform"))
    named = f"selection = {value!r} is not 'next', 'best' or 'uniform'"
    assert str(caught.value) == named
