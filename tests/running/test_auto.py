"""The default method: the whole front where it is cheap, a search where it is not."""

from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

import pytest
from numpy.testing import assert_array_equal

import paretoball as pb
from clocks import Ticks, keep_time
from landscapes import ring
from paretoball.exact import GivenUp
from paretoball.running import WHOLE, driver
from paretoball.running.auto import exact_if_cheap

AUTO = import_module("paretoball.running.auto")


@pytest.fixture(scope="module")
def landscape():
    """A narrow one."""
    return ring(30, K=2, seed=1)


def test_narrow_landscapes_have_the_whole_front_even_without_a_budget(landscape):
    whole = pb.exact_front(landscape).F
    for how in ({}, {"time_limit": 5}, {"time_limit": float("inf"), "seed": 3}):
        result = pb.solve(landscape, **how)
        assert_array_equal(result.F, whole)
        assert result.status == WHOLE
        assert result.config["method"] == "exact"


@pytest.mark.parametrize(
    "how",
    [
        {"max_climbs": 1},
        {"max_moves": 9},
        {"radius": 1, "time_limit": 0.01},
        {"breadth": 3, "time_limit": 0.01},
        {"executor": ThreadPoolExecutor(1), "time_limit": 0.01},
        {"max_archive": 5, "time_limit": 0.01},
        {"start": [0] * 30, "time_limit": 0.01},
        {"weights": [1, 2], "time_limit": 0.01},
        {"callback": lambda _: True, "time_limit": 0.01},
        {"selection": "best", "time_limit": 0.01},
        {"climb": "strong-only", "time_limit": 0.01},
        {"method": "path", "time_limit": 0.01},
    ],
    ids=lambda how: next(iter(how)),
)
def test_whatever_is_asked_of_a_search_is_a_search(landscape, monkeypatch, how):
    monkeypatch.setattr(driver, "exact_if_cheap", None)  # it is not even tried
    result = pb.solve(landscape, seed=1, **how)
    assert result.config["method"] == "path"
    assert result.status != WHOLE


def test_a_run_with_a_checkpoint_is_a_search(landscape, monkeypatch, tmp_path):
    monkeypatch.setattr(driver, "exact_if_cheap", None)
    path = tmp_path / "run.npz"
    result = pb.solve(landscape, seed=1, time_limit=0.01, checkpoint=path)
    assert result.config["method"] == pb.load(path).config["method"] == "path"


def test_an_attempt_may_make_as_many_vectors_as_its_time_holds(landscape):
    limited = pb.random_knapsack(n=8, seed=1)
    for limit, most in [
        (None, 20_000_000),
        (float("inf"), 20_000_000),
        (1e9, 20_000_000),
        (3.0, 1_500_000),
        (0.001, 500),
    ]:
        assert AUTO._most_vectors(landscape, limit) == most
        assert AUTO._most_vectors(limited, limit) == most // 8


@pytest.mark.parametrize(
    ("n", "d", "each"),
    [(15, 2, 1), (16, 2, 2), (31, 2, 2), (32, 3, 3), (15, 1, 1), (64, 1, 1)],
)
def test_the_vectors_of_an_elimination_are_predicted(n, d, each):
    landscape = pb.mnk(n=n, K=1, d=d, seed=1)
    for width in (0, 1, 5):
        vectors = n * 250 + n * each * 2**width
        assert AUTO._predicted(landscape, width) == vectors


def test_an_elimination_is_tried_up_to_a_width_and_a_number_of_vectors(
    landscape, monkeypatch
):
    for width, is_tried in [(0, True), (12, True), (13, False)]:
        monkeypatch.setattr(AUTO, "width_of", lambda _, width=width: width)
        needed = AUTO._predicted(landscape, width)
        assert AUTO._looks_cheap(landscape, needed) == is_tried
        assert not AUTO._looks_cheap(landscape, needed - 1)
    monkeypatch.setattr(AUTO, "width_of", lambda _: None)  # wider than it looks for
    assert not AUTO._looks_cheap(landscape, 10**12)


@pytest.mark.parametrize(("looked", "left"), [(0, 4), (3, 1), (4, 1e-9), (7, 1e-9)])
def test_an_attempt_ends_with_its_share_of_the_time_and_of_looking(
    landscape, monkeypatch, looked, left
):
    clock, width_of, limits = Ticks(0.0), AUTO.width_of, []

    def slow(landscape):
        clock.now += looked
        return width_of(landscape)

    def front(landscape, progress, limit, *_):
        limits.append(limit)
        raise TimeoutError

    monkeypatch.setattr(AUTO, "width_of", slow)
    monkeypatch.setattr(AUTO, "solved_exactly", front)
    monkeypatch.setattr(AUTO, "perf_counter", clock)
    attempt = exact_if_cheap(landscape, False, 8, None)
    assert limits == [left]
    assert attempt == (None, looked)


def test_wide_landscapes_are_searched():
    wide = pb.mnk(60, K=3, model="random", seed=1)
    assert pb.solve(wide, time_limit=0.1, seed=1).config["method"] == "path"
    with pytest.raises(ValueError, match="no budget"):
        pb.solve(wide)


def test_it_gives_up_at_a_number_of_vectors_whatever_the_time(landscape, monkeypatch):
    made, without_limit = pb.exact_front(landscape).vectors, AUTO.solved_exactly
    monkeypatch.setattr(AUTO, "VECTORS_A_STEP", 0)

    def solved_exactly(landscape, progress, limit, *others):
        return without_limit(landscape, progress, None, *others)

    monkeypatch.setattr(AUTO, "solved_exactly", solved_exactly)

    def found(most, limit=None):
        monkeypatch.setattr(AUTO, "MOST_VECTORS", most)
        return exact_if_cheap(landscape, False, limit, None).result

    assert found(made) is not None
    assert found(made - 1) is None
    assert found(10**9, limit=made / AUTO.VECTORS_A_SECOND) is not None
    assert found(10**9, limit=(made - 1) / AUTO.VECTORS_A_SECOND) is None


def test_large_tables_are_not_even_tried(monkeypatch):
    monkeypatch.setattr(AUTO, "solved_exactly", None)
    for n, K in ((200, 12), (20_000, 1), (2000, 4)):
        large = ring(n, K, seed=1, q=2)
        assert exact_if_cheap(large, False, 10, None).result is None


@pytest.mark.parametrize("end", [GivenUp, TimeoutError, MemoryError, OverflowError])
def test_the_search_has_the_time_that_the_attempt_leaves(
    landscape, monkeypatch, tmp_path, end
):
    clock = Ticks(0.01)

    def give_up(*_):
        clock.now += 15
        raise end

    monkeypatch.setattr(AUTO, "solved_exactly", give_up)
    monkeypatch.setattr(AUTO, "compile_exact", lambda _: None)
    monkeypatch.setattr(AUTO, "perf_counter", clock)
    keep_time(monkeypatch, clock)
    result = pb.solve(landscape, time_limit=20, seed=1)
    assert result.config["method"] == "path"
    assert 15 < result.seconds < result.seconds + result.setup_seconds < 20.2
    assert clock.now < 20.5
    assert result.trace[-1, 0] > 15
    result.save(tmp_path / "run.npz")
    assert pb.verify(landscape, tmp_path / "run.npz").failures == []


def test_an_exact_result_tells_all_the_time_that_it_took(landscape, monkeypatch):
    """What it takes to see whether it is cheap included, and compilation left out."""
    clock, width_of = Ticks(0.0), AUTO.width_of

    def slow(landscape):
        clock.now += 3
        return width_of(landscape)

    def compile_exact(_):
        clock.now += 100

    monkeypatch.setattr(AUTO, "width_of", slow)
    monkeypatch.setattr(AUTO, "compile_exact", compile_exact)
    monkeypatch.setattr(AUTO, "perf_counter", clock)
    result = pb.solve(landscape, time_limit=1000)
    assert (result.status, result.seconds) == (WHOLE, 3)


def test_limits_are_handed_on_to_the_attempt(landscape, monkeypatch):
    asked = []

    def front(landscape, progress, time_limit, max_points, memory_limit, checkpoint):
        asked.append((time_limit, memory_limit))
        raise TimeoutError

    monkeypatch.setattr("paretoball.running.exact_run.exact_front", front)
    monkeypatch.setattr("paretoball.running.driver._carry_out", lambda *_: None)
    for limit in (8, None):
        pb.solve(landscape, time_limit=limit or 1e9, memory_limit="1GB")
    (half, memory), (endless, _) = asked
    assert memory == "1GB"
    assert 0 < half <= AUTO.SHARE * 8
    assert half < endless
    with pytest.raises(ValueError, match="no budget"):
        pb.solve(landscape)
    assert asked[-1] == (None, None)


def test_an_attempt_beyond_its_memory_is_followed_by_a_search(landscape):
    assert exact_if_cheap(landscape, False, 5, None).result is not None
    assert exact_if_cheap(landscape, False, 5, 1000).result is None


def test_a_time_that_is_none_is_one_line(landscape):
    with pytest.raises(TypeError, match="time_limit = 'soon' is not a number"):
        pb.solve(landscape, time_limit="soon")


def test_what_an_attempt_took_is_not_shown_as_time_or_rate_of_the_search(
    landscape, monkeypatch
):
    runs = []

    def attempt(*_):
        return None, 15.0

    monkeypatch.setattr(driver, "exact_if_cheap", attempt)
    monkeypatch.setattr(driver, "_carry_out", lambda run, *_: runs.append(run))
    pb.solve(landscape, time_limit=20, seed=1)
    (run,) = runs
    assert run.progress.earlier == (15.0, 15.0, 0)
    assert (run.budget.spent, run.budget.time_limit) == (15.0, 20.0)
    assert run.snapshot().search_seconds >= 15.0
    assert run.options.method == "path"


def test_an_exact_search_is_given_its_limits(landscape, monkeypatch):
    asked = []
    monkeypatch.setattr(driver, "solved_exactly", lambda *how: asked.append(how))
    pb.solve(landscape, "exact", time_limit=7.5, memory_limit="1GB", progress=False)
    pb.solve(landscape, "exact")
    assert asked == [
        (landscape, False, 7.5, None, "1GB"),
        (landscape, None, None, None, None),
    ]
