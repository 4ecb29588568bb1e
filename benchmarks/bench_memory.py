"""How much memory does a climber take, and is that what was told before?

`predicted` is what `info` tells. `arrays` are the bytes of all arrays of the climber
and one climb, without those of the landscape; `resident` is by how much the process
grew for them, and `peak` the most that it ever was, from making the landscape to the
end of a whole climb, of so many moves `taken`. Every case has a process of its own.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import paretoball as pb
from measuring import arguments, begin, compile_for, note, peak, printer

K, D, Q = 3, 2, 100
CASES = [("adjacent", 1_000_000, 2), ("adjacent", 1_000_000, 3), ("random", 10_000, 2)]
QUICK = [("adjacent", 10_000, 2), ("random", 1_000, 2)]
COLUMNS = (
    "model,n,r,moves,predicted_mib,arrays_mib,resident_mib,peak_mib,"
    "predicted_per_move,arrays_per_move,resident_per_move,taken"
)
PLAIN = {"MALLOC_MMAP_THRESHOLD_": "65536"}  # give back freed arrays at once, not later


def arrays_in(thing: Any) -> Iterator[np.ndarray]:
    """All arrays in objects of the package and tuples, whatever holds them."""
    if isinstance(thing, np.ndarray):
        yield thing
    elif isinstance(thing, tuple):
        for part in thing:
            yield from arrays_in(part)
    elif type(thing).__module__.startswith("paretoball"):
        yield from arrays_in(tuple(vars(thing).values()))


def bytes_of_arrays(climb: Any) -> int:
    """The arrays of a climb and its climber, without what is the landscape's own."""
    sizes = {array.ctypes.data: array.nbytes for array in arrays_in(climb)}
    for array in arrays_in(climb.climber.landscape):
        sizes.pop(array.ctypes.data, None)
    return sum(sizes.values())


def resident() -> int:
    """Bytes of memory that this process holds now; 0 where nothing tells."""
    try:
        pages = Path("/proc/self/statm").read_text().split()[1]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def row(model: str, n: int, r: int) -> list[Any]:
    """The measurements for one landscape and radius."""
    compile_for(D)
    landscape = pb.mnk(n, K, D, Q, model, seed=1)
    predicted = pb.climber_memory(landscape, r)
    before = resident()
    climb = pb.Climber(landscape, r).start(seed=7).run()
    sizes = [predicted, bytes_of_arrays(climb), resident() - before]
    moves = len(climb.climber.moves)
    total = [f"{size / 2**20:.1f}" for size in (*sizes, peak())]
    per_move = [f"{size / moves:.1f}" for size in sizes]
    return [model, n, r, moves, *total, *per_move, climb.steps]


def main() -> None:
    """Print a line of CSV for each case, each from a process of its own."""
    parser = arguments(__doc__)
    parser.add_argument("--case", nargs=3, help="only this one: model, n, r")
    options = begin(parser)
    write = printer(COLUMNS)
    if options.case:
        model, n, r = options.case
        write(row(model, int(n), int(r)))
        return
    for case in QUICK if options.quick else CASES:
        model, n, r = case
        note(f"{model}, n = {n:,}, r = {r}")
        command = [sys.executable, __file__, "--case", *map(str, case)]
        child = subprocess.run(
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, **PLAIN}
        )
        if child.returncode == 0:
            write(child.stdout.splitlines()[1].split(","))
        else:
            note(f"it ended with code {child.returncode}")


if __name__ == "__main__":
    main()
