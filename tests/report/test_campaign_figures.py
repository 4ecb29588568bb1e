"""The figures of a campaign: every format, and the numbers of its runs."""

from shutil import copytree
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import paretoball as pb
from campaigns import copied
from paretoball.cli.main import main
from paretoball.paper.folder import Campaign
from paretoball.paper.quality import groups
from paretoball.paper.runtime import summary
from paretoball.report import campaign_figures
from paretoball.report.campaign_figures import (
    _attainment_figure,
    _draw_closely,
    _hypervolume_figure,
    _quality_figures,
    _round_numbers,
    _runtime_figures,
    _style,
    _volumes_in_time,
    _zoom,
    draw_campaign,
)
from paretoball.report.front_plot import SUFFIXES, new_figure


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


def made_up(monkeypatch, *traces: list[tuple[float, float]]) -> Any:
    """A group of runs of radius 1 with these times and hypervolumes."""
    results = [
        SimpleNamespace(
            trace=np.array([[time, 0, 0, 0, volume] for time, volume in each])
        )
        for each in traces
    ]
    monkeypatch.setattr(campaign_figures, "load", results.__getitem__)
    rows = {1: [SimpleNamespace(run=run) for run in range(len(traces))]}
    plan = SimpleNamespace(radius=(1,))
    campaign = SimpleNamespace(front=lambda run: run, plan=plan)
    return SimpleNamespace(rows=rows, radii=[1], campaign=campaign)


def test_hypervolumes_are_drawn_from_when_all_runs_have_one_to_the_first_end(
    monkeypatch,
):
    nan = float("nan")
    group = made_up(
        monkeypatch,
        [(0.5, nan), (1, 10), (2, 20), (4, 40)],
        [(1.5, 5), (4, 50), (8, 80)],
    )
    times, volumes = _volumes_in_time(group, 1)
    assert (times[0], times[-1]) == (1.5, 4.0)
    assert volumes[:, 0].tolist() == [10, 5]
    assert volumes[:, -1].tolist() == [40, 50]
    assert_array_equal(volumes[0, :-1], np.where(times < 2, 10, 20)[:-1])
    assert_array_equal(volumes[1, :-1], 5)


def test_the_middle_half_of_the_runs_is_drawn_in_percent_of_the_bound(monkeypatch):
    every = [[(1.0, volume), (9.0, 2 * volume)] for volume in (10, 20, 30, 40, 50)]
    for bound, unit in ((200.0, 2.0), (float("nan"), 1.0)):
        group = made_up(monkeypatch, *every)
        monkeypatch.setattr(campaign_figures, "exact_bound", lambda _, b=bound: (b, ""))
        (axes,) = _hypervolume_figure(group).axes
        middle = axes.lines[0].get_ydata()
        assert (middle[0], middle[-1]) == (30 / unit, 60 / unit)
        corners = axes.collections[0].get_paths()[0].vertices
        first = corners[corners[:, 0] == 1.0, 1]
        assert (first.min(), first.max()) == (20 / unit, 40 / unit)
        assert ("% of the exact bound" in axes.get_ylabel()) == (unit == 2)
        assert axes.get_xlabel() == "time of a run, set-up included (s)"
        assert axes.get_xscale() == "log"
        assert axes.lines[0].get_label() == "r = 1"


def test_a_run_that_ends_before_another_begins_is_drawn_at_one_time(monkeypatch):
    group = made_up(monkeypatch, [(1, 10), (2, 20)], [(4, 5), (8, 80)], [(3, 7)])
    times, volumes = _volumes_in_time(group, 1)
    assert set(times.round(9).tolist()) == {4.0}
    assert volumes[:, -1].tolist() == [20, 5, 7]
    for tenths in range(1, 40):  # some powers of which are rounded down
        end = tenths / 10
        group = made_up(monkeypatch, [(end, 10)], [(end, 5), (9, 8)])
        times, volumes = _volumes_in_time(group, 1)
        assert times == pytest.approx(end)
        assert (set(volumes[0]), set(volumes[1])) == ({10}, {5})


@pytest.mark.parametrize(
    ("sizes", "d", "names"),
    [
        ((1, 1), 1, ["hypervolume"]),
        ((1, 1), 2, ["attainment", "hypervolume"]),
        ((1, 1), 3, ["hypervolume"]),
        ((1, 1), 4, []),
        ((2, 1), 2, ["attainment-x", "hypervolume-x"]),
        ((1, 2), 3, ["hypervolume-x"]),
    ],
)
def test_figures_are_those_that_the_objectives_allow(monkeypatch, sizes, d, names):
    group = SimpleNamespace(d=d, name="-x")
    for name in ("_attainment_figure", "_hypervolume_figure"):
        monkeypatch.setattr(campaign_figures, name, lambda _: None)
    monkeypatch.setattr(campaign_figures, "groups", lambda _: [group])
    plan = SimpleNamespace(n=range(sizes[0]), d=range(sizes[1]))
    figures = _quality_figures(SimpleNamespace(plan=plan))
    assert [name for name, _ in figures] == names


def test_times_of_moves_are_drawn_against_n(runtime):
    campaign = Campaign.open(runtime)
    ((_, figure),) = _runtime_figures(campaign)
    (axes,) = figure.axes
    lines = {bars.get_label(): bars.lines[0] for bars in axes.containers}
    assert list(lines) == ["r = 2, d = 2", "r = 1, d = 2"]
    for r in (1, 2):
        cases = [case for case in summary(campaign) if case.radius == r]
        line = lines[f"r = {r}, d = 2"]
        assert line.get_xdata().tolist() == [case.n for case in cases] == [60, 80]
        assert line.get_ydata().tolist() == [case.us_per_move for case in cases]
        (bars,) = next(
            each.lines[2] for each in axes.containers if each.lines[0] is line
        )
        for case, ends in zip(cases, bars.get_segments()):
            middle, spread = case.us_per_move, case.us_deviation
            expected = [[case.n, middle - spread], [case.n, middle + spread]]
            assert ends == pytest.approx(np.array(expected))
    low, high = axes.get_ylim()
    assert len([tick for tick in axes.get_yticks() if low <= tick <= high]) >= 2


def test_every_radius_and_number_of_objectives_has_a_line_of_its_own(monkeypatch):
    plan = SimpleNamespace(radius=(1, 2, 3), d=(2, 3, 4, 5, 6), n=(60, 80))
    cases = [
        SimpleNamespace(
            n=n, d=d, radius=r, us_per_move=float(n * d**r), us_deviation=float(d)
        )
        for d in plan.d
        for r in plan.radius
        for n in plan.n
        if (d, r) != (3, 2)  # which is not finished
    ]
    monkeypatch.setattr(campaign_figures, "summary", lambda _: cases)
    ((name, figure),) = _runtime_figures(SimpleNamespace(plan=plan))
    (axes,) = figure.axes
    assert name == "time_per_move"
    assert axes.get_xlabel() == "variables N"
    assert axes.get_ylabel() == "average time per move (µs)"
    right = [(r, d) for r in (3, 2, 1) for d in (6, 5, 4, 3, 2) if (r, d) != (2, 3)]
    labels = [bars.get_label() for bars in axes.containers]
    assert labels == [f"r = {r}, d = {d}" for r, d in right]
    looks = set()
    for bars, (r, d) in zip(axes.containers, right):
        line, _, (ends,) = bars.lines
        assert line.get_xydata().tolist() == [[60, 60 * d**r], [80, 80 * d**r]]
        assert np.ptp(ends.get_segments(), axis=1)[:, 1] == pytest.approx(2 * d)
        look = (line.get_color(), line.get_linestyle(), line.get_markerfacecolor())
        looks.add(look)
    assert len(looks) >= len(right) - len(plan.radius)  # four kinds of dashes


def drawing(monkeypatch, figures: list[tuple[str, Any]]) -> None:
    """All campaigns have these figures, which are written as texts."""
    for name in ("_runtime_figures", "_quality_figures"):
        monkeypatch.setattr(campaign_figures, name, lambda _: iter(figures))
    monkeypatch.setattr(
        campaign_figures, "write_figure", lambda each, path: path.write_text(each)
    )


def test_figures_go_into_a_folder_new_or_old(runtime, tmp_path, monkeypatch):
    drawing(monkeypatch, [("one", "1"), ("two", "2")])
    names = [f"{name}{suffix}" for name in ("one", "two") for suffix in SUFFIXES]
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "mine").write_text("mine")
    for folder in (tmp_path / "new" / "deep", tmp_path / "old"):
        for _ in range(2):
            found = list(draw_campaign(runtime, folder))
            assert found == [folder / name for name in names]
        assert [path.read_text() for path in found] == ["1"] * 3 + ["2"] * 3
    assert (tmp_path / "old" / "mine").read_text() == "mine"


@pytest.mark.parametrize("name", ["file", "new.png", "new.svg", "new.pdf"])
def test_figures_go_into_no_file(runtime, tmp_path, monkeypatch, name):
    drawing(monkeypatch, [("one", "1")])
    (tmp_path / "file").write_text("mine")
    with pytest.raises(ValueError, match=f"{name}: a campaign is drawn into a folder"):
        list(draw_campaign(runtime, tmp_path / name))
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]


def test_a_campaign_without_figures_is_told(runtime, tmp_path, monkeypatch):
    drawing(monkeypatch, [])
    words = f"{runtime}: there are figures for up to three objectives only"
    with pytest.raises(ValueError, match=words):
        list(draw_campaign(runtime, tmp_path / "new"))


@pytest.mark.parametrize("time", [0.04, 0.9, 1.0, 2.4, 4.2, 7.0, 99.0])
@pytest.mark.parametrize("factors", [(1,), (1, 1.01), (1, 1.3), (1, 0.6), (1, 500)])
def test_times_have_two_round_numbers_beside_them(monkeypatch, time, factors):
    cases = [
        SimpleNamespace(
            n=60 + at, d=2, radius=1, us_per_move=time * factor, us_deviation=np.nan
        )
        for at, factor in enumerate(factors)
    ]
    monkeypatch.setattr(campaign_figures, "summary", lambda _: cases)
    plan = SimpleNamespace(radius=(1,), d=(2,))
    ((_, figure),) = _runtime_figures(SimpleNamespace(plan=plan))
    (axes,) = figure.axes
    low, high = axes.get_ylim()
    assert low < time * min(factors) <= time * max(factors) < high
    assert len([tick for tick in axes.get_yticks() if low <= tick <= high]) >= 2


@pytest.mark.parametrize(
    ("low", "high"), [(1, 10), (0.9, 11), (3, 3), (0.02, 0.5), (4, 4.5), (7, 2_000)]
)
def test_round_numbers_are_all_that_lie_between(low, high):
    expected = [
        digit * 10.0**power
        for power in range(-6, 7)
        for digit in range(1, 10)
        if digit in (1, 2, 3, 5) and low <= digit * 10.0**power <= high
    ]
    assert _round_numbers(low, high) == expected


def test_no_two_radii_look_alike():
    campaign = SimpleNamespace(plan=SimpleNamespace(radius=tuple(range(1, 43))))
    looks = [_style(campaign, radius) for radius in campaign.plan.radius]
    assert len({(look["color"], look["marker"]) for look in looks}) == 42


def test_the_median_is_drawn_whole_and_between_the_quartiles_closer(quality):
    for group in groups(Campaign.open(quality)):
        found = group.surfaces()  # of two runs: moved, so that no two are equal
        surfaces = {key: F - int(100 * key[1]) for key, F in found.items()}
        group.surfaces = lambda surfaces=surfaces: surfaces
        whole, *closer = _attainment_figure(group).axes
        assert whole.get_title(loc="left") == "50 % attainment surfaces"
        assert whole.get_xlabel() == "f0 (max, sum of table entries)"
        assert whole.get_ylabel() == "f1 (max, sum of table entries)"
        key = "with 25 % (dashed)\nand 75 % (dotted)\n"
        assert [axes.get_title(loc="left") for axes in closer] == [
            f"closer: {key * (r == group.radii[0])}r = {r}" for r in group.radii
        ]
        lines = {line.get_label(): line for line in whole.lines}
        for r, axes in zip(group.radii, closer):
            assert_array_equal(lines[f"r = {r}"].get_xydata(), surfaces[r, 0.5])
            for line in (lines[f"r = {r}"], *axes.lines):
                assert line.get_drawstyle() == "steps-pre"  # within what is attained
            assert [line.get_linestyle() for line in axes.lines] == ["--", "-", ":"]
            for line, level in zip(axes.lines, (0.25, 0.5, 0.75)):
                assert_array_equal(line.get_xydata(), surfaces[r, level])
        hull, _ = group.hull()
        assert_array_equal(lines["exact hull, the upper limit"].get_xydata(), hull.F)


@pytest.mark.parametrize(
    ("below", "reach"),
    [
        ([[5, 90], [60, 40], [80, 20]], 40),  # the next one is 10 below
        ([[5, 90], [60, 49.5]], 4),
        ([[5, 90]], 4),
        ([[50, 45], [80, 20]], 20),
    ],
)
def test_closer_means_four_times_the_gap_to_the_next_surface(below, reach):
    axes = new_figure(3, 3).subplots()
    surface = np.array([[0, 100], [50, 50], [100, 0]])
    _zoom(axes, surface, np.array(below, float))
    assert axes.get_xlim() == axes.get_ylim() == (50 - reach, 50 + reach)


def test_closer_means_no_less_than_a_share_of_a_high_surface():
    axes = new_figure(3, 3).subplots()
    _zoom(axes, np.array([[0, 10_000], [50, 5_000], [60, 0]]), np.empty((0, 2)))
    assert axes.get_xlim() == (10, 90)
    assert axes.get_ylim() == (4_960, 5_040)


@pytest.mark.parametrize(("size", "first", "last"), [(20, 3, 16), (5, 0, 4), (1, 0, 0)])
def test_the_middle_of_a_whole_front_is_drawn_closely(size, first, last):
    front = np.column_stack([np.arange(size), -np.arange(size)])
    axes = new_figure(3, 3).subplots()
    _draw_closely(SimpleNamespace(hull=lambda: (None, "")), axes, front)
    assert_array_equal(axes.lines[0].get_xydata(), front[first : last + 1])
    assert axes.get_xlim() == (first - 1, last + 1)
    assert axes.get_ylim() == (-last - 1, 1 - first)


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
