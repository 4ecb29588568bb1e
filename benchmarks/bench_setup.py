"""How long does a climber take to set up and to start, and how much memory?

Memory is told before it is taken: `predicted` is that, `actual` the bytes of all arrays
of the climber and of one climb.
"""

import argparse
import csv
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

import paretoball as pb
from paretoball.climber import Climber
from paretoball.scores import TIER, ClimbState, add_tier, start_climb

CASES = [
    (model, n, r)
    for model, sizes, radii in (
        ("adjacent", (10_000, 100_000), (1, 2, 3)),
        ("random", (1_000, 10_000), (1, 2)),
    )
    for n in sizes
    for r in radii
]
COLUMNS = (
    "model,n,K,d,r,moves,count_s,predict_s,setup_s,start_ms,"
    "predicted_mib,actual_mib,predicted_per_actual"
)


def arrays_in(thing: Any) -> Iterator[np.ndarray]:
    """All arrays in a tuple of tuples of arrays."""
    if isinstance(thing, np.ndarray):
        yield thing
    elif isinstance(thing, tuple):
        for part in thing:
            yield from arrays_in(part)


def actual_bytes(climber: Climber, state: ClimbState) -> int:
    """The memory of a climber and one climb, without what is the landscape's own."""
    everything = (climber.cliques, climber.move_set, climber.moves._forest, state)
    sizes = {array.ctypes.data: array.nbytes for array in arrays_in(everything)}
    for array in arrays_in(climber.landscape.cliques):
        sizes.pop(array.ctypes.data, None)
    return sum(sizes.values())


def start(climber: Climber, state: ClimbState) -> None:
    """The scores and buckets of all moves."""
    start_climb(climber.cliques, climber.move_set, state)
    while state.clock[TIER] < climber.radius:
        add_tier(climber.cliques, climber.move_set, state)


def seconds_of(work: Any, *arguments: Any) -> tuple[float, Any]:
    """How long a call takes, and what it returns."""
    began = time.perf_counter()
    outcome = work(*arguments)
    return time.perf_counter() - began, outcome


def row(model: str, n: int, r: int) -> list[Any]:
    """The measurements for one landscape and radius."""
    K, d = 3, 2
    landscape = pb.mnk(n=n, K=K, d=d, q=100, model=model, seed=1)
    count_s, count = seconds_of(pb.count_moves, landscape, r)
    predict_s, predicted = seconds_of(pb.climber_memory, landscape, r)
    setup_s, climber = seconds_of(pb.Climber, landscape, r)
    state = climber.new_state(journal=1, reports=1)
    start_s = min(seconds_of(start, climber, state)[0] for _ in range(3))
    actual = actual_bytes(climber, state)
    times = [f"{each:.3f}" for each in (count_s, predict_s, setup_s, 1e3 * start_s)]
    memory = [f"{each / 2**20:.1f}" for each in (predicted, actual)]
    return [model, n, K, d, r, count, *times, *memory, f"{predicted / actual:.2f}"]


def main() -> None:
    """Print a line of CSV for each landscape and radius."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, help="only landscapes of at most this size")
    options = parser.parse_args()
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(COLUMNS.split(","))
    row("adjacent", 100, 3)  # compile
    for model, n, r in CASES:
        if options.n is None or n <= options.n:
            table.writerow(row(model, n, r))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
