"""How many points of the whole exact front does a search find?

Landscapes are adjacent MNK models with K = 3, q = 100, d = 2. The gap is what has to be
added to both objectives of all points found, so that they attain the whole front: the
additive epsilon. Seconds are those of the processor, so that a busy machine changes
little.
"""

from time import process_time

import numpy as np

import paretoball as pb
from measuring import arguments, begin, note, printer

COLUMNS = "n,method,seconds,points,found,on_front,share_of_points,share_of_volume,gap"
CASES = [(1_000, 10.0), (1_000, 60.0), (2_000, 10.0), (2_000, 60.0)]
QUICK = [(50, 0.2)]


def main() -> None:
    """Print a line of CSV for each size and time."""
    options = begin(arguments(__doc__))
    write = printer(COLUMNS)
    for n, seconds in QUICK if options.quick else CASES:
        note(f"n = {n:,}, {seconds:g} s")
        landscape = pb.mnk(n=n, K=3, d=2, q=100, seed=1)
        exact = pb.exact_front(landscape, progress=False)
        found = _searched(landscape, seconds)
        whole = set(map(tuple, exact.F.tolist()))
        hits = sum(point in whole for point in map(tuple, found.F.tolist()))
        volume = found.hypervolume() / pb.hypervolume(exact, landscape.mean)
        gap = pb.epsilon(found.F, exact.F, landscape.sense)
        sizes = len(exact), len(found), hits, f"{hits / len(exact):.4f}"
        write([n, "path", seconds, *sizes, f"{volume:.6f}", np.round(gap, 3)])


def _searched(landscape: pb.Landscape, seconds: float) -> pb.Result:
    """What a search finds in so many seconds of the processor."""
    pb.solve(landscape, method="path", max_climbs=2, progress=False)  # compile
    began = process_time()
    return pb.solve(
        landscape,
        method="path",
        time_limit=50 * seconds,
        seed=1,
        progress=False,
        callback=lambda _: process_time() - began > seconds,
    )


if __name__ == "__main__":
    main()
