"""The quality experiment, Section 5.2: how good the fronts of each radius are.

Fronts are compared by their hypervolume, as a share of the exact bound where there is
one, and by the surfaces that a quarter, half and three quarters of the runs attain.
"""

from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations
from math import isnan
from pathlib import Path
from statistics import fmean, median
from typing import NamedTuple

import numpy as np

from paretoball.exact import SupportedFront, supported_front
from paretoball.formats import (
    check_keys,
    check_kind,
    read_npz,
    refusing,
    write_npz,
    write_table,
)
from paretoball.landscape import Landscape, landscape_digest
from paretoball.paper.folder import Campaign
from paretoball.paper.tables import deviation
from paretoball.paper.trial import landscape_of
from paretoball.paper.whole_front import WHOLE_FRONT
from paretoball.quality import MOST_ATTAINED, attainment_surface, coverage
from paretoball.running import load
from paretoball.system import counted

LEVELS = (0.25, 0.5, 0.75)
MEDIAN = 0.5
HULL = "paretoball hull"


class _Spread(NamedTuple):
    """The hypervolumes of all runs of one n, d and radius."""

    n: int
    d: int
    radius: int
    runs: int
    mean: float
    deviation: float  # between runs; nan for a single one
    lowest: float
    median: float
    highest: float
    bound: float  # that no front exceeds; nan where it is not known
    size: float  # of a front, on average


class _Pair(NamedTuple):
    """How the median surfaces of two radii compare."""

    n: int
    d: int
    radius: int
    other: int
    dominates: float  # this share of the points of the other's surface
    is_dominated: float  # on this share of its own points


class Group:
    """The runs of one n and d, by radius."""

    def __init__(self, campaign: Campaign, n: int, d: int):
        self.campaign = campaign
        self.n, self.d = n, d
        self.rows = {r: campaign.runs_of(n, d, r) for r in campaign.plan.radius}
        self.radii = [r for r, rows in self.rows.items() if rows]
        self.landscape = landscape_of(campaign.plan, n, d)

    @property
    def name(self) -> str:
        """What its files are named after."""
        return f"-n{self.n}-d{self.d}"

    def surfaces(self) -> dict[tuple[int, float], np.ndarray]:
        """The attainment surface of each radius and level."""
        fronts = {
            r: [load(self.campaign.front(row.run)).F for row in self.rows[r]]
            for r in self.radii
        }
        return {
            (r, level): attainment_surface(fronts[r], level, self.landscape.sense)
            for r in self.radii
            for level in LEVELS
        }

    def hull(self, progress: bool | None = None) -> tuple[SupportedFront | None, str]:
        """The supported front of the landscape, computed once and kept, or why not."""
        path = self.campaign.folder / f"hull{self.name}.npz"
        if path.exists():
            return _read_hull(path, self.landscape), ""
        try:
            hull = supported_front(self.landscape, progress)
        except (ValueError, OverflowError, MemoryError) as error:
            return None, str(error)
        with suppress(OSError):  # it can be computed again
            _write_hull(path, hull)
        return hull, ""

    def whole_front(self) -> np.ndarray | None:
        """The points of the exact front, if `paper exact` put it into the folder."""
        path = self.campaign.folder / WHOLE_FRONT
        if not path.exists():
            return None
        result = load(path)
        is_own = result.landscape == landscape_digest(self.landscape)
        return result.F[np.lexsort(result.F.T[::-1])] if is_own else None

    def spread(self, radius: int, bound: float) -> _Spread:
        """The hypervolumes of one radius."""
        rows = self.rows[radius]
        volumes = [row.hypervolume for row in rows]
        return _Spread(
            *rows[0].case,
            runs=len(rows),
            mean=fmean(volumes),
            deviation=deviation(volumes),
            lowest=min(volumes),
            median=median(volumes),
            highest=max(volumes),
            bound=bound,
            size=fmean(row.size for row in rows),
        )


def groups(campaign: Campaign) -> Iterator[Group]:
    """Those that have finished runs."""
    for d in campaign.plan.d:
        for n in campaign.plan.n:
            group = Group(campaign, n, d)
            if group.radii:
                yield group


def _write_hull(path: Path, hull: SupportedFront) -> None:
    """Keep a supported front."""
    facts = {"n": hull.n, "sense": list(hull.sense), "width": hull.width}
    header = {"format": HULL, "version": 1, **facts}
    write_npz(path, header, {"F": hull.F, "bits": hull.bits})


def _read_hull(path: Path, landscape: Landscape) -> SupportedFront:
    """The supported front of this landscape that `_write_hull` wrote."""
    header, arrays = read_npz(path, HULL)
    with refusing(path):
        facts = {"n": int, "sense": list, "width": int}
        check_keys(header, "the header", {"format", "version", *facts})
        for key, kind in facts.items():
            check_kind(header, key, kind)
        check_keys(arrays, "the archive", {"F", "bits"})
        n, d = landscape.n, landscape.d
        if (header["n"], tuple(header["sense"])) != (n, landscape.sense):
            raise ValueError("its n or sense is not that of its landscape")
        if arrays["F"].shape[1:] != (d,) or not len(arrays["F"]):
            raise ValueError(f"F has shape {arrays['F'].shape}, for d = {d}")
        shape = (len(arrays["F"]), -(-n // 8))
        if arrays["bits"].shape != shape or arrays["bits"].dtype != np.uint8:
            raise ValueError(f"bits has shape {arrays['bits'].shape}, not {shape}")
    return SupportedFront(
        n=n,
        sense=landscape.sense,
        names=landscape.names,
        width=header["width"],
        **arrays,
    )


def report(campaign: Campaign, progress: bool | None = None) -> Iterator[str]:
    """Write summary, pairs and surfaces, and tell what is in them."""
    spreads, pairs, points = [], [], []
    widest = max(campaign.plan.d)
    for group in groups(campaign):
        corner = ", ".join(f"{value:,.10g}" for value in group.landscape.mean)
        yield f"n = {group.n:,}, d = {group.d}; hypervolumes start at ({corner})"
        bound, words = exact_bound(group, progress)
        yield words
        here = [group.spread(r, bound) for r in group.radii]
        spreads += here
        yield from _spread_lines(here)
        yield from _share_lines(group, bound)
        if group.d > MOST_ATTAINED:
            yield f"no attainment surfaces: d = {group.d} is above {MOST_ATTAINED}"
            continue
        surfaces = group.surfaces()
        for (r, level), surface in surfaces.items():
            blanks = [""] * (widest - group.d)
            for row in surface.tolist():
                points.append((group.n, group.d, r, level, *row, *blanks))
        compared = list(_compare(group, surfaces))
        pairs += compared
        if compared:
            yield "50 % attainment surfaces:"
        yield from (f"  {_verdict(pair)}" for pair in compared)
    objectives = [f"f{i}" for i in range(widest)]
    columns = ["n", "d", "radius", "level", *objectives]
    write_table(campaign.folder / "summary.csv", _Spread._fields, spreads)
    write_table(campaign.folder / "pairs.csv", _Pair._fields, pairs)
    write_table(campaign.folder / "surfaces.csv", columns, points)


def exact_bound(group: Group, progress: bool | None = None) -> tuple[float, str]:
    """The hypervolume that no front exceeds, or nan; and in words."""
    hull, reason = group.hull(progress)
    bound = 0.0 if hull is None else hull.bound(group.landscape.mean)
    if hull is None or bound == 0:
        return float("nan"), f"no exact bound: {reason or 'the front is one point'}"
    under = f"the area under the hull of {counted(len(hull), 'supported point')}"
    return bound, f"exact bound {bound:.6g}, {under}"


def _spread_lines(spreads: list[_Spread]) -> Iterator[str]:
    """A table with a line for each radius."""
    yield (
        f"{'r':>2}  {'hypervolume':>25}  {'of the bound':>12}  "
        f"{'lowest':>7}  {'highest':>7}  {'front':>6}  runs"
    )
    for each in spreads:
        volumes = f"{each.mean:.6g} ± {each.deviation:.2g}"
        yield (
            f"{each.radius:>2}  {volumes:>25}  {_percent(each.mean / each.bound):>12}  "
            f"{_percent(each.lowest / each.bound):>7}  "
            f"{_percent(each.highest / each.bound):>7}  {each.size:>6,.0f}  "
            f"{each.runs:>4}"
        )


def _share_lines(group: Group, bound: float) -> Iterator[str]:
    """The share of the bound that each run reached."""
    yield "run by run:"
    for r in group.radii:
        rows = sorted(group.rows[r], key=lambda row: row.repeat)
        shares = " ".join(_percent(row.hypervolume / bound) for row in rows)
        yield f"  r = {r}: {shares}"


def _percent(share: float) -> str:
    """A share, if it is known."""
    return "-" if isnan(share) else f"{share:.2%}"


def _compare(
    group: Group, surfaces: dict[tuple[int, float], np.ndarray]
) -> Iterator[_Pair]:
    """Every two radii, the larger one first."""
    sense = group.landscape.sense
    for smaller, larger in combinations(sorted(group.radii), 2):
        here, there = surfaces[larger, MEDIAN], surfaces[smaller, MEDIAN]
        yield _Pair(
            group.n,
            group.d,
            radius=larger,
            other=smaller,
            dominates=coverage(here, there, sense),
            is_dominated=coverage(there, here, sense),
        )


def _verdict(pair: _Pair) -> str:
    """Which surface dominates which, and where."""
    r, other = pair.radius, pair.other
    if pair.dominates == pair.is_dominated == 1:
        return f"r = {r} and r = {other} are equal"
    if pair.dominates == 1:
        return f"r = {r} dominates r = {other} everywhere"
    if pair.is_dominated == 1:
        return f"r = {other} dominates r = {r} everywhere"
    return (
        f"r = {r} dominates {pair.dominates:.1%} of the points of r = {other}, "
        f"which dominates {pair.is_dominated:.1%} of those of r = {r}"
    )
