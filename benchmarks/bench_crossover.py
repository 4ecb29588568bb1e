"""What does crossing two solutions of a front give, and how long does it take?

Parents are independent local optima, each of its own random direction; or local optima
of one direction that turns a little from one to the next, of which neighbours are
crossed. The share of offspring that stay in a front of all of them, over all couples of
one kind, says how much they are in each other's way. Hypervolume is above the mean of
the landscape: that of the parents, and that of their offspring. Seconds are for finding
the offspring, objectives included, without building their solutions: the best of some
repetitions for each couple.
"""

from collections.abc import Iterator
from itertools import pairwise
from operator import itemgetter
from statistics import mean, median

import numpy as np

import paretoball as pb
from measuring import arguments, begin, note, printer, seconds_of
from paretoball.archive.points import Points

COLUMNS = (
    "n,K,d,r,parents,couples,differing,components,offspring,non_dominated_share,"
    "ms_per_crossover,us_per_offspring,parents_hypervolume,offspring_hypervolume,gain"
)
COUPLES = 20
REPETITIONS = 7


def main() -> None:
    """Print a line of CSV for each kind of parents and number of objectives."""
    options = begin(arguments(__doc__))
    n, couples = (1_000, 3) if options.quick else (10_000, COUPLES)
    write = printer(COLUMNS)
    for d in (2, 3):
        landscape = pb.mnk(n=n, K=3, d=d, q=100, seed=1)
        for r in (1, 2):
            climber = pb.Climber(landscape, r)
            for parents, found in (
                ("independent optima", independent(climber, couples + 1)),
                ("neighbours", neighbours(climber, couples + 1)),
            ):
                note(f"d = {d}, r = {r}, {parents}")
                facts = measure(landscape, list(found))
                write([n, 3, d, r, parents, couples, *facts])


def independent(climber: pb.Climber, count: int) -> Iterator[np.ndarray]:
    """Local optima from random starts, in random directions."""
    rng = np.random.default_rng(1)
    for seed in range(count):
        weights = rng.dirichlet(np.ones(climber.landscape.d)) + 1e-3
        yield climber.start(weights=weights, seed=seed).run().x


def neighbours(climber: pb.Climber, count: int) -> Iterator[np.ndarray]:
    """Local optima one after the other, as the direction turns from near even."""
    d = climber.landscape.d
    climb = climber.start(weights=np.ones(d), seed=1).run()
    for step in range(count):
        climb.set_weights([100 + step, *[100] * (d - 1)]).run()
        yield climb.x


def measure(landscape: pb.Landscape, found: list[np.ndarray]) -> list:
    """Cross each solution with the next; medians, and hypervolumes on average."""
    pb.pareto_crossover(landscape, found[0], found[1])  # compile
    spent, families = [], []
    archive = pb.Archive(landscape.d)
    for x, y in pairwise(found):
        runs = [
            seconds_of(pb.pareto_crossover, landscape, x, y) for _ in range(REPETITIONS)
        ]
        seconds, family = min(runs, key=itemgetter(0))
        spent.append(seconds)
        families.append(family)
        tags = np.zeros((len(family), 3), np.int64)
        archive.take_in(Points.tagged(family.F, tags))
    F = landscape.evaluate(found)
    before = [volume(landscape, F[at : at + 2]) for at in range(len(families))]
    after = [volume(landscape, family.F) for family in families]
    sizes = [len(family) for family in families]
    return [
        median(len(family.between.differing) for family in families),
        median(len(family.between) for family in families),
        median(sizes),
        f"{len(archive) / sum(sizes):.3f}",
        f"{1e3 * median(spent):.2f}",
        f"{1e6 * sum(spent) / sum(sizes):.2f}",
        f"{mean(before):.5g}",
        f"{mean(after):.5g}",
        f"{mean(a / b - 1 for a, b in zip(after, before)):.4f}",
    ]


def volume(landscape: pb.Landscape, F: np.ndarray) -> float:
    """The hypervolume of a front above the mean of the landscape."""
    return pb.hypervolume(F, landscape.mean)


if __name__ == "__main__":
    main()
