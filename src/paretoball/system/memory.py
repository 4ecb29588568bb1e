"""Memory: how much is free, so that what does not fit is refused before it starts."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, NoReturn

from paretoball.system.checks import checked_whole

UNBOUNDED = 1 << 62
UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
UNITS |= {"ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}
SIZE = re.compile(r"([0-9]+\.?[0-9]*) ?([kmgt]?i?)b?", re.IGNORECASE)

_cap: ContextVar[int] = ContextVar("cap", default=UNBOUNDED)


def available_memory() -> int:
    """Bytes that may still be taken: the least of machine, container and cap."""
    return min(_machine_memory(), _container_memory(), _cap.get())


def check_memory(needs: str, needed: int, advice: str = "") -> None:
    """Raise a MemoryError if more bytes are needed than are available.

    `needs` is the message up to the number of bytes: "3 solutions of 9 bits need".
    """
    if needed > available_memory():
        refuse_memory(needs, needed, advice)


def refuse_memory(needs: str, needed: int, advice: str = "") -> NoReturn:
    """Raise a MemoryError: the bytes needed, the bytes available, and the advice."""
    available = available_memory()
    state = "allowed" if available == _cap.get() else "free"
    said = readable_bytes(min(needed, UNBOUNDED))
    raise MemoryError(
        f"{needs} {said}, but {readable_bytes(available)} are {state}"
        f"{advice and f': {advice}'}"
    )


@contextmanager
def capped(limit: int | None) -> Iterator[None]:
    """Inside this context, at most `limit` bytes count as available."""
    before = _cap.set(UNBOUNDED if limit is None else max(0, limit))
    try:
        yield
    finally:
        _cap.reset(before)


def checked_bytes(limit: Any) -> int | None:
    """A memory limit in bytes, given as a number or as text; None is no limit.

    >>> checked_bytes("1.5 GB"), checked_bytes("2GiB"), checked_bytes(10**6)
    (1500000000, 2147483648, 1000000)
    """
    if limit is None:
        return None
    if isinstance(limit, str):
        said = SIZE.fullmatch(limit.strip())
        if said is None or said[2].lower() not in UNITS:
            raise ValueError(f"memory_limit = {limit!r} is not like '8GB' or '512MiB'")
        limit = int(float(said[1]) * UNITS[said[2].lower()])
    return checked_whole("memory_limit", limit, 1)


def _container_memory() -> int:
    """Bytes that the memory limit of the container (cgroup v2) leaves."""
    try:
        limit = Path("/sys/fs/cgroup/memory.max").read_text().strip()
        used = int(Path("/sys/fs/cgroup/memory.current").read_text())
        return UNBOUNDED if limit == "max" else max(0, int(limit) - used)
    except (OSError, ValueError):
        return UNBOUNDED


def _machine_memory() -> int:
    """Bytes that are free on this machine without swapping."""
    try:
        with open("/proc/meminfo") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 8 << 30  # unknown: assume a common laptop


def readable_bytes(count: float) -> str:
    """A number of bytes as text.

    >>> readable_bytes(3 * 2**30)
    '3.0 GiB'
    """
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:,.1f} TiB"
