"""Results without a feasible solution: they say so, and nothing breaks."""

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest
from numpy.testing import assert_array_equal

import paretoball as pb
from paretoball import Archive, Landscape, Nearest, Result, load, verify
from paretoball.cli.main import main
from paretoball.report.text import drawn_front, result_lines
from paretoball.running.run_file import read_run, write_run
from paretoball.running.trace import Trace

matplotlib.use("Agg")

ONES = [((j,), [0, 1]) for j in range(4)]
TWOS = [((j,), [0, 2.5]) for j in range(4)]
LIMITED = Landscape.from_subfunctions(
    4,
    [ONES, TWOS],
    ["max", "min"],
    constraints=[(ONES, ">=", 3, "many"), (TWOS, "<=", 5), (ONES, "<=", 4)],
)


def nearest_to(x: Any) -> Nearest:
    """A solution that is not feasible, as the nearest."""
    bits = np.array(x, np.bool_)
    return Nearest(bits, LIMITED.evaluate(bits), LIMITED.violation(bits))


def empty(nearest: Nearest | None = None, **facts: Any) -> Result:
    """A result without a solution."""
    trace = Trace(LIMITED)
    trace.add(0.5, 20, 2, Archive(2), last=True)
    options = {"method": "multistart", "radius": 1, "seed": 1}
    plain: dict[str, Any] = {
        "moves": 20,
        "climbs": 2,
        "seconds": 0.5,
        "setup_seconds": 0.0,
        "archive_seconds": 0.0,
        "status": "time is up",
        "config": options,
        "trace": trace.array,
    }
    archive = Archive(2, names=LIMITED.names)
    return Result.of_run(LIMITED, archive, **plain | facts, nearest=nearest)


@pytest.fixture(params=["nothing", "nearest"])
def result(request) -> Result:
    return empty(nearest_to([1, 1, 1, 0]) if request.param == "nearest" else None)


def test_an_empty_result_says_so():
    text = repr(empty())
    assert text.startswith("Result: no feasible solution was found; time is up after")
    told = "no feasible solution was found; the nearest violates 1 of 3 constraints"
    assert told in repr(empty(nearest_to([1, 1, 1, 0])))
    assert next(result_lines(empty(nearest_to([1, 1, 1, 0])))) == told
    assert "ended as     time is up" in "\n".join(result_lines(empty()))
    assert list(drawn_front(empty())) == []
    assert repr(nearest_to([1, 1, 1, 0])) == (
        "Nearest: f(x) = [3.0, 7.5], 4 bits, violates 1 of 3 constraints"
    )


def test_the_nearest_counts_the_constraints_that_it_violates():
    bits = np.array([True, False])
    for violation, told in [
        ([0, 0.5, 3], "2 of 3 constraints"),
        ([2], "1 of 1 constraint"),
        ([0] * 1999 + [1], "1 of 2,000 constraints"),
    ]:
        nearest = Nearest(bits, np.array([7]), np.array(violation))
        assert nearest.in_words == told
        assert repr(nearest) == f"Nearest: f(x) = [7], 2 bits, violates {told}"


NO_ROWS = {"fx": [1.0, 2.0], "violation": [0, 0, 1]}


@pytest.mark.parametrize(
    ("bits", "text"),
    [
        (np.zeros(1, np.int8), "nearest holds int8"),
        (np.zeros(2, np.uint8), r"nearest has shape \(2,\)"),
        (np.zeros((1, 1), np.uint8), r"nearest has shape \(1, 1\)"),
        (np.array([0b10000], np.uint8), "nearest has bits beyond the n = 4"),
        (np.array([0b1111], np.uint8), ""),
    ],
)
def test_the_nearest_in_a_file_has_n_bits(tmp_path, bits, text):
    path = tmp_path / "empty.npz"
    empty(nearest_to([1, 1, 1, 0])).save(path)
    header, arrays = read_run(path)
    whole = {k: v for k, v in header.items() if k not in ("format", "version")}
    write_run(path, whole, arrays | {"nearest": bits})
    if text:
        with pytest.raises(ValueError, match=text):
            load(path)
    else:
        assert load(path).nearest.x.all()  # type: ignore[union-attr]


def test_only_a_run_without_a_solution_has_a_nearest(tmp_path):
    path = tmp_path / "full.npz"
    archive = Archive(2, sense=LIMITED.sense)
    for x in ([1, 1, 0, 0], [1, 0, 0, 0]):
        archive.report(LIMITED.evaluate(x), x)
    pb.save_front(archive, LIMITED.unconstrained, path)
    header, arrays = read_run(path)
    whole = {k: v for k, v in header.items() if k not in ("format", "version")}
    nearest = {"nearest": np.zeros(1, np.uint8)}
    for more in ({"constraints": 3}, {}):
        write_run(path, whole | more | {"nearest": NO_ROWS}, arrays | nearest)
        with pytest.raises(ValueError, match="nearest is of runs with constraints"):
            load(path)


def test_an_empty_result_has_no_rows(result):
    assert len(result) == 0
    assert list(result) == []
    assert result.F.shape == (0, 2)
    assert result.X.shape == (0, 4)
    assert result.hypervolume() == 0
    assert result.trace[-1, -2:].tolist() == [0, 0]
    assert result.to_dataframe(bits=True).shape == (0, 9)
    assert result[:] == []
    with pytest.raises(IndexError, match="row 0 is asked for, but there are 0"):
        result[0]


def test_an_empty_result_is_written_and_read(result, tmp_path):
    path = tmp_path / "empty.npz"
    result.save(path)
    assert path.read_bytes() == result.to_bytes()
    again = load(path)
    assert len(again) == 0
    assert (again.constraints, again.status) == (3, "time is up")
    assert_array_equal(again.trace, result.trace)
    assert (again.nearest is None) == (result.nearest is None)
    if again.nearest is not None and result.nearest is not None:
        assert_array_equal(again.nearest.x, result.nearest.x)
        assert_array_equal(again.nearest.fx, result.nearest.fx)
        assert_array_equal(again.nearest.violation, result.nearest.violation)
        assert again.nearest.x.dtype == np.bool_
    again.save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == path.read_bytes()
    assert len(pickle.loads(pickle.dumps(again))) == 0
    result.to_csv(tmp_path / "empty.csv", bits=True)
    assert (tmp_path / "empty.csv").read_text().startswith("f0,f1,climb,step,optimum")


def test_an_empty_front_is_not_drawn(result, tmp_path, capsys):
    with pytest.raises(ValueError, match="front is empty, so there is nothing to"):
        result.plot()
    result.save(tmp_path / "empty.npz")
    code = main(["plot", str(tmp_path / "empty.npz"), "-o", str(tmp_path / "a.png")])
    assert code != 0
    assert len(capsys.readouterr().err.splitlines()) == 1


def failures(result: Result, path: Path) -> list[str]:
    """What is wrong with a run, but for its config, which is made up."""
    result.save(path)
    found = verify(LIMITED, path).failures
    return [each for each in found if not each.startswith("config")]


def test_an_empty_result_passes_verification(result, tmp_path):
    assert failures(result, tmp_path / "empty.npz") == []


def test_verification_checks_the_nearest(tmp_path):
    path = tmp_path / "empty.npz"
    right = nearest_to([1, 1, 1, 0])
    wrong = [
        (replace(right, fx=right.fx + 1), "nearest says f(x) = [4.0, 8.5], but its"),
        (
            replace(right, violation=right.violation + 1),
            "nearest says that it violates constraint 0 by 1.0, but its solution does",
        ),
        (
            replace(right, violation=np.add(right.violation, [0, 0, 2])),
            "nearest says that it violates constraint 2 by 2.0, but its solution does",
        ),
    ]
    for nearest, text in wrong:
        (failure,) = failures(empty(nearest), path)
        assert failure.startswith(text)
    whole = Landscape.from_subfunctions(4, [ONES], constraints=[(ONES, ">=", 1)])
    feasible = np.ones(4, np.bool_)
    found = Nearest(feasible, whole.evaluate(feasible), whole.violation(feasible))
    run = Result.of_run(
        whole,
        Archive(1),
        moves=0,
        climbs=0,
        seconds=0.0,
        setup_seconds=0.0,
        archive_seconds=0.0,
        status="time is up",
        config={},
        trace=np.zeros((1, 5)),
        nearest=found,
    )
    run.save(path)
    assert "nearest is feasible, but the run says" in verify(whole, path).failures[0]


BAD = [
    ({"nearest": {"fx": [1.0]}}, "nearest lacks 'violation'"),
    ({"nearest": {"fx": [1.0], "violation": []}}, "fx of nearest is not a list of 2"),
    (
        {"nearest": {"fx": [1.0, "2"], "violation": [0, 0, 1]}},
        "fx is '2', not a finite number",
    ),
    (
        {"nearest": {"fx": [1.0, 2.0], "violation": [0, 1]}},
        "violation of nearest is not a list of 3 numbers",
    ),
    (
        {"nearest": {"fx": [1.0, 2.0], "violation": [0, 1, 0, 0]}},
        "violation of nearest is not a list of 3 numbers",
    ),
    (
        {"nearest": {"fx": [1.0, 2.0], "violation": [0, 0, "1"]}},
        "violation is '1', not a finite number",
    ),
    ({"nearest": {"fx": 1.0, "violation": [0, 0, 1]}}, "fx is 1.0"),
    ({"nearest": NO_ROWS | {"x": 1}}, "nearest has 'x', which is none of"),
    ({"nearest": 7}, "nearest is 7, not a JSON object"),
    ({"constraints": 0}, "constraints = 0"),
    ({"constraints": "3"}, "constraints = '3'"),
]


@pytest.mark.parametrize(("changed", "text"), BAD)
def test_a_damaged_file_is_refused(tmp_path, changed, text):
    path = tmp_path / "empty.npz"
    empty(nearest_to([1, 1, 1, 0])).save(path)
    header, arrays = read_run(path)
    whole = {k: v for k, v in header.items() if k not in ("format", "version")}
    write_run(path, whole | changed, arrays)
    with pytest.raises(ValueError, match=text) as refusal:
        load(path)
    assert "\n" not in str(refusal.value)


def test_only_runs_with_constraints_may_be_empty(tmp_path):
    path = tmp_path / "empty.npz"
    empty().save(path)
    header, arrays = read_run(path)
    whole = {k: v for k, v in header.items() if k not in ("format", "version")}
    del whole["constraints"]
    write_run(path, whole, arrays)
    with pytest.raises(ValueError, match="F has no rows, but a run has at least one"):
        load(path)


def test_a_front_with_an_infeasible_row_is_not_saved(tmp_path):
    archive = Archive(2, sense=LIMITED.sense)
    x = [1, 1, 0, 0]
    archive.report(LIMITED.evaluate(x), x)
    with pytest.raises(
        ValueError, match=r"row 0 of the front violates constraint 0 \('"
    ):
        pb.save_front(archive, LIMITED, tmp_path / "a.npz")
    assert verify(LIMITED, archive).failures == [
        "climb 0, step 0 violates constraint 0 ('many'), as 2 is not >= 3"
    ]


def test_the_first_infeasible_row_and_its_first_constraint_are_named(tmp_path):
    few = [(ONES, ">=", 1), (ONES, "<=", 2, "few"), (ONES, "<=", 3)]
    landscape = Landscape.from_subfunctions(
        4, [ONES, TWOS], ["max", "min"], constraints=few
    )
    archive = Archive(2, sense=landscape.sense)
    for count in range(1, 5):
        x = [1] * count + [0] * (4 - count)
        archive.report(landscape.evaluate(x), x)
    counts = archive.X.sum(axis=1).tolist()
    row = next(row for row, count in enumerate(counts) if count > 2)
    with pytest.raises(ValueError, match=rf"^row {row} of .* constraint 1 \('few'\)$"):
        pb.save_front(archive, landscape, tmp_path / "a.npz")
    assert 0 < row < counts.index(4) or counts[0] > 2
