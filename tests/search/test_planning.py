"""Plans: every path has a task of its own, and every round its own random numbers."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from landscapes import ring
from paretoball.archive.archive import Archive
from paretoball.numerics.streams import spawn
from paretoball.search.method import Block
from paretoball.search.path.planning import PURPOSE, Rounds

N = 20


def filled(d: int) -> tuple[Rounds, Archive]:
    """A plan, and an archive with some solutions."""
    landscape = ring(n=N, K=2, seed=1, d=d)
    archive = Archive(d)
    for x in np.random.default_rng(1).integers(0, 2, (200, N)).astype(np.uint8):
        archive.report(landscape.inside(landscape.evaluate(x)), x)
    assert len(archive) > 5
    return Rounds(landscape, None, 7), archive


@pytest.mark.plain
@pytest.mark.parametrize("d", [2, 3])
def test_blocks_of_later_rounds_get_the_tasks_of_their_paths(d):
    plan, archive = filled(d)
    number = 0
    for _ in range(12):  # until rounds grow
        plan.advance(archive, number)
        assert plan.round.first == number
        tasks = [plan.tasks(Block(number + at, 1)) for at in range(plan.round.size)]
        assert len({each.weights.tobytes() for each in tasks}) > 2
        for at, each in enumerate(tasks):
            assert_array_equal(each.weights, plan.planned.weights[at : at + 1])
            assert_array_equal(each.solutions, plan.planned.solutions[at : at + 1])
        later = plan.tasks(Block(number + 1, 3))
        assert_array_equal(later.weights, plan.planned.weights[1:4])
        number = plan.round.end
    assert plan.round.size > 4


@pytest.mark.plain
def test_every_round_has_random_numbers_of_its_own():
    plan, archive = filled(2)
    for first in (4, 8, 12):
        plan.advance(archive, first)
        for count, purpose in ((1, 0), (1, 1), (8, 2)):
            found = plan._random(count, purpose)
            words = spawn(
                7, np.arange(count * first, count * first + count), PURPOSE + purpose
            )
            assert_array_equal(
                found, [int(word >> 11) / 2**53 for word in words.tolist()]
            )
    seen: list[float] = []
    for first in (16, 20, 24, 28):
        plan.advance(archive, first)
        seen += [*plan._random(8, 2), *plan._random(8, 3), *plan._random(1)]
    assert len(set(seen)) == len(seen)


@pytest.mark.plain
def test_paths_of_every_round_meet_at_other_places_of_the_front():
    plan, archive = filled(2)
    met, rising = set(), set()
    for first in (4, 8, 12, 16, 20):
        plan.advance(archive, first)
        near, far = (plan.planned.weights[:, end] for end in (0, 1))
        met.add(far[1].tobytes())
        rising.add(bool(near[1, 0] / near[1, 1] < far[1, 0] / far[1, 1]))
    assert len(met) == 5
    assert rising == {True, False}  # paths go in both directions
