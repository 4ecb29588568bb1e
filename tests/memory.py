"""Memory that a call takes, in bytes, whatever the machine."""

import tracemalloc
from collections.abc import Callable
from typing import Any

MORE = 1 << 20  # bytes that any call may take


def traced(function: Callable[..., Any], *args: Any, **options: Any) -> tuple[Any, int]:
    """What a function returns, and the most bytes that it had at any time."""
    function(*args, **options)  # compiled and imported now
    tracemalloc.start()
    try:
        found = function(*args, **options)
        return found, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
