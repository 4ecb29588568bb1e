"""Texts: what they say of a result is what the result has."""

import re

import numpy as np
import pytest

from landscapes import ring
from paretoball import Result, climber_memory, solve
from paretoball.report.text import (
    HEIGHT,
    WIDTH,
    drawn_front,
    landscape_lines,
    result_lines,
)
from paretoball.system import capped


@pytest.fixture(scope="module")
def result() -> Result:
    return solve(ring(n=60, K=2, seed=1), max_climbs=8, max_archive=20, seed=3)


def test_a_result_is_told_with_its_ranges_budget_and_seed(result):
    text = "\n".join(result_lines(result))
    assert f"{len(result):,} non-dominated solutions" in text
    for i, column in enumerate(result.F.T):
        assert f"f{i} (max)     {column.min():,} to {column.max():,}" in text
    assert f"hypervolume  {result.hypervolume():.6g} from the mean" in text
    assert f"8 paths, {result.moves:,} moves" in text
    assert "ended as     paths done; radius 2, seed 3" in text
    assert ("bounded      to 20" in text) == result.bounded


@pytest.mark.long
def test_many_objectives_are_told_in_few_lines():
    result = solve(ring(n=8, K=1, seed=1, d=40), max_climbs=1, seed=3)
    lines = list(result_lines(result))
    assert len(lines) < 15
    assert "  ...          and 32 more objectives" in lines
    assert "  hypervolume  left out, for more than 3 objectives" in lines
    assert len(repr(result)) < 500
    assert "and 32 more" in repr(result)
    landscape = ring(n=8, K=1, seed=1, d=40)
    assert "d=40 (40 max)" in repr(landscape)
    assert max(map(len, landscape_lines(landscape))) < 80


def test_a_radius_whose_climber_does_not_fit_is_told():
    landscape = ring(200, K=2, seed=1)
    free = list(landscape_lines(landscape))
    with capped(climber_memory(landscape, 2) - 1):
        told = list(landscape_lines(landscape))
    rows = [line for line in told if line.endswith(", does not fit")]
    assert [int(row.split()[0]) for row in rows][:1] == [2]
    assert not any("does not fit" in line for line in free)


@pytest.mark.long
def test_a_hypervolume_that_is_not_known_is_not_told():
    four = solve(ring(n=12, K=1, seed=1, d=4), "multistart", max_climbs=2, seed=1)
    assert np.isnan(four.trace[-1, -1])
    text = "\n".join(result_lines(four))
    assert "f3 (max)" in text
    assert "hypervolume  left out" in text
    assert "nan" not in text


def test_a_front_is_drawn_with_a_star_at_either_end(result):
    lines = list(drawn_front(result))
    canvas = [line.split("|", 1)[1].ljust(WIDTH) for line in lines if "|" in line]
    assert len(canvas) == HEIGHT
    assert canvas[0][0] == canvas[-1][-1] == "*"
    stars = {
        (r, c) for r, line in enumerate(canvas) for c in range(WIDTH) if line[c] == "*"
    }
    assert 2 <= len(stars) <= len(result)
    low, high = result.F.min(axis=0), result.F.max(axis=0)
    numbers = set(re.findall(r"[\d,]*\d", "\n".join([lines[1], *lines[-3:]])))
    assert {f"{value:,}" for value in np.concatenate([low, high])} <= numbers
