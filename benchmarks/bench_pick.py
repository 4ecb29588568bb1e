"""Does it matter that a move is picked among those filed last, not among all?

The paper picks any of the smallest moves of a kind at random. Here it is one of the
4,096 filed last, which lie close together in memory. Both ways run in processes of
their own, with kernels of their own: same landscape, same seeds, whole climbs. What
they find is compared by the hypervolume of the front after some climbs, and by where
climbs in the direction (1, 1) end; each is a mean over seeds with its deviation.
"""

import os
import subprocess
import sys
import tempfile
from statistics import mean, stdev

import paretoball as pb
from measuring import arguments, begin, note, printer
from paretoball.climber import buckets

CHOICES = {"filed last": buckets.RECENT, "all": 2**31 - 1}
COLUMNS = (
    "n,r,picked_among,climbs,us,hypervolume,deviation,optimum,deviation_of_optimum"
)


def main() -> None:
    """Print a line of CSV for each radius and way to pick."""
    parser = arguments(__doc__)
    parser.add_argument(
        "--among", choices=CHOICES, help="only this way, in this process"
    )
    options = begin(parser)
    n, seeds = (1_000, 2) if options.quick else (100_000, 10)
    if options.among:
        buckets.RECENT = CHOICES[options.among]  # before anything is compiled
        measure(options.among, n, seeds)
        return
    printer(COLUMNS)
    for among in CHOICES:
        note(f"picked among {among}")
        command = [sys.executable, __file__, "--among", among]
        command += ["--quick"] if options.quick else []
        with tempfile.TemporaryDirectory() as folder:
            own = os.environ | {"NUMBA_CACHE_DIR": folder}
            subprocess.run(command, env=own, check=True)


def measure(among: str, n: int, seeds: int) -> None:
    """The lines of one way to pick."""
    landscape = pb.mnk(n=n, K=3, d=2, q=100, seed=1)
    pb.solve(landscape, "multistart", radius=1, max_climbs=1, seed=0)  # compile
    for r, climbs in ((1, 12), (2, 8), (3, 4)):
        runs = [
            pb.solve(landscape, "multistart", radius=r, max_climbs=climbs, seed=seed)
            for seed in range(seeds)
        ]
        us = mean(1e6 * run.seconds / run.moves for run in runs)
        volumes = [run.hypervolume() for run in runs]
        climber = pb.Climber(landscape, r)
        ends = [
            float(climber.start(weights=[1, 1], seed=seed).run().fx.sum())
            for seed in range(seeds)
        ]
        facts = [mean(volumes), stdev(volumes), mean(ends), stdev(ends)]
        row = [n, r, among, climbs, f"{us:.3f}", *(f"{fact:.6g}" for fact in facts)]
        print(*row, sep=",", flush=True)


if __name__ == "__main__":
    main()
