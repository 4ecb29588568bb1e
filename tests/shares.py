"""Shares of parameters: `make test` tries the first ones, and the audit all of them."""

from collections.abc import Iterable
from typing import Any

import pytest


def first(few: int, values: Iterable[Any]) -> list[Any]:
    """These parameters; all but the first few are long."""
    return [
        value if at < few else pytest.param(value, marks=pytest.mark.long)
        for at, value in enumerate(values)
    ]
