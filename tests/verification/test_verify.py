"""Verify: a true run passes, and no tampering with it does."""

import re
import sys
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from landscapes import ring
from paretoball import Archive, Landscape, load, solve
from paretoball.running.run_file import TRACE, read_run, write_run
from paretoball.system.display import Display
from paretoball.verification.here import Here
from paretoball.verification.verify import (
    COMPARISONS,
    _front_failures,
    _nearest_failures,
    _promise_remarks,
    verify,
)


@pytest.fixture(scope="module")
def landscape() -> Landscape:
    return ring(n=24, K=2, seed=1)


@pytest.fixture(scope="module")
def run(landscape, tmp_path_factory) -> Path:
    """A true run, with several rows of one climb and several climbs."""
    path = tmp_path_factory.mktemp("run") / "run.npz"
    solve(landscape, radius=2, max_climbs=12, seed=1).save(path)
    return path


def tampered(run: Path, folder: Path, **changes: Any) -> Path:
    """The run with arrays replaced by functions of them, or keys of the header."""
    header, arrays = read_run(run)
    for name, change in changes.items():
        if name in arrays:
            arrays[name] = np.array(change(arrays[name]), arrays[name].dtype)
        else:
            header[name] = change
    path = folder / "tampered.npz"
    write_run(path, strip(header), arrays)
    return path


def strip(header: dict[str, Any]) -> dict[str, Any]:
    """The header without what `write_run` adds."""
    return {k: v for k, v in header.items() if k not in ("format", "version")}


def with_row(run: Path, folder: Path, x: Any, fx: Any) -> Path:
    """The run with one more row, of a climb of its own."""
    header, arrays = read_run(run)
    base = np.packbits(np.array(x, np.uint8), bitorder="little")
    more = {
        "F": [fx],
        "climb": [arrays["climb"][-1] + 1],
        "step": [0],
        "optimum": [False],
        "base": [base],
        "flip_at": arrays["flip_at"][-1:],
    }
    for name, rows in more.items():
        rows = np.array(rows, arrays[name].dtype)
        arrays[name] = np.concatenate([arrays[name], rows])
    arrays["trace"][-1, TRACE.index("size")] += 1
    path = folder / "longer.npz"
    write_run(path, strip(header), arrays)
    return path


def random_landscape(seed: int, real: bool = False) -> Landscape:
    """Two objectives of ragged arity, mixed senses, small whole or decimal tables."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 9))
    objectives: list[list[Any]] = [[], []]
    for objective in objectives:
        for _ in range(int(rng.integers(2 * n))):
            arity = int(rng.integers(0, min(n, 4) + 1))
            table = rng.integers(-9, 10, 1 << arity)
            mask = rng.permutation(n)[:arity].tolist()
            objective.append((mask, (table / 10 if real else table).tolist()))
    sense = rng.choice(["max", "min"], 2).tolist()
    return Landscape.from_subfunctions(n, objectives, sense)


# --- True runs pass.


def test_a_true_run_passes(landscape, run):
    report = verify(landscape, run)
    assert report.failures == report.remarks == []
    assert report.rows == len(read_run(run)[1]["F"])


@pytest.mark.parametrize("radius", [1, 2])
def test_local_optima_of_a_true_run_pass(landscape, run, radius):
    report = verify(landscape, run, local=radius)
    assert report.failures == report.remarks == []
    assert report.optima == read_run(run)[1]["optimum"].sum() > 0


def test_a_radius_beyond_the_runs_is_checked_but_not_promised(landscape, run):
    report = verify(landscape, run, local=3)
    assert report.remarks == ["climbs of radius 2 promise nothing for radius 3"]


def test_a_strange_radius_of_a_run_is_told_briefly(landscape, run, tmp_path):
    deep: list[Any] = []
    for _ in range(500):
        deep = [deep]
    strange = tampered(run, tmp_path, config={"radius": deep})
    (remark,) = verify(landscape, strange, local=1).remarks
    assert re.fullmatch(
        r"climbs of radius [][.]{3,20} promise nothing for radius 1", remark
    )


@given(st.integers(0, 10**6), st.booleans())
def test_runs_of_any_landscape_pass(tmp_path_factory, seed, real):
    landscape = random_landscape(seed, real)
    path = tmp_path_factory.getbasetemp() / "any.npz"
    solve(landscape, radius=2, max_climbs=3, seed=seed).save(path)
    assert verify(landscape, path, local=2).failures == []


def test_those_who_wait_are_told(landscape, run, capsys):
    clock = chain([0.0], repeat(3.0))  # three seconds pass before the first row
    display = Display(True, lambda: next(clock))
    display.is_terminal = False
    verify(landscape, run, display=display)
    rows = len(read_run(run)[1]["F"])
    assert capsys.readouterr().err == f"checking row 1 of {rows:,}\n"


def test_the_share_of_rows_before_this_one_is_shown(landscape, run, monkeypatch):
    shares: list[float | None] = []
    display = Display(False)
    monkeypatch.setattr(display, "tell", lambda _, share=None: shares.append(share))
    rows = verify(landscape, run, display=display).rows
    assert shares == [row / rows for row in range(rows)]


def test_any_front_can_be_checked(landscape, run):
    result = load(run)
    archive = Archive(landscape.d)
    for fx, x in zip(result.F, result.X):
        archive.report(fx, x)
    for front in (result, archive):
        report = verify(landscape, front)
        assert report.failures == report.remarks == []
        assert report.rows == len(result)


# --- Tampered runs fail.


def caught(
    landscape: Landscape, path: Path, text: str, local: int | None = None
) -> None:
    failures = verify(landscape, path, local).failures
    assert any(text in failure for failure in failures), failures
    assert all("\n" not in failure for failure in failures)


@given(st.integers(0, 10**6), st.sampled_from([-1, 1]))
def test_a_changed_objective_is_caught(landscape, run, tmp_path_factory, place, by):
    def change(F: np.ndarray) -> np.ndarray:
        F.flat[place % F.size] += by
        return F

    path = tampered(run, tmp_path_factory.getbasetemp(), F=change)
    caught(landscape, path, "but its solution has")


@given(st.integers(0, 10**6), st.integers(1, 10**6))
def test_swapped_rows_are_caught(landscape, run, tmp_path_factory, one, apart):
    def swap(F: np.ndarray) -> np.ndarray:
        pair = [one % len(F), (one + 1 + apart % (len(F) - 1)) % len(F)]
        F[pair] = F[pair[::-1]]
        return F

    path = tampered(run, tmp_path_factory.getbasetemp(), F=swap)
    caught(landscape, path, "but its solution has")


@given(st.integers(0, 10**6), st.integers(0, 7))
def test_a_flipped_bit_is_caught(landscape, run, tmp_path_factory, place, bit):
    def flip(base: np.ndarray) -> np.ndarray:
        base.flat[place % base.size] ^= 1 << bit
        return base

    path = tampered(run, tmp_path_factory.getbasetemp(), base=flip)
    caught(landscape, path, "but its solution has")


def test_another_flip_is_caught(landscape, run, tmp_path):
    path = tampered(run, tmp_path, flips=lambda flips: (flips + 1) % 24)
    caught(landscape, path, "but its solution has")


def test_a_dominated_row_is_caught(landscape, run, tmp_path):
    front = [tuple(row) for row in read_run(run)[1]["F"].tolist()]
    rng = np.random.default_rng(1)
    while True:
        x = rng.integers(0, 2, 24)
        fx = naive.evaluate(landscape, x)
        if any(naive.dominates(row, fx, landscape.sense) for row in front):
            break
    path = with_row(run, tmp_path, x, fx)
    caught(landscape, path, "is dominated by")
    assert len(verify(landscape, path).failures) == 1


def test_a_duplicate_row_is_caught(landscape, run, tmp_path):
    arrays = read_run(run)[1]
    x = np.unpackbits(arrays["base"][0], count=24, bitorder="little")
    path = with_row(run, tmp_path, x, arrays["F"][0])
    caught(landscape, path, "equals")
    assert len(verify(landscape, path).failures) == 1


def test_a_false_local_optimum_is_caught(landscape, run, tmp_path):
    rng = np.random.default_rng(2)
    poor = next(
        x
        for x in rng.integers(0, 2, (100, 24))
        if not naive.is_local_optimum(landscape, x, 1)
    )
    path = with_row(run, tmp_path, poor, naive.evaluate(landscape, poor))
    path = tampered(path, tmp_path, optimum=lambda optimum: [*optimum[:-1], True])
    caught(landscape, path, "is marked as a local optimum, but flipping", local=1)


def test_optima_of_a_smaller_radius_need_not_be_those_of_a_larger(tmp_path):
    trap = [((0, 1), [5, 0, 0, 9])]
    landscape = Landscape.from_subfunctions(2, [trap, trap])
    how = {"method": "multistart", "radius": 1, "max_climbs": 1, "seed": 1}
    solve(landscape, **how, start=[0, 0]).save(tmp_path / "run.npz")
    assert verify(landscape, tmp_path / "run.npz", local=1).failures == []
    report = verify(landscape, tmp_path / "run.npz", local=2)
    assert len(report.failures) == len(report.remarks) == 1
    assert "flipping [0, 1] dominates it" in report.failures[0]


def test_a_run_of_another_landscape_is_caught(run):
    caught(ring(n=24, K=2, seed=2), run, "belongs to a landscape with the digest")
    caught(ring(n=25, K=2, seed=1), run, "n = 24")


def test_other_senses_are_caught(landscape, run):
    objectives = naive.plain(landscape).objectives
    turned = Landscape.from_subfunctions(24, objectives, ["max", "min"])
    caught(turned, run, "senses max, max")


def test_reals_are_compared_on_the_grid(tmp_path):
    tenths = [((j,), [0.1, 0.7]) for j in range(3)]
    landscape = Landscape.from_subfunctions(3, [tenths, tenths], ["max", "min"])
    solve(landscape, radius=1, max_climbs=8, seed=1).save(tmp_path / "run.npz")
    assert verify(landscape, tmp_path / "run.npz").failures == []
    path = tampered(tmp_path / "run.npz", tmp_path, F=lambda F: F + 1e-9)
    caught(landscape, path, "but its solution has")


def test_whole_numbers_as_reals_are_caught(landscape, run, tmp_path):
    header, arrays = read_run(run)
    rows = arrays | {"F": arrays["F"].astype(float)}
    write_run(tmp_path / "real.npz", strip(header), rows)
    caught(landscape, tmp_path / "real.npz", "but its solution has")


def test_a_front_with_a_false_vector_is_caught(landscape):
    archive = Archive(landscape.d)
    x = np.zeros(24, int)
    fx = naive.evaluate(landscape, x)
    archive.report([fx[0] + 1, fx[1]], x)
    (failure,) = verify(landscape, archive).failures
    assert f"says {[fx[0] + 1, fx[1]]}, but its solution has {list(fx)}" in failure


def test_a_front_of_other_sizes_is_caught(landscape):
    archive = Archive(landscape.d)
    archive.report([1, 1], [0, 1, 1])
    (failure,) = verify(landscape, archive).failures
    assert "the run has n = 3" in failure


def test_a_damaged_run_is_refused(landscape, run, tmp_path):
    path = tmp_path / "damaged.npz"
    path.write_bytes(run.read_bytes()[:-30])
    with pytest.raises(ValueError, match="damaged"):
        verify(landscape, path)


def test_a_radius_of_zero_is_refused(landscape, run):
    with pytest.raises(ValueError, match="radius = 0"):
        verify(landscape, run, local=0)


# --- Which rows are dominated.


@pytest.mark.parametrize("d", [1, 2, 3, 4])
@pytest.mark.parametrize("at_once", [1, 30, COMPARISONS])
def test_dominated_and_equal_rows_are_those_of_the_definition(d, at_once, monkeypatch):
    monkeypatch.setattr(sys.modules[verify.__module__], "COMPARISONS", at_once)
    rng = np.random.default_rng(d)
    for _ in range(100):
        F = rng.integers(0, 4, (rng.integers(1, 13), d))
        check_rows(F, tuple(rng.choice(["max", "min"], d).tolist()))


def check_rows(F, sense):
    """What is said of these rows is what is true of them."""
    arrays = {"F": F, "climb": np.arange(len(F)), "step": 7 * np.arange(len(F))}
    failures = list(_front_failures(arrays, np.array(naive.signs(sense))))
    dominated = {
        a for a, fa in enumerate(F) for fb in F if naive.dominates(fb, fa, sense)
    }
    found = [text for text in failures if "is dominated by" in text]
    assert {int(text.split()[1].strip(",")) for text in found} == dominated
    assert len(found) == len(dominated)
    for text in failures:
        (row, its), (one, other) = np.reshape(re.findall(r"\d+", text)[:4], (2, 2))
        assert (int(its), int(other)) == (7 * int(row), 7 * int(one))
        if "is dominated by" in text:
            assert naive.dominates(F[int(one)], F[int(row)], sense)
        else:
            assert row != one
            assert F[int(one)].tolist() == F[int(row)].tolist()
    repeated = len(F) - len({tuple(row) for row in F.tolist()})
    equal = [text for text in failures if "equals" in text]
    assert len(equal) == repeated
    for text in equal:
        row = int(text.split()[1].strip(","))
        assert text.endswith(f": {F[row]}")


@pytest.mark.parametrize("d", [2, 3])
def test_ten_thousand_rows_are_compared_in_seconds(d):
    rng = np.random.default_rng(1)
    F = np.column_stack([rng.permutation(10_000) for _ in range(d - 1)])
    F = np.column_stack([F, -F.sum(axis=1)])
    arrays = {"F": F, "climb": np.arange(len(F)), "step": np.arange(len(F))}
    assert list(_front_failures(arrays, np.ones(d, int))) == []


@pytest.mark.parametrize("radius", [1, 2, 3])
@pytest.mark.parametrize("promised", [None, 1, 2, 3, True, "2"])
@pytest.mark.parametrize("is_limited", [False, True])
def test_a_ball_beyond_what_was_promised_is_remarked(radius, promised, is_limited):
    ones = [((j,), [0, 1]) for j in range(3)]
    rows = [(ones, "<=", 2)] if is_limited else []
    landscape = Landscape.from_subfunctions(3, [ones], constraints=rows)
    remarks = list(_promise_remarks(landscape, {"radius": promised}, radius))
    if is_limited and radius > 1:
        right = [
            "with constraints, a local optimum is one of single flips: nothing is "
            f"promised for radius {radius}"
        ]
    elif type(promised) is int and promised >= radius:
        right = []
    else:
        right = [f"climbs of radius {promised!r} promise nothing for radius {radius}"]
    assert remarks == right


@pytest.mark.parametrize("unit", [1, 0.25])
def test_the_nearest_solution_of_many_bits_is_summed_up(unit):
    rng, n = np.random.default_rng(1), 19
    terms = [((j,), [0, (j + 1) * unit]) for j in range(n)]
    pairs = [((j, j + 1), [0, 1, 2, 5]) for j in range(n - 1)]
    rows = [(pairs, "<=", 1), (terms, ">=", 150 * unit), (terms, "<=", 5 * unit)]
    landscape = Landscape.from_subfunctions(
        n, [terms, pairs], ["min", "max"], constraints=rows
    )
    at = Here.on(landscape)
    for _ in range(5):
        x = rng.integers(0, 2, n, np.uint8)
        arrays = {"nearest": np.packbits(x, bitorder="little")}
        far = [float(each) for each in naive.violation(rows, x)]
        right = {"fx": list(naive.evaluate(landscape, x)), "violation": far}
        assert list(_nearest_failures(landscape, right, arrays, at)) == []
        for c in range(3):
            wrong = [each + (i == c) for i, each in enumerate(far)]
            said = right | {"violation": wrong}
            (failure,) = _nearest_failures(landscape, said, arrays, at)
            assert failure.startswith(
                f"nearest says that it violates constraint {c} by {wrong[c]}, but"
            )
            assert float(failure.split()[-1]) == far[c]


def test_whole_numbers_of_real_objectives_are_reals():
    landscape = Landscape.from_subfunctions(1, [[((0,), [0.5, 2.0])]])
    for value, wrong in ((2.0, 0), (2, 1)):
        archive = Archive(1)
        archive.report([value], [1])
        assert len(verify(landscape, archive).failures) == wrong


def test_without_a_radius_no_ball_is_searched(landscape, run):
    report = verify(landscape, run)
    assert report.optima == 0
    assert "local optima and the radius (--local R tests them)" in report.unchecked


def test_a_run_in_the_place_of_its_landscape_is_refused(landscape):
    result = solve(landscape, radius=1, max_climbs=1, seed=1)
    with pytest.raises(
        TypeError, match=r"a landscape and then its run, but .* is no la"
    ):
        verify(result, landscape)  # type: ignore[arg-type]
