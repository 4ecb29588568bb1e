"""How much faster are two workers than one, and at the same answer?

The same climbs of the same run, alone and by two threads, in turn; each time is the
median of several runs. `speedup` compares moves per second of search, set-up left out.
Unlike other benchmarks, this one is not kept on one core: it needs two.
"""

from statistics import median

import numpy as np

import paretoball as pb
from measuring import arguments, compile_for, note, printer

WORKERS = (1, 2)
CASES = [(10_000, 2, 1000), (100_000, 2, 150), (100_000, 3, 60)]  # n, r, climbs
QUICK = [(1_000, 2, 100)]
REPEAT = 5


def main() -> None:
    """Print a row for each case."""
    options = arguments(__doc__ or "", repeat=REPEAT).parse_args()
    write = printer("n,r,climbs,moves,one_s,two_s,speedup,archive")
    compile_for(2)
    for n, r, climbs in QUICK if options.quick else CASES:
        landscape = pb.mnk(n, K=3, d=2, q=100, seed=1)
        seconds: dict[int, list[float]] = {workers: [] for workers in WORKERS}
        for turn in range(1 if options.quick else options.repeat):
            note(f"n = {n:,}, r = {r}, turn {turn + 1}")
            runs = [
                pb.solve(
                    landscape,
                    "multistart",
                    radius=r,
                    max_climbs=climbs,
                    seed=1,
                    workers=workers,
                )
                for workers in WORKERS
            ]
            for workers, run in zip(WORKERS, runs):
                seconds[workers].append(run.seconds)
            assert np.array_equal(runs[0].F, runs[1].F)
        one, two = (median(seconds[workers]) for workers in WORKERS)
        times = (f"{one:.3f}", f"{two:.3f}", f"{one / two:.2f}")
        write([n, r, climbs, runs[0].moves, *times, len(runs[0])])


if __name__ == "__main__":
    main()
