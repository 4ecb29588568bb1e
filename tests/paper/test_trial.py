"""Trials: a row is a function of its plan and number."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import paretoball as pb
from campaigns import refused
from paretoball.landscape import landscape_digest
from paretoball.paper import trial as room
from paretoball.paper.folder import Campaign
from paretoball.paper.plan import QUALITY
from paretoball.paper.trial import run_trial, start_seconds
from paretoball.running import STOPPED


def test_a_row_is_what_its_seed_makes_of_the_landscape(runtime):
    campaign = Campaign.open(runtime)
    assert len(campaign.rows) == 8
    for row in campaign.rows.values():
        landscape = pb.mnk_java(row.n, 3, row.d, pseed=1)
        how = {"radius": row.radius, "max_climbs": 10, "seed": row.seed}
        how["selection"] = "uniform"
        again = pb.solve(landscape, "multistart", **how)
        assert (row.climbs, row.moves, row.size) == (10, again.moves, len(again))
        assert row.hypervolume == again.hypervolume()
        assert row.stored_moves == pb.count_moves(landscape, row.radius)
        saved = pb.load(campaign.front(row.run))
        assert_array_equal(saved.F, again.F)
        assert_array_equal(landscape.evaluate(saved.X), saved.F)
        assert row.start_seconds > 0
        assert 0 < row.archive_seconds < row.seconds


def test_a_row_has_the_numbers_of_its_run(monkeypatch):
    result = SimpleNamespace(
        status="climbs done",
        climbs=11,
        moves=12,
        trace=np.array([[1, 2, 3, 4, 5.0], [6, 7, 8, 9, 10.5]]),
        seconds=0.25,
        setup_seconds=0.5,
        archive_seconds=0.125,
        to_bytes=lambda: b"front",
    )

    class Found(SimpleNamespace):
        def __len__(self) -> int:
            return 13

    def fake(landscape, callback, **_):
        for moves in ("ab", "abc"):  # of the last climber
            callback(SimpleNamespace(climber=SimpleNamespace(moves=moves)))
        return Found(**vars(result))

    monkeypatch.setattr(room, "solve", fake)
    monkeypatch.setattr(room, "start_seconds", lambda _: 0.0625)
    plan = replace(QUALITY, n=(20,))
    row, front = run_trial(plan, plan.trials()[4])
    assert row[:6] == plan.trials()[4]
    assert row[6:] == (11, 12, 13, 10.5, 3, 0.25, 0.5, 0.0625, 0.125)
    assert front == b"front"


@pytest.mark.parametrize("status", STOPPED)
def test_a_run_that_was_stopped_has_no_row(monkeypatch, status):
    monkeypatch.setattr(room, "solve", lambda *_, **__: SimpleNamespace(status=status))
    plan = replace(QUALITY, n=(20,))
    assert run_trial(plan, plan.trials()[0]) is None


def test_a_trial_is_what_its_plan_says(monkeypatch):
    options = {"time": 5.0, "climbs": 6, "moves": 7, "K": 2, "q": 9, "pseed": 8}
    plan = replace(QUALITY, n=(20,), climb="strong-only", selection="best", **options)
    asked = []

    def fake(landscape, **how):
        asked.append((landscape_digest(landscape), how))
        return SimpleNamespace(status="terminated")

    monkeypatch.setattr(room, "solve", fake)
    trial = plan.trials()[2]
    assert run_trial(plan, trial) is None
    ((digest, how),) = asked
    assert digest == landscape_digest(pb.mnk_java(20, 2, 2, q=9, pseed=8))
    assert callable(how.pop("callback"))
    assert how == {
        "method": "multistart",
        "radius": 3,
        "seed": trial.seed,
        "time_limit": 5.0,
        "max_climbs": 6,
        "max_moves": 7,
        "climb": "strong-only",
        "selection": "best",
        "progress": False,
    }


@pytest.mark.parametrize(
    "plan",
    [
        {"model": "random"},
        {"model": 5},
        {"q": None},
        {"q": 7, "pseed": -3},
        {"K": 1, "pseed": 0},
    ],
    ids=str,
)
@pytest.mark.parametrize("d", [1, 3])
def test_landscapes_are_those_of_the_plan(plan, d):
    found = room.landscape_of(replace(QUALITY, **plan), 20, d)
    right = pb.mnk_java(20, **{"K": 3, "d": d, "q": 100, "pseed": 1, **plan})
    assert landscape_digest(found) == landscape_digest(right)


def test_the_time_of_a_start_is_a_median_without_the_first(monkeypatch):
    durations = [1_000, 5, 1, 9, 2, 8, 3, 7, 4, 6]  # seconds
    clock = iter(np.cumsum([each for one in durations for each in (1, one)]).tolist())
    done: list[str] = []
    monkeypatch.setattr(room, "perf_counter", lambda: next(clock))
    monkeypatch.setattr(room, "random_solution", lambda *_: done.append("x"))
    monkeypatch.setattr(room, "start_now", lambda *_: done.append("start"))
    monkeypatch.setattr(room, "add_now", lambda *_: done.append("add"))
    state = SimpleNamespace(rng=None, x=None)
    climber: Any = SimpleNamespace(
        new_state=lambda **_: state, radius=3, cliques=None, move_set=None
    )
    assert start_seconds(climber) == 5
    assert done == ["x", "start", "add", "add"] * 10


def test_a_time_that_ends_before_the_set_up_is_refused_with_its_case(tmp_path, capsys):
    options = "--n 3000 --d 2 --radius 3 --runs 1 --time 1e-9 --quiet"
    folder = str(tmp_path / "short")
    err = refused(capsys, "quality", *options.split(), "-o", folder)
    assert "n = 3,000, d = 2, r = 3: 1e-09 s were over before the set-up was" in err
