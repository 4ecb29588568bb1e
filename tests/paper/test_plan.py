"""Plans: the paper's numbers, and a seed for every run."""

import json
from dataclasses import replace

import pytest

from paretoball.paper.plan import PLANS, QUALITY, QUICK_PLANS, RUNTIME, Plan, asked_plan


def test_the_defaults_are_the_paper_s():
    assert RUNTIME.n == tuple(range(10_000, 100_001, 10_000))
    assert (RUNTIME.d, RUNTIME.radius, RUNTIME.runs) == ((2, 3), (1, 2, 3), 30)
    assert (QUALITY.n, QUALITY.d, QUALITY.radius) == ((10_000,), (2,), (1, 2, 3))
    for plan in PLANS.values():
        assert (plan.K, plan.q, plan.model, plan.time) == (3, 100, "adjacent", 60)
        assert (plan.climb, plan.selection) == ("full", "uniform")
        assert (plan.pseed, plan.seed) == (1, 1)
    assert len(RUNTIME.trials()) == 10 * 2 * 3 * 30
    assert len(QUALITY.trials()) == 3 * 30


def test_quick_plans_have_budgets_of_less_than_two_minutes():
    for name, plan in QUICK_PLANS.items():
        assert plan.size * plan.time < 120
        assert (plan.experiment, plan.K, plan.radius) == (name, 3, (1, 2, 3))


def test_plans_are_refused_above_a_million_runs():
    with pytest.raises(ValueError, match="1,000,020 runs"):
        replace(RUNTIME, runs=16_667).check()


def test_plans_have_up_to_a_million_runs():
    one = replace(QUALITY, radius=(1,))
    assert replace(one, runs=1_000_000).check().size == 1_000_000
    with pytest.raises(ValueError, match="1,000,001 runs are more than 1,000,000"):
        replace(one, runs=1_000_001).check()


def test_the_least_seed_is_0():
    assert replace(QUALITY, seed=0).check().seed == 0
    with pytest.raises(ValueError, match="seed = -1 is negative"):
        replace(QUALITY, seed=-1).check()


@pytest.mark.parametrize("name", ["n", "d", "radius"])
def test_no_value_is_there_twice(name):
    with pytest.raises(ValueError, match=f"^{name} = 60 is there twice"):
        replace(QUALITY, **{name: (70, 60, 80, 60)}).check()


def test_every_size_is_looked_at_before_the_first_run():
    for sizes in ((3,), (60, 3), (60, 70, 80, 3)):
        with pytest.raises(ValueError, match="K = 3"):
            asked_plan("runtime", False, {"n": sizes})
    with pytest.raises(ValueError, match="d = 0"):
        asked_plan("runtime", False, {"n": (60,), "d": (2, 3, 0)})
    for name, value in (("q", 2**31), ("pseed", 2**63), ("pseed", -(2**63) - 1)):
        with pytest.raises(ValueError, match=f"^{name} = {value}"):
            asked_plan("runtime", False, {name: value})
    with pytest.raises(ValueError, match="q = 0"):
        asked_plan("runtime", False, {"q": 0})
    with pytest.raises(ValueError, match="no budget: give time, climbs or moves"):
        asked_plan("runtime", False, {"time": None})


@pytest.mark.parametrize(
    ("experiment", "climb", "quick", "folder"),
    [
        ("runtime", "full", False, "paper-runtime"),
        ("runtime", "full", True, "paper-runtime-quick"),
        ("quality", "strong-only", False, "paper-quality-strong-only"),
        ("quality", "strong-only", True, "paper-quality-strong-only-quick"),
    ],
)
def test_a_folder_is_named_after_its_plan(experiment, climb, quick, folder):
    plan = asked_plan(experiment, quick, {"climb": climb})
    assert plan.default_folder(quick) == folder


def test_a_plan_is_asked_for_quickly_or_at_length():
    for name in PLANS:
        assert asked_plan(name, False, {}) == PLANS[name]
        assert asked_plan(name, True, {}) == QUICK_PLANS[name]
    quick = {"n": (10_000, 50_000, 100_000), "runs": 2, "time": 3.0}
    assert QUICK_PLANS["runtime"] == replace(RUNTIME, **quick)
    assert QUICK_PLANS["quality"] == replace(QUALITY, runs=5, time=5.0)


def test_seeds_are_for_good():
    first, second, *_, last = RUNTIME.trials()
    assert first == (0, 10_000, 2, 1, 0, 8659157825860660862)
    assert second == (1, 10_000, 2, 2, 0, 1921171716707485100)
    assert last == (1799, 100_000, 3, 3, 29, 5612525889017881997)


def test_every_run_has_a_number_and_a_seed_of_its_own():
    trials = RUNTIME.trials()
    assert [trial.run for trial in trials] == list(range(len(trials)))
    assert len({trial[1:5] for trial in trials}) == len(trials)
    assert len({trial.seed for trial in trials}) == len(trials)
    others = {trial.seed for trial in replace(RUNTIME, seed=2).trials()}
    assert not others & {trial.seed for trial in trials}


def test_a_run_has_the_same_seed_in_a_larger_plan():
    small = {trial[1:] for trial in replace(RUNTIME, runs=2, n=(20_000,)).trials()}
    assert small < {trial[1:] for trial in RUNTIME.trials()}


def test_each_round_has_one_run_of_every_case():
    plan = replace(RUNTIME, runs=3)
    cases = len(plan.n) * len(plan.d) * len(plan.radius)
    rounds = [trial.repeat for trial in plan.trials()]
    assert rounds == [0] * cases + [1] * cases + [2] * cases


def test_plans_survive_json():
    for plan in (
        RUNTIME,
        QUALITY,
        replace(RUNTIME, q=None, model=7, time=None, moves=3),
    ):
        assert Plan.from_json(json.loads(json.dumps(plan.to_json()))) == plan


def test_a_time_in_json_may_be_whole():
    found = RUNTIME.to_json() | {"time": 60}
    assert Plan.from_json(found) == RUNTIME


@pytest.mark.parametrize("name", ["n", "d", "radius"])
@pytest.mark.parametrize("value", ["60", True, 6.0, None, [60]])
def test_every_number_of_a_list_is_whole(name, value):
    for values in ([value], [50, value], [50, 51, value]):
        with pytest.raises(TypeError, match=name):
            Plan.from_json(RUNTIME.to_json() | {name: values})


def test_plans_differ_in_what_is_told():
    for key, value in replace(RUNTIME, n=(7,), d=(4,), radius=(5,)).to_json().items():
        other = RUNTIME.to_json()[key]
        changed = replace(RUNTIME, **{key: (9,) if isinstance(value, list) else "x"})
        mine, theirs = (
            f"{key} = {other}",
            f"{'[9]' if isinstance(value, list) else 'x'}",
        )
        assert RUNTIME.differences(changed) == f"{mine}, not {theirs}"
        assert changed.differences(RUNTIME) == f"{key} = {theirs}, not {other}"
    two = replace(RUNTIME, runs=3, q=None)
    assert RUNTIME.differences(two) == "runs = 30, not 3, q = 100, not None"
    assert RUNTIME.differences(RUNTIME) == ""


def test_plans_that_were_written_without_a_selection_mean_the_next_move():
    found = RUNTIME.to_json()
    assert found.pop("selection") == "uniform"
    assert Plan.from_json(found) == replace(RUNTIME, selection="next")


def test_a_plan_with_fields_of_other_kinds_is_refused():
    sound = RUNTIME.to_json()
    for key in sound:
        for value in ({}, [[]], True):
            with pytest.raises((TypeError, ValueError), match=key):
                Plan.from_json({**sound, key: value})
    for key, value in [("experiment", "x"), ("seed", -1), ("runs", 10**9)]:
        with pytest.raises(ValueError, match=f"{key}|'x'"):
            Plan.from_json({**sound, key: value})


def test_every_number_of_a_plan_is_an_option():
    options = {
        "n": (50,),
        "d": (2, 4),
        "radius": (4,),
        "runs": 2,
        "time": 5.0,
        "climbs": 6,
        "moves": 7,
        "K": 2,
        "q": None,
        "model": "random",
        "pseed": 8,
        "seed": 9,
        "climb": "strong-only",
        "selection": "best",
    }
    plan = asked_plan("runtime", False, options | {"workers": 3})
    assert plan == Plan("runtime", **options)


def test_0_is_a_number_like_any_other():
    zeros = {"seed": 0, "pseed": 0, "K": 0}
    assert asked_plan("runtime", False, zeros) == replace(RUNTIME, **zeros)


def test_another_budget_takes_the_place_of_the_time():
    assert asked_plan("quality", False, {"climbs": 5}).time is None
    assert asked_plan("quality", False, {"moves": 5}).time is None
    assert asked_plan("quality", False, {"climbs": 5, "time": 7.0}).time == 7.0


@pytest.mark.parametrize("found", [[1], None, "plan", 3])
def test_a_plan_that_is_no_object_is_refused(found):
    with pytest.raises(TypeError, match=r"^the plan is .*, not a JSON object"):
        Plan.from_json(found)
