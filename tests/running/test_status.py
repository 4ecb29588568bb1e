"""Why runs end: each word is an ending, and says no more than is known."""

import pytest

import paretoball as pb
from paretoball.running import status
from paretoball.system import INTERRUPTED, TERMINATED

ONES = [((j,), [0, 1]) for j in range(4)]


def test_endings_are_of_these_kinds():
    assert set(status.STOPPED) == {INTERRUPTED, TERMINATED, status.BY_CALLBACK}
    assert set(status.PROVEN) == {status.WHOLE, status.INFEASIBLE}
    assert set(status.NOTHING_LEFT) == {status.ALL_SEEN, status.NONE_FEASIBLE}
    by_count = {status.CLIMBS, status.MOVES, status.FEW_MOVES, *status.NOTHING_LEFT}
    assert set(status.BY_COUNT) == by_count
    others = {status.UNDER_WAY, status.TIME, status.NOT_SEARCHED}
    assert by_count | others | {*status.PROVEN, *status.STOPPED} == status.ENDINGS


@pytest.mark.parametrize(("most", "is_feasible"), [(2, True), (1, False)])
def test_a_search_that_has_looked_at_everything_says_what_it_saw(most, is_feasible):
    odd = [((0, 1), [1, 0, 0, 0])]  # 1 if neither of the first two is
    limits = [(ONES, "<=", most), (ONES, ">=", 2), (odd, "<=", 0)]
    landscape = pb.Landscape.from_subfunctions(4, [ONES], constraints=limits)
    result = pb.solve(landscape, "path", max_climbs=10**4, time_limit=60, seed=1)
    said = status.ALL_SEEN if is_feasible else status.NONE_FEASIBLE
    assert (result.status, len(result) > 0) == (said, is_feasible)
    assert not result.failed
