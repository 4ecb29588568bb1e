"""Options: what a run may be asked for, up to the last number."""

from typing import Any

import pytest

import paretoball as pb
from landscapes import ring
from paretoball.running.options import LIMITS, NAMES, Options, checked_options

SMALL = ring(n=60, K=2, seed=1)
LEAST: dict[str, Any] = dict.fromkeys(NAMES) | {
    "method": "multistart",
    "seed": 1,
    "starts": 0,
    "workers": 1,
    "selection": "next",
    "climb": "full",
    "max_climbs": 1,
}


def options(**given: Any) -> Options:
    """The options of a run that is asked for little else."""
    return checked_options(SMALL, **LEAST | given)


@pytest.mark.parametrize("name", ["max_climbs", "max_moves", "max_archive"])
def test_a_count_is_1_or_more_and_no_limit_beyond_what_can_be_counted(name):
    for count, kept in ((1, 1), (2**63 - 2, 2**63 - 2), (2**63 - 1, None)):
        found = options(**{"time_limit": 1.0, name: count})
        assert getattr(found, name) == kept
    with pytest.raises(ValueError, match=f"{name} = 0, but it must be at least 1"):
        options(**{name: 0})


@pytest.mark.parametrize("name", LIMITS)
def test_one_limit_is_enough_and_none_is_not(name):
    none: dict[str, Any] = dict.fromkeys(LIMITS)
    limit = 3.0 if name == "time_limit" else 3
    found = options(**none | {name: limit})
    assert {each: getattr(found, each) for each in LIMITS} == none | {name: limit}
    for endless in ({}, {name: float("inf") if name == "time_limit" else 2**63}):
        with pytest.raises(ValueError, match="no budget: give time_limit, max_climbs"):
            options(**none | endless)


def test_a_breadth_is_from_1_to_65536():
    for breadth in (1, 1 << 16):
        assert options(breadth=breadth).breadth == breadth
    for breadth in (0, (1 << 16) + 1):
        with pytest.raises(ValueError, match=f"breadth = {breadth}, .* 1 to 65536"):
            options(breadth=breadth)


def test_a_time_without_end_is_none_and_memory_is_in_bytes():
    found = options(time_limit=float("inf"), memory_limit="2 kB")
    assert (found.time_limit, found.memory_limit) == (None, 2000)


def test_with_constraints_the_radius_is_1():
    limited = pb.random_knapsack(n=8, seed=1)
    for radius in (None, 1):
        given = LEAST | {"radius": radius, "method": "path"}
        assert checked_options(limited, **given).radius == 1
    for radius in (2, 3):
        with pytest.raises(ValueError, match=f"radius = {radius}, but with constraint"):
            checked_options(limited, **LEAST | {"radius": radius})
    assert options(radius=30).radius == 30


def test_a_run_differs_by_what_makes_its_result():
    one = options(radius=2, breadth=2, weights=[1, 2], max_archive=9)
    assert one.differences(one.config()) == []
    others = {
        "method": "path",
        "radius": 1,
        "seed": 2,
        "weights": [2, 1],
        "breadth": 3,
        "selection": "best",
        "climb": "strong-only",
        "max_archive": 8,
    }
    for name, other in others.items():
        assert one.differences(one.config() | {name: other}) == [name]
    assert one.differences(one.config() | others) == list(others)
    free = {"workers": 7, "time_limit": 9.0, "max_climbs": 5, "memory_limit": 10**9}
    assert one.differences(one.config() | free) == []
