"""On what were the benchmarks run? One line of CSV."""

import os
import platform
from importlib.metadata import version
from pathlib import Path

from measuring import printer
from paretoball import __version__


def told(path: str, key: str) -> str:
    """The value of the first line of a system file that begins with `key`."""
    try:
        lines = Path(path).read_text().splitlines()
    except OSError:
        return ""
    values = (line.split(":", 1)[1] for line in lines if line.startswith(key))
    return next(values, "").strip()


def main() -> None:
    """Print the processor, its cores, and the versions of what the package runs on."""
    write = printer("processor,cores,memory_gib,system,python,numba,numpy,paretoball")
    processor = told("/proc/cpuinfo", "model name") or platform.machine()
    kib = told("/proc/meminfo", "MemTotal").removesuffix(" kB")
    memory = f"{int(kib) / 2**20:.0f}" if kib else ""
    packages = [version("numba"), version("numpy"), __version__]
    system = f"{platform.system()} {platform.machine()}"
    write([processor, os.cpu_count(), memory, system, platform.python_version(),
           *packages])  # fmt: skip


if __name__ == "__main__":
    main()
