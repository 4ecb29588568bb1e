"""Checks of arguments: each error says what was given and what would be right."""

import reprlib
from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any


def brief(value: object) -> str:
    """A value in a few characters on one line, for an error message."""
    return " ".join(reprlib.repr(value).split())


def printable(text: str) -> str:
    r"""The text with escapes for what a terminal would obey, hide or reorder.

    >>> print(printable("red: \x1b[31m"))
    red: \x1b[31m
    """
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode()
        for each in text
    )


def is_whole(value: object) -> bool:
    """Whether a value is an int of Python or numpy; True and False are not."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def checked_whole(
    name: str,
    value: Any,
    lowest: int,
    highest: int | None = None,
    where: str = "",
) -> int:
    """The value as an int, if it is a whole number in this range.

    >>> checked_whole("radius", 0, 1, 30)
    Traceback (most recent call last):
    ValueError: radius = 0, but it must be from 1 to 30
    """
    if not is_whole(value):
        raise TypeError(f"{name} = {brief(value)} is not a whole number")
    if value < lowest or (highest is not None and value > highest):
        right = (
            f"at least {lowest}" if highest is None else f"from {lowest} to {highest}"
        )
        raise ValueError(f"{name} = {value}, but it must be {right} {where}".rstrip())
    return int(value)


def checked_seconds(name: str, value: Any) -> float:
    """The value as a float, if it is a number of seconds above 0."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(f"{name} = {brief(value)} is not a number of seconds")
    seconds = float(value)
    if not seconds > 0:
        raise ValueError(f"{name} = {value} s, but it must be above 0")
    return seconds


def checked_choice(name: str, value: Any, choices: Sequence[str]) -> str:
    """The value, if it is one of the choices."""
    if not isinstance(value, str) or value not in choices:
        *others, last = [repr(choice) for choice in choices]
        raise ValueError(
            f"{name} = {brief(value)} is not {', '.join(others)} or {last}"
        )
    return value
