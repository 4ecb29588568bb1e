"""What does it change that a move is picked among those filed last, not among all?

The paper picks any of the smallest moves of a kind at random: `selection="uniform"`.
The default, `"next"`, picks one of the 4,096 filed last, which lie close together in
memory.
Same landscape, same seeds, whole climbs. What they find is compared by the hypervolume
of the front after some climbs, and by where climbs in the direction (1, 1) end; each is
a mean over seeds with its deviation.
"""

from statistics import mean, stdev

import paretoball as pb
from measuring import arguments, begin, printer

COLUMNS = "n,r,selection,climbs,us,hypervolume,deviation,optimum,deviation_of_optimum"


def main() -> None:
    """Print a line of CSV for each radius and way to pick."""
    options = begin(arguments(__doc__))
    n, seeds = (1_000, 2) if options.quick else (100_000, 10)
    write = printer(COLUMNS)
    landscape = pb.mnk(n=n, K=3, d=2, q=100, seed=1)
    pb.solve(landscape, "multistart", radius=1, max_climbs=1, seed=0)  # compile
    for r, climbs in ((1, 12), (2, 8), (3, 4)):
        for selection in ("next", "uniform"):
            facts = measure(landscape, r, climbs, selection, seeds)
            write([n, r, selection, climbs, *facts])


def measure(
    landscape: pb.Landscape, r: int, climbs: int, selection: str, seeds: int
) -> list[str]:
    """Time per move, hypervolume and local optimum of one way to pick."""
    runs = [
        pb.solve(
            landscape,
            "multistart",
            radius=r,
            max_climbs=climbs,
            selection=selection,
            seed=seed,
        )
        for seed in range(seeds)
    ]
    us = mean(1e6 * run.seconds / run.moves for run in runs)
    volumes = [run.hypervolume() for run in runs]
    climber = pb.Climber(landscape, r, selection)
    ends = [
        float(climber.start(weights=[1, 1], seed=seed).run().fx.sum())
        for seed in range(seeds)
    ]
    facts = [mean(volumes), stdev(volumes), mean(ends), stdev(ends)]
    return [f"{us:.3f}", *(f"{fact:.6g}" for fact in facts)]


if __name__ == "__main__":
    main()
