"""The runtime experiment: averages of rows, and the paper's formula."""

import re
from dataclasses import replace
from math import isnan
from statistics import fmean

import numpy as np
import pytest

from campaigns import SMALL
from paretoball.cli.main import main
from paretoball.paper.folder import Campaign, Row
from paretoball.paper.plan import RUNTIME
from paretoball.paper.runtime import _moves_by_formula, report, summary


def test_the_runtime_table_has_the_averages_of_its_rows(runtime, capsys):
    campaign = Campaign.open(runtime)
    cases = summary(campaign)
    assert len(cases) == 4
    for case in cases:
        rows = campaign.runs_of(*case[:3])
        assert case.runs == len(rows) == 2
        times = [1e6 * row.seconds / row.moves for row in rows]
        assert case.us_per_move == pytest.approx(fmean(times))
        assert case.us_deviation == pytest.approx(np.std(times, ddof=1))
        assert case.setup_ms == pytest.approx(
            1e3 * fmean(r.setup_seconds for r in rows)
        )
        assert case.stored_moves == case.formula
    assert main(["paper", "runtime", *SMALL.split(), "-o", str(runtime)]) == 0
    out = capsys.readouterr().out
    for case in cases:
        assert f"{case.us_per_move:.3f}" in out
    assert len((runtime / "summary.csv").read_text().splitlines()) == 5


def test_averages_have_their_units(tmp_path):
    plan = replace(RUNTIME, n=(60,), d=(2,), radius=(2,), runs=2)
    campaign = Campaign(tmp_path, plan)
    facts = [
        {"climbs": 10, "moves": 1_000, "size": 7, "stored_moves": 240, "seconds": 0.5},
        {"climbs": 30, "moves": 4_000, "size": 8, "stored_moves": 240, "seconds": 4.0},
    ]
    times = [
        {"setup_seconds": 2.0, "start_seconds": 0.001, "archive_seconds": 0.25},
        {"setup_seconds": 4.0, "start_seconds": 0.002, "archive_seconds": 1.0},
    ]
    for trial, some, more in zip(plan.trials(), facts, times):
        campaign.rows[trial.run] = Row(*trial, **some, **more, hypervolume=0.0)
    (case,) = summary(campaign)
    assert case[:4] == (60, 2, 2, 2)
    assert (case.us_per_move, case.setup_ms, case.start_ms) == (750, 3_000, 1.5)
    assert case.us_deviation == pytest.approx(500 / 2**0.5)
    assert (case.archive_share, case.stored_moves, case.formula) == (0.375, 240, 240)
    assert (case.climbs, case.moves, case.size) == (20, 2_500, 7.5)
    head, line = report(campaign)
    assert head.split()[:5] == ["d", "r", "n", "µs", "a"]
    told = "2 2 60 750.000±353.553 3,000ms 1.50ms 37.5% 240 240 2"
    assert re.sub(r" (ms|± ?)", r"\1", line).replace("± ", "±").split() == told.split()
    table = (tmp_path / "summary.csv").read_text().splitlines()
    assert table[0].startswith("n,d,radius,runs,us_per_move")
    assert table[1].startswith("60,2,2,2,750.0,")


def test_a_run_without_moves_has_no_time_per_move(runtime):
    row = next(iter(Campaign.open(runtime).rows.values()))
    assert row._replace(seconds=3.0, moves=2_000_000).us_per_move == 1.5
    assert isnan(row._replace(moves=0).us_per_move)


def test_the_formula_is_the_paper_s():
    assert _moves_by_formula(100, 3, 1, "adjacent") == 100
    assert _moves_by_formula(100, 3, 2, "adjacent") == 400
    assert _moves_by_formula(100, 3, 3, "adjacent") == 1300
    assert _moves_by_formula(100, 1, 3, "adjacent") == 300
    assert _moves_by_formula(100, 3, 3, "random") == ""
    assert _moves_by_formula(9, 3, 3, "adjacent") == 117  # r ≤ N/K
    assert _moves_by_formula(8, 3, 3, "adjacent") == ""
