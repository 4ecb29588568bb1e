"""Triangles are those of brute force."""

from itertools import combinations

import pytest
from hypothesis import given

import naive
from landscapes import landscapes
from paretoball import Landscape
from paretoball.climber import triangles
from paretoball.climber.triangles import CORE, count_triangles


@pytest.mark.plain
@pytest.mark.parametrize("core", [1, 4, CORE])
@given(landscape=landscapes())
def test_triangles_are_those_of_brute_force(core, landscape):
    neighbours = naive.cooccurrence(landscape)
    expected = sum(
        all(b in neighbours[a] for a, b in combinations(three, 2))
        for three in combinations(range(landscape.n), 3)
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(triangles, "CORE", core)
        assert count_triangles(landscape.cooccurrence) == expected


@pytest.mark.parametrize("n", [CORE - 1, CORE, CORE + 1, CORE + 700])
def test_large_rings_have_the_triangles_of_their_chords(n):
    """Neither a ring alone nor its edges beyond the core make a triangle."""
    ring = [((j, (j + 1) % n), [0, 1, 1, 0]) for j in range(n)]
    chords = [((j, (j + 2) % n), [0, 1, 1, 0]) for j in (0, n // 2, n - 2, n - 1)]
    for terms, expected in [(ring, 0), (ring + chords, len(chords))]:
        graph = Landscape.from_subfunctions(n, [terms]).cooccurrence
        assert count_triangles(graph) == expected
