"""A small evolutionary algorithm: cross two members, kick and climb, cross again.

Parents are among the best of the front for some weights. The best child of theirs is
disturbed and climbs back; crossing it with what it was undoes all that made things
worse, and gives every trade-off between the two at once.
"""

import numpy as np

import paretoball as pb

POPULATION = 20
GENERATIONS = 300
KICK = 30  # variables flipped before a climb

rng = np.random.default_rng(1)
landscape = pb.mnk(n=500, K=3, d=2, q=100, seed=1)
climber = pb.Climber(landscape, radius=2)
hull = pb.supported_front(landscape)
archive = pb.Archive(d=2)


def weights() -> np.ndarray:
    """A direction somewhere between the two objectives."""
    share = rng.uniform(0.01, 0.99)
    return np.array([share, 1 - share])


def tell(how: str, F: np.ndarray) -> None:
    """How large a front is, and its volume beside what no front can exceed."""
    share = pb.hypervolume(F, landscape.mean) / hull.bound(landscape.mean)
    print(f"{how}: {len(F)} non-dominated, {share:.2%} of the hull")


for seed in range(POPULATION):
    climb = climber.start(weights=weights(), seed=seed).run()
    archive.report(climb.fx, climb.x)
tell(f"{POPULATION} climbs", archive.F)

offspring = 0
for seed in range(GENERATIONS):
    w = weights()
    parents = archive.X[rng.choice(np.argsort(archive.F @ w)[-5:], 2)]
    child = pb.partition_crossover(landscape, *parents, w)
    climb = climber.start(child.x, weights=w, seed=seed)
    climb.flip(rng.choice(landscape.n, KICK, replace=False)).run()
    for x, fx in pb.pareto_crossover(landscape, child.x, climb.x):
        offspring += 1
        archive.report(fx, x)
tell(f"{GENERATIONS} climbs more, and {offspring:,} offspring", archive.F)

climbs = POPULATION + GENERATIONS
alone = pb.solve(landscape, "multistart", max_climbs=climbs, seed=1)
tell(f"{climbs} climbs alone", alone.F)
