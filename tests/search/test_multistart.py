"""Multi-start: how far a block came, and what is reported of it in any case."""

import numpy as np
import pytest

import naive
import paretoball as pb
from landscapes import ring
from paretoball.archive.archive import Archive
from paretoball.search.method import UNLIMITED, Asked, Block
from paretoball.search.multistart import METHOD

LANDSCAPE = ring(12, 2, seed=1)
NO_STARTS = np.empty((0, 12), np.uint8)


def searcher_from(starts=NO_STARTS, radius=2):
    """What runs climbs, of seed 1."""
    climber = pb.Climber(LANDSCAPE, radius)
    return METHOD.searcher(LANDSCAPE, climber, Asked(None, 1, radius, 1), starts)


def at_once(moves: int) -> bool:
    """Stop before the first move."""
    return True


def never(moves: int) -> bool:
    """Do not stop."""
    return False


@pytest.mark.plain
@pytest.mark.parametrize("how", [(UNLIMITED, at_once), (0, never)])
def test_however_early_it_stops_the_first_block_has_a_solution(how):
    start = np.arange(12, dtype=np.uint8)[None] % 2
    for starts in (NO_STARTS, start):
        archive = Archive(2)
        done = searcher_from(starts).run(archive, Block(0, 3), None, *how)
        assert done == (0, 0, 0)
        assert_true(archive)
        points = archive.points()
        assert np.column_stack(points[1:]).tolist() == [[0, 0, 0]]
        if len(starts):
            assert archive.X.tolist() == start.astype(bool).tolist()


@pytest.mark.plain
@pytest.mark.parametrize("how", [(UNLIMITED, at_once), (0, never)])
def test_other_blocks_have_none_and_known_ones_get_no_more(how):
    archive, searcher = Archive(2), searcher_from()
    assert searcher.run(archive, Block(1, 3), None, *how) == (0, 0, 0)
    assert len(archive) == 0
    searcher.run(archive, Block(0, 1), None, UNLIMITED, never)
    before = archive.F.tolist()
    searcher.run(archive, Block(0, 1), None, *how)
    assert archive.F.tolist() == before


def assert_true(archive: Archive) -> None:
    """Solutions have the objectives of their rows, and what is marked is an optimum."""
    assert archive.F.tolist() == [list(naive.evaluate(LANDSCAPE, x)) for x in archive.X]
    found = archive._ascending()
    for x, optimum in zip(archive.X, found.optimum):
        assert not optimum or naive.is_local_optimum(LANDSCAPE, x, 2)


@pytest.mark.plain
def test_moves_and_climbs_are_counted_wherever_a_block_is_cut():
    searcher, lengths = searcher_from(), []
    for number in range(2, 6):
        done = searcher.run(Archive(2), Block(number, 1), None, UNLIMITED, never)
        assert done.units == 1
        assert done.moves == done.settled_moves > 0
        lengths.append(done.moves)
    ends = np.cumsum(lengths).tolist()
    for moves in range(ends[-1] + 2):
        archive = Archive(2)
        done = searcher.run(archive, Block(2, 4), None, moves, never)
        assert done.moves == min(moves, ends[-1])
        over = [end for end in ends if end <= done.moves]
        # a climb is over once it has found that no move is left
        assert done.units == sum(end < moves for end in ends)
        assert done.settled_moves == ([0, *over][done.units] if moves else 0)
        assert_true(archive)


@pytest.mark.plain
def test_only_the_climbs_that_have_a_start_begin_there():
    starts = np.random.default_rng(1).integers(0, 2, (2, 12)).astype(np.uint8)
    given, free = searcher_from(starts), searcher_from()
    for number in range(4):
        first = [[], []]
        for searcher, seen in zip((given, free), first):
            archive = Archive(2)
            searcher.run(archive, Block(number, 1), None, UNLIMITED, never)
            seen += [archive.F.tolist(), archive.X.tolist()]
        assert (first[0] == first[1]) == (number >= 2)
    archive = Archive(2)
    given.run(archive, Block(0, 4), None, UNLIMITED, never)
    assert_true(archive)


@pytest.mark.plain
def test_points_from_before_that_a_climb_did_not_reach_again_keep_their_trails():
    archive = Archive(2)
    searcher_from().run(archive, Block(0, 3), None, UNLIMITED, never)
    before = archive.F.tolist(), archive.X.tolist()
    for moves in range(20):
        searcher_from().run(archive, Block(0, 3), None, moves, never)
        assert (archive.F.tolist(), archive.X.tolist()) == before


@pytest.mark.plain
def test_climbs_have_no_plan():
    plan = METHOD.plan(LANDSCAPE, Asked(None, 1, 2, 1))
    assert plan.planned == (0, UNLIMITED)
    assert plan.round_end(7) == plan.planned.end == UNLIMITED == 2**63 - 1
    assert plan.kept() == ({}, {})
    assert not plan.is_whole(Archive(2), 10**9)
    assert METHOD.breadth(LANDSCAPE) == 1
    assert (Block(3, 4).end, Block(0, 0).end) == (7, 0)
