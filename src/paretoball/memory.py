"""Memory: how much there is, so that what cannot fit is refused before it is tried."""

import os
from pathlib import Path

import numpy as np


def available_memory() -> int:
    """Bytes that this process may still take: of the machine, and of its container."""
    return min(machine_memory(), container_memory())


def container_memory() -> int:
    """Bytes that a limit on this process's control group leaves."""
    try:
        limit = Path("/sys/fs/cgroup/memory.max").read_text().strip()
        used = int(Path("/sys/fs/cgroup/memory.current").read_text())
        return 1 << 62 if limit == "max" else max(0, int(limit) - used)
    except (OSError, ValueError):
        return 1 << 62


def machine_memory() -> int:
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
        return 8 << 30  # nothing tells: assume a common laptop


def readable_bytes(count: float) -> str:
    """Bytes for people.

    >>> readable_bytes(3 * 2**30)
    '3.0 GiB'
    """
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:,.1f} TiB"


def with_room(array: np.ndarray, rows: int) -> np.ndarray:
    """The array itself, or a copy twice as long, so that it has so many rows."""
    if rows <= len(array):
        return array
    grown = np.empty((max(rows, 2 * len(array)), *array.shape[1:]), array.dtype)
    grown[: len(array)] = array
    return grown
