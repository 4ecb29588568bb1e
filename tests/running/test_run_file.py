"""The run file: the first number that is refused, and the last one that is not."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paretoball as pb
from landscapes import ring
from paretoball.formats import write_npz
from paretoball.running.run_file import previous_path, read_run, write_checkpoint

SMALL = ring(n=60, K=2, seed=1)


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Header and arrays of a sound checkpoint; take a copy before you spoil them."""
    path = tmp_path_factory.mktemp("run") / "run.npz"
    how = {"max_climbs": 9, "seed": 1, "checkpoint": path}
    pb.solve(SMALL, "multistart", **how)
    header, arrays = read_run(path)
    assert len(np.unique(arrays["climb"])) > 2
    return header, arrays


def written(run: Any, path: Path, header: Any = (), arrays: Any = ()) -> Path:
    """A run file with this changed, and without what only checkpoints have."""
    whole = {key: value for key, value in run[0].items() if key != "resume"}
    del whole["checksum"]
    kept = {
        key: value for key, value in run[1].items() if key not in ("instance", "starts")
    }
    write_npz(path / "changed.npz", whole | dict(header), kept | dict(arrays))
    return path / "changed.npz"


LARGEST = 2**63 - 1
BELOW = float(np.nextafter(2.0**63, 0))  # the largest float that is smaller


@pytest.mark.parametrize(
    ("key", "right", "wrong"),
    [
        ("moves", [0, LARGEST], [-1, LARGEST + 1]),
        ("climbs", [0, LARGEST], [-1, LARGEST + 1]),
        ("seconds", [0, 0.5, BELOW], [-1e-9, 2.0**63]),
        ("setup_seconds", [0, 0.5, BELOW], [-1e-9, 2.0**63]),
        ("archive_seconds", [0, 0.5, BELOW], [-1e-9, 2.0**63]),
        ("constraints", [1, 7], [-1, 0]),
        ("landscape", ["0" * 64, "f" * 64], ["f" * 63, "f" * 65, "F" * 64, "g" * 64]),
        ("reference", [[0, -1e300]], [[0], [0, 1, 2]]),
    ],
)
def test_a_header_has_numbers_in_their_range(run, tmp_path, key, right, wrong):
    for value in right:
        path = written(run, tmp_path, {key: value})
        assert read_run(path)[0][key] == value
    for value in wrong:
        with pytest.raises(ValueError, match=f"{key} "):
            read_run(written(run, tmp_path, {key: value}))


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
@pytest.mark.parametrize("at", [(0, 0), (-1, -1)])
def test_objectives_are_from_minus_to_plus_2_to_the_62(run, tmp_path, dtype, at):
    F = run[1]["F"].astype(dtype)
    more = 1 if dtype == np.int64 else 2**10  # which is the next float
    for sign in (1, -1):
        F[at] = sign * 2**62
        assert read_run(written(run, tmp_path, arrays={"F": F}))
        F[at] = sign * (2**62 + more)
        with pytest.raises(ValueError, match=r"F holds what is not a finite number"):
            read_run(written(run, tmp_path, arrays={"F": F}))


@pytest.mark.parametrize("row", [0, 1, -1])
def test_bits_are_those_of_n_variables_in_every_row(run, tmp_path, row):
    base = run[1]["base"].copy()
    base[row, -1] |= 0b1111  # of the last byte, n = 60 leaves four
    assert read_run(written(run, tmp_path, arrays={"base": base}))
    for bit in range(4, 8):
        wrong = base.copy()
        wrong[row, -1] |= 1 << bit
        with pytest.raises(ValueError, match="base has bits beyond the n = 60"):
            read_run(written(run, tmp_path, arrays={"base": wrong}))


def test_no_first_row_of_any_climb_has_flips(run, tmp_path):
    arrays = run[1]
    firsts = np.flatnonzero(np.diff(arrays["climb"], prepend=-1))
    flips = np.append(arrays["flips"], np.int32(0))
    for first in (firsts[0], firsts[1], firsts[-1]):
        flip_at = arrays["flip_at"].copy()
        flip_at[first + 1 :] += 1
        path = written(run, tmp_path, arrays={"flip_at": flip_at, "flips": flips})
        with pytest.raises(ValueError, match="first row of a climb"):
            read_run(path)


def test_rows_ascend_to_the_last(run, tmp_path):
    arrays = run[1]
    for row in (0, len(arrays["climb"]) - 2):
        climb, step = arrays["climb"].copy(), arrays["step"].copy()
        climb[row + 1], step[row + 1] = climb[row], step[row]
        base = arrays["base"][: len(np.unique(climb))]
        path = written(run, tmp_path, arrays=arrays_of(climb, step, base))
        with pytest.raises(ValueError, match="rows ascend and none is there twice"):
            read_run(path)


def arrays_of(climb: np.ndarray, step: np.ndarray, base: np.ndarray) -> Any:
    """Arrays by name."""
    return {"climb": climb, "step": step, "base": base}


def test_only_a_volume_may_be_no_number_in_a_trace(run, tmp_path):
    trace = np.ones((3, 5))
    trace[1, -1] = np.nan
    assert read_run(written(run, tmp_path, arrays={"trace": trace}))
    for column in range(4):
        wrong = np.ones((3, 5))
        wrong[-1, column] = np.nan
        with pytest.raises(ValueError, match="trace holds what is not a finite"):
            read_run(written(run, tmp_path, arrays={"trace": wrong}))


def test_a_file_from_before_archives_were_bounded_has_an_unbounded_one(run, tmp_path):
    path = written(run, tmp_path)
    header, arrays = read_run(path)
    del header["bounded"]
    write_npz(path, header, arrays)
    assert pb.load(path).bounded is False
    for said in (True, False):
        assert pb.load(written(run, tmp_path, {"bounded": said})).bounded is said


# --- Checkpoints.


def resumed(run: Any, path: Path, resume: Any = (), arrays: Any = ()) -> pb.Result:
    """What comes of a checkpoint with this changed, resumed in vain."""
    header = {key: value for key, value in run[0].items() if key != "checksum"}
    header["resume"] = header["resume"] | dict(resume)
    write_checkpoint(path / "run.npz", header, run[1] | dict(arrays), keep=False)
    previous_path(path / "run.npz").unlink(missing_ok=True)
    return pb.resume(path / "run.npz", time_limit=1e-9)


@pytest.mark.parametrize("key", ["climbs", "moves", "every"])
def test_numbers_to_go_on_with_are_in_their_range(run, tmp_path, key):
    assert resumed(run, tmp_path)
    wrong = [-1, 2**63] if key != "every" else [-1.0, 0.0, 2.0**63]
    for value in wrong:
        told = re.escape(f"run.npz: {key} is {value}".removesuffix(".0"))
        with pytest.raises(ValueError, match=told):
            resumed(run, tmp_path, {key: value})


@pytest.mark.parametrize("shape", [(8,), (1, 7), (1, 9), (1, 1, 8), (8, 1)])
def test_starts_are_rows_of_n_bits(run, tmp_path, shape):
    assert resumed(run, tmp_path, arrays={"starts": np.zeros((0, 8), np.uint8)})
    with pytest.raises(ValueError, match=r"run.npz: starts has shape"):
        resumed(run, tmp_path, arrays={"starts": np.zeros(shape, np.uint8)})


def test_further_rows_are_of_climbs_that_are_finished(run, tmp_path):
    rows = ("F", "climb", "step", "optimum", "base", "flip_at", "flips")
    first = slice(0, 1)
    one = {f"settled_{name}": run[1][name][first] for name in rows}
    one["settled_flip_at"] = np.zeros(2, np.int64)
    one["settled_flips"] = np.zeros(0, np.int32)
    units = run[0]["resume"]["climbs"]
    one["settled_step"] = one["settled_step"] + 10**6  # none of those there
    assert resumed(run, tmp_path, arrays=one | {"settled_climb": np.array([units - 1])})
    with pytest.raises(ValueError, match="settled_climb has a climb that is not fini"):
        resumed(run, tmp_path, arrays=one | {"settled_climb": np.array([units])})
