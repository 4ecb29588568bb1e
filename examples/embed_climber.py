"""An iterated local search for two objectives, with the climber as its building block.

It follows the front: the direction turns a little, a few variables are flipped, the
climber repairs the damage, and what made things worse is taken back.
"""

import numpy as np

import paretoball as pb

DIRECTIONS = 99
KICKS = 40  # in each direction
KICK = 6  # variables flipped at once

rng = np.random.default_rng(1)
landscape = pb.mnk(n=500, K=3, d=2, q=100, seed=1)
climber = pb.Climber(landscape, radius=2)
climb = climber.start(weights=[1, DIRECTIONS], seed=1).run()
archive = pb.Archive(d=2)

for first in range(1, DIRECTIONS + 1):
    w = np.array([first, DIRECTIONS + 1 - first])
    climb.set_weights(w).run()
    for _ in range(KICKS):
        x, fx = climb.x, climb.fx
        centre = rng.integers(landscape.n)
        near = (centre + rng.permutation(3 * KICK)[:KICK]) % landscape.n
        climb.flip(near).run()
        archive.report(climb.fx, climb.x)
        if w @ climb.fx < w @ fx:
            climb.flip(np.flatnonzero(climb.x != x))

print(archive)
print(f"after {climb.steps:,} moves")
for fx in archive.F[:: len(archive) // 5]:
    print(fx)
