"""Variables: how many of them a landscape may have."""

from typing import Any

from paretoball.system import check_memory, checked_whole, counted

MAX_N = 2**31 - 1  # variables are numbered with 32 bits


def checked_n(n: Any) -> int:
    """n as an int, if a landscape of n variables fits in memory."""
    n = checked_whole("n", n, 1)
    check_memory(
        f"n = {counted(n, 'variable')}, before any subfunction, takes", 100 * n
    )
    return checked_whole("n", n, 1, MAX_N)
