"""Units in a row: which are begun, what counts as done, and which trails are kept."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import paretoball as pb
from landscapes import ring
from paretoball.archive.archive import Archive
from paretoball.archive.points import Points
from paretoball.landscape import packed_bits
from paretoball.search import METHODS, method_named, multistart
from paretoball.search.method import UNLIMITED, Asked, Block, Done
from paretoball.search.path import searcher as path
from paretoball.search.path.tasks import FILL, no_tasks

N, LENGTHS = 12, [3, 0, 4, 2]  # moves of units 5, 6, 7, 8
FIRST = 5


class Walker(path.Searcher):
    """Each unit flips variables 0, 1, 2, ... of zeros, and reports after each flip."""

    def __init__(self, first: int = FIRST) -> None:
        self.landscape = ring(N, 1, seed=1)
        self.first = first
        self.begun: list[int] = []
        self.unit = SimpleNamespace(clock=SimpleNamespace(taken=0))

    def begin(self, archive: Archive, number: int, task: Any) -> np.ndarray:
        self.begun.append(number)
        self.unit.clock.taken = 0
        return packed_bits(np.zeros(N, np.uint8))

    def go_on(self, archive: Archive, before: int, max_moves: int, stop: Any) -> bool:
        number, clock = self.begun[-1], self.unit.clock
        self.unit.flips = np.arange(N, dtype=np.int32)
        while True:
            taken = clock.flipped = clock.taken
            here = np.array([[number, taken, 0]])
            fx = np.array([[10 * number + taken, -10 * number - taken]])
            archive.take_in(Points.tagged(fx, here))
            if taken == LENGTHS[number - self.first]:
                return True
            if before + taken >= max_moves or stop(before + taken):
                return False
            clock.taken += 1


def tasks_of(units: int) -> Any:
    """Tasks that say nothing."""
    return no_tasks(N, 2)._replace(
        kinds=np.zeros(units, np.uint8),
        paths=np.zeros(units, np.int64),
        weights=np.ones((units, 3, 2), np.int64),
        ends=np.zeros(units, np.int64),
    )


def run_some(max_moves: int = UNLIMITED, stop_at: int = 99, first: int = FIRST) -> Any:
    """What was done, the walker, and the archive."""
    walker, archive = Walker(first), Archive(2)
    block = Block(first, len(LENGTHS))
    done = walker.run(
        archive, block, tasks_of(4), max_moves, lambda moves: moves >= stop_at
    )
    return done, walker, archive


@pytest.mark.plain
@pytest.mark.parametrize(
    ("moves", "done", "begun"),
    [
        (0, (0, 0, 0), 0),
        (1, (0, 1, 0), 1),
        (2, (0, 2, 0), 1),
        (3, (1, 3, 3), 1),  # the next unit might take a move
        (4, (2, 4, 3), 3),
        (6, (2, 6, 3), 3),
        (7, (3, 7, 7), 3),
        (8, (3, 8, 7), 4),
        (9, (4, 9, 9), 4),
        (99, (4, 9, 9), 4),
    ],
)
def test_units_and_moves_are_counted_to_where_a_block_is_cut(moves, done, begun):
    for cut in ({"max_moves": moves}, {"stop_at": moves}):
        found, walker, archive = run_some(**cut)
        assert found == done
        assert walker.begun == list(range(FIRST, FIRST + begun))
        for x, unit, step in zip(archive.X, *archive._ascending()[1:3]):
            assert unit in walker.begun
            assert_array_equal(np.flatnonzero(x), np.arange(step))
        assert len(archive) == found.moves + begun
        assert walker.archive_seconds > 0


@pytest.mark.plain
def test_the_very_first_unit_is_begun_however_early_a_run_stops():
    done, walker, archive = run_some(stop_at=0, first=0)
    assert (done, walker.begun, len(archive)) == ((0, 0, 0), [0], 1)
    known = Archive(2)
    known.report([1, 1], np.zeros(N, np.uint8))
    walker = Walker(0)
    walker.run(known, Block(0, 4), tasks_of(4), UNLIMITED, lambda _: True)
    assert walker.begun == []


@pytest.mark.plain
def test_points_from_before_that_a_unit_did_not_reach_again_keep_their_trails():
    _, _, archive = run_some()
    before = archive.F.tolist(), archive.X.tolist()
    for moves in range(1, 10):
        walker = Walker()
        block = Block(FIRST, len(LENGTHS))
        walker.run(archive, block, tasks_of(4), moves, lambda _: False)
        assert (archive.F.tolist(), archive.X.tolist()) == before


# --- Units of every method.


def small_one(is_limited: bool) -> pb.Landscape:
    """A few variables; two of the first three are one at most, if that is limited."""
    rng = np.random.default_rng(1)
    objectives = [
        [((j, (j + 1) % 4), rng.integers(-9, 10, 4).tolist()) for j in range(4)]
        for _ in range(2)
    ]
    ones = [((j,), [0, 1]) for j in range(3)]
    limits = [(ones, "<=", 2)] if is_limited else []
    return pb.Landscape.from_subfunctions(
        4, objectives, ["max", "min"], constraints=limits
    )


@pytest.mark.plain
@pytest.mark.parametrize("is_limited", [False, True])
@pytest.mark.parametrize("name", METHODS)
def test_blocks_of_every_method_are_cut_at_the_move_that_was_told(
    monkeypatch, name, is_limited
):
    """By a number of moves, or by whoever is asked, which may be after every move."""
    landscape, asked = small_one(is_limited), Asked(None, 1, 1, 2)
    method = method_named(name)
    climber = pb.Climber(landscape.unconstrained, 1)
    searcher = method.searcher(landscape, climber, asked, np.empty((0, 4), np.uint8))
    plan, known, kinds = method.plan(landscape, asked), Archive(2), set()

    def run(block: Block, cut: int, stop_at: int) -> Done:
        seen: list[int] = []

        def is_enough(moves: int) -> bool:
            seen.append(moves)
            assert len(seen) < 10**4  # or it does not come to an end
            return moves >= stop_at

        found = Archive(2)
        searcher.slice = 1 if cut == UNLIMITED else 1 << 20
        for module in (multistart, path):
            monkeypatch.setattr(module, "next_slice", lambda moves, *_: moves)
        done = searcher.run(found, block, plan.tasks(block), cut, is_enough)
        assert seen == sorted(seen)
        assert set(seen) <= set(range(done.moves + 1))
        assert cut < UNLIMITED or set(seen) >= set(range(done.moves))
        assert_array_equal(landscape.evaluate(found.X), landscape.shown(found.F))
        assert not is_limited or landscape.is_feasible(found.X).all()
        return done

    plan.advance(known, 0)
    for first in (0, 2, 4):
        size = min(plan.round_end(first) - first, 2)
        block = Block(first, size)
        kinds |= set(getattr(plan.tasks(block), "kinds", np.ones(1)).tolist())
        ends = []
        for number in range(first, first + size):
            done = run(Block(number, 1), UNLIMITED, UNLIMITED)
            assert done == (1, done.moves, done.moves)
            ends.append(sum(ends[-1:]) + done.moves)
        cuts = {0, 1, ends[0] - 1, ends[0], ends[0] + 1, ends[-1] - 1, ends[-1]}
        for cut in sorted(cuts | {ends[-1] + 1}):
            for limits in ((cut, UNLIMITED), (UNLIMITED, cut)):
                done = run(block, *limits)
                assert done.moves == min(cut, ends[-1])
                over = sum(end < cut for end in ends), sum(end <= cut for end in ends)
                assert over[0] <= done.units <= over[1]  # it may not know yet
                assert done.settled_moves == [0, *ends][done.units]
        searcher.run(known, block, plan.tasks(block), UNLIMITED, lambda _: False)
        if size < 2 or plan.round_end(first) == block.end:
            plan.advance(known, block.end)
    assert FILL in kinds
    assert searcher.archive_seconds > 0


@pytest.mark.plain
@pytest.mark.parametrize("is_limited", [False, True])
@pytest.mark.parametrize("name", METHODS)
def test_units_of_every_method_are_the_same_however_little_room_there_is(
    monkeypatch, name, is_limited
):
    """Notes never go beyond their arrays, which plain Python would tell."""
    landscape, asked = small_one(is_limited), Asked(None, 1, 1, 2)
    method = method_named(name)
    climber = pb.Climber(landscape.unconstrained, 1)
    results: list[Any] = []
    for room in (4096, 1, 2, 7):
        for module in (multistart, path):
            monkeypatch.setattr(module, "ROOM", room)
            monkeypatch.setattr(module, "next_slice", lambda *_: 1 << 20)
        monkeypatch.setattr(path, "FLIPS", room)
        plan, archive = method.plan(landscape, asked), Archive(2)
        searcher = method.searcher(
            landscape, climber, asked, np.empty((0, 4), np.uint8)
        )
        results.append([])
        plan.advance(archive, 0)
        for first in (0, 2, 4):
            block = Block(first, min(plan.round_end(first) - first, 2))
            tasks = plan.tasks(block)
            done = searcher.run(archive, block, tasks, UNLIMITED, lambda _: False)
            results[-1] += [done, archive.F.tolist(), archive.X.tolist()]
            plan.advance(archive, block.end)
    assert all(result == results[0] for result in results)


@pytest.mark.plain
@pytest.mark.parametrize("is_limited", [False, True])
@pytest.mark.parametrize("name", METHODS)
def test_a_start_that_nothing_dominates_is_found_whatever_comes_of_it(name, is_limited):
    landscape, asked = small_one(is_limited), Asked(None, 1, 1, 2)
    X = (np.arange(16)[:, None] >> np.arange(4) & 1).astype(np.uint8)
    if is_limited:
        X = X[landscape.is_feasible(X)]
    fx = landscape.inside(landscape.evaluate(X))
    is_best = [not (fx >= each).all(1)[(fx != each).any(1)].any() for each in fx]
    assert 1 < sum(is_best) < len(X)
    method = method_named(name)
    climber = pb.Climber(landscape.unconstrained, 1)
    for start, value in zip(X[is_best], fx[is_best]):
        plan, archive = method.plan(landscape, asked), Archive(2)
        plan.advance(archive, 0)
        searcher = method.searcher(landscape, climber, asked, start[None])
        block = Block(0, 1)
        searcher.run(archive, block, plan.tasks(block), 1, lambda _: False)
        assert value.tolist() in archive.points().fx.tolist()
