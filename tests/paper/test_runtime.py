"""The runtime experiment: averages of rows, and the paper's formula."""

from statistics import fmean

import numpy as np
import pytest

from campaigns import SMALL
from paretoball.cli.main import main
from paretoball.paper.folder import Campaign
from paretoball.paper.runtime import _moves_by_formula, summary


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


def test_the_formula_is_the_paper_s():
    assert _moves_by_formula(100, 3, 1, "adjacent") == 100
    assert _moves_by_formula(100, 3, 2, "adjacent") == 400
    assert _moves_by_formula(100, 3, 3, "adjacent") == 1300
    assert _moves_by_formula(100, 1, 3, "adjacent") == 300
    assert _moves_by_formula(100, 3, 3, "random") == ""
    assert _moves_by_formula(8, 3, 3, "adjacent") == ""
