"""The stencil writer: what is written does not depend on how much is at a time."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import paretoball as pb
from landscapes import ring
from paretoball.climber import stencil_writer
from paretoball.climber.moves import enumerate_moves
from paretoball.climber.stencils import SECTIONS, WIDTHS, longest_sections, section

LANDSCAPES = [ring(12, 2, seed=1), pb.mnk(n=12, K=2, d=3, model="random", seed=1)]


@pytest.mark.plain
@pytest.mark.parametrize("landscape", LANDSCAPES)
@pytest.mark.parametrize("radius", [1, 3])
@pytest.mark.parametrize(
    "limits",
    [
        {"CHUNK": 1},
        {"CHUNK": 90},
        {"MOST_ROOM": 1},
        {"MORE_WORDS": 1},
        {"CHUNK": 40, "MOST_ROOM": 3, "MORE_WORDS": 2},
    ],
)
def test_stencils_are_the_same_however_little_is_written_at_a_time(
    monkeypatch, landscape, radius, limits
):
    graph = landscape.cooccurrence
    forest = enumerate_moves(graph, radius)
    at_once = stencil_writer.write_stencils(landscape, forest)
    for name, value in limits.items():
        monkeypatch.setattr(stencil_writer, name, value)
    pulses = iter(range(1000))  # it does not try for ever
    again = stencil_writer.write_stencils(landscape, forest, lambda: next(pulses))
    assert_array_equal(again.anchors, at_once.anchors)
    assert_array_equal(again.code, at_once.code)
    assert limits != {"CHUNK": 1} or next(pulses) >= landscape.n


@pytest.mark.plain
@pytest.mark.parametrize("landscape", LANDSCAPES)
@pytest.mark.parametrize("radius", [1, 2, 3])
def test_the_longest_sections_are_those_of_all_variables(landscape, radius):
    graph = landscape.cooccurrence
    forest = enumerate_moves(graph, radius)
    stencils = stencil_writer.write_stencils(landscape, forest)
    entries = [
        [
            (section(stencils, j, s, radius) - section(stencils, j, s, 0)) // WIDTHS[s]
            for s in range(SECTIONS)
        ]
        for j in range(landscape.n)
    ]
    assert_array_equal(longest_sections(stencils), np.max(entries, axis=0))
