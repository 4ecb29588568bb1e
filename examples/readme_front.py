"""The picture in the README: fronts of one problem by climbers of radius 1, 2 and 3.

python examples/readme_front.py --seconds 5 --save docs/front.png
"""

import argparse

import paretoball as pb

COLOURS = {1: "#56B4E9", 2: "#E69F00", 3: "#000000"}  # told apart by all eyes

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--seconds", type=float, default=1, help="for each radius")
parser.add_argument("--save", metavar="FIGURE", help="draw the fronts into this file")
options = parser.parse_known_args()[0]

landscape = pb.mnk(n=10_000, K=3, d=2, q=100, model="adjacent", seed=1)
results = {}
for radius in COLOURS:
    results[radius] = pb.solve(
        landscape, radius=radius, time_limit=options.seconds, seed=7
    )
    print(results[radius])

if options.save:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    ax = figure.subplots()
    for radius, result in results.items():
        label = f"r = {radius}: {len(result):,} solutions"
        ax.plot(*result.F.T, ".", color=COLOURS[radius], markersize=3, label=label)
    ax.set_xlabel("f0 (max)")
    ax.set_ylabel("f1 (max)")
    ax.set_title(f"{landscape.n:,} variables, {options.seconds:g} s per radius")
    ax.legend(markerscale=3, loc="lower left")
    figure.savefig(options.save, dpi=120)
