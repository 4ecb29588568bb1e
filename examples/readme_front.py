"""The picture in the README: a front that is followed, and three of random climbs.

python examples/readme_front.py --seconds 5 --save docs/front.png
"""

import argparse

import paretoball as pb

COLOURS = {  # told apart by all eyes
    ("path", 2): "#000000",
    ("multistart", 3): "#D55E00",
    ("multistart", 2): "#E69F00",
    ("multistart", 1): "#56B4E9",
}

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--seconds", type=float, default=1, help="for each front")
parser.add_argument("--save", metavar="FIGURE", help="draw the fronts into this file")
options = parser.parse_known_args()[0]

landscape = pb.mnk(n=10_000, K=3, d=2, q=100, model="adjacent", seed=1)
results = {}
for method, radius in COLOURS:
    results[method, radius] = pb.solve(
        landscape, method, radius=radius, time_limit=options.seconds, seed=7
    )
    print(results[method, radius])

if options.save:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    ax = figure.subplots()
    for (method, radius), result in results.items():
        label = f"{method}, r = {radius}: {len(result):,} solutions"
        colour = COLOURS[method, radius]
        ax.plot(*result.F.T, ".", color=colour, markersize=3, label=label)
    ax.set_xlabel("f0 (max)")
    ax.set_ylabel("f1 (max)")
    ax.set_title(f"{landscape.n:,} variables, {options.seconds:g} s each")
    ax.legend(markerscale=3, loc="lower left")
    figure.savefig(options.save, dpi=120)
