"""The figures of a campaign: every format, and the numbers of its runs."""

from shutil import copytree

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import paretoball as pb
from campaigns import copied
from paretoball.cli.main import main
from paretoball.paper.folder import Campaign
from paretoball.paper.quality import groups
from paretoball.report.campaign_figures import _volumes_in_time
from paretoball.report.front_plot import SUFFIXES


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        ("runtime", {"time_per_move"}),
        (
            "quality",
            {
                f"{kind}-n{n}-d2"
                for kind in ("attainment", "hypervolume")
                for n in (60, 80)
            },
        ),
    ],
)
def test_a_campaign_is_drawn_in_every_format(request, tmp_path, name, figures, capsys):
    campaign = request.getfixturevalue(name)
    into = tmp_path / "figures"
    assert main(["plot", str(campaign), "-o", str(into)]) == 0
    expected = {figure + suffix for figure in figures for suffix in SUFFIXES}
    assert {path.name for path in into.iterdir()} == expected
    heads = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}
    for path in into.iterdir():
        assert path.read_bytes().startswith(heads[path.suffix])
    assert capsys.readouterr().out.count("drawn as") == len(expected)


def test_hypervolumes_against_time_are_those_of_the_traces(quality):
    campaign = Campaign.open(quality)
    for group in groups(campaign):
        for r in group.radii:
            times, volumes = _volumes_in_time(group, r)
            assert (np.diff(times) >= 0).all()
            for row, line in zip(group.rows[r], volumes):
                trace = pb.load(campaign.front(row.run)).trace
                for at, volume in zip(times[1:-1], line[1:-1]):
                    seen = trace[trace[:, 0] <= at, -1]
                    assert volume == (seen if len(seen) else trace[:1, -1])[-1]


def test_the_whole_front_is_drawn_where_the_folder_has_it(quality, tmp_path, capsys):
    folder = tmp_path / "quality"
    copytree(quality, folder)
    own = [group.whole_front() for group in groups(Campaign.open(folder))]
    assert own == [None, None]
    plan = Campaign.open(folder).plan
    case = f"--n {plan.n[0]} --K {plan.K} --q {plan.q} --pseed {plan.pseed}"
    assert main(["paper", "exact", *case.split(), "--quiet", "-o", str(folder)]) == 0
    first, second = (group.whole_front() for group in groups(Campaign.open(folder)))
    landscape = pb.mnk_java(plan.n[0], K=plan.K, q=plan.q, pseed=plan.pseed)
    assert_array_equal(first, pb.exact_front(landscape).F)
    assert second is None
    assert main(["plot", str(folder), "-o", str(tmp_path / "figures")]) == 0
    drawn = {
        n: (tmp_path / "figures" / f"attainment-n{n}-d2.svg").read_text()
        for n in plan.n
    }
    assert f"the whole front, {len(first):,} points" in drawn[plan.n[0]]
    assert "exact hull, the upper limit" in drawn[plan.n[1]]


def test_a_campaign_without_rows_has_nothing_to_draw(runtime, tmp_path, capsys):
    folder = copied(runtime, tmp_path / "new", "")
    assert main(["plot", str(folder)]) == 2
    assert "no run is finished" in capsys.readouterr().err
    assert main(["plot", str(runtime), "-o", "figure.png"]) == 2
    assert "drawn into a folder" in capsys.readouterr().err
    assert main(["plot", str(tmp_path / "nowhere")]) == 2
    assert "no such run or campaign" in capsys.readouterr().err
    assert main(["plot", str(tmp_path)]) == 2
    assert "not a campaign" in capsys.readouterr().err
