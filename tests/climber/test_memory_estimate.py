"""The memory of a climber is told before it is taken."""

import numpy as np
import pytest

import naive
import paretoball as pb
from landscapes import ring
from paretoball.climber import memory_estimate, moves
from paretoball.climber.affected import BY_CLIQUES, BY_STENCILS
from paretoball.system import memory
from paretoball.system.memory import capped


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


def test_what_does_not_fit_is_refused_with_advice():
    landscape = ring(2000, 3, seed=1)
    with capped(1 << 20), pytest.raises(MemoryError) as caught:
        pb.Climber(landscape, radius=3)
    moves = f"{pb.count_moves(landscape, 3):,}"
    assert str(caught.value).startswith(f"radius 3 has {moves} moves, and a climber")
    assert str(caught.value).endswith("but 1.0 MiB are allowed: radius 1 fits")


def test_where_not_even_the_smallest_radius_fits_that_is_told(monkeypatch):
    landscape = ring(2000, 3, seed=1)
    for module in (memory, memory_estimate):
        monkeypatch.setattr(module, "available_memory", lambda: 1000)
    with pytest.raises(MemoryError, match="1000 B are free: not even radius 1 fits"):
        pb.Climber(landscape, radius=2)


def test_records_of_cliques_that_do_not_fit_give_way_to_stencils():
    landscape = pb.mnk(n=300, K=8, d=2, q=100, model="random", seed=1)
    records = pb.climber_memory(landscape, 1)
    assert pb.Climber(landscape, 1).move_set.layout == BY_CLIQUES
    with capped(records - 1):
        climber = pb.Climber(landscape, 1)
        assert pb.climber_memory(landscape, 1) < records
    assert climber.move_set.layout == BY_STENCILS


def star(leaves):
    """A landscape whose variable 0 is read together with each other one."""
    pairs = [((0, j), [0, 1, 2, 4]) for j in range(1, leaves + 1)]
    return pb.Landscape.from_subfunctions(leaves + 1, [pairs])


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
