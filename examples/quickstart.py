"""A front of a random problem with 1,000 variables and two objectives."""

import paretoball as pb

landscape = pb.mnk(n=1_000, K=3, d=2, q=100, model="adjacent", seed=1)
result = pb.solve(landscape, radius=2, time_limit=2, seed=7)
print(result)
for fx in result.F[:: len(result) // 5]:
    print(fx)
