"""What a run says of itself: the truth passes, whatever ended it; a lie does not."""

import re
import shutil
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from landscapes import ring
from paretoball import Archive, Landscape, resume, save_front, solve, verify
from paretoball.running.options import checked_options
from paretoball.running.run_file import read_run, write_run
from paretoball.system import forget_signals
from paretoball.verification.claims import _step_failures


def tenths(n: int, d: int) -> Landscape:
    """Real tables, with means that are no decimals, in different senses."""
    tables = np.random.default_rng(d).integers(-9, 10, (d, n, 4)) / 10
    pairs = [(j, (j + 1) % n) for j in range(n)]
    objectives = [list(zip(pairs, each)) for each in tables.tolist()]
    return Landscape.from_subfunctions(n, objectives, ["max", "min", "max"][:d])


LANDSCAPES = [
    *(ring(n=20, K=1, seed=1, d=d) for d in (1, 2, 3, 4)),
    ring(n=40, K=2, seed=1, q=2**45),
    tenths(15, 2),
    tenths(12, 3),
]


class Stop:
    """A callback that ends a run after some calls, by its answer or by a signal."""

    def __init__(self, calls: int, how: int | None, watched: Path | None = None):
        self.calls, self.how = calls, how
        self.watched = watched
        self.seen: list[Path] = []  # copies of checkpoints

    def __call__(self, state: Any) -> bool:
        if self.watched is not None and self.watched.exists() and len(self.seen) < 3:
            self.seen.append(self.watched.with_suffix(f".{len(self.seen)}.npz"))
            shutil.copy(self.watched, self.seen[-1])
        self.calls -= 1
        if self.calls or self.how is None:
            return self.calls <= 0
        signal.raise_signal(self.how)
        return False


def random_limits(rng: np.random.Generator) -> dict[str, Any]:
    """A budget that is soon used up."""
    return [
        {"max_climbs": int(rng.integers(1, 40))},
        {"max_moves": int(rng.choice([1, 30, 1_000, 20_000]))},
        {"time_limit": float(rng.choice([0.0005, 0.01, 0.03]))},
        {"max_climbs": 10**6, "max_moves": 10**7, "time_limit": 0.02},
    ][int(rng.integers(4))]


def random_options(rng: np.random.Generator, n: int) -> dict[str, Any]:
    """Options of a run, all but its budget."""
    options: dict[str, Any] = {
        "method": str(rng.choice(["path", "multistart"])),
        "radius": int(rng.integers(1, 4)),
        "seed": int(rng.integers(100)),
        "selection": str(rng.choice(["next", "uniform", "best"])),
        "climb": str(rng.choice(["full", "strong-only"])),
    }
    if rng.random() < 0.3:
        options["max_archive"] = int(rng.integers(1, 8))
    if rng.random() < 0.3:
        options["start"] = rng.integers(0, 2, (int(rng.integers(1, 5)), n))
    if rng.random() < 0.2:
        options["weights"] = "independent"
    return options


def random_runs(seed: int, folder: Path) -> Any:
    """Files of one random run: a landscape, and each file that the run has left."""
    rng = np.random.default_rng(seed)
    landscape = LANDSCAPES[int(rng.integers(len(LANDSCAPES)))]
    options = random_options(rng, landscape.n)
    path = folder / f"{seed}.npz"
    checkpoint = folder / f"{seed}-checkpoint.npz" if rng.random() < 0.6 else None
    with ThreadPoolExecutor(2) as threads:
        for call in count():
            how: dict[str, Any] = random_limits(rng)
            kind = int(rng.integers(3))
            how |= [{}, {"workers": 2}, {"executor": threads}][kind]
            stop = None
            if rng.random() < 0.3:
                signals = [None, signal.SIGINT, signal.SIGTERM]
                chosen = signals[int(rng.integers(3))]
                stop = Stop(int(rng.integers(1, 4)), chosen, checkpoint)
            how |= {"callback": stop, "on_interrupt": "return"}
            forget_signals()
            if checkpoint is None:
                result = solve(landscape, **options, **how)
            elif call == 0:
                how |= {"checkpoint": checkpoint, "checkpoint_every": 0.01}
                result = solve(landscape, **options, **how)
            else:
                result = resume(checkpoint, **how)
            result.save(path)
            copies = stop.seen if stop else []
            for each in (path, checkpoint, *copies):
                if each is not None:
                    yield landscape, each, result
            if checkpoint is None or rng.random() < 0.3:
                return


def check(seed: int, folder: Path) -> set[str]:
    """All files of one random run pass; the statuses they had."""
    endings = set()
    for landscape, path, result in random_runs(seed, folder):
        report = verify(landscape, path)
        assert report.failures == report.remarks == [], (seed, path, result)
        endings.add(result.status)
    return endings


@pytest.fixture
def _outliving() -> Iterator[None]:
    """A program with a handler of its own for SIGTERM, which lets it go on."""
    before = signal.signal(signal.SIGTERM, lambda *_: None)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.mark.usefixtures("_outliving")
@pytest.mark.parametrize("seed", range(8))
def test_whatever_ended_a_run_its_files_pass(tmp_path, seed):
    check(seed, tmp_path)


@pytest.mark.parametrize("method", ["path", "multistart"])
@pytest.mark.parametrize("landscape", LANDSCAPES, ids=repr)
@pytest.mark.parametrize("limit", [{"max_climbs": 9}, {"max_moves": 99}], ids=str)
def test_runs_of_all_kinds_pass(tmp_path, landscape, method, limit):
    result = solve(landscape, method=method, **limit, seed=1)
    result.save(tmp_path / "run.npz")
    report = verify(landscape, tmp_path / "run.npz", local=1)
    assert report.failures == report.remarks == []


def test_a_front_without_a_search_claims_nothing(tmp_path):
    landscape = LANDSCAPES[1]
    archive = Archive(2)
    archive.report(landscape.evaluate([1] * 20), [1] * 20)
    save_front(archive, landscape, tmp_path / "front.npz")
    report = verify(landscape, tmp_path / "front.npz")
    assert report.failures == report.remarks == report.unchecked == []
    lies: dict[str, Any] = {
        "moves": 3,
        "climbs": 1,
        "seconds": 1.5,
        "archive_seconds": 0.5,
        "config": {"radius": 2},
        "bounded": True,
    }
    for name, lie in lies.items():
        path = edited(tmp_path / "front.npz", tmp_path, {name: lie})
        (failure,) = verify(landscape, path).failures
        assert failure.startswith(f"{name} is ")
        assert failure.endswith("but status is 'saved without a search'")


# --- Lies.


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> dict[str, Path]:
    """A true run of each method, with two objectives and a budget in climbs."""
    paths = {}
    for method in ("path", "multistart"):
        paths[method] = tmp_path_factory.mktemp(method) / "run.npz"
        solve(LANDSCAPES[4], method, max_climbs=12, seed=1).save(paths[method])
    return paths


def edited(
    path: Path,
    folder: Path,
    header: dict[str, Any] | None = None,
    config: dict[str, Any] | None = None,
    **arrays: Any,
) -> Path:
    """The run with other values in its header or config, or with arrays changed."""
    told, rows = read_run(path)
    told = {k: v for k, v in told.items() if k not in ("format", "version")}
    told |= header or {}
    told["config"] = told["config"] | (config or {})
    for name, change in arrays.items():
        rows[name] = rows[name].copy()
        change(rows[name])
    write_run(folder / "edited.npz", told, rows)
    return folder / "edited.npz"


def at(place: Any, value: Any) -> Any:
    """A change of an array: another value at one place."""

    def change(array: np.ndarray) -> None:
        array[place] = value

    return change


def nudge(place: Any, factor: float) -> Any:
    """A change of an array: the value at one place times a factor."""

    def change(array: np.ndarray) -> None:
        array[place] *= factor

    return change


def late(climb: np.ndarray) -> None:
    """The last climb is one that was not begun."""
    climb[climb == climb[-1]] = 12


LIES: list[tuple[dict[str, Any], str]] = [
    ({"header": {"moves": 10**9}}, "moves is 1,000,000,000, but the trace ends with"),
    ({"header": {"moves": 7}}, "moves falls from"),
    ({"header": {"climbs": 13}}, "climbs is 13, but the trace ends with 12"),
    ({"header": {"climbs": 11}}, "climbs falls from 12 to 11 in the header"),
    ({"header": {"seconds": 0.0, "setup_seconds": 0.0}}, "seconds falls from"),
    ({"header": {"status": "time is up"}}, "status is 'time is up', but the run has"),
    ({"header": {"status": "moves done"}}, "status is 'moves done', but the run has"),
    ({"header": {"status": "under way"}}, "'under way', but this is no checkpoint"),
    (
        {"header": {"status": "saved without a search"}},
        "moves is .*, but status is 'saved without a search'",
    ),
    ({"header": {"reference": [0, 1e308]}}, "reference says .0, 1e.308., but the mean"),
    ({"header": {"bounded": True}}, "bounded is true, but there is no max_archive"),
    ({"header": {"config": {}}}, "config: it lacks 'breadth'"),
    ({"config": {"radius": 0}}, "config: radius = 0"),
    ({"config": {"radius": [2]}}, "config: radius"),
    ({"config": {"method": "magic"}}, "config: .*magic"),
    ({"config": {"selection": "first"}}, "config: selection = 'first'"),
    ({"config": {"climb": "half"}}, "config: climb = 'half'"),
    ({"config": {"seed": -1}}, "config: seed = -1"),
    ({"config": {"seed": None}}, "config: seed = None is not a"),
    ({"config": {"weights": "heavy"}}, "config: weights = 'heavy'"),
    ({"config": {"breadth": 0}}, "config: breadth = 0"),
    ({"config": {"breadth": None}}, "config: breadth is None, not "),
    ({"config": {"starts": -1}}, "config: starts = -1"),
    ({"config": {"workers": 0}}, "config: workers = 0"),
    ({"config": {"memory_limit": "much"}}, "config: .*much"),
    ({"config": {"max_archive": 0}}, "config: max_archive = 0"),
    ({"config": {"max_archive": 2}}, "rows, but max_archive is 2"),
    ({"config": {"max_climbs": 13}}, "status is 'climbs done', but the run has 12"),
    ({"config": {"max_climbs": None}}, "config: no budget"),
    ({"config": {"speed": 3}}, "config: it has an unknown 'speed'"),
    ({"trace": at((-1, 0), 1e9)}, "seconds falls from 1e[+]09 to .* in the header"),
    ({"trace": at((0, 0), -1)}, "seconds falls from 0 to -1 in row 0 of the trace"),
    (
        {"trace": at((-1, 1), 0)},
        "moves (falls from .* to 0|is .*, but the trace ends with 0)",
    ),
    (
        {"trace": at((-1, 2), 11)},
        "climbs (falls from 12 to 11|is 12, but the trace ends with 11)",
    ),
    ({"trace": at((0, 2), 0.5)}, "row 0 of the trace counts "),
    ({"trace": at((-1, 3), 1)}, "the trace ends with 1 rows, but there are"),
    ({"trace": at((-1, 4), np.nan)}, "the trace ends with a hypervolume of nan"),
    ({"trace": at((-1, 4), -1.0)}, "row .* of the trace has a hypervolume of -1"),
    ({"trace": nudge((-1, 4), 1 + 1e-7)}, "the trace ends with a hypervolume of"),
    ({"climb": late}, "climb 12 has a row, but only 12 climbs were begun"),
    ({"step": at(-1, 10**12)}, "moves, but rows of its climbs have taken"),
]


@pytest.mark.parametrize("method", ["path", "multistart"])
@pytest.mark.parametrize(("lie", "words"), LIES, ids=[words for _, words in LIES])
def test_a_lie_is_caught(runs, tmp_path, method, lie, words):
    if "taken" in words and method == "path":
        return  # the steps of a path are flips
    failures = verify(LANDSCAPES[4], edited(runs[method], tmp_path, **lie)).failures
    assert any(re.search(words, each) for each in failures), failures
    assert all("\n" not in each for each in failures)


@pytest.mark.parametrize("landscape", LANDSCAPES, ids=repr)
def test_another_reference_is_caught_by_its_last_digit(tmp_path, landscape):
    result = solve(landscape, max_climbs=2, seed=1)
    result.save(tmp_path / "run.npz")
    other = np.nextafter(result.reference, np.inf).tolist()
    path = edited(tmp_path / "run.npz", tmp_path, {"reference": other})
    words = f"reference says {other}, but the mean of f is {result.reference.tolist()}"
    assert words in verify(landscape, path).failures


@pytest.mark.parametrize(
    ("method", "radius", "steps", "is_right"),
    [
        ("multistart", 2, 2, False),
        ("multistart", 2, 3, True),
        ("multistart", 3, 2, True),
        ("path", 2, 3, False),
        ("path", 2, 5, True),
        ("path", 2, 6, False),  # flips that cancel each other come in pairs
        ("path", 2, 7, True),
    ],
)
def test_five_flips_take_so_many_steps(method, radius, steps, is_right):
    landscape = LANDSCAPES[1]
    options = solve(landscape, method, radius, max_climbs=1, seed=1).config
    climb, step = np.array([3, 3, 4]), np.array([8, 8 + steps, 0])
    rows = {"climb": climb, "step": step, "flip_at": np.array([0, 0, 5, 5])}
    failures = list(_step_failures(rows, checked_options(landscape, **options)))
    words = f"climb 3 flips 5 variables from step 8 to step {8 + steps}, which no"
    assert is_right == (failures == [])
    assert is_right or failures[0].startswith(words)


# --- What has to be believed.

BELIEVED: list[tuple[dict[str, Any], str]] = [
    ({"header": {"seconds": 1e6}}, "durations"),
    ({"header": {"setup_seconds": 1e6}}, "durations"),
    ({"header": {"archive_seconds": 1e6}}, "durations"),
    ({"header": {"status": "interrupted"}}, "why the run ended"),
    ({"header": {"status": "interrupted", "moves": 10**9}}, "moves and climbs beyond"),
    ({"config": {"radius": 5}}, "the radius"),
    ({"config": {"seed": 3}}, "the seed"),
    ({"config": {"selection": "uniform"}}, "kept to its config"),
    ({"config": {"breadth": 7}}, "kept to its config"),
    ({"config": {"workers": 7}}, "kept to its config"),
    ({"trace": at((0, 4), 0.0)}, "the trace before its last row"),
    ({"optimum": lambda optimum: optimum.fill(False)}, "local optima"),
]


@pytest.mark.parametrize(
    ("lie", "words"), BELIEVED, ids=[str(at) for at in range(len(BELIEVED))]
)
def test_what_cannot_be_checked_is_told(runs, tmp_path, lie, words):
    report = verify(LANDSCAPES[4], edited(runs["path"], tmp_path, **lie))
    assert report.failures == []
    assert any(words in each for each in report.unchecked)


def test_who_tests_local_optima_is_not_told_to(runs):
    assert "local" in str(verify(LANDSCAPES[4], runs["path"]).unchecked)
    assert "local" not in str(verify(LANDSCAPES[4], runs["path"], local=1).unchecked)


def test_hypervolumes_of_many_objectives_are_told_to_be_unchecked(tmp_path):
    solve(LANDSCAPES[3], max_climbs=2, seed=1).save(tmp_path / "run.npz")
    report = verify(LANDSCAPES[3], tmp_path / "run.npz")
    assert "the hypervolume of d = 4 objectives" in report.unchecked


def test_a_run_that_failed_is_told_to_have_failed(runs, tmp_path):
    path = edited(runs["path"], tmp_path, {"status": "unit 3 kills its workers"})
    report = verify(LANDSCAPES[4], path)
    assert report.remarks == [
        "its status is that of a run that failed: 'unit 3 kills its workers'"
    ]
    assert "why the run ended" in report.unchecked


def test_every_field_of_a_run_file_is_edited_above(runs):
    header, arrays = read_run(runs["path"])
    fields = {name for lie, _ in (*LIES, *BELIEVED) for name in lie.get("header", ())}
    options = {name for lie, _ in (*LIES, *BELIEVED) for name in lie.get("config", ())}
    elsewhere = {"format", "version", "program", "n", "sense", "landscape", "reference"}
    assert set(header) == fields | elsewhere
    assert set(header["config"]) - options == {"max_moves", "time_limit"}
    assert {"trace"} < set(arrays)


@pytest.mark.parametrize("shift", [0, 10**9])
def test_a_false_hypervolume_far_from_0_is_caught(tmp_path, shift):
    terms = [((j, (j + 1) % 20), [0, 3, 5, j % 7]) for j in range(20)]
    turned = [(mask, table[::-1]) for mask, table in terms]
    objectives = [[*each, ((), [shift])] for each in (terms, turned)]
    landscape = Landscape.from_subfunctions(20, objectives)
    path = tmp_path / "run.npz"
    solve(landscape, max_climbs=4, seed=1, method="path").save(path)
    assert verify(landscape, path).failures == []
    for factor in 0.99, 1.01:
        lie = edited(path, tmp_path, trace=nudge((-1, 4), factor))
        assert any("hypervolume" in each for each in verify(landscape, lie).failures)
