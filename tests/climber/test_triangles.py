"""Triangles are those of brute force."""

from itertools import combinations

from hypothesis import given

import naive
from landscapes import landscapes
from paretoball.climber.triangles import count_triangles


@given(landscapes())
def test_triangles_are_those_of_brute_force(landscape):
    neighbours = naive.cooccurrence(landscape)
    expected = sum(
        all(b in neighbours[a] for a, b in combinations(three, 2))
        for three in combinations(range(landscape.n), 3)
    )
    assert count_triangles(landscape.cooccurrence) == expected
