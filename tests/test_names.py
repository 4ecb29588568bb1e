"""Names: what a user calls variables and objectives comes back wherever they appear."""

import csv
import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pandas
import pytest
from numpy.testing import assert_array_equal

import naive
import paretoball as pb
from landscapes import ring
from paretoball.cli.main import main
from paretoball.formats.npz import read_npz, write_npz
from paretoball.landscape.front import distinct_columns
from paretoball.report.text import drawn_front, landscape_lines, result_lines
from paretoball.running.process_pools import new_processes
from paretoball.running.run_file import (
    FORMAT,
    previous_path,
    read_run,
    write_checkpoint,
)

matplotlib.use("Agg")

N = 12
LABELS = ("step", ("x", 1), 7, None, 0.5, "f0", "cost", *"abcde")
NAMES = ("cost", "climb")
COLUMNS = ["cost", "climb", "climb_", "step", "optimum"]
BITS = ["step_", *LABELS[1:6], "cost_", *"abcde"]


def named(labels: Any = LABELS, names: Any = NAMES) -> pb.Landscape:
    """A ring whose variables and objectives have such names."""
    bare = ring(n=N, K=2, seed=1)
    return pb.Landscape.from_arrays(
        N, 2, *bare.subfunctions, ["max", "min"], labels=labels, names=names
    )


LANDSCAPE = named()
ODD = named(labels=[object() for _ in range(N)])


def solve(landscape: pb.Landscape = LANDSCAPE, **options: Any) -> pb.Result:
    """A short search."""
    how = {"radius": 2, "max_climbs": 4, "seed": 1}
    return pb.solve(landscape, **how | options)


@pytest.fixture(scope="module")
def result() -> pb.Result:
    return solve()


@pytest.fixture
def run(result, tmp_path) -> Path:
    """The file of a run."""
    result.save(tmp_path / "run.npz")
    return tmp_path / "run.npz"


def assert_named(front: Any) -> None:
    """A front or a result has the names that the landscape was given."""
    assert front.names == NAMES
    if isinstance(front, pb.Result):
        assert front.given_labels == front.labels == LABELS
        assert [type(label) for label in front.labels] == list(map(type, LABELS))


# --- Results.


def test_solutions_come_by_label(result):
    assert_named(result)
    assert len(result) > 2
    for i, (x, fx) in enumerate(zip(result.X.astype(int).tolist(), result.F.tolist())):
        found = result.solution(i)
        assert found == dict(zip(LABELS, x)) == result[i].by_label
        assert {type(value) for value in found.values()} == {int}
        assert LANDSCAPE.evaluate(found).tolist() == fx
        assert naive.evaluate(LANDSCAPE, x) == tuple(fx)
    assert result.solution(-1) == result.solution(len(result) - 1)
    with pytest.raises(IndexError, match="row 9999 is asked for"):
        result.solution(9999)
    with pytest.raises(TypeError, match="one solution has a whole number"):
        result.solution("a")


def test_without_labels_solutions_come_by_number():
    result = solve(named(None, None))
    assert result.labels == tuple(range(N))
    assert result.given_labels is None
    assert result.names == ("f0", "f1")
    assert result.solution(0) == dict(enumerate(result.X[0].astype(int).tolist()))


def test_names_change_nothing_of_a_search(result):
    bare = solve(named(None, None))
    assert_array_equal(bare.F, result.F)
    assert_array_equal(bare.X, result.X)
    header = result.header()
    assert header.pop("labels")[1] == ["x", 1]
    assert header.pop("names") == list(NAMES)
    assert header.keys() == bare.header().keys()


def test_dicts_are_starts(result):
    starts = [result.solution(0), result.solution(1)]
    expected = solve(start=result.X[:2])
    for start in (starts, [result[0], starts[1]], tuple(starts)):
        assert_array_equal(solve(start=start).X, expected.X)
    assert solve(start=starts[0]).config["starts"] == 1
    with pytest.raises(ValueError, match=r"start has no value for 'step', \('x', 1\)"):
        solve(start={7: 0})


def test_a_result_is_pickled_with_its_names(result):
    assert_named(pickle.loads(pickle.dumps(result)))


# --- Files of runs.


def test_a_run_file_keeps_names(result, run):
    loaded = pb.load(run)
    assert_named(loaded)
    assert loaded.solution(0) == result.solution(0)
    again = run.with_name("again.npz")
    loaded.save(again)
    assert again.read_bytes() == run.read_bytes() == result.to_bytes()


@pytest.mark.parametrize("changed", [{"names": ["a"]}, {"labels": [1]}, {"names": 7}])
def test_a_run_file_with_other_counts_is_refused(run, changed):
    header, arrays = read_npz(run, FORMAT)
    write_npz(run, header | changed, arrays)
    with pytest.raises(
        ValueError, match=r"run\.npz: (1 name given|labels has|names is)"
    ):
        pb.load(run)


def test_labels_that_no_file_can_hold_are_refused_when_saved(tmp_path):
    result = solve(ODD)
    with pytest.raises(TypeError, match=r"label <object .* cannot be in a file"):
        result.save(tmp_path / "run.npz")
    assert not any(tmp_path.iterdir())
    result.to_csv(tmp_path / "run.csv", bits=True)


def test_a_checkpoint_keeps_names_and_so_does_what_goes_on(tmp_path):
    path = tmp_path / "run.npz"
    assert_named(solve(max_climbs=2, checkpoint=path))
    assert_named(pb.load(path))
    assert_named(pb.resume(path, max_climbs=4))
    assert_named(pb.load(path))
    assert_array_equal(pb.load(path).X, solve().X)
    other = named(list("abcdefghijkl"), ["cost", "risk"])
    found = pb.resume(path, other, max_climbs=5)
    assert (found.labels, found.names) == (other.labels, other.names)
    assert pb.load(path).names == ("cost", "risk")


def test_a_checkpoint_that_contradicts_itself_is_refused(tmp_path):
    path = tmp_path / "run.npz"
    solve(checkpoint=path)
    previous_path(path).unlink()
    header, arrays = read_run(path)
    for changed in ({"names": ["a", "b"]}, {"labels": list(range(1, N + 1))}):
        wrong = {key: value for key, value in header.items() if key != "checksum"}
        write_checkpoint(path, wrong | changed, arrays, keep=False)
        with pytest.raises(ValueError, match="its labels or names are not those of"):
            pb.resume(path, max_climbs=5)


def test_a_checkpoint_of_odd_labels_is_refused_before_the_search(tmp_path):
    calls: list[Any] = []
    with pytest.raises(ValueError, match=r"run\.npz: label <object .* cannot be in a"):
        solve(ODD, checkpoint=tmp_path / "run.npz", callback=calls.append)
    assert not calls
    assert not any(tmp_path.iterdir())


def test_odd_labels_go_with_executors(result):
    with ThreadPoolExecutor(2) as threads:  # which get what processes would get
        found = solve(ODD, executor=threads, workers=2)
    assert found.labels == ODD.labels
    assert_array_equal(found.X, result.X)


@pytest.mark.long
def test_odd_labels_go_with_processes(result):
    with new_processes(2) as pool:
        found = solve(ODD, executor=pool, workers=2)
    assert found.labels == ODD.labels
    assert_array_equal(found.X, result.X)


# --- Fronts.


def test_every_front_of_a_landscape_has_its_names(tmp_path):
    ones = dict.fromkeys(LABELS, 1)
    archive = pb.Archive(2, LANDSCAPE.sense, NAMES)
    archive.report(LANDSCAPE.evaluate(ones), [1] * N)
    zeros = np.zeros(N)
    fronts = [
        archive,
        archive.copy(),
        pb.supported_front(LANDSCAPE),
        pb.pareto_crossover(LANDSCAPE, zeros, ones),
        pb.Climber(LANDSCAPE, 1).start(seed=1).run().reports,
    ]
    for front in fronts:
        assert_named(front)
    pb.save_front(archive, LANDSCAPE, tmp_path / "front.npz")
    loaded = pb.load(tmp_path / "front.npz")
    assert_named(loaded)
    assert loaded.solution(0) == ones
    assert pb.verify(LANDSCAPE, tmp_path / "front.npz").failures == []
    with pytest.raises(ValueError, match="1 name given for 2 objectives"):
        pb.Archive(2, names=["cost"])


def test_callbacks_see_names():
    seen: list[tuple[str, ...]] = []
    solve(callback=lambda now: seen.append(now.archive.names))
    assert set(seen) == {NAMES}


# --- Tables.


def test_a_data_frame_has_objectives_by_name_and_variables_by_label(result):
    frame = result.to_dataframe()
    assert list(frame.columns) == COLUMNS
    assert_array_equal(frame[list(NAMES)], result.F)
    assert_array_equal(frame["climb_"], result.climb)
    frame = result.to_dataframe(bits=True)
    assert not isinstance(frame.columns, pandas.MultiIndex)
    assert list(frame.columns) == COLUMNS + BITS
    for column, bits in zip(BITS, result.X.T):
        assert_array_equal(frame[column], bits)
        assert frame[column].dtype == bool
    assert frame.columns[8] is None


def test_tuples_alone_are_no_multi_index():
    labels = [(j, j + 1) for j in range(N)]
    result = solve(named(labels, None))
    frame = result.to_dataframe(bits=True)
    assert not isinstance(frame.columns, pandas.MultiIndex)
    assert list(frame.columns) == ["f0", "f1", "climb", "step", "optimum", *labels]
    assert_array_equal(frame[(3, 4)], result.X[:, 3])


def test_no_label_stays_no_label_among_texts(result):
    labels = (None, *"abcdefghijk")
    frame = replace(result, given_labels=labels).to_dataframe(bits=True)
    assert frame.columns[5] is None
    assert tuple(frame.columns[5:]) == labels


@pytest.mark.parametrize("bits", [False, True])
def test_a_csv_file_has_the_same_columns_as_texts(result, tmp_path, bits):
    result.to_csv(tmp_path / "front.csv", bits=bits)
    with open(tmp_path / "front.csv", newline="", encoding="utf-8") as file:
        columns, *rows = csv.reader(file)
    assert columns == COLUMNS + [str(name) for name in BITS] * bits
    found = [row[:2] for row in rows]
    assert found == [[str(value) for value in fx] for fx in result.F.tolist()]
    if bits:
        assert_array_equal(np.array([row[5:] for row in rows], int), result.X)


def test_labels_that_read_alike_differ_in_a_csv_file(tmp_path):
    labels = [1, "1", "1_", 1.5, "1.5", *"abcdefg"]
    solve(named(labels)).to_csv(tmp_path / "front.csv", bits=True)
    columns = (tmp_path / "front.csv").read_text().splitlines()[0].split(",")
    assert columns[5:10] == ["1", "1__", "1_", "1.5", "1.5_"]


def test_names_in_a_csv_file_are_no_formulas(tmp_path):
    labels = ["=1+1", "+cmd", "-x", "@a", "\t=1", "-", -1, "+1.5", "a=b", *"abc"]
    safe = ["'=1+1", "'+cmd", "'-x", "'@a", "'\t=1", "'-", "-1", "+1.5", "a=b", *"abc"]
    solve(named(labels)).to_csv(tmp_path / "front.csv", bits=True)
    with open(tmp_path / "front.csv", newline="", encoding="utf-8") as file:
        columns = next(csv.reader(file))
    assert columns[5:] == safe


def test_columns_that_have_a_name_of_their_own_keep_it():
    assert distinct_columns(["a", "b", 1]) == ["a", "b", 1]
    assert distinct_columns(["a", "a", "a", "a_"]) == ["a", "a__", "a___", "a_"]
    assert distinct_columns(["a", "b"], taken=["a", "a_"]) == ["a__", "b"]


# --- What people see.


def test_texts_call_objectives_by_name(result):
    said = list(result_lines(result))
    assert said[1].startswith("  cost (max) ")
    assert said[2].startswith("  climb (min) ")
    assert "cost" in repr(result)
    drawn = list(drawn_front(result))
    assert drawn[0].strip() == "climb (min)"
    assert "cost (max)" in drawn[-1]


def test_info_lists_names_and_labels_where_there_are_some():
    lines = list(landscape_lines(LANDSCAPE))
    assert "names             cost, climb" in lines
    few = "'step', ('x', 1), 7, None, 0.5, 'f0', 'cost', 'a', ..."
    assert f"labels            {few}" in lines
    bare = "\n".join(landscape_lines(named(None, None)))
    assert "names " not in bare
    assert "labels " not in bare


def test_names_that_a_terminal_would_obey_are_shown_harmless(result):
    strange = replace(result, names=("a\x1b[31m\n", "long " * 99))
    for line in [*result_lines(strange), *drawn_front(strange), repr(strange)]:
        assert line.isprintable()
    assert len(repr(strange)) < 500


@pytest.mark.parametrize("name", ["cost", r"a$\frac{$", "a$b$c", "100 %", "a_b^{c}\n"])
def test_figures_call_objectives_by_name(result, name):
    ax = replace(result, names=(name, "risk")).plot()
    ax.figure.canvas.draw()
    assert ax.get_ylabel() == "risk (min)"
    shown = ax.get_xlabel().replace(r"\$", "$")
    assert shown == name.replace("\n", r"\n") + " (max)"
    matplotlib.pyplot.close(ax.figure)


# --- Verification.


def test_a_named_run_is_verified(run):
    report = pb.verify(LANDSCAPE, run, local=1)
    assert report.failures == report.remarks == []


def test_a_run_that_calls_things_otherwise_is_found_wrong(run):
    swapped = (LABELS[1], LABELS[0], *LABELS[2:])
    (failure,) = pb.verify(named(labels=swapped), run).failures
    assert failure == (
        "the run calls variable 0 'step', but the landscape calls it ('x', 1)"
    )
    (failure,) = pb.verify(named(names=("cost", "risk")), run).failures
    assert failure == (
        "the run calls objective 1 'climb', but the landscape calls it 'risk'"
    )


def test_names_on_one_side_only_are_remarked(run, tmp_path):
    report = pb.verify(named(None, None), run)
    assert report.failures == []
    assert report.remarks == [
        "objectives have names in the run, but not in the landscape",
        "variables have names in the run, but not in the landscape",
    ]
    solve(named(None, None)).save(tmp_path / "bare.npz")
    report = pb.verify(LANDSCAPE, tmp_path / "bare.npz")
    assert report.failures == []
    assert report.remarks == [
        "objectives have names in the landscape, but not in the run",
        "variables have names in the landscape, but not in the run",
    ]


def test_what_is_no_optimum_is_told_by_label(tmp_path):
    landscape = named([f"x{j}" for j in range(N)])
    result = solve(landscape, method="multistart", max_climbs=None, max_moves=1)
    false = replace(result, optimum=np.ones(len(result), np.bool_))
    false.save(tmp_path / "run.npz")
    failures = pb.verify(landscape, tmp_path / "run.npz", local=1).failures
    assert any("but flipping ['x" in failure for failure in failures)


# --- The command line.


def test_commands_keep_names_from_the_instance_to_the_figure(tmp_path, capsys):
    strange = named(names=["cost\x1b", "\ud800 $risk"])
    for suffix in ("json", "npz"):
        instance = str(tmp_path / f"named.{suffix}")
        saved, figure = (str(tmp_path / f"run.{end}") for end in ("npz", "svg"))
        pb.write_landscape(strange, instance)
        for command in (
            ["info", instance],
            ["solve", instance, "--climbs", "3", "--seed", "1", "-o", saved],
            ["verify", instance, saved],
            ["plot", saved, "-o", figure],
        ):
            assert main(command) == 0
        out, err = capsys.readouterr()
        assert r"names             cost\x1b, \ud800 $risk" in out
        assert "labels            'step', ('x', 1), 7" in out
        assert r"  cost\x1b (max)" in out
        assert "all is well" in out
        assert "\x1b" not in out + err
        assert pb.load(saved).labels == LABELS
        assert (tmp_path / "run.svg").stat().st_size > 1000
