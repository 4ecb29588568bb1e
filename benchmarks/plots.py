"""Results as figures: docs/growth.png, times per move; docs/search.png, fronts.

And docs/exact.png, the growth of exact fronts.
"""

import argparse
import csv
import sys
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter, NullLocator

from bars import Record, Results
from standings import method_of

HERE = Path(__file__).parent
COLOURS = {1: "#0072B2", 2: "#E69F00", 3: "#000000"}  # told apart by all eyes
MARKERS = {1: "o", 2: "s", 3: "^"}
LINES = {1: "-", 2: "--", 3: ":"}
OTHERS = {
    "path": ("#D55E00", "-"),
    "nsga2": ("#009E73", "-."),
}
CALLED = {
    "path": "path",
    "multistart": "multi-start",
    "nsga2": "NSGA-II",
}
PANELS = (
    "adjacent-10k",
    "adjacent-100k",
    "random-10k",
    "adjacent-10k-d3",
    "random-1k-K5",
    "mubqp-200",
)
MOMENTS = 200  # at which runs are compared

Curve = list[tuple[int, float]]


def read(path: Path) -> list[dict[str, Any]]:
    """The results of bench_growth.py."""
    with path.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    sizes = ("n", "K", "d", "r")
    return [
        {"us": float(row["us"])} | {size: int(row[size]) for size in sizes}
        for row in rows
    ]


def curve(rows: list[dict[str, Any]], across: str, **fixed: int) -> Curve:
    """Time per move against one size, the others as given."""
    chosen = [row for row in rows if all(row[k] == v for k, v in fixed.items())]
    return sorted((row[across], row["us"]) for row in chosen)


def panel(ax: Any, label: str, given: str, curves: dict[str, Curve]) -> None:
    """One size across, time up; what else is given is said above."""
    for style, (name, points) in enumerate(curves.items(), start=1):
        look = {"color": COLOURS[style], "marker": MARKERS[style], "ls": LINES[style]}
        ax.plot(*zip(*points), markersize=5, label=name, **look)
    ax.set_yscale("log")
    ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.yaxis.set_major_formatter("{x:g}")
    ax.yaxis.set_minor_locator(NullLocator())
    ax.set_xlabel(label)
    ax.set_title(given, loc="left", fontsize=10)
    ax.grid(True, which="major", linewidth=0.4, alpha=0.5)
    ax.legend(fontsize=8, handlelength=3)


def exact(path: Path) -> Figure:
    """Points and seconds of exact fronts against n, from bench_exact.py."""
    with path.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    figure = Figure(figsize=(7.5, 3.2), layout="constrained")
    looks = zip(("1 2", "3 2", "5 2", "3 3"), (*COLOURS.values(), "#D55E00"), "os^D")
    left, right = figure.subplots(1, 2)
    for case, colour, marker in looks:
        some = [row for row in rows if f"{row['K']} {row['d']}" == case]
        across = [int(row["n"]) for row in some]
        name = f"K = {case[0]}, d = {case[2]}"
        for ax, what in ((left, "points"), (right, "seconds")):
            up = [float(row[what]) for row in some]
            ax.loglog(across, up, color=colour, marker=marker, label=name)
            ax.set_xlabel("n")
            ax.set_title(what, loc="left", fontsize=10)
            ax.grid(True, which="major", linewidth=0.4, alpha=0.5)
    left.legend(fontsize=8)
    return figure


def growth(rows: list[dict[str, Any]]) -> Figure:
    """Time per move against n, r, d and K, one panel each."""
    figure = Figure(figsize=(7.5, 6.5), layout="constrained")
    (by_n, by_r), (by_d, by_k) = figure.subplots(2, 2, sharey=True)
    some = {"n": 10_000, "K": 3, "d": 2}

    def by_radius(size: str) -> dict[str, Curve]:
        rest = {name: value for name, value in some.items() if name != size}
        return {f"r = {r}": curve(rows, size, r=r, **rest) for r in (1, 2, 3)}

    panel(by_n, "variables n", "d = 2, K = 3", by_radius("n"))
    panel(by_d, "objectives d", "n = 10,000, K = 3", by_radius("d"))
    panel(by_k, "other variables in a subfunction, K", "n = 10,000, d = 2",
          by_radius("K"))  # fmt: skip
    by_objectives = {f"d = {d}": curve(rows, "r", **{**some, "d": d}) for d in (2, 3)}
    panel(by_r, "radius r", "n = 10,000, K = 3", by_objectives)
    by_n.set_xscale("log")
    by_r.set_xticks(sorted({row["r"] for row in rows}))
    for ax in (by_n, by_d):
        ax.set_ylabel("time per move [µs]")
    return figure


def search(rows: list[Record]) -> Figure:
    """Hypervolume against time, a panel for each landscape, a line for each method."""
    there = {row["landscape"] for row in rows}
    landscapes = [name for name in PANELS if name in there]
    across = min(2, len(landscapes))
    down = -(-len(landscapes) // across)
    figure = Figure(figsize=(3.75 * across, 3 * down), layout="constrained")
    panels = figure.subplots(down, across, squeeze=False).ravel()
    for ax, landscape in zip(panels, landscapes):
        search_panel(ax, [row for row in rows if row["landscape"] == landscape])
    for ax in panels[len(landscapes) :]:
        ax.remove()
    named = {
        text: line
        for ax in panels
        for line, text in zip(*ax.get_legend_handles_labels())
    }
    figure.legend(
        named.values(), named, loc="outside lower center", ncols=5, fontsize=8,
        handlelength=3,
    )  # fmt: skip
    return figure


def search_panel(ax: Any, rows: list[Record]) -> None:
    """Medians over runs, with the middle half of them, on one landscape."""
    first = rows[0]
    column, unit, shown = "share", 0.01, "% of the bound"
    if not first["share"]:
        power = int(np.log10(max(float(row["hypervolume"]) for row in rows)))
        column, unit, shown = "hypervolume", 10.0**power, f"$10^{{{power}}}$"
    times = [float(row["seconds"]) for row in rows]
    moments = np.geomspace(max(min(times), 0.01), max(times), MOMENTS)
    for method in sorted({method_of(row) for row in rows}):
        mine = [row for row in rows if method_of(row) == method]
        heights = heights_at(moments, mine, column) / unit
        low, middle, high = np.quantile(heights, (0.25, 0.5, 0.75), axis=0)
        if not np.nanmax(middle, initial=0) > 0:  # no time was left after the set-up
            continue
        colour, line, name = look(mine[0])
        ax.plot(moments, middle, color=colour, ls=line, label=name)
        ax.fill_between(moments, low, high, color=colour, alpha=0.25, linewidth=0)
    ax.set_xscale("log")
    ax.xaxis.set_major_locator(LogLocator(subs=(1, 3)))
    ax.xaxis.set_major_formatter("{x:g}")
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.set_xlabel("time, set-up included [s]")
    ax.set_ylabel(f"hypervolume [{shown}]")
    given = f"{first['landscape']}: n = {int(first['n']):,}, d = {first['d']}"
    ax.set_title(given, loc="left", fontsize=10)
    ax.grid(True, which="major", linewidth=0.4, alpha=0.5)


def heights_at(moments: np.ndarray, rows: list[Record], column: str) -> np.ndarray:
    """What each run had reached by then, (runs, moments); nan before its first row."""
    heights = []
    for seed in sorted({int(row["seed"]) for row in rows}):
        run = [row for row in rows if int(row["seed"]) == seed]
        times = [float(row["seconds"]) for row in run]
        values = np.array([np.nan] + [float(row[column]) for row in run])
        heights.append(values[np.searchsorted(times, moments, side="right")])
    return np.array(heights)


def look(row: Record) -> tuple[str, str, str]:
    """The colour, line and name of a method."""
    name = CALLED.get(row["method"], row["method"])
    if row["radius"]:
        name += f", r = {row['radius']}"
    if row["method"] in OTHERS:
        return (*OTHERS[row["method"]], name)
    return COLOURS[int(row["radius"])], LINES[int(row["radius"])], name


def main() -> None:
    """Draw the figures that there are results for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", type=Path, default=HERE / "results")
    parser.add_argument("--save", type=Path, default=HERE.parent / "docs")
    options = parser.parse_args()
    results = options.results / "growth.csv"
    traces = Results(options.results).rows("traces")
    if any(row["landscape"] in PANELS for row in traces):
        search(traces).savefig(options.save / "search.png", dpi=150)
    fronts = options.results / "exact.csv"
    if fronts.exists():
        exact(fronts).savefig(options.save / "exact.png", dpi=150)
    if not results.exists():
        sys.exit(f"no figure of growth: there is no {results}")
    figure = growth(read(results))
    figure.savefig(options.save / "growth.png", dpi=150)


if __name__ == "__main__":
    main()
