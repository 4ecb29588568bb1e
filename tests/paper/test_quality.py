"""The quality experiment: shares of the exact bound, surfaces, and who dominates."""

import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import paretoball as pb
from campaigns import SMALL
from paretoball.cli.main import main
from paretoball.formats import write_npz
from paretoball.paper.folder import Campaign, Row
from paretoball.paper.quality import HULL, Group, _read_hull, groups


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
        ({"sense": "max"}, {}, "sense is 'max', not a list"),
        ({"more": 1}, {}, "the header has 'more'"),
        ({}, {"F": np.zeros((0, 2))}, r"F has shape \(0, 2\), for d = 2"),
        ({}, {"bits": np.zeros((1, 1), np.uint8)}, r"bits has shape \(1, 1\)"),
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
