"""Results: what a run found can be looked at, drawn, saved and read back."""

import copy
import json
import pickle
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import naive
from landscapes import ring
from paretoball import Landscape, Result, load, solve
from paretoball.formats.npz import read_npz
from paretoball.landscape.digest import landscape_digest
from paretoball.running import result as result_module
from paretoball.running.result import FACTS
from paretoball.running.run_file import DTYPES, FORMAT, KINDS, TRACE, VERSION
from paretoball.running.solution import Solution, checked_rows
from paretoball.running.status import ENDINGS
from paretoball.search import METHODS, method_named
from paretoball.system import memory

matplotlib.use("Agg")

DOCUMENT = Path(__file__).parents[2] / "docs" / "formats.md"
MIXED = Landscape.from_subfunctions(
    12,
    [
        [((j, (j + 1) % 12), [0, 3 * j % 5, j % 3, 2]) for j in range(12)],
        [((j, (j + 2) % 12), [j % 4, 1, 0, 5 * j % 7]) for j in range(12)],
    ],
    ["max", "min"],
)


@pytest.fixture(scope="module")
def landscape() -> Landscape:
    return ring(n=60, K=2, seed=1)


@pytest.fixture(scope="module")
def result(landscape) -> Result:
    return solve(landscape, radius=2, max_climbs=30, seed=1)


@pytest.fixture(scope="module")
def run(result, tmp_path_factory) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Header and arrays of a sound run file; take a copy before you spoil them."""
    path = tmp_path_factory.mktemp("run") / "run.npz"
    result.save(path)
    return read_npz(path, FORMAT, VERSION)


def made_up(F: Any, sense: tuple[str, ...]) -> Result:
    """A result with this front, and nothing behind it."""
    F = np.array(F)
    rows = np.arange(len(F))
    return Result(
        F=F,
        climb=rows,
        step=rows,
        optimum=rows % 2 == 0,
        n=3,
        sense=sense,
        names=tuple(f"f{i}" for i in range(F.shape[1])),
        moves=0,
        climbs=0,
        seconds=0.0,
        setup_seconds=0.0,
        archive_seconds=0.0,
        status="made up",
        config={},
        trace=np.zeros((0, 5)),
        reference=np.zeros(F.shape[1]),
        source="",
    )


# --- What a result says.


@pytest.mark.parametrize("senses", [("max", "max"), ("max", "min"), ("min", "min")])
def test_solutions_have_the_objectives_beside_them(senses):
    objectives = naive.plain(MIXED).objectives
    landscape = Landscape.from_subfunctions(12, objectives, senses)
    found = solve(landscape, radius=2, max_climbs=20, seed=3)
    assert found.X.shape == (len(found), 12)
    assert found.X.dtype == np.bool_
    assert_array_equal(landscape.evaluate(found.X), found.F)
    assert_array_equal([naive.evaluate(landscape, x) for x in found.X], found.F)


def test_the_front_is_the_true_one_of_a_small_landscape():
    found = solve(MIXED, radius=3, max_climbs=30, seed=1)
    front = naive.pareto_front(naive.full_table(MIXED), MIXED.sense)
    assert {tuple(row) for row in found.F.tolist()} <= set(front)


def test_rows_ascend_and_none_is_dominated(result):
    rows = [tuple(row) for row in result.F.tolist()]
    assert rows == sorted(rows)
    assert rows == naive.pareto_front(result.F)


def test_the_trace_has_few_rows_and_ends_with_the_run(result):
    assert result.trace.shape[1] == len(TRACE)
    assert 1 <= len(result.trace) <= 400
    assert (np.diff(result.trace[:, :3], axis=0) >= 0).all()
    assert result.trace[-1, 1:4].tolist() == [result.moves, result.climbs, len(result)]


def test_repr_tells_what_was_found_and_how(result):
    text = repr(result)
    assert "\n" not in text
    for word in (f"{len(result)}", "30 paths", "radius 2", "seed 1", "paths done"):
        assert word in text


def test_repr_tells_all_in_one_line():
    made = replace(
        made_up([[1, -2], [2, -3]], ("max", "max")),
        moves=12345,
        climbs=1,
        seconds=2.0,
        setup_seconds=1.0,
        status="climbs done",
        config={"method": "path", "radius": 3, "seed": 7},
    )
    front = "Result: 2 non-dominated solutions (f0 1 to 2, f1 -3 to -2); "
    how = "12,345 moves (6,172/s); radius 3, seed 7"
    assert repr(made) == f"{front}paths done after 2.0 s, 1 path, {how}"
    climbs = replace(made, config=made.config | {"method": "multistart"}, climbs=2)
    assert repr(climbs) == f"{front}climbs done after 2.0 s, 2 climbs, {how}"
    whole = replace(made, status="exact: the whole front")
    assert repr(whole) == f"{front}exact: the whole front, after 2.0 s"
    none = replace(whole, F=whole.F[:0], status="exact: no solution is feasible")
    told = "no solution is feasible"
    assert repr(none) == f"Result: {told}; exact: {told}, after 2.0 s"
    at_once = replace(made, seconds=0.0, status="time is up")
    assert "time is up after 0.0 s, 1 path, 12,345 moves (0/s)" in repr(at_once)


def test_an_ending_is_printable_and_not_too_long():
    made = made_up([[1, -2]], ("max", "max"))
    assert replace(made, status="a\x1b[31m").ending == r"a\x1b[31m"
    for length in (1, 499, 500, 501, 10**5):
        assert replace(made, status="a" * length).ending == "a" * min(length, 500)
    assert replace(made, status="\x1b" * 200).ending == (r"\x1b" * 200)[:500]


@pytest.mark.parametrize(
    ("method", "unit"),
    [
        *((name, method_named(name).unit) for name in METHODS),
        ("exact", "climb"),
        ("unknown", "climb"),
        ([], "climb"),
        (None, "climb"),
    ],
)
def test_a_unit_is_that_of_the_method(method, unit):
    made = replace(made_up([[1, -2]], ("max", "max")), config={"method": method})
    assert made.unit == unit
    assert replace(made, status="climbs done").ending == f"{unit}s done"


@pytest.mark.parametrize("status", sorted(ENDINGS))
def test_a_run_failed_unless_its_status_is_an_ending(status):
    made = made_up([[1, -2]], ("max", "max"))
    assert not replace(made, status=status).failed
    assert replace(made, status=status.upper()).failed
    assert replace(made, status=f"{status} ").failed


def test_a_data_frame_has_a_row_per_solution(result):
    frame = result.to_dataframe()
    assert list(frame.columns) == ["f0", "f1", "climb", "step", "optimum"]
    assert_array_equal(frame[["f0", "f1"]].to_numpy(), result.F)
    assert frame["optimum"].sum() == result.optimum.sum()


def test_a_data_frame_with_bits_has_a_column_per_variable(result):
    frame = result.to_dataframe(bits=True)
    facts = result.to_dataframe()
    assert list(frame.columns) == [*facts.columns, *(f"x{j}" for j in range(60))]
    assert frame[list(facts.columns)].equals(facts)
    assert_array_equal(frame.loc[:, "x0":"x59"].to_numpy(), result.X)


def test_csv_is_what_a_data_frame_says_with_bools_as_numbers(result, tmp_path):
    for bits in (False, True):
        result.to_csv(tmp_path / "front.csv", bits=bits)
        frame = result.to_dataframe(bits=bits)
        table = pandas.read_csv(tmp_path / "front.csv")
        assert list(table.columns) == list(frame.columns)
        assert_array_equal(table.to_numpy(), frame.to_numpy().astype(int))


def test_csv_has_real_objectives_exactly(tmp_path):
    F = [[0.1 + 0.2, 1e-300], [1e300, 1 / 3]]
    made_up(F, ("max", "max")).to_csv(tmp_path / "front.csv")
    header, *lines = (tmp_path / "front.csv").read_text().splitlines()
    assert header == "f0,f1,climb,step,optimum"
    assert [[float(text) for text in line.split(",")[:2]] for line in lines] == F


def test_csv_is_written_whole_or_not_at_all(result, tmp_path, monkeypatch):
    path = tmp_path / "front.csv"
    path.write_text("before")
    monkeypatch.setattr(memory, "available_memory", lambda: 0)
    with pytest.raises(MemoryError):
        result.to_csv(path, bits=True)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_hypervolume_respects_the_senses():
    result = made_up([[1, -2], [2, -1]], ("max", "min"))
    assert result.hypervolume(ref=[0, 0]) == 3


def test_hypervolume_starts_at_the_mean_without_a_reference(landscape, result):
    assert result.hypervolume() == result.hypervolume(ref=landscape.mean)
    assert result.hypervolume() == result.trace[-1, -1]


# --- Its solutions, all or some or one at a time.


def test_a_solution_tells_all_in_one_line():
    bits = np.array([True, False, True])
    found = Solution(np.array([1, -2]), bits, climb=1234, step=5678, optimum=True)
    told = "Solution: f(x) = [1, -2], 3 bits, found in climb 1,234 at step 5,678"
    assert repr(found) == f"{told}, a local optimum"
    assert repr(replace(found, optimum=False)) == told
    assert found.by_label == {0: 1, 1: 0, 2: 1}
    assert replace(found, given_labels=("a", "b", "c")).by_label["b"] == 0


def test_a_solution_has_what_its_row_says(result):
    for row in (0, 1, len(result) - 1, -1, np.int64(-len(result))):
        solution = result[row]
        assert_array_equal(solution.fx, result.F[row])
        assert_array_equal(solution.x, result.X[row])
        assert solution.x.dtype == np.bool_
        found = (solution.climb, solution.step, solution.optimum)
        assert found == (result.climb[row], result.step[row], result.optimum[row])
        assert "\n" not in repr(solution)
        assert f"climb {solution.climb}" in repr(solution)


def test_a_slice_is_a_list_of_solutions(result):
    some = result[-3:]
    assert isinstance(some, list)
    assert_array_equal([each.x for each in some], result.X[-3:])
    assert result[5:5] == []
    with pytest.raises(TypeError, match="but one solution has a number"):
        result.solution(slice(0, 2))


@pytest.mark.parametrize("chunk", [1, 130, 1 << 25])
def test_a_loop_goes_over_all_solutions_in_the_order_of_F(result, monkeypatch, chunk):
    monkeypatch.setattr(result_module, "CHUNK", chunk)
    rows = list(result)
    assert len(rows) == len(result)
    assert_array_equal([each.fx for each in rows], result.F)
    assert_array_equal([each.x for each in rows], result.X)


def test_a_loop_takes_the_memory_of_a_few_solutions(result, monkeypatch):
    fresh = replace(result)
    monkeypatch.setattr(memory, "available_memory", lambda: 180)
    monkeypatch.setattr(result_module, "CHUNK", 180)
    assert sum(1 for _ in fresh) == len(result)


@pytest.mark.parametrize("row", [88, -89, 10**30])
def test_a_row_that_is_not_there_is_an_index_error_with_the_range(row):
    front = made_up([[i, -i] for i in range(88)], ("max", "max"))
    with pytest.raises(IndexError, match=f"row {row} .*are 88: 0 to 87, or -88 to -1"):
        front[row]
    with pytest.raises(IndexError, match=f"row {row} "):
        front.solutions([0, row])


@pytest.mark.parametrize("size", [1, 2, 5])
def test_rows_count_from_either_end(size):
    every = range(-size, size)
    for kind in (np.int8, np.int64, object):
        rows = checked_rows(np.array(every, kind), size)
        assert rows.tolist() == [*range(size)] * 2
    for outside in (size, -size - 1):
        with pytest.raises(IndexError, match=f"0 to {size - 1}, or -{size} to -1"):
            checked_rows([0, outside], size)


@pytest.mark.parametrize("row", ["0", 1.0, True, [0], None])
def test_a_row_that_is_no_whole_number_is_a_type_error(result, row):
    with pytest.raises(TypeError, match=r"result\.solutions\(rows\)"):
        result[row]


def test_some_solutions_are_those_rows_of_X(result):
    mask = result.F[:, 0] > np.median(result.F[:, 0])
    every_kind = [3, -1, [5, 2, 5, -1], (4,), [], slice(2, 30, 7), mask, ~mask & mask]
    for rows in (*every_kind, np.array([[1, 2], [3, 3]]), np.array([7], np.uint8)):
        some = result.solutions(rows)
        picked = result.X[list(rows) if isinstance(rows, tuple) else rows]
        assert_array_equal(some, picked)
        assert some.shape == picked.shape
        assert some.dtype == np.bool_


@pytest.mark.parametrize("rows", [[0.5], "all", [None], [[True] * 88]])
def test_rows_of_no_kind_are_refused(rows):
    front = made_up([[i, -i] for i in range(88)], ("max", "max"))
    with pytest.raises((TypeError, IndexError), match="rows is"):
        front.solutions(rows)


def test_a_mask_has_a_bool_for_each_row(result):
    with pytest.raises(IndexError, match=rf"shape \(3,\), but there are {len(result)}"):
        result.solutions([True, False, True])


def test_X_is_rebuilt_once_and_cannot_be_changed_by_mistake(result):
    X = result.X
    assert result.X is X
    with pytest.raises(ValueError, match="read-only"):
        X[0, 0] = True
    result.solutions([0])[0, 0] ^= True
    F = result.F.copy()
    for solution in (result[0], next(iter(result)), *result[:1]):
        solution.x[:] ^= True
        solution.fx[:] += 1
    assert_array_equal(replace(result).X, X)
    assert_array_equal(result.F, F)


def test_a_remembered_X_is_neither_pickled_nor_copied_nor_saved(result):
    fresh = replace(result)
    before = fresh.to_bytes(), len(pickle.dumps(fresh))
    _ = fresh.X
    assert (fresh.to_bytes(), len(pickle.dumps(fresh))) == before
    for twin in (pickle.loads(pickle.dumps(fresh)), copy.copy(fresh), replace(fresh)):
        assert "X" not in vars(twin)
        assert_array_equal(twin.X, fresh.X)


def test_a_front_read_from_a_file_has_the_same_solutions(result, tmp_path):
    result.save(tmp_path / "run.npz")
    same = load(tmp_path / "run.npz")
    assert_array_equal([each.x for each in same], result.X)
    assert_array_equal(same.solutions([4, 2]), result.X[[4, 2]])


def test_the_hypervolume_of_a_result_can_be_estimated(result):
    value, error = result.hypervolume(approximate=True, seed=1)
    assert abs(value - result.hypervolume()) <= 5 * error
    assert result.hypervolume(approximate=True, rng=1) == (value, error)
    corner = result.F.min(axis=0) - 1
    value, error = result.hypervolume(corner, approximate=True, seed=1)
    assert abs(value - result.hypervolume(corner)) <= 5 * error


@pytest.mark.parametrize("approximate", [False, True])
def test_a_hypervolume_has_one_seed(result, approximate):
    how: Any = {"approximate": approximate}
    with pytest.raises((TypeError, ValueError), match=r"seed.*rng|rng.*seed"):
        result.hypervolume(**how, seed=1, rng=1)
    one, again = (result.hypervolume(**how, seed=0) for _ in range(2))
    assert one == again
    if approximate:
        assert one != result.hypervolume(**how, seed=1)


# --- Files.


def test_a_saved_run_comes_back(result, tmp_path):
    result.save(tmp_path / "run.npz")
    same = load(tmp_path / "run.npz")
    for name in ("F", "climb", "step", "optimum", "X", "trace", "reference"):
        one, other = getattr(result, name), getattr(same, name)
        assert_array_equal(one, other)
        assert one.dtype == other.dtype
    for name in ("sense", "landscape", *FACTS):
        assert getattr(result, name) == getattr(same, name)
    assert repr(same) == repr(result)


def test_a_run_read_back_saves_to_the_same_bytes(result, tmp_path):
    result.save(tmp_path / "one.npz")
    load(tmp_path / "one.npz").save(tmp_path / "two.npz")
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    assert (tmp_path / "one.npz").read_bytes() == result.to_bytes()


def test_a_run_names_its_landscape(landscape, result):
    assert result.landscape == landscape_digest(landscape)


def test_a_run_is_saved_as_npz_only(result, tmp_path):
    with pytest.raises(ValueError, match=r"named \.npz"):
        result.save(tmp_path / "run.json")
    assert not list(tmp_path.iterdir())


SPOILED_HEADERS: list[tuple[str, Any, str]] = [
    ("n", 65, "base has shape"),
    ("n", 57, "bits beyond|not one of 0 to 56"),
    ("n", 0, "n = 0"),
    ("n", -1, "n = -1"),
    ("n", 60.0, "n is 60.0"),
    ("n", True, "n is True"),
    ("n", 10**12, "n = 1,000,000,000,000"),
    ("sense", "max", "sense is 'max'"),
    ("sense", ["max", "most"], "sense of objective 1"),
    ("sense", ["max"], "F has shape|reference"),
    ("sense", [], "d = 0"),
    ("moves", -1, "moves is -1"),
    ("moves", 10**400, "moves is"),
    ("moves", 1.5, "moves is 1.5"),
    ("climbs", "many", "climbs is 'many'"),
    ("seconds", float("inf"), "seconds is inf"),
    ("seconds", -1.0, "seconds is -1.0"),
    ("setup_seconds", None, "setup_seconds is None"),
    ("archive_seconds", -1.0, "archive_seconds is -1.0"),
    ("archive_seconds", "long", "archive_seconds is 'long'"),
    ("status", 7, "status is 7"),
    ("config", [], r"config is \[\]"),
    ("reference", [1.0], "reference is"),
    ("reference", [1.0, "a"], "reference is 'a'"),
    ("reference", [1.0, float("nan")], "reference is nan"),
    ("reference", [1.0, -(10**400)], "reference is -1000.*, not a finite number"),
    ("sense", ["max", "MAX"], "sense of objective 1 is 'MAX', neither 'max' nor 'min'"),
    ("landscape", "abc", "landscape is 'abc'"),
    ("landscape", "G" * 64, "landscape is"),
    ("version", 2, "version 2"),
    ("format", "paretoball landscape", "its format is"),
    ("unknown", 1, "'unknown'"),
]


def write(path: Path, header: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
    """Write a run file, right or wrong."""
    text = json.dumps(header).encode()
    np.savez(path, header=np.frombuffer(text, np.uint8), **arrays)


@pytest.mark.parametrize(("key", "value", "text"), SPOILED_HEADERS)
def test_a_spoiled_header_is_refused(run, tmp_path, key, value, text):
    header, arrays = run
    write(tmp_path / "run.npz", {**header, key: value}, arrays)
    refused(tmp_path / "run.npz", text)


@pytest.mark.parametrize("key", sorted(KINDS))
def test_a_header_without_one_of_its_keys_is_refused(run, tmp_path, key):
    header, arrays = copy.deepcopy(run)
    del header[key]
    write(tmp_path / "run.npz", header, arrays)
    refused(tmp_path / "run.npz", f"lacks '{key}'")


def test_a_file_from_before_the_archive_was_timed_is_read_and_saved(run, tmp_path):
    header, arrays = copy.deepcopy(run)
    del header["archive_seconds"]
    write(tmp_path / "run.npz", header, arrays)
    result = load(tmp_path / "run.npz")
    assert np.isnan(result.archive_seconds)
    result.save(tmp_path / "again.npz")
    assert read_npz(tmp_path / "again.npz", FORMAT, VERSION)[0] == header


def spoil(array: np.ndarray, at: Any, value: Any) -> np.ndarray:
    array = array.copy()
    array[at] = value
    return array


SPOILED_ARRAYS: list[tuple[str, Any, str]] = [
    ("F", lambda F: F.astype(np.int32), "F holds int32"),
    ("F", lambda F: F[:, :1], "F has shape"),
    ("F", lambda F: F.ravel(), "F has shape|climb has shape"),
    ("F", lambda F: F[:0], "no rows"),
    ("F", lambda F: np.array(1), "no rows"),
    ("F", lambda F: spoil(F.astype(float), (0, 1), np.nan), "not a finite number"),
    ("F", lambda F: spoil(F.astype(float), (0, 1), 1e300), "from -2[*][*]62 to 2[*]"),
    ("F", lambda F: spoil(F, (0, 1), -(2**63)), "from -2[*][*]62 to 2[*][*]62"),
    ("climb", lambda climb: climb[:, None], "climb has shape"),
    ("climb", lambda climb: climb - 100, "negative"),
    ("climb", lambda climb: climb[::-1].copy(), "rows ascend"),
    ("climb", lambda climb: climb.astype(float), "climb holds float64"),
    ("step", lambda step: spoil(step, 0, -1), "negative"),
    ("step", lambda step: step * 0, "none is there twice"),
    ("step", lambda step: step[:-1], "step has shape"),
    ("optimum", lambda optimum: optimum.astype(np.uint8), "optimum holds uint8"),
    ("optimum", lambda optimum: optimum[1:], "optimum has shape"),
    ("base", lambda base: base[:-1], "base has shape"),
    ("base", lambda base: base[:, :-1], "base has shape"),
    ("base", lambda base: spoil(base, (0, -1), 255), "bits beyond"),
    ("flip_at", lambda at: at[:-1], "flip_at has shape"),
    ("flip_at", lambda at: at + 1, "flip_at does not divide"),
    ("flip_at", lambda at: spoil(at, 1, -1), "flip_at does not divide"),
    ("flip_at", lambda at: spoil(at, 1, at[-1]), "flip_at does not divide"),
    ("flip_at", lambda at: spoil(at, [1, 2], [2**63 - 1, -2]), "flip_at does not"),
    ("flip_at", lambda at: at * 2, "flip_at does not divide"),
    ("flips", lambda flips: spoil(flips, 0, -1), "not one of 0 to 59"),
    ("flips", lambda flips: spoil(flips, 0, 60), "not one of 0 to 59"),
    ("flips", lambda flips: flips.astype(np.int64), "flips holds int64"),
    ("flips", lambda flips: flips[:, None], "flips has shape"),
    ("trace", lambda trace: trace[:, :4], "trace has shape"),
    ("trace", lambda trace: spoil(trace, (0, 0), np.inf), "trace holds"),
]


@pytest.mark.parametrize(("name", "change", "text"), SPOILED_ARRAYS)
def test_a_spoiled_array_is_refused(run, tmp_path, name, change, text):
    header, arrays = run
    arrays = {**arrays, name: change(arrays[name])}
    write(tmp_path / "run.npz", header, arrays)
    refused(tmp_path / "run.npz", text)


def test_flips_of_a_first_row_are_refused(run, tmp_path):
    header, arrays = run
    flip_at = arrays["flip_at"].copy()
    flip_at[1:] += 1
    flips = np.append(arrays["flips"], np.int32(0))
    write(tmp_path / "run.npz", header, arrays | {"flip_at": flip_at, "flips": flips})
    refused(tmp_path / "run.npz", "first row of a climb")


@pytest.mark.parametrize("name", sorted(DTYPES))
def test_a_run_without_one_of_its_arrays_is_refused(run, tmp_path, name):
    header, arrays = run
    arrays = {key: array for key, array in arrays.items() if key != name}
    write(tmp_path / "run.npz", header, arrays)
    refused(tmp_path / "run.npz", f"lacks '{name}'")


@given(data=st.data())
def test_whatever_passes_as_a_run_can_be_used(run, tmp_path_factory, data):
    header, arrays = copy.deepcopy(run)
    name = data.draw(st.sampled_from(sorted(DTYPES)))
    flat = arrays[name].reshape(-1)
    at = data.draw(st.integers(0, len(flat) - 1))
    if flat.dtype == np.float64:
        flat[at] = data.draw(st.floats())
    elif flat.dtype == np.bool_:
        flat[at] ^= True
    else:
        limits = np.iinfo(flat.dtype)
        flat[at] = data.draw(st.integers(int(limits.min), int(limits.max)))
    path = tmp_path_factory.getbasetemp() / "changed.npz"
    write(path, header, arrays)
    with suppress(ValueError):
        changed = load(path)
        assert changed.X.shape == (len(changed), 60)
        assert "\n" not in repr(changed)


def test_solutions_beyond_memory_are_refused(result, monkeypatch):
    fresh, right = replace(result), result.X[3]
    monkeypatch.setattr(memory, "available_memory", lambda: 100)
    needs = f"{len(result)} solutions of 60 bits takes [^:]*"
    with pytest.raises(MemoryError, match=rf"{needs}: result\[i\] and .*solutions"):
        _ = fresh.X
    with pytest.raises(MemoryError, match=needs):
        fresh.solutions(slice(None))
    with pytest.raises(MemoryError, match=r"60 variables takes .*: to_csv"):
        fresh.to_dataframe(bits=True)
    assert len(fresh.to_dataframe()) == len(result)
    assert_array_equal(fresh[3].x, right)  # while one of them still fits


@pytest.mark.parametrize("odd", ["a\nb", None, [[]], 1e300, {"r": [1] * 99}])
def test_whatever_the_config_of_a_file_says_repr_is_one_short_line(run, tmp_path, odd):
    header, arrays = run
    config = {"radius": odd, "seed": odd}
    write(tmp_path / "run.npz", header | {"config": config}, arrays)
    text = repr(load(tmp_path / "run.npz"))
    assert "\n" not in text
    assert len(text) < 400


@given(st.binary(max_size=4), st.integers(0, 10**6))
def test_damaged_bytes_are_refused_in_one_line(result, tmp_path_factory, junk, place):
    path = tmp_path_factory.getbasetemp() / "damaged.npz"
    result.save(path)
    content = path.read_bytes()
    place %= len(content) - 4
    path.write_bytes(content[:place] + junk)
    refused(path, ".")


def test_a_landscape_is_no_run(landscape, tmp_path):
    from paretoball import write_landscape

    write_landscape(landscape, tmp_path / "ring.npz")
    refused(tmp_path / "ring.npz", "its format is 'paretoball landscape'")


def refused(path: Path, text: str) -> None:
    """Reading fails with one line that starts with the path and says `text`."""
    with pytest.raises((ValueError, MemoryError), match=text) as refusal:
        load(path)
    assert str(refusal.value).startswith(f"{path}: ")
    assert "\n" not in str(refusal.value)


# --- What docs/formats.md says about runs.


def section() -> str:
    return DOCUMENT.read_text().split("\n## Runs\n")[1].split("\n## ")[0]


def test_the_document_lists_arrays_as_they_are_written(run):
    arrays = run[1]
    listed = re.findall(r"^\| `(\w+)\.npy` \| ([^:|]*)", section(), re.MULTILINE)
    types = {name: re.findall(r"`(\w\d)`", text) for name, text in listed}
    assert types.pop("header") == ["u1"]
    assert types.pop("nearest") == ["u1"]  # only where nothing feasible was found
    assert set(types) == set(arrays) == set(DTYPES)
    for name, array in arrays.items():
        assert array.dtype.str[1:] in types[name]
        assert sorted(np.dtype(each).str[1:] for each in DTYPES[name]) == sorted(
            types[name]
        )


def test_the_document_lists_the_keys_of_the_header(run):
    table = section().split("The header has these keys:")[1]
    first_column = re.findall(r"^\| (`[^|]*) \|", table, re.MULTILINE)
    listed = set(re.findall(r"`(\w+)`", " ".join(first_column)))
    assert listed == {*run[0], "labels", "names", "constraints", "nearest"}
    assert f'`"{FORMAT}"`' in table
    assert re.search(rf"`version` \| `{VERSION}`", table)


def test_the_code_in_the_document_rebuilds_all_solutions(landscape, run):
    header, arrays = run
    code = re.findall(r"```python\n(.*?)```", section(), re.DOTALL)[0]
    names = {"np": np, "n": header["n"], **arrays}
    exec(code, names)
    assert_array_equal(landscape.evaluate(np.array(names["X"])), arrays["F"])
