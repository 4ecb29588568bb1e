"""The quality experiment: shares of the exact bound, surfaces, and who dominates."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import paretoball as pb
from campaigns import SMALL
from paretoball.cli.main import main
from paretoball.formats import write_npz
from paretoball.paper import quality as room
from paretoball.paper.folder import Campaign, Row
from paretoball.paper.quality import (
    HULL,
    LEVELS,
    Group,
    _compare,
    _Pair,
    _read_hull,
    _verdict,
    exact_bound,
    groups,
    report,
)


def test_the_quality_report_tells_shares_of_the_exact_bound(quality, capsys):
    assert main(["paper", "quality", *SMALL.split(), "-o", str(quality)]) == 0
    out = capsys.readouterr().out
    assert out.count("exact bound") == 2
    shares = [float(share) for share in re.findall(r"(\d+\.\d\d)%", out)]
    assert shares
    assert 0 < min(shares) < max(shares) <= 100
    campaign = Campaign.open(quality)
    for n in (60, 80):
        landscape = pb.mnk_java(n, 3, 2, pseed=1)
        bound = pb.supported_front(landscape).bound(landscape.mean)
        for row in campaign.rows.values():
            if row.n == n:
                assert f"{row.hypervolume / bound:.2%}" in out


def test_the_surfaces_are_those_of_the_fronts(quality):
    table = np.genfromtxt(quality / "surfaces.csv", delimiter=",", skip_header=1)
    campaign = Campaign.open(quality)
    for n in (60, 80):
        for r in (1, 2):
            runs = campaign.runs_of(n, 2, r)
            found = [pb.load(campaign.front(row.run)).F for row in runs]
            for level in (0.25, 0.5, 0.75):
                rows = table[(table[:, [0, 2, 3]] == (n, r, level)).all(axis=1)]
                expected = pb.attainment_surface(found, level)
                assert_array_equal(rows[:, 4:], expected)


def test_pairs_tell_on_what_share_one_radius_dominates(quality):
    table = np.genfromtxt(quality / "pairs.csv", delimiter=",", names=True)
    assert table["radius"].tolist() == [2, 2]
    assert table["other"].tolist() == [1, 1]
    assert (table["dominates"] > table["is_dominated"]).all()


def test_the_spread_of_a_radius_is_that_of_its_hypervolumes():
    row = Row(*range(9), 0.0, *range(5))
    volumes, sizes = (9.0, 1.0, 2.0), (7, 1, 4)
    rows = [
        row._replace(hypervolume=volume, size=size)
        for volume, size in zip(volumes, sizes)
    ]
    spread = Group.spread(SimpleNamespace(rows={3: rows}), 3, bound=10.0)
    assert spread[:4] == (row.n, row.d, row.radius, 3)
    assert (spread.mean, spread.median, spread.size) == (4.0, 2.0, 4.0)
    assert (spread.lowest, spread.highest, spread.bound) == (1.0, 9.0, 10.0)
    assert spread.deviation == pytest.approx(19**0.5)


@pytest.mark.parametrize(
    ("dominates", "is_dominated", "words"),
    [
        (1, 1, "r = 3 and r = 2 are equal"),
        (1, 0.5, "r = 3 dominates r = 2 everywhere"),
        (0.5, 1, "r = 2 dominates r = 3 everywhere"),
        (
            0.25,
            0.125,
            "r = 3 dominates 25.0% of the points of r = 2, which dominates 12.5% of "
            "those of r = 3",
        ),
        (
            0,
            0,
            "r = 3 dominates 0.0% of the points of r = 2, which dominates 0.0% of "
            "those of r = 3",
        ),
    ],
)
def test_a_verdict_is_what_a_pair_says(dominates, is_dominated, words):
    assert _verdict(_Pair(60, 2, 3, 2, dominates, is_dominated)) == words


@pytest.mark.parametrize("shares", [(0.999, 0.5), (0.5, 0.999), (0.998, 0.999)])
def test_everywhere_is_every_point(shares):
    words = _verdict(_Pair(60, 2, 3, 2, *shares))
    assert "everywhere" not in words
    assert re.findall(r"[\d.]+%", words) == [f"{share:.1%}" for share in shares]


@pytest.mark.parametrize("sense", ["max", "min"])
def test_every_two_radii_are_compared(sense):
    sign = 1 if sense == "max" else -1
    fronts = {1: [[0, 2], [2, 0]], 2: [[1, 1], [2, 0]], 3: [[2, 2]]}
    surfaces = {(r, 0.5): sign * np.array(front) for r, front in fronts.items()}
    landscape = SimpleNamespace(sense=(sense, sense))
    group: Any = SimpleNamespace(n=60, d=2, radii=[3, 1, 2], landscape=landscape)
    assert [tuple(pair) for pair in _compare(group, surfaces)] == [
        (60, 2, 2, 1, 0.5, 0.5),
        (60, 2, 3, 1, 1.0, 0.0),
        (60, 2, 3, 2, 1.0, 0.0),
    ]


def made_up(d: int) -> Any:
    """A group with two radii of two runs each, whose hypervolumes are 1 to 4."""
    row = Row(0, 60, d, *range(6), 0.0, *range(5))
    volumes = {1: (2.0, 1.0), 2: (3.0, 4.0)}
    rows = {
        r: [
            row._replace(radius=r, repeat=1 - at, hypervolume=volume, size=900 + r)
            for at, volume in enumerate(each)
        ]
        for r, each in volumes.items()
    }
    surfaces = {(r, level): np.full((1, d), r) for r in (1, 2) for level in LEVELS}
    landscape = SimpleNamespace(sense=("max",) * d, mean=np.full(d, 0.5))
    group: Any = SimpleNamespace(
        n=60, d=d, radii=[1, 2], rows=rows, landscape=landscape
    )
    group.spread = lambda r, bound: Group.spread(group, r, bound)
    group.surfaces = lambda: surfaces
    return group


@pytest.mark.parametrize("bound", [5.0, float("nan")])
@pytest.mark.parametrize("d", [3, 4])
def test_a_group_is_reported_with_its_shares(tmp_path, monkeypatch, d, bound):
    monkeypatch.setattr(room, "groups", lambda _: [made_up(d)])
    monkeypatch.setattr(room, "exact_bound", lambda *_: (bound, "the bound"))
    plan = SimpleNamespace(d=(2, d))
    first, second, _, *lines = report(SimpleNamespace(plan=plan, folder=tmp_path))
    corner = ", ".join(["0.5"] * d)
    assert first == f"n = 60, d = {d}; hypervolumes start at ({corner})"
    assert second == "the bound"
    shares = [f"{20 * volume:.2f}%" if bound == 5 else "-" for volume in range(6)]
    half = [f"{10 * volume:.2f}%" if bound == 5 else "-" for volume in range(12)]
    assert [line.split() for line in lines[:2]] == [
        ["1", "1.5", "±", "0.71", half[3], shares[1], shares[2], "901", "2"],
        ["2", "3.5", "±", "0.71", half[7], shares[3], shares[4], "902", "2"],
    ]
    assert lines[2:5] == [
        "run by run:",
        f"  r = 1: {shares[1]} {shares[2]}",
        f"  r = 2: {shares[4]} {shares[3]}",
    ]
    rows = (tmp_path / "surfaces.csv").read_text().splitlines()
    if d == 4:
        assert lines[5:] == ["no attainment surfaces: d = 4 is above 3"]
        assert rows == ["n,d,radius,level,f0,f1,f2,f3"]
    else:
        verdict = "  r = 2 dominates r = 1 everywhere"
        assert lines[5:] == ["50 % attainment surfaces:", verdict]
        levels = [(r, level) for r in (1, 2) for level in (0.25, 0.5, 0.75)]
        assert rows[1:] == [f"60,3,{r},{level},{r},{r},{r}" for r, level in levels]


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 2, 1), (2, 3, 1)])
def test_surfaces_of_fewer_objectives_have_blanks_for_the_others(
    tmp_path, monkeypatch, order
):
    monkeypatch.setattr(room, "groups", lambda _: [made_up(d) for d in order])
    monkeypatch.setattr(room, "exact_bound", lambda *_: (5.0, "the bound"))
    plan: Any = SimpleNamespace(d=order)
    list(report(SimpleNamespace(plan=plan, folder=tmp_path)))
    head, *rows = (tmp_path / "surfaces.csv").read_text().splitlines()
    assert head == "n,d,radius,level,f0,f1,f2"
    assert rows == [
        ",".join(["60", str(d), str(r), str(level), *[str(r)] * d, *[""] * (3 - d)])
        for d in order
        for r in (1, 2)
        for level in LEVELS
    ]


@pytest.mark.parametrize(
    ("bound", "words"),
    [
        (1234.5, "exact bound 1234.5, the area under the hull of 3 supported points"),
        (0, "no exact bound: the front is one point"),
        (None, "no exact bound: too wide"),
    ],
)
def test_the_bound_is_told_or_why_there_is_none(bound, words):
    class Hull(list):
        def bound(self, _: Any) -> float:
            return bound

    hull = (None, "too wide") if bound is None else (Hull("abc"), "")
    landscape = SimpleNamespace(mean=None)
    group: Any = SimpleNamespace(hull=lambda _: hull, landscape=landscape)
    found, told = exact_bound(group)
    assert told == words
    assert found == bound or (np.isnan(found) and not bound)


@pytest.mark.parametrize("kind", [ValueError, OverflowError, MemoryError])
def test_a_hull_that_cannot_be_had_is_no_failure(quality, monkeypatch, kind):
    def fail(*_: Any) -> None:
        raise kind("why")

    group = Group(Campaign.open(quality), 60, 2)
    monkeypatch.setattr(room, "supported_front", fail)
    monkeypatch.setattr(group.campaign, "folder", quality / "nowhere")
    assert group.hull() == (None, "why")
    assert exact_bound(group)[1] == "no exact bound: why"


def test_a_hull_is_kept_as_it_is_and_told_even_if_it_cannot_be_kept(
    quality, tmp_path, monkeypatch
):
    group = Group(Campaign.open(quality), 60, 2)
    monkeypatch.setattr(group.campaign, "folder", tmp_path)
    right = pb.supported_front(group.landscape)
    monkeypatch.setattr(group.campaign, "folder", tmp_path / "nowhere")
    (tmp_path / "nowhere").write_text("no folder")
    unkept, why = group.hull()
    monkeypatch.setattr(group.campaign, "folder", tmp_path)
    first, _ = group.hull()
    monkeypatch.delattr(room, "supported_front")  # it is read from now on
    again, _ = group.hull()
    for hull in (unkept, first, again):
        assert_array_equal(hull.F, right.F)
        assert_array_equal(hull.bits, right.bits)
        assert (hull.n, hull.sense, hull.width) == (right.n, right.sense, right.width)
        assert hull.names == right.names
    assert why == ""
    assert (tmp_path / "hull-n60-d2.npz").exists()


def test_radii_without_runs_are_left_out(quality):
    campaign = Campaign.open(quality)
    kept = {(80, 2): [2], (60, 2): [1, 2]}
    rows = campaign.rows.items()
    campaign.rows = {run: row for run, row in rows if row.radius in kept[row.n, row.d]}
    assert [(group.n, group.radii) for group in groups(campaign)] == [
        (60, [1, 2]),
        (80, [2]),
    ]
    campaign.rows = {run: row for run, row in rows if row.n == 80 and row.radius == 2}
    assert [(group.n, group.radii) for group in groups(campaign)] == [(80, [2])]


@pytest.mark.long
def test_many_objectives_and_flat_landscapes_are_reported(tmp_path, capsys):
    sizes = "--n 12 --runs 2 --climbs 2 --quiet --radius 1"
    folder = str(tmp_path / "many")
    assert main(["paper", "quality", *sizes.split(), "--d", "4", "-o", folder]) == 0
    assert "no attainment surfaces: d = 4" in capsys.readouterr().out
    assert main(["plot", folder]) == 2
    assert "up to three objectives" in capsys.readouterr().err
    folder = str(tmp_path / "flat")
    assert main(["paper", "quality", *sizes.split(), "--q", "1", "-o", folder]) == 0
    assert "the front is one point" in capsys.readouterr().out
    assert main(["plot", folder]) == 0
    folder = str(tmp_path / "mixed")
    assert main(["paper", "quality", *sizes.split(), "--d", "2,3", "-o", folder]) == 0
    table = np.genfromtxt(Path(folder, "surfaces.csv"), delimiter=",", skip_header=1)
    assert set(table[:, 1]) == {2, 3}
    assert np.isnan(table[table[:, 1] == 2, -1]).all()


@pytest.mark.long
def test_where_there_is_no_bound_the_report_says_why(tmp_path, capsys):
    options = "--n 60 --d 2 --K 4 --model random --radius 1 --runs 1 --climbs 2 --quiet"
    folder = str(tmp_path / "wide")
    assert main(["paper", "quality", *options.split(), "-o", folder]) == 0
    out = capsys.readouterr().out
    assert "no exact bound" in out
    assert "width" in out
    assert main(["plot", folder]) == 0


@pytest.mark.parametrize(
    ("header", "arrays", "words"),
    [
        ({"n": 61}, {}, "its n or sense is not that of its landscape"),
        ({"sense": ["max", "min"]}, {}, "its n or sense is not that of its land"),
        ({"sense": "max"}, {}, "sense is 'max', not a list"),
        ({"more": 1}, {}, "the header has 'more'"),
        ({}, {"F": np.zeros((0, 2))}, r"F has shape \(0, 2\), for d = 2"),
        ({}, {"F": np.zeros((1, 3))}, r"F has shape \(1, 3\), for d = 2"),
        ({}, {"bits": np.zeros((1, 1), np.uint8)}, r"bits has shape \(1, 1\)"),
        (
            {},
            {"F": np.zeros((1, 2), int), "bits": np.zeros((1, 8), np.int8)},
            r"bits has shape \(1, 8\)",
        ),
        ({}, {"more": np.zeros(1)}, "the archive has 'more'"),
    ],
)
def test_a_hull_of_something_else_is_refused(quality, tmp_path, header, arrays, words):
    group = next(groups(Campaign.open(quality)))
    hull, _ = group.hull()
    facts = {"n": hull.n, "sense": list(hull.sense), "width": hull.width}
    right = {"F": hull.F, "bits": hull.bits}
    head = {"format": HULL, "version": 1, **facts, **header}
    write_npz(tmp_path / "hull.npz", head, right | arrays)
    with pytest.raises(ValueError, match=words) as refusal:
        _read_hull(tmp_path / "hull.npz", group.landscape)
    assert str(refusal.value).startswith(f"{tmp_path / 'hull.npz'}: ")
