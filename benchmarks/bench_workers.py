"""How much faster are two workers than one, and at the same answer?

The same climbs of the same run, alone and by two threads, in turn; each time is the
median of several runs. `speedup` compares seconds of search, set-up left out.
Multi-start has a given number of climbs; `path` has as many units as one thread does in
`--seconds`. Unlike other benchmarks, this
one is not kept on one core: it needs two.
"""

from statistics import median
from typing import Any, NamedTuple

import numpy as np

import paretoball as pb
from instances import made
from measuring import QUICK_SECONDS, arguments, note, printer

WORKERS = (1, 2)
MULTISTART, PATH = "multistart", "path"
REPEAT = 5
COLUMNS = "landscape,n,method,r,climbs,moves,one_s,two_s,speedup,archive"


class Case(NamedTuple):
    """What is run alone and by two threads."""

    landscape: str
    r: int | None = None  # None for the default
    climbs: int | None = None  # None for as many as take --seconds

    @property
    def method(self) -> str:
        """Multi-start where the climbs are given."""
        return PATH if self.climbs is None else MULTISTART


CASES = [
    Case("adjacent-10k", 2, 1000),
    Case("adjacent-100k", 2, 150),
    Case("adjacent-100k", 3, 60),
    Case("adjacent-10k"),
    Case("adjacent-10k-d3"),
    Case("random-10k"),
    Case("dense-1k"),
]
QUICK = [Case("adjacent-10k", 2, 100), Case("random-10k")]


def main() -> None:
    """Print a row for each case."""
    parser = arguments(__doc__ or "", seconds=20, repeat=REPEAT)
    options = parser.parse_args()
    write = printer(COLUMNS)
    for case in QUICK if options.quick else CASES:
        landscape = made(case.landscape, 1, options.quick).landscape
        chosen: dict[str, Any] = {"radius": case.r, "seed": 1, "progress": False}
        chosen["method"] = case.method
        pb.solve(landscape, max_climbs=1, **chosen)  # compile
        climbs = case.climbs
        if climbs is None:
            limit = QUICK_SECONDS if options.quick else options.seconds
            climbs = pb.solve(landscape, time_limit=limit, **chosen).climbs
        seconds: dict[int, list[float]] = {workers: [] for workers in WORKERS}
        for turn in range(1 if options.quick else options.repeat):
            note(f"{case.landscape}, {case.method}, {climbs} climbs, turn {turn + 1}")
            runs = [
                pb.solve(landscape, max_climbs=climbs, workers=workers, **chosen)
                for workers in WORKERS
            ]
            for workers, run in zip(WORKERS, runs):
                seconds[workers].append(run.seconds)
            assert np.array_equal(runs[0].F, runs[1].F)
        one, two = (median(seconds[workers]) for workers in WORKERS)
        times = (f"{one:.3f}", f"{two:.3f}", f"{one / two:.2f}")
        told = [case.landscape, landscape.n, case.method, case.r, climbs]
        write([*told, runs[0].moves, *times, len(runs[0])])


if __name__ == "__main__":
    main()
