"""Pulses: long work calls one now and then, which raises an exception to end it."""

from collections.abc import Callable

Pulse = Callable[[], object]


def nothing() -> None:
    """A pulse that does nothing."""
