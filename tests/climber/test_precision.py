"""Precision: bounds on scores are exact, and what they accept is searched exactly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import paretoball as pb
from landscapes import one_objective, solutions_of
from paretoball.climber.precision import score_bounds
from paretoball.landscape import EXACT, Landscape

ENTRIES = [0, 1, 2**20, 2**53 + 1, 2**60 + 1, 2**61, 2**62 - 1, 2**62]


def plain_bounds(objectives, n: int, radius: int) -> list[int]:
    """Bounds on scores, in ints of Python; every table reads variables of its own."""
    bounds = []
    for tables in objectives:
        spreads = [max(table) - min(table) for _, table in tables]
        bounds.append(min(radius * max(spreads, default=0), sum(spreads)))
    return bounds


@given(
    st.lists(
        st.lists(st.tuples(*[st.sampled_from(ENTRIES)] * 2), max_size=3),
        min_size=1,
        max_size=3,
    ),
    st.integers(1, 3),
    st.booleans(),
)
def test_scores_are_refused_as_ints_of_python_say(tables, radius, negated):
    sign = -1 if negated else 1
    objectives = [
        [((j,), [sign * entry for entry in table]) for j, table in enumerate(each)]
        for each in tables
    ]
    try:
        landscape = Landscape.from_subfunctions(3, objectives)
    except OverflowError:
        return
    exact = plain_bounds(objectives, 3, radius)
    if sum(exact) > EXACT:
        with pytest.raises(OverflowError, match=f"scores within radius {radius} can"):
            score_bounds(landscape, radius)
        return
    bounds = score_bounds(landscape, radius).tolist()
    assert all(a <= b <= a * (1 + 2e-9) + 1 for a, b in zip(exact, bounds))
    assert sum(bounds) <= EXACT


@pytest.mark.plain
@pytest.mark.parametrize(
    ("entry", "dtype"),
    [
        (2**31 - 1, np.int32),
        (2**31, np.int64),
        (1 - 2**31, np.int32),
        (-(2**31) - 1, np.int64),
        (2**40, np.int64),
    ],
)
def test_entries_that_hardly_differ_are_as_wide_as_they_are_large(entry, dtype):
    step = -1 if entry > 0 else 1
    table = [entry, entry + step, entry, entry + step, entry + 2 * step, entry] * 2
    landscape = one_objective(3, ((0, 1, 2), table[:8]))
    for radius in (1, 2):
        climber = pb.Climber(landscape, radius)
        assert climber.cliques.tables.dtype == dtype
        for x in solutions_of(3):
            climb = climber.start(x)
            assert climb.fx.tolist() == landscape.evaluate(x).tolist()


@pytest.mark.plain
@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("radius", [1, 2, 3])
def test_bounds_of_all_objectives_together_end_at_two_to_the_62(d, radius):
    """Each objective sums `radius` tables, the last one what is left."""
    each = EXACT // d // radius

    def with_last(more):
        terms = [[((j,), [0, each]) for j in range(radius)] for _ in range(d)]
        left = EXACT - d * radius * each + more
        terms.append([((0,), [0, left])])
        return Landscape.from_subfunctions(radius, terms)

    bounds = score_bounds(with_last(0), radius).tolist()
    assert sum(bounds) == EXACT
    if radius > 1:
        assert sum(score_bounds(with_last(0), radius - 1).tolist()) < EXACT
    for more in (1, 7):
        said = rf"scores within radius {radius} can reach 2\*\*62 \+ {more}, all obj"
        with pytest.raises(OverflowError, match=said):
            score_bounds(with_last(more), radius)


LARGEST = [[((0, 1), [2, 0, 1, 2**62])]]
BOTH_WAYS = [[((0, 1), [-(2**61), 0, 1, 2**61])]]
TWO = [[((0, 1), [2**61, 0, 3, 1])], [((0, 1), [0, 2**61, 4, 5])]]


@pytest.mark.parametrize(
    ("objectives", "method", "radii"),
    [
        (LARGEST, "multistart", (1, 2)),
        (BOTH_WAYS, "multistart", (1, 2)),
        (TWO, "multistart", (1, 2)),
        (TWO, "path", (2,)),
        *(
            pytest.param(objectives, "path", (1, 2), marks=pytest.mark.long)
            for objectives in (LARGEST, BOTH_WAYS, TWO)
        ),
    ],
)
def test_scores_as_large_as_64_bits_allow_are_searched_exactly(
    objectives, method, radii
):
    landscape = Landscape.from_subfunctions(2, objectives)
    front = naive.pareto_front(naive.full_table(landscape))
    for radius in radii:
        result = pb.solve(landscape, method, radius=radius, max_climbs=20, seed=1)
        found = list(map(tuple, result.F.tolist()))
        assert found == front if radius == 2 else set(found) <= set(front)


def test_scores_one_step_beyond_are_refused_by_radius_and_method():
    landscape = one_objective(1, ((0,), [-(2**61), 2**61 + 1]))
    with pytest.raises(OverflowError, match=r"within radius 1 can reach 2\*\*62 \+ 1,"):
        pb.solve(landscape, "multistart", radius=1, max_climbs=1)
    apart = one_objective(2, *[((j,), [-(2**60), 2**60 + j]) for j in range(2)])
    assert np.abs(pb.solve(apart, "multistart", radius=1, max_climbs=1).F) == 2**61 + 1
    with pytest.raises(OverflowError, match="method='multistart' needs less"):
        pb.solve(apart, radius=1, max_climbs=1)
