"""A problem of one's own: who works in which of two offices?

Each pair of people in a list may share an office or not. If they do not, a quarrel is
avoided, which is to be maximised, and they have to travel, which is to be minimised: a
maximum cut and a minimum cut of one graph with two weights on every edge.
"""

import random

import paretoball as pb

PEOPLE = 200
random.seed(1)
pairs = [random.sample(range(PEOPLE), 2) for _ in range(3 * PEOPLE)]


def cut(weight):
    """The weight of a pair, if the two bits that say where they work differ."""
    return [0, weight, weight, 0]


quarrels = [(pair, cut(random.randrange(100))) for pair in pairs]
travels = [(pair, cut(random.randrange(100))) for pair in pairs]
landscape = pb.Landscape.from_subfunctions(
    PEOPLE, [quarrels, travels], sense=["max", "min"]
)
print(landscape)

result = pb.solve(landscape, radius=2, max_climbs=40, seed=1)
print(result)
avoided, travel = result.F[-1]
print(f"{avoided} of quarrels can be avoided, if {travel} of travel does not matter")
middle = len(result) // 2
offices = result.X[middle]
print(f"a compromise: {result.F[middle]}, {offices.sum()} people in the second office")
