"""The memory of a climber is told before it is taken."""

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
import paretoball as pb
from landscapes import landscapes, ring
from layouts import climber_by, used_layout
from paretoball.climber import (
    BY_CLIQUES,
    BY_ROWS,
    memory_estimate,
    moves,
    stencil_writer,
)
from paretoball.climber.memory_estimate import (
    _advice,
    _Estimate,
    _estimate,
    check_workers,
)
from paretoball.climber.precision import score_dtype
from paretoball.climber.records import affected_by_cliques, records_memory
from paretoball.climber.rows import rows_memory
from paretoball.climber.stencil_writer import most_affected
from paretoball.climber.stencils import BY_STENCILS
from paretoball.system import memory, nothing
from paretoball.system.memory import capped, readable_bytes


def arrays_in(thing):
    """All arrays in tuples of tuples of arrays."""
    if isinstance(thing, np.ndarray):
        yield thing
    elif isinstance(thing, tuple):
        for part in thing:
            yield from arrays_in(part)


def approx_taken(landscape, radius):
    """The bytes that a climber takes with one climb, give or take a tenth."""
    climber = pb.Climber(landscape, radius)
    state = climber.new_state(journal=1, reports=1)
    held = climber.move_set, climber.moves._forest, climber.cliques.tables, state
    taken = {array.ctypes.data: array.nbytes for array in arrays_in(held)}
    if landscape.square is not None:  # its rows are no second copy
        taken.pop(landscape.square.pairs.ctypes.data, None)
    return pytest.approx(sum(taken.values()), rel=0.1)


@pytest.mark.parametrize("radius", [1, 2, 3])
@pytest.mark.parametrize("model", ["adjacent", "random", "dense", "sparse"])
def test_memory_is_told_within_a_tenth(model, radius):
    if model == "dense":
        landscape = pb.random_qubo(n=60, density=0.5, seed=1)
    elif model == "sparse":
        landscape = pb.random_maxcut(n=2000, degree=4, seed=1)
    else:
        landscape = pb.mnk(n=2000, K=2, d=2, model=model, seed=1)
    assert pb.climber_memory(landscape, radius) == approx_taken(landscape, radius)


def test_rows_that_a_square_cannot_lend_are_told():
    rng = np.random.default_rng(1)
    landscape = pb.qubo(rng.integers(-(2**29), 2**29, (2, 60, 60)))
    assert landscape.square.pairs.dtype == np.int32
    assert pb.Climber(landscape, 1).move_set.affected.factors.dtype == np.int64
    assert pb.climber_memory(landscape, 1) == approx_taken(landscape, 1)


def hub(n, d):
    """A landscape of which one variable is read together with each other one."""
    return pb.Landscape.from_subfunctions(
        n, [[((0, j), [0, 1 + i, 1, 0]) for j in range(1, n)] for i in range(d)]
    )


@pytest.mark.parametrize("d", [1, 2, 3])
def test_rows_take_what_is_told_of_them_to_the_byte(d):
    """But for the ends of two lists."""
    lent = pb.random_qubo(n=40, d=d, seed=1)
    for landscape in (
        pb.random_maxcut(n=60, degree=4, d=d, seed=1),
        pb.random_qubo(n=60, d=d, density=0.12, seed=1),
        hub(90, d),
        lent,
    ):
        climber = pb.Climber(landscape, 1)
        affected, dtype = climber.move_set.affected, score_dtype(landscape, 1)
        taken = climber.new_state(journal=1, reports=1).reading.signs.nbytes
        taken += sum(array.nbytes for array in affected)
        if landscape is lent:
            assert np.shares_memory(affected.factors, landscape.square.pairs)
            taken -= affected.factors.nbytes
        assert rows_memory(landscape, dtype) == taken - 16


@pytest.mark.parametrize("d", [1, 2, 3])
def test_records_take_what_is_told_of_them_nearly_to_the_byte(d):
    """All tables differ here, and each variable is read for each objective."""
    landscape = pb.mnk(n=150, K=2, d=d, model="random", seed=1)
    climber = climber_by(BY_CLIQUES, landscape)
    for dtype in (np.dtype(np.int32), np.dtype(np.int64)):
        affected = affected_by_cliques(landscape, dtype)
        taken = sum(array.nbytes for array in affected)
        told = records_memory(landscape, dtype)
        assert taken - 2 * landscape.n <= told <= taken
        if dtype == score_dtype(landscape, 1):
            own = climber.move_set.affected
            assert taken == sum(array.nbytes for array in own)


def test_what_does_not_fit_is_refused_with_advice():
    landscape = ring(2000, 3, seed=1)
    with capped(1 << 20), pytest.raises(MemoryError) as caught:
        pb.Climber(landscape, radius=3)
    moves = f"{pb.count_moves(landscape, 3):,}"
    assert str(caught.value).startswith(f"radius 3 has {moves} moves, and a climber")
    assert str(caught.value).endswith("but 1.0 MiB are allowed: radius 1 fits")


def test_a_climber_fits_in_just_what_is_told():
    cut = pb.random_maxcut(n=300, degree=4, seed=1)
    for landscape, radius, layout in (
        (cut, 1, BY_ROWS),
        (ring(300, 2, seed=1), 1, BY_STENCILS),
        (ring(300, 2, seed=1), 2, BY_STENCILS),
    ):
        told = pb.climber_memory(landscape, radius)
        with capped(told):
            assert used_layout(pb.Climber(landscape, radius)) == layout
            assert pb.climber_memory(landscape, radius) == told
        with capped(told - 1), pytest.raises(MemoryError) as caught:
            pb.Climber(landscape, radius)
        assert f"a climber needs about {readable_bytes(told)}, but" in str(caught.value)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("moves", "of_moves", "unshared", "is_hopeless"),
    [
        (9, 1000, 20_000, False),
        (9, 1001, 20_000, True),
        (9, 1000, 20_001, True),  # more than sharing saves
        (2**31 - 2, 1000, 20_000, False),
        (2**31 - 1, 1000, 20_000, True),  # more than 32 bits number
    ],
)
def test_what_can_never_fit_is_not_tried(moves, of_moves, unshared, is_hopeless):
    with capped(1000):
        estimate = _Estimate(moves, True, of_moves, unshared)
        assert estimate.is_hopeless() == is_hopeless


def test_of_what_can_never_fit_the_bytes_without_sharing_are_told():
    landscape = ring(300, 2, seed=1)
    unshared = _estimate(landscape, 2, nothing).unshared
    with capped(1000):
        assert pb.climber_memory(landscape, 2) == unshared > told_with_room(landscape)
        with pytest.raises(MemoryError) as caught:
            pb.Climber(landscape, 2)
    assert f"needs about {readable_bytes(unshared)}, but 1000 B" in str(caught.value)


def told_with_room(landscape):
    """What is told where there is room."""
    with capped(None):
        return pb.climber_memory(landscape, 2)


@pytest.mark.plain
@pytest.mark.parametrize("asked", [2, 3, 4, 9])
def test_advice_names_the_largest_smaller_radius_that_fits_without_sharing(asked):
    landscape = ring(40, 2, seed=1)
    needed = [_estimate(landscape, r, nothing).unshared for r in (1, 2, 3)]
    assert needed == sorted(needed)
    for free in (n + more for n in needed for more in (-1, 0)):
        fits = [r for r, n in enumerate(needed, 1) if r < asked and n <= free]
        said = f"radius {max(fits)} fits" if fits else "not even radius 1 fits"
        with capped(free):
            assert _advice(landscape, asked) == said


@pytest.mark.parametrize("radius", [1, 2, 3])
def test_stencils_that_nobody_shares_take_eight_bytes_for_each_affected_move(radius):
    landscape = pb.mnk(n=150, K=2, d=2, model="random", seed=1)
    found = _estimate(landscape, radius, nothing)
    graph = landscape.cooccurrence
    forest = moves.enumerate_moves(graph, radius)
    affected = int(most_affected(graph, forest).sum())
    share = (found.unshared - found.of_moves) / (8 * affected)
    assert share == 1 if radius == 1 else 0.6 < share < 1
    assert found.moves == len(forest.flips)
    assert found.is_counted


def test_stencils_too_dense_to_try_are_told_by_what_they_list(monkeypatch):
    landscape = pb.mnk(n=300, K=2, d=2, model="random", seed=1)
    graph = landscape.cooccurrence
    forest = moves.enumerate_moves(graph, 2)
    affected = most_affected(graph, forest)
    monkeypatch.setattr(memory_estimate, "SAMPLE_WORK", 1)
    words = len(stencil_writer.write_stencils(landscape, forest).code)
    told = memory_estimate._predict_words(landscape, forest, nothing)
    assert told == 4 * affected.sum()
    assert words < told < 3 * words


def test_stencils_beyond_32_bits_are_refused(monkeypatch):
    landscape = pb.mnk(n=60, K=2, d=2, model="random", seed=1)
    graph = landscape.cooccurrence
    forest = moves.enumerate_moves(graph, 2)
    words = len(stencil_writer.write_stencils(landscape, forest).code)
    monkeypatch.setattr(stencil_writer, "MORE_WORDS", 7)
    monkeypatch.setattr(stencil_writer, "MAX_WORDS", words + 1000)
    again = stencil_writer.write_stencils(landscape, forest)
    assert len(again.code) == words
    monkeypatch.setattr(stencil_writer, "MAX_WORDS", words - 1)
    pulses = iter(range(1000))  # and it does not try for ever
    with pytest.raises(MemoryError, match="of 60 variables exceed 16 GiB"):
        stencil_writer.write_stencils(landscape, forest, lambda: next(pulses))


def test_where_not_even_the_smallest_radius_fits_that_is_told(monkeypatch):
    landscape = ring(2000, 3, seed=1)
    for module in (memory, memory_estimate):
        monkeypatch.setattr(module, "available_memory", lambda: 1000)
    with pytest.raises(MemoryError, match="1000 B are free: not even radius 1 fits"):
        pb.Climber(landscape, radius=2)


def test_records_of_cliques_that_do_not_fit_give_way_to_stencils():
    landscape = pb.mnk(n=300, K=8, d=2, q=100, model="random", seed=1)
    records = pb.climber_memory(landscape, 1)
    assert used_layout(pb.Climber(landscape, 1)) == BY_CLIQUES
    with capped(records):
        assert used_layout(pb.Climber(landscape, 1)) == BY_CLIQUES
        assert pb.climber_memory(landscape, 1) == records
    with capped(records - 1):
        climber = pb.Climber(landscape, 1)
        assert pb.climber_memory(landscape, 1) < records
    assert used_layout(climber) == BY_STENCILS


def star(leaves):
    """A landscape whose variable 0 is read together with each other one."""
    pairs = [((0, j), [0, 1, 2, 4]) for j in range(1, leaves + 1)]
    return pb.Landscape.from_subfunctions(leaves + 1, [pairs])


@pytest.mark.plain
@settings(max_examples=30)
@given(landscapes(max_n=6), st.integers(1, 6))
def test_no_fewer_moves_of_a_size_exist_than_their_lower_bound(landscape, size):
    some = [v for v in naive.connected_moves(landscape, size) if len(v) == size]
    assert moves._fewest(landscape.degrees, size) <= len(some)


@pytest.mark.plain
def test_the_lower_bound_is_what_stars_and_complete_graphs_have():
    for size in range(2, 7):
        hub, full = np.array([9] + [1] * 9), np.full(9, 8)
        assert moves._fewest(hub, size) == comb(9, size - 1)
        assert moves._fewest(full, size) == comb(9, size)


def test_moves_are_counted_while_they_fit_in_memory():
    landscape = ring(16, 2, seed=1)
    exact = pb.count_moves(landscape, 4)
    with capped(exact * 16 * 4):
        assert moves.counted_moves(landscape, 4) == (exact, True)
    with capped(exact * 16 * 4 - 1):
        least, is_counted = moves.counted_moves(landscape, 4)
    assert not is_counted
    with (
        capped(exact * 16 * 4 - 1),
        pytest.raises(MemoryError, match=f"has {least:,} moves or more, too many to"),
    ):
        pb.climber_memory(landscape, 4)


@pytest.mark.parametrize("leaves", [1_500, 10_000])
def test_moves_too_many_to_count_are_refused_without_growing_them(monkeypatch, leaves):
    def grow(*_):
        raise AssertionError("a lower bound is enough here")

    monkeypatch.setattr(moves, "_grow", grow)
    with pytest.raises(MemoryError, match=r"too many to count: radius [123] fits"):
        pb.Climber(star(leaves), radius=4)


def test_counting_stops_soon_after_its_limit(monkeypatch):
    landscape, grown = ring(16, 2, seed=1), []
    grow = moves._grow

    def counting(*given):
        grown.append(grow(*given))
        return grown[-1]

    monkeypatch.setattr(moves, "_grow", counting)
    exact = pb.count_moves(landscape, 5)
    assert exact == len(naive.connected_moves(landscape, 5))
    every = len(grown)
    monkeypatch.setattr(moves, "MET", 1)
    grown.clear()
    monkeypatch.setattr(moves, "COUNT_LIMIT", exact - 100)
    least, is_counted = moves.counted_moves(landscape, 5)
    assert not is_counted
    assert exact - 100 < least < exact
    assert every < len(grown)


def test_moves_are_counted_in_the_memory_that_is_there():
    """Each row holds `radius` variables, and must not take more than its share."""
    landscape = ring(50, K=2, seed=1)
    for radius in (4, 5):
        exact = moves.counted_moves(landscape, radius)[0]
        needed = moves.ROW * radius * exact
        with capped(needed):
            assert moves.counted_moves(landscape, radius) == (exact, True)
        with capped(needed - 1):
            assert not moves.counted_moves(landscape, radius)[1]


@pytest.mark.plain
@pytest.mark.parametrize("workers", [1, 2, 7])
def test_workers_have_room_for_scores_and_buckets_of_all_moves(workers):
    """A bucket takes a byte; the list of each kind, and a place in it, four each."""
    moves, vector = 1000, 24
    needed = workers * moves * (vector + 1 + 2 * 4 + 4)
    with capped(needed):
        check_workers(workers, moves, vector)
    said = rf"^the scores of {workers} workers? need .*fewer workers would fit"
    with capped(needed - 1), pytest.raises(MemoryError, match=said) as caught:
        check_workers(workers, moves, vector)
    assert readable_bytes(needed) in str(caught.value)


@pytest.mark.plain
@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("radius", [2, 3])
def test_a_square_takes_the_bytes_of_its_tables_beyond_radius_1(d, radius):
    square = pb.random_qubo(n=12, d=d, seed=1)
    told = _estimate(square, radius, nothing)
    cliques = square.cliques
    assert square.square is not None
    objectives = [
        [
            (
                cliques.masks[cliques.mask_at[c] : cliques.mask_at[c + 1]].tolist(),
                cliques.tables[cliques.table_at[c] : cliques.table_at[c + 1], i],
            )
            for c in range(len(cliques.mask_at) - 1)
        ]
        for i in range(d)
    ]
    same = pb.Landscape.from_subfunctions(12, objectives)
    assert same.square is None
    assert _estimate(same, radius, nothing) == told
