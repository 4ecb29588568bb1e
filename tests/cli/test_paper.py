"""`paper` says what it will do, and refuses nonsense before it begins."""

import json
import re
from typing import Any

import pytest

from campaigns import SMALL, refused
from paretoball.cli.main import main
from paretoball.paper.plan import PLANS, QUICK_PLANS


@pytest.mark.parametrize("name", PLANS)
def test_help_tells_the_defaults_of_the_plans(name, capsys):
    assert main(["paper", name, "--help"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    plan, quick = PLANS[name], QUICK_PLANS[name]
    lists = (plan.n[:2], plan.n[-1:], plan.d, plan.radius, (plan.runs,), (plan.K,))
    for values in lists:
        assert re.search(rf"default: ?[\d,.]*{','.join(map(str, values))}\b", text)
    assert f"(default: {plan.time:g})" in text
    assert f"{quick.runs} runs of {quick.time:g} s each" in text
    assert all(str(n) in text for n in quick.n)


def test_another_configuration_is_refused_with_what_differs(runtime, capsys):
    before = (runtime / "campaign.json").read_bytes()
    options = SMALL.replace("--runs 2", "--runs 3").replace("60,80", "60")
    err = refused(capsys, "runtime", *options.split(), "-o", str(runtime))
    assert "n = [60, 80], not [60]" in err
    assert "runs = 2, not 3" in err
    assert "radius" not in err
    assert (runtime / "campaign.json").read_bytes() == before
    err = refused(capsys, "quality", *SMALL.split(), "-o", str(runtime))
    assert "experiment = runtime, not quality" in err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--n 0", "0 is not at least 1"),
        ("--n 10,,20", "'' is not a whole number"),
        ("--n 60,60", "n = 60 is there twice"),
        ("--n 3", "K = 3"),
        ("--runs 0", "0 is not at least 1"),
        ("--time 0", "0 seconds"),
        ("--seed -1", "seed = -1"),
        ("--pseed 99999999999999999999", "pseed"),
        ("--climb best", "invalid choice"),
        ("--selection last", "invalid choice"),
        ("--model 0", "window|model"),
        ("--q 0", "q = 0"),
    ],
)
def test_nonsense_is_refused_before_anything_is_written(
    tmp_path, capsys, monkeypatch, options, words
):
    monkeypatch.chdir(tmp_path)
    command = ["runtime", "--dry-run", *options.split()]  # which runs nothing, if taken
    assert re.search(words, refused(capsys, *command))
    assert not list(tmp_path.iterdir())


def test_a_dry_run_tells_runs_and_hours_and_does_nothing(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["paper", "runtime", "--dry-run"]) == 0
    out = capsys.readouterr().out
    assert "paper-runtime: 1,800 runs of 60 s, 0 finished" in out
    assert "1,800 to go: 30.00 hours with one process, at most" in out
    assert main(["paper", "quality", "--dry-run", "--workers", "2"]) == 0
    assert "90 to go: 0.75 hours with 2 processes, at most" in capsys.readouterr().out
    assert main(["paper", "quality", "--dry-run", "--moves", "500"]) == 0
    assert "does not say how long" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", PLANS)
def test_a_quick_dry_run_is_that_of_the_quick_plan(tmp_path, capsys, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    plan = QUICK_PLANS[name]
    assert main(["paper", name, "--quick", "--dry-run", "--workers", "1"]) == 0
    out = capsys.readouterr().out
    runs = f"{plan.size:,} runs of {plan.time:g} s, 0 finished"
    assert f"paper-{name}-quick: {runs}" in out
    assert not list(tmp_path.iterdir())


def test_a_finished_campaign_tells_its_report_and_where_it_is(
    tmp_path, capsys, monkeypatch
):
    asked: list[Any] = []

    def fake(campaign, progress):
        asked.append(progress)
        return ["first", "second"]

    monkeypatch.setattr("paretoball.paper.conduct", lambda *_: None)
    monkeypatch.setattr("paretoball.paper.report_lines", fake)
    folder = str(tmp_path / "new")
    words = ["paper", "runtime", *SMALL.replace("--quiet", "").split(), "-o", folder]
    for quiet in ([], ["--quiet"]):
        assert main([*words, *quiet]) == 0
        told = f"0 of 8 runs finished; for figures: paretoball plot {folder}\n"
        assert capsys.readouterr() == (f"first\nsecond\n{folder}: {told}", "")
    assert asked == [None, False]


@pytest.mark.parametrize(
    ("why", "code", "is_told"),
    [
        ("interrupted", 130, True),
        ("terminated", 143, True),
        ("run 5 kills its worker", 1, False),
    ],
)
def test_a_campaign_that_ends_early_tells_why(
    tmp_path, capsys, monkeypatch, why, code, is_told
):
    asked = []

    def fake(campaign, workers, shown, pool):
        asked.append((campaign.plan.size, workers, shown, pool))
        return why

    monkeypatch.setattr("paretoball.paper.conduct", fake)
    command = ["paper", "runtime", *SMALL.split(), "-o", str(tmp_path / "new")]
    assert main([*command, "--workers", "3"]) == code
    line = f"{why}: 0 of 8 runs finished; the same command goes on with the others\n"
    right = (line, "") if is_told else ("", f"paretoball: {line}")
    assert capsys.readouterr() == right
    assert asked == [(8, 3, False, None)]


def test_every_option_of_the_exact_front_is_passed_on(tmp_path, capsys, monkeypatch):
    asked = []

    def fake(*sizes, progress):
        asked.append((*sizes, progress))
        return ["first", "second"]

    monkeypatch.setattr("paretoball.paper.whole_front_lines", fake)
    words = "paper exact --n 50 --K 2 --q 7 --pseed -8 --quiet -o folder"
    assert main(words.split()) == 0
    assert capsys.readouterr().out == "first\nsecond\n"
    assert main(["paper", "exact"]) == 0
    assert asked == [
        ("folder", 50, 2, 7, -8, False),
        ("paper-exact", 10_000, 3, 100, 1, True),
    ]


def test_a_campaign_of_earlier_versions_goes_on_with_their_selection(tmp_path, capsys):
    folder = tmp_path / "earlier"
    options = f"{SMALL} -o {folder}".split()
    assert main(["paper", "runtime", *options, "--selection", "next"]) == 0
    path = folder / "campaign.json"
    header = json.loads(path.read_text())
    assert header["plan"].pop("selection") == "next"
    path.write_text(json.dumps(header))
    capsys.readouterr()
    assert main(["paper", "runtime", *options, "--selection", "next"]) == 0
    assert "8 of 8 runs finished" in capsys.readouterr().out
    err = refused(capsys, "runtime", *options)
    assert "selection = next, not uniform" in err
