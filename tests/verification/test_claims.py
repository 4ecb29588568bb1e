"""What a run says of itself: the truth passes, whatever ended it; a lie does not."""

import re
import shutil
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from landscapes import ring
from paretoball import Archive, Landscape, resume, save_front, solve, verify
from paretoball.running.options import checked_options
from paretoball.running.run_file import read_run, write_run
from paretoball.running.status import ENDINGS
from paretoball.system import forget_signals
from paretoball.verification.claims import (
    _count_failures,
    _emptiness_failures,
    _ending_failures,
    _exact_failures,
    _last_row_failures,
    _step_failures,
    _trace_failures,
    _volume_failures,
    unchecked,
)


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
        "setup_seconds": 0.1,
        "archive_seconds": 0.5,
        "config": {"radius": 2},
        "bounded": True,
    }
    for name, lie in lies.items():
        path = edited(tmp_path / "front.npz", tmp_path, {name: lie})
        (failure,) = verify(landscape, path).failures
        assert failure.startswith(f"{name} is ")
        assert failure.endswith("but status is 'saved without a search'")
    header, rows = read_run(tmp_path / "front.npz")
    told = {k: v for k, v in header.items() if k not in ("format", "version")}
    write_run(tmp_path / "traced.npz", told, rows | {"trace": np.zeros((1, 5))})
    assert verify(landscape, tmp_path / "traced.npz").failures == [
        "there is a trace, but status is 'saved without a search'"
    ]


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
    (
        {"header": {"status": "no solution is feasible: all were looked at"}},
        "rows, but status is 'no solution is feasible: all were looked at'",
    ),
    (
        {"header": {"status": "exact: no solution is feasible"}},
        "rows, but status is 'exact: no solution is feasible'",
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
    ({"trace": at((0, 3), 0.5)}, "row 0 of the trace counts .*, 0.5]"),
    ({"trace": at((0, 3), -1)}, "row 0 of the trace counts .*, -1.0]"),
    ({"trace": at((0, 4), np.inf)}, "row 0 of the trace has a hypervolume of inf"),
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


@pytest.mark.parametrize("more", [0, 1])
def test_one_row_beyond_the_bound_is_caught(runs, tmp_path, more):
    rows = len(read_run(runs["path"])[1]["F"])
    lie = {"config": {"max_archive": rows - more}}
    failures = verify(LANDSCAPES[4], edited(runs["path"], tmp_path, **lie)).failures
    assert [each for each in failures if "but max_archive is" in each] == more * [
        f"there are {rows:,} rows, but max_archive is {rows - more:,}"
    ]


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
        ("pls", 2, 1, True),  # whose steps are counted otherwise
        ("pls", 2, 6, True),
    ],
)
def test_five_flips_take_so_many_steps(method, radius, steps, is_right):
    landscape = LANDSCAPES[1]
    options = solve(landscape, method, radius, max_climbs=1, seed=1).config
    climb, step = np.array([3, 3, 4]), np.array([8, 8 + steps, 0])
    rows = {"climb": climb, "step": step, "flip_at": np.array([0, 0, 5, 5])}
    failures = list(_step_failures(rows, checked_options(landscape, **options)))
    words = f"climb 3 flips 5 variables from step 8 to step {8 + steps}, which no"
    told = [f"{words} search of radius {radius} does"]
    assert failures == ([] if is_right else told)


@pytest.mark.parametrize("wrong", range(-1, 5))
def test_every_row_of_a_climb_but_its_first_has_its_steps(wrong):
    """Rows 0, 1 and 4 are the first ones of climbs 2, 5 and 6."""
    landscape = LANDSCAPES[1]
    options = solve(landscape, "multistart", 2, max_climbs=1, seed=1).config
    flips = np.array([0, 0, 4, 6, 0, 4])
    flips[wrong + 1] += 2 if wrong >= 0 else 0
    climb, step = np.array([2, 5, 5, 5, 6, 6]), np.array([9, 1, 3, 6, 4, 6])
    rows = {"climb": climb, "step": step, "flip_at": np.array([0, *flips.cumsum()])}
    failures = list(_step_failures(rows, checked_options(landscape, **options)))
    told = [
        f"climb {climb[row]} flips {flips[row]} variables from step {step[row - 1]} "
        f"to step {step[row]}, which no search of radius 2 does"
        for row in (wrong + 1,)
        if row in (2, 3, 5) and wrong >= 0
    ]
    assert failures == told


@pytest.mark.parametrize(("apart", "is_right"), [(0.9e-6, True), (1.1e-6, False)])
def test_durations_add_up_to_a_microsecond(runs, tmp_path, apart, is_right):
    durations = {"seconds": 2e3, "setup_seconds": 1e3}
    path = edited(runs["path"], tmp_path, durations, trace=at((-1, 0), 3e3 + apart))
    failures = verify(LANDSCAPES[4], path).failures
    words = ["seconds falls from 3000 to 3000 in the header"]
    assert failures == ([] if is_right else words)


@pytest.mark.parametrize(
    ("status", "limit", "reached"),
    [
        ("climbs done", "max_climbs", "climbs"),
        ("moves done", "max_moves", "moves"),
        ("climbs take few moves", "max_moves", "climbs"),
    ],
)
@pytest.mark.parametrize("more", [0, 1])
def test_a_limit_ends_a_run_that_has_reached_it(
    runs, tmp_path, status, limit, reached, more
):
    count = read_run(runs["path"])[0][reached]
    config = {limit: count + more}
    path = edited(runs["path"], tmp_path, {"status": status}, config)
    failures = verify(LANDSCAPES[4], path).failures
    assert [each.split(",")[0] for each in failures] == [f"status is {status!r}"] * more


@pytest.mark.parametrize(("limit", "is_right"), [(10.19, True), (10.21, False)])
def test_a_run_ends_by_time_at_most_a_fifth_of_it_early(
    runs, tmp_path, limit, is_right
):
    ended = {"status": "time is up", "seconds": 6.0, "setup_seconds": 2.0}
    path = edited(runs["path"], tmp_path, ended, {"time_limit": limit})
    failures = verify(LANDSCAPES[4], path).failures
    words = ["status is 'time is up'"]
    assert [each.split(",")[0] for each in failures] == ([] if is_right else words)


@pytest.mark.parametrize(("climb", "is_right"), [(12, True), (13, False)])
def test_a_limit_of_moves_ends_in_a_climb_of_its_own(runs, tmp_path, climb, is_right):
    def change(climbs: np.ndarray) -> None:
        climbs[climbs == climbs[-1]] = climb

    moves = read_run(runs["path"])[0]["moves"]
    by_moves = {"header": {"status": "moves done"}, "config": {"max_moves": moves}}
    path = edited(runs["path"], tmp_path, **by_moves, climb=change)
    words = "climb 13 has a row, but only 13 climbs were begun"
    assert verify(LANDSCAPES[4], path).failures == ([] if is_right else [words])


# --- Counts of climbs and moves; climbs 0, 2 and 3 have rows, of up to so many moves.

TAKEN = {0: 4, 2: 5, 3: 9}


def wrong_counts(header: dict[str, Any], finished: int, moves: int) -> list[str]:
    """What is said of these counts in the header, and in the trace."""
    landscape = LANDSCAPES[1]
    config = solve(landscape, "multistart", 1, max_climbs=1, seed=1).config
    rows = {
        "climb": np.array([0, 0, 2, 3]),
        "step": np.array([1, 4, 5, 9]),
        "trace": np.array([[0, 0, 0, 0, 0.0], [1, moves, finished, 4, 0]]),
    }
    options = checked_options(landscape, **config)
    return list(_count_failures(header, rows, options))


@pytest.mark.parametrize("finished", range(6))
def test_the_moves_of_a_trace_are_those_of_its_climbs_at_least(finished):
    header = {"status": "interrupted", "climbs": 6, "moves": 99}
    least = sum(moves for climb, moves in TAKEN.items() if climb < finished)
    assert wrong_counts(header, finished, least) == []
    if least:
        assert wrong_counts(header, finished, least - 1) == [
            f"the trace says {least - 1} moves, but rows of its climbs have taken "
            f"{least}"
        ]


def test_the_moves_of_a_run_are_those_of_its_climbs_at_least():
    header = {"status": "climbs done", "climbs": 4, "moves": 18}
    assert wrong_counts(header, 4, 18) == []
    assert wrong_counts(header | {"moves": 17}, 4, 18) == [
        "the header says 17 moves, but rows of its climbs have taken 18"
    ]


def test_the_climb_that_a_limit_of_moves_cut_counts_with_its_moves():
    header = {"status": "moves done", "climbs": 3, "moves": 18}
    assert wrong_counts(header, 3, 9) == []
    assert wrong_counts(header | {"moves": 17}, 3, 9) == [
        "the header says 17 moves, but rows of its climbs have taken 18"
    ]
    few = header | {"climbs": 2}
    assert wrong_counts(few, 2, 4) == [
        "climb 3 has a row, but only 3 climbs were begun"
    ]


TOLD_COUNTS = (
    "but the run has 1,200 climbs, 3,400 moves and 7.500 s of max_climbs = 1300, "
    "max_moves = 4000 and time_limit = 60.0"
)


@pytest.mark.parametrize(
    ("status", "is_wrong"),
    [
        ("climbs done", True),
        ("moves done", True),
        ("climbs take few moves", True),
        ("time is up", True),
        ("interrupted", False),
        ("the front is whole: all solutions were looked at", False),
    ],
)
def test_what_a_run_had_reached_is_told(status, is_wrong):
    header = {"status": status, "climbs": 1_200, "moves": 3_400}
    header |= {"seconds": 7.0, "setup_seconds": 0.5}
    options = SimpleNamespace(max_climbs=1_300, max_moves=4_000, time_limit=60.0)
    failures = list(_ending_failures(header, options))
    assert failures == [f"status is {status!r}, {TOLD_COUNTS}"] * is_wrong
    for name in ("max_climbs", "max_moves", "time_limit"):
        setattr(options, name, None)
    assert len(list(_ending_failures(header, options))) == is_wrong


@pytest.mark.parametrize("bounded", [True, False])
@pytest.mark.parametrize("most", [None, 1, 7])
def test_only_a_run_with_a_bound_can_have_been_bounded(bounded, most):
    header = {"status": "interrupted", "climbs": 1, "moves": 1, "bounded": bounded}
    header |= {"seconds": 1.0, "setup_seconds": 0.0}
    limits = {"max_climbs": None, "max_moves": 5, "time_limit": None}
    options = SimpleNamespace(max_archive=most, **limits)
    is_wrong = bounded and most is None
    failures = list(_ending_failures(header, options))
    assert failures == ["bounded is true, but there is no max_archive"] * is_wrong


@pytest.mark.parametrize("row", [0, 1, 2, 3])
@pytest.mark.parametrize("column", [0, 1, 2])
@pytest.mark.parametrize("by", [0, 1])
def test_no_column_of_a_trace_falls_from_row_to_row(row, column, by):
    values = np.array([[3.0, 30, 2], [5, 50, 4], [8, 80, 7], [9, 90, 8]])
    low = 0 if row == 0 else values[row - 1, column]
    values[row:, column] = low - by
    values[row + 1 :, column] = 9 * 10 ** (column == 1)
    *trace, (seconds, moves, climbs) = values.tolist()
    header = {"seconds": seconds - 1, "setup_seconds": 1.0}
    header |= {"moves": moves, "climbs": climbs}
    found = list(_trace_failures(header, [[*each, 1.0, 0.0] for each in trace]))
    name = ("seconds", "moves", "climbs")[column]
    place = "the header" if row == 3 else f"row {row} of the trace"
    told = f"{name} falls from {low:g} to {low - by:g} in {place}"
    assert [each for each in found if "falls" in each] == [told] * by


@pytest.mark.parametrize(
    ("climbs", "moves", "words"),
    [
        (3, 9, None),
        (4, 18, None),
        (5, 18, "resume has 5 climbs and 18 moves, of 4 and 18 in all"),
        (4, 19, "resume has 4 climbs and 19 moves, of 4 and 18 in all"),
        (3, 8, "resume says 8 moves, but rows of its climbs have taken 9"),
    ],
)
def test_a_checkpoint_goes_on_from_no_more_than_there_is(climbs, moves, words):
    resume = {"climbs": climbs, "moves": moves}
    header = {"status": "under way", "climbs": 4, "moves": 18, "resume": resume}
    assert wrong_counts(header, 2, 4) == ([] if words is None else [words])


@pytest.mark.parametrize("status", sorted(ENDINGS))
def test_the_last_row_of_a_trace_has_the_counts_of_a_run_that_ended_by_them(status):
    landscape = LANDSCAPES[3]  # of four objectives
    config = solve(landscape, "path", 1, max_climbs=1, seed=1).config
    header = {"status": status, "moves": 6, "climbs": 4}
    rows = {"F": np.zeros((2, 4), int), "trace": np.array([[0, 5, 3, 2, np.nan]])}
    options = checked_options(landscape, **config)
    sums = SimpleNamespace(signs=[1] * 4)
    failures = list(_last_row_failures(header, rows, sums, options))
    moves = "moves is 6, but the trace ends with 5"
    climbs = "climbs is 4, but the trace ends with 3"
    by_both = ("climbs done", "climbs take few", "the front is whole", "no solution is")
    if status == "moves done":
        assert failures == [climbs]
    else:
        assert failures == ([moves, climbs] if status.startswith(by_both) else [])


@pytest.mark.parametrize(
    ("config", "is_right"),
    [
        ({"method": "exact", "width": 0, "vectors": 2}, True),
        ({"method": "exact", "width": 7, "vectors": 3}, True),
        ({"method": "path", "width": 7, "vectors": 3}, False),
        ({"method": "exact", "width": 7}, False),
        ({"method": "exact", "width": 7, "vectors": 3, "seed": 1}, False),
        ({"method": "exact", "width": -1, "vectors": 3}, False),
        ({"method": "exact", "width": 1.5, "vectors": 3}, False),
        ({"method": "exact", "width": 7, "vectors": 1}, False),
        ({"method": "exact", "width": 7, "vectors": None}, False),
    ],
)
@pytest.mark.parametrize(
    "lie", [None, "moves", "climbs", "setup_seconds", "archive_seconds", "bounded"]
)
def test_an_exact_front_claims_its_elimination_and_no_search(config, is_right, lie):
    header = {"status": "exact: the whole front", "config": config, "seconds": 5.0}
    header |= {} if lie is None else {lie: True if lie == "bounded" else 1}
    rows = {
        "F": np.zeros((2, 3), int),
        "trace": np.zeros((0, 5)),
        "optimum": np.array([True, True]),
    }
    failures = list(_exact_failures(header, rows))
    about_config = [each for each in failures if each.startswith("config")]
    assert len(about_config) == (not is_right)
    others = [each.split(",")[0] for each in failures if each not in about_config]
    assert others == ([] if lie is None else [f"{lie} is {header[lie]!r}"])


@pytest.mark.parametrize("status", sorted(ENDINGS))
@pytest.mark.parametrize("rows", [0, 1, 2])
def test_a_front_that_is_known_is_empty_if_nothing_is_feasible(status, rows):
    is_whole = "the whole front" in status or "the front is whole" in status
    is_wrong = rows == 0 if is_whole else "no solution is feasible" in status and rows
    words = [f"there are {rows} rows, but status is {status!r}"]
    assert list(_emptiness_failures(status, rows)) == (words if is_wrong else [])


@pytest.mark.parametrize(
    ("shift", "apart", "is_right"),
    [
        (0, 4.9e-9, True),  # a billionth
        (0, 5.1e-9, False),
        (2**40, 0.0233, True),  # the rounding of six coordinates, each of 2**-8
        (2**40, 0.0236, False),
        (-(2**40), 0.0233, True),
        (-(2**40), 0.0236, False),
    ],
)
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("signs", [[1, 1], [1, -1], [-1, -1]])
def test_a_hypervolume_is_right_but_for_the_rounding_of_floats(
    shift, apart, is_right, sign, signs
):
    F = np.array([[3, 1], [1, 3]]) * signs + shift
    header, sums = {"reference": [float(shift)] * 2}, SimpleNamespace(signs=signs)
    found = 5 + sign * apart
    words = f"the trace ends with a hypervolume of {found}, but it is 5.0"
    failures = list(_volume_failures(header, F, sums, found))
    assert failures == ([] if is_right else [words])


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("far", [0, 1, 2])
@pytest.mark.parametrize("sign", [1, -1])
def test_each_coordinate_of_a_hypervolume_is_rounded_by_itself(d, far, sign):
    """Objectives of different sizes; one is far from 0, and rounds more."""
    corner, shift = [4, 24, 160][:d], [0, 0, 0]
    shift[far % d] = 2**44
    signs = [1, -1, 1][:d]
    F = np.array([[s * c + at for s, c, at in zip(signs, corner, shift)]])
    volume = np.prod(corner)
    sizes = [at if at else c for c, at in zip(corner, shift)]  # nearly
    slack = 1e-9 * volume + sum(s * volume / c / 2**48 for s, c in zip(sizes, corner))
    header, sums = {"reference": shift[:d]}, SimpleNamespace(signs=signs)
    for share, is_right in ((0.99, True), (1.01, False)):
        found = float(volume + sign * share * slack)
        failures = list(_volume_failures(header, F, sums, found))
        assert (failures == []) == is_right


@pytest.mark.parametrize("found", [0.0, 1e-9, -1.0, np.nan])
def test_the_hypervolume_of_no_rows_is_0(found):
    header, sums = {"reference": [0.0, 0.0]}, SimpleNamespace(signs=[1, 1])
    failures = list(_volume_failures(header, np.zeros((0, 2)), sums, found))
    assert len(failures) == (found != 0)


# --- What has to be believed.

BELIEVED: list[tuple[dict[str, Any], str]] = [
    ({"header": {"seconds": 1e6}}, "durations"),
    ({"header": {"setup_seconds": 1e6}}, "durations"),
    ({"header": {"archive_seconds": 1e6}}, "durations"),
    ({"header": {"status": "interrupted"}}, "why the run ended"),
    (
        {"header": {"status": "the front is whole: all solutions were looked at"}},
        "that no point of the front is missing",
    ),
    ({"header": {"status": "interrupted", "moves": 10**9}}, "moves and climbs beyond"),
    ({"config": {"radius": 5}}, "the radius"),
    ({"config": {"seed": 3}}, "the seed"),
    ({"config": {"seed": 0}}, "the seed"),
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


@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_a_hypervolume_is_checked_or_told_to_be_unchecked(tmp_path, d):
    landscape, path = LANDSCAPES[d - 1], tmp_path / "run.npz"
    solve(landscape, "path", max_climbs=2, seed=1).save(path)
    told = f"the hypervolume of d = {d} objectives" in verify(landscape, path).unchecked
    lie = edited(path, tmp_path, trace=at((-1, 4), 1e30))
    found = [each for each in verify(landscape, lie).failures if "hypervol" in each]
    assert (told, len(found)) == ((True, 0) if d > 3 else (False, 1))


BEYOND = "moves and climbs beyond those of the trace"
MISSING = "that no point of the front is missing"
WHY = "why the run ended"


@pytest.mark.parametrize(
    ("status", "special"),
    [
        ("climbs done", []),
        ("moves done", []),
        ("climbs take few moves", []),
        ("the front is whole: all solutions were looked at", [MISSING]),
        ("no solution is feasible: all were looked at", [MISSING]),
        ("time is up", [BEYOND]),
        ("under way", [BEYOND]),
        ("interrupted", [BEYOND, WHY]),
        ("terminated", [BEYOND, WHY]),
        ("stopped by the callback", [BEYOND, WHY]),
        ("unit 3 kills its workers", [BEYOND, WHY]),
    ],
)
def test_what_is_believed_depends_on_the_ending(status, special):
    header = {"status": status, "sense": ["max"] * 3}
    first = ["durations", "the trace before its last row", *special]
    seed = "the seed, and that the search kept to its config"
    assert unchecked(header, 1) == [*first, seed]
    optima = "local optima and the radius (--local R tests them)"
    assert unchecked(header, 0) == [*first, optima, seed]
    last = "the last row of a checkpoint's trace"
    assert unchecked(header | {"resume": {}}, 1) == [*first, last, seed]
    many = "the hypervolume of d = 4 objectives"
    assert unchecked(header | {"sense": ["max"] * 4}, 1) == [*first, many, seed]


def test_of_what_is_proven_or_not_searched_less_is_believed():
    for local in (0, 1):
        assert unchecked({"status": "saved without a search"}, local) == []
        for status in ("exact: the whole front", "exact: no solution is feasible"):
            assert unchecked({"status": status}, local) == ["durations", MISSING]


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
