"""The figures of a campaign: what the paper's Figures 2 and 3 show, and more.

Colours tell radii apart for all kinds of colour vision; markers and dashes do so in
print without colours.
"""

from collections.abc import Iterator
from math import ceil, floor, log10, sqrt
from pathlib import Path
from typing import Any

import numpy as np

from paretoball.formats import PathLike
from paretoball.paper import (
    LEVELS,
    MEDIAN,
    Campaign,
    Group,
    exact_bound,
    groups,
    summary,
)
from paretoball.report.front_plot import SUFFIXES, new_figure, write_figure
from paretoball.running import load
from paretoball.system import counted

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
MARKERS = "os^Dv*P"  # one more than colours, so that no two radii look alike
DASHES = ("-", "--", ":", "-.")
TIMES = 200  # at which hypervolumes are compared
CLOSE = 7  # points of a front to either side of its middle


def draw_campaign(folder: PathLike, into: PathLike) -> Iterator[Path]:
    """Draw the figures of what is finished so far, in every format; their files."""
    campaign = Campaign.open(folder)
    if not campaign.rows:
        raise ValueError(f"{folder}: no run is finished, so there is nothing to draw")
    if Path(into).suffix in SUFFIXES or (
        Path(into).exists() and not Path(into).is_dir()
    ):
        raise ValueError(f"{into}: a campaign is drawn into a folder")
    Path(into).mkdir(parents=True, exist_ok=True)
    draw = {"runtime": _runtime_figures, "quality": _quality_figures}
    figures = list(draw[campaign.plan.experiment](campaign))
    if not figures:
        raise ValueError(f"{folder}: there are figures for up to three objectives only")
    for name, figure in figures:
        for suffix in SUFFIXES:
            path = Path(into, name + suffix)
            write_figure(figure, path)
            yield path


def _runtime_figures(campaign: Campaign) -> Iterator[tuple[str, Any]]:
    """Figure 2: the time per move against n, a line for each d and radius."""
    figure = new_figure(6.4, 4.4)
    axes = figure.subplots()
    cases = summary(campaign)
    for radius in reversed(campaign.plan.radius):  # the legend has the slowest on top
        for at, d in reversed([*enumerate(campaign.plan.d)]):
            some = [case for case in cases if (case.d, case.radius) == (d, radius)]
            if not some:
                continue
            axes.errorbar(
                [case.n for case in some],
                [case.us_per_move for case in some],
                yerr=[np.nan_to_num(case.us_deviation) for case in some],
                label=f"r = {radius}, d = {d}",
                linestyle=DASHES[at % len(DASHES)],
                mfc="white" if at % 2 else None,
                capsize=2,
                **_style(campaign, radius),
            )
    axes.set_yscale("log", subs=[])
    low, high = axes.get_ylim()
    margin = max(1.0, sqrt(4 * low / high))  # so that at least two ticks are in sight
    axes.set_ylim(low / margin, high * margin)
    axes.set_yticks(_round_numbers(*axes.get_ylim()))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlabel("variables N")
    axes.set_ylabel("average time per move (µs)")
    axes.grid(alpha=0.3)
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    yield "time_per_move", figure


def _round_numbers(low: float, high: float) -> list[float]:
    """1, 2, 3 and 5 times powers of ten, between two positive numbers."""
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    ticks = [digit * 10.0**power for power in powers for digit in (1, 2, 3, 5)]
    return [tick for tick in ticks if low <= tick <= high]


def _quality_figures(campaign: Campaign) -> Iterator[tuple[str, Any]]:
    """Figure 3, with the exact hull; and hypervolumes against time."""
    for group in groups(campaign):
        tail = "" if len(campaign.plan.n) * len(campaign.plan.d) == 1 else group.name
        if group.d == 2:
            yield f"attainment{tail}", _attainment_figure(group)
        if group.d <= 3:
            yield f"hypervolume{tail}", _hypervolume_figure(group)


def _attainment_figure(group: Group) -> Any:
    """The surfaces of each radius, whole and at their middle, below hull or front."""
    front = group.whole_front()
    figure = new_figure(7.6, 4.6 if front is None else 5.4)
    rows = [*([] if front is None else ["front"]), *(f"r{r}" for r in group.radii)]
    panels: dict[str, Any] = figure.subplot_mosaic(
        [["whole", row] for row in rows], width_ratios=(2.6, 1)
    )
    whole = panels["whole"]
    surfaces = group.surfaces()
    for r in group.radii:
        look, axes = _style(group.campaign, r), panels[f"r{r}"]
        middle = surfaces[r, MEDIAN]
        every = max(1, len(middle) // 8)
        whole.step(*middle.T, where="pre", label=f"r = {r}", markevery=every, **look)
        for level, dashes in zip(LEVELS, ("--", "-", ":")):
            line = {"color": look["color"], "linestyle": dashes, "linewidth": 1}
            axes.step(*surfaces[r, level].T, where="pre", **line)
        _zoom(axes, middle, surfaces[r, LEVELS[-1]])
        key = "with 25 % (dashed)\nand 75 % (dotted)\n" * (r == group.radii[0])
        axes.set_title(f"closer: {key}r = {r}", fontsize=8, loc="left")
    _draw_hull(group, whole, front)
    if front is not None:
        _draw_closely(group, panels["front"], front)
    whole.set_title("50 % attainment surfaces", fontsize=9, loc="left")
    whole.legend(frameon=False, loc="lower left")
    for axes in panels.values():
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.yaxis.set_major_formatter("{x:,.0f}")
        axes.grid(alpha=0.3)
        if axes is not whole:
            axes.tick_params(labelsize=7)
            axes.locator_params("y", nbins=3)
            axes.locator_params("x", nbins=2)
    whole.set_xlabel("f0 (max, sum of table entries)")
    whole.set_ylabel("f1 (max, sum of table entries)")
    return figure


def _zoom(axes: Any, surface: np.ndarray, lower: np.ndarray) -> None:
    """Look at the middle of a surface, closely enough to see the next one below it."""
    x, y = surface[len(surface) // 2].astype(float)
    below = lower[lower[:, 0] >= x]
    gap = y - (below[:, 1].max() if len(below) else y)
    reach = 4 * max(gap, 1e-3 * np.ptp(surface[:, 1]), 1.0)
    axes.set_xlim(x - reach, x + reach)
    axes.set_ylim(y - reach, y + reach)


def _draw_hull(group: Group, axes: Any, front: np.ndarray | None) -> None:
    """The front itself where it is known, or else the upper limit of all fronts."""
    hull, _ = group.hull()
    if front is not None:
        label = f"the whole front, {counted(len(front), 'point')}"
        axes.plot(*front.T, color="black", linewidth=1, label=label)
    elif hull is not None:
        label = "exact hull, the upper limit"
        axes.plot(*hull.F.T, color="black", linewidth=1, label=label)


def _draw_closely(group: Group, axes: Any, front: np.ndarray) -> None:
    """Some points in the middle of the whole front, and the hull above them."""
    middle = len(front) // 2
    some = front[max(0, middle - CLOSE) : middle + CLOSE]
    axes.plot(*some.T, color="black", linestyle="", marker=".", markersize=3)
    hull, _ = group.hull()
    if hull is not None:
        axes.plot(*hull.F.T, color="grey", linewidth=0.8)
    (left, low), (right, high) = some.min(axis=0), some.max(axis=0)
    axes.set_xlim(left - 1, right + 1)
    axes.set_ylim(low - 1, high + 1)
    axes.set_title("closer: the front and its hull", fontsize=8, loc="left")


def _hypervolume_figure(group: Group) -> Any:
    """The median over runs against time, and the middle half of the runs."""
    figure = new_figure(6.4, 4.0)
    axes = figure.subplots()
    bound, _ = exact_bound(group)
    unit = 1.0 if np.isnan(bound) else bound / 100
    for r in group.radii:
        times, volumes = _volumes_in_time(group, r)
        low, middle, high = np.quantile(volumes / unit, [0.25, 0.5, 0.75], axis=0)
        look = _style(group.campaign, r)
        axes.fill_between(
            times, low, high, color=look["color"], alpha=0.25, linewidth=0
        )
        axes.plot(times, middle, label=f"r = {r}", markevery=TIMES // 8, **look)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("time of a run, set-up included (s)")
    label = "hypervolume" if unit == 1.0 else "hypervolume (% of the exact bound)"
    axes.set_ylabel(label)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    return figure


def _volumes_in_time(group: Group, radius: int) -> tuple[np.ndarray, np.ndarray]:
    """Times, and the hypervolume of each run of a radius at each of them."""
    traces = []
    for row in group.rows[radius]:
        trace = load(group.campaign.front(row.run)).trace
        traces.append(trace[~np.isnan(trace[:, -1])][:, [0, -1]])
    first = max(trace[0, 0] for trace in traces)
    last = min(trace[-1, 0] for trace in traces)
    times = np.sort(np.geomspace(first, max(first, last), TIMES))  # as rounded
    rows = [np.searchsorted(trace[:, 0], times, "right") - 1 for trace in traces]
    volumes = [trace[np.maximum(at, 0), 1] for trace, at in zip(traces, rows)]
    return times, np.array(volumes)


def _style(campaign: Campaign, radius: int) -> dict[str, Any]:
    """What all lines of a radius have in common."""
    at = campaign.plan.radius.index(radius)
    return {
        "color": PALETTE[at % len(PALETTE)],
        "marker": MARKERS[at % len(MARKERS)],
        "markersize": 4.5,
        "linewidth": 1.3,
    }
