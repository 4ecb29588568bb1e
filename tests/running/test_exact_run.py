"""Exact runs: results like any other, saved, loaded, verified and drawn."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import naive
import paretoball as pb
from landscapes import ring
from paretoball.archive import Trail
from paretoball.formats import read_npz
from paretoball.running import WHOLE
from paretoball.running.run_file import FORMAT, VERSION, write_run


@pytest.fixture(scope="module")
def landscape():
    """A ring whose front is known from all its solutions."""
    return ring(12, K=2, seed=1)


@pytest.fixture(scope="module")
def result(landscape):
    """Its exact front, as a result."""
    return pb.solve(landscape, method="exact")


def test_exact_results_are_the_whole_front(landscape, result):
    exact = naive.pareto_front(naive.full_table(landscape), landscape.sense)
    assert list(map(tuple, result.F.tolist())) == exact
    assert_array_equal(landscape.evaluate(result.X), result.F)
    assert result.status == WHOLE
    assert not result.failed
    assert result.optimum.all()
    assert result.config["method"] == "exact"
    assert result.config["width"] == 4


def test_exact_results_say_what_they_are(result):
    assert "exact: the whole front, after" in repr(result)
    assert "climb" not in repr(result)


def test_exact_results_are_saved_and_loaded(landscape, result, tmp_path):
    result.save(tmp_path / "run.npz")
    loaded = pb.load(tmp_path / "run.npz")
    assert_array_equal(loaded.F, result.F)
    assert_array_equal(loaded.X, result.X)
    assert loaded.status == WHOLE
    assert loaded.config == result.config
    assert repr(loaded) == repr(result)
    for local in None, 3:
        report = pb.verify(landscape, tmp_path / "run.npz", local=local)
        assert report.failures == report.remarks == []
        assert "that no point of the front is missing" in report.unchecked


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"moves": 3}, "moves is 3, but status is"),
        ({"climbs": 3}, "climbs is 3, but status is"),
        ({"setup_seconds": 0.5}, "setup_seconds is 0.5, but status is"),
        ({"archive_seconds": 0.5}, "archive_seconds is 0.5, but status is"),
        ({"bounded": True}, "bounded is True, but status is"),
        ({"config": {}}, "config is {}, which is not that of an exact front"),
        ({"config": {"method": "exact", "width": -1, "vectors": 10**6}}, "width = -1"),
        ({"config": {"method": "exact", "width": 4, "vectors": 2}}, "vectors = 2"),
    ],
)
def test_exact_results_that_cannot_be_are_found_out(
    landscape, result, tmp_path, change, text
):
    write_run(tmp_path / "run.npz", {**result.header(), **change}, result.arrays())
    (failure,) = pb.verify(landscape, tmp_path / "run.npz").failures
    assert text in failure


@pytest.mark.parametrize("fewer", [0, 1])
def test_an_elimination_has_at_least_as_many_vectors_as_rows(
    landscape, result, tmp_path, fewer
):
    vectors = len(result) - fewer
    config = {"method": "exact", "width": 0, "vectors": vectors}
    write_run(
        tmp_path / "run.npz", {**result.header(), "config": config}, result.arrays()
    )
    failures = pb.verify(landscape, tmp_path / "run.npz").failures
    assert [each.split(",")[0] for each in failures] == [
        f"config: vectors = {vectors}"
    ] * fewer


def test_rows_of_exact_results_are_local_optima(landscape, result, tmp_path):
    arrays = result.arrays()
    arrays["optimum"][0] = False
    arrays["trace"] = np.zeros((1, 5))
    write_run(tmp_path / "run.npz", result.header(), arrays)
    failures = pb.verify(landscape, tmp_path / "run.npz").failures
    assert [failure.split(",")[0] for failure in failures] == [
        "there is a trace",
        "a row is no local optimum",
    ]
    assert read_npz(tmp_path / "run.npz", FORMAT, VERSION)


def test_searches_start_from_exact_results(landscape, result):
    again = pb.solve(landscape, start=result, max_climbs=3, radius=1, seed=1)
    assert_array_equal(again.F, result.F)


def test_rows_of_their_own_are_saved_without_being_rebuilt(
    result, tmp_path, monkeypatch
):
    """A million of them would take half a minute."""
    for name in ("unpacked", "unpack"):
        monkeypatch.setattr(Trail, name, None)
    result.save(tmp_path / "run.npz")
    monkeypatch.undo()
    assert_array_equal(pb.load(tmp_path / "run.npz").X, result.X)


ONES = [((j,), [0, 1]) for j in range(4)]
TWOS = [((j,), [0, 2.5]) for j in range(4)]


@pytest.mark.parametrize("least", [2, 4])
def test_exact_results_say_of_their_landscape_what_it_says_itself(least):
    landscape = pb.Landscape.from_subfunctions(
        4,
        [ONES, TWOS],
        ["max", "min"],
        constraints=[(ONES, ">=", least), (TWOS, "<=", 7.5)],
        labels=[*"abcd"],
        names=["count", "cost"],
    )
    front, result = pb.exact_front(landscape), pb.solve(landscape, method="exact")
    is_empty = least == 4
    rows = [] if is_empty else [[2, 5.0], [3, 7.5]]
    assert result.F.tolist() == front.F.tolist() == rows
    assert (result.sense, result.names) == (("max", "min"), ("count", "cost"))
    assert (result.labels, result.n, result.constraints) == (tuple("abcd"), 4, 2)
    assert_array_equal(result.reference, landscape.mean)
    assert result.config == {
        "method": "exact",
        "width": front.width,
        "vectors": front.vectors,
    }
    words = "no solution is feasible" if is_empty else "the whole front"
    assert result.status == f"exact: {words}"
    assert (len(result) == 0, result.failed, result.bounded) == (is_empty, False, False)
    assert result.climb.tolist() == [*range(len(front))]
    assert result.step.tolist() == [0] * len(front)
