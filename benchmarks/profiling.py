"""Where does the time of a search go, by the functions that are compiled into it?

Linux `perf` takes 4,000 samples a second, and `addr2line` tells which functions each
is inside. For that, kernels are compiled with line numbers, into a cache that is thrown
away; they stay optimised as ever. A function's share includes what it calls. What is
not inside the climbing kernel is the archive, Python, and the set-up.

    python benchmarks/profiling.py "ring" 3      the problems are those of
    python benchmarks/profiling.py "3-SAT" 2     bench_problems.py
"""

import argparse
import os
import re
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

RATE = 4000  # samples per second


def main() -> None:
    """Print the share of each function."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("problem", help="the first letters of its name")
    parser.add_argument("radius", type=int)
    parser.add_argument("--n", type=int, help="variables, where not as usual")
    parser.add_argument("--seconds", type=float, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NUMBA_CACHE_DIR"] = folder
        os.environ["NUMBA_DEBUGINFO"] = "1"
        keep_optimised()
        sample(options, Path(folder))


def keep_optimised() -> None:
    """Let Numba note line numbers, and otherwise compile as without them."""
    from numba.core import cpu, debuginfo

    finalize = cpu.CPUTargetOptions.finalize

    def with_lines(self: Any, flags: Any, options: Any) -> None:
        finalize(self, flags, options)
        flags.boundscheck = flags.dbg_extend_lifetimes = flags.dbg_optnone = False
        flags.dbg_directives_only = True

    def initialize(self: Any) -> None:
        self.emission_kind = "FullDebug"
        self.dicompileunit = self._di_compile_unit()

    cpu.CPUTargetOptions.finalize = with_lines
    debuginfo.DIBuilder.initialize = initialize


def sample(options: argparse.Namespace, folder: Path) -> None:
    """Run a search, and attribute its samples."""
    import paretoball as pb
    from bench_problems import PROBLEMS
    from paretoball.search.multistart import _run_climbs

    found = [each for each in PROBLEMS if each.name.startswith(options.problem)]
    if not found:
        raise SystemExit(f"no problem's name starts with {options.problem!r}")
    n = options.n or found[0].n
    landscape = found[0].make(n)
    pb.solve(
        landscape, "multistart", radius=options.radius, max_climbs=1, seed=7
    )  # compile
    record = ["perf", "record", "-e", "cpu-clock", "-F", str(RATE), "-q"]
    record += ["-o", str(folder / "perf"), "-p", str(os.getpid())]
    with subprocess.Popen(record) as perf:
        time.sleep(0.5)
        result = pb.solve(
            landscape,
            "multistart",
            radius=options.radius,
            time_limit=options.seconds,
            seed=7,
        )
        perf.terminate()
    script = ["perf", "script", "-i", str(folder / "perf"), "-F", "ip"]
    seen = [int(ip, 16) for ip in output_of(script).split()]
    (compiled,) = vars(_run_climbs)["overloads"].values()
    inside = functions_of(compiled, folder, Counter(seen))
    us = 1e6 * result.seconds / result.moves
    print(f"{found[0].name}, n = {n:,}, r = {options.radius}: {us:.3f} µs per move")
    for name, count in inside.most_common(25):
        print(f"{count / len(seen):7.1%}  {name}")


def functions_of(compiled: Any, folder: Path, seen: Counter) -> Counter:
    """How many samples are inside each function of a compiled kernel."""
    program = folder / "kernel.o"
    program.write_bytes(compiled.library._get_compiled_object())
    name = compiled.fndesc.llvm_func_name
    places = {}
    for line in output_of(["nm", "-S", str(program)]).splitlines():
        if len(parts := line.split()) == 4 and parts[2] in "TtWw":
            places[parts[3]] = int(parts[0], 16), int(parts[1], 16)
    base = compiled.library.get_pointer_to_function(name) - places[name][0]
    end = max(start + length for start, length in places.values())
    offsets = [ip - base for ip in seen if 0 <= ip - base < end]
    lookup = ["addr2line", "-a", "-i", "-f", "-e", str(program), *map(hex, offsets)]
    inside: Counter = Counter()
    for block in re.split(r"(?m)^0x", output_of(lookup))[1:]:
        address, *lines = block.splitlines()
        names = {readable(line) for line in lines[::2]}
        for each in names:
            inside[each] += seen[int(address, 16) + base]
    return inside


def readable(mangled: str) -> str:
    """The module and function in a mangled name."""
    parts = re.match(r"_ZN((?:\d+[a-z_]+\d*)+?)(?:B\d+v|E)", mangled)
    if not parts:
        return mangled[:60]
    words, rest = [], parts[1]
    while length := re.match(r"\d+", rest):
        rest = rest[length.end() :]
        words.append(rest[: int(length[0])])
        rest = rest[int(length[0]) :]
    return ".".join(words[1:])


def output_of(command: list[str]) -> str:
    """What a program prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
