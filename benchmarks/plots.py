"""How the time per move grows, as a figure: docs/growth.png from the results."""

import argparse
import csv
import sys
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator

HERE = Path(__file__).parent
COLOURS = {1: "#0072B2", 2: "#E69F00", 3: "#000000"}  # told apart by all eyes
MARKERS = {1: "o", 2: "s", 3: "^"}
LINES = {1: "-", 2: "--", 3: ":"}

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


def main() -> None:
    """Draw the figure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", type=Path, default=HERE / "results")
    parser.add_argument("--save", type=Path, default=HERE.parent / "docs")
    options = parser.parse_args()
    results = options.results / "growth.csv"
    if not results.exists():
        sys.exit(f"no figure: there is no {results}")
    figure = growth(read(results))
    figure.savefig(options.save / "growth.png", dpi=150)


if __name__ == "__main__":
    main()
