"""What tests of climbs share: their steps, their state, and what both should be."""

from typing import Any

from numpy.testing import assert_array_equal

import naive


def steps_of(climb: Any) -> list[int]:
    """All moves of a climb, to its end."""
    steps = []
    while (t := climb.step()) is not None:
        steps.append(t)
        assert len(steps) < 10_000
    return steps


def assert_same_state(a: Any, b: Any) -> None:
    """Two climbs stand at the same place with the same things known."""
    assert_array_equal(a.x, b.x)
    assert_array_equal(a.fx, b.fx)
    assert_array_equal(a.scores, b.scores)
    assert_array_equal(a.weights, b.weights)
    assert set(a.strong.tolist()) == set(b.strong.tolist())
    assert set(a.improving.tolist()) == set(b.improving.tolist())
    assert_array_equal(a.reports.F, b.reports.F)
    assert_array_equal(a.reports.X, b.reports.X)


def assert_exact(climb: Any, moves: Any, plain: naive.Plain) -> None:
    """A climb's numbers and buckets are those of the definitions."""
    expected = naive.scores(plain, moves, climb.x)
    assert_array_equal(climb.scores, expected)
    assert_array_equal(climb.fx, naive.evaluate(plain, climb.x))
    weights = climb.weights.tolist()
    kinds = [naive.kind(score, weights, plain.sense) for score in expected.tolist()]
    strong = [v for v, kind in enumerate(kinds) if kind == "strong"]
    improving = [v for v, kind in enumerate(kinds) if kind == "w-improving"]
    assert sorted(climb.strong.tolist()) == strong
    assert sorted(climb.improving.tolist()) == improving


def assert_one_line(caught: Any, *words: str) -> None:
    """An error message is one line that names place and value."""
    message = str(caught.value)
    assert "\n" not in message
    for word in words:
        assert word in message
