"""Checkpoints: a run that was stopped goes on as if it had not been."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any, NamedTuple

import matplotlib
import numpy as np
import pytest
from disturbed import fingerprint
from numpy.testing import assert_array_equal

import paretoball as pb
from clocks import Ticks, keep_pace, keep_time, work_here
from landscapes import ring
from paretoball.archive.points import Points
from paretoball.cli.main import main
from paretoball.formats.npz import write_npz
from paretoball.running import driver
from paretoball.running.checkpoint import Saved, Saver, read_checkpoint
from paretoball.running.run_file import (
    DTYPES,
    previous_path,
    read_run,
    write_checkpoint,
)

matplotlib.use("Agg")

SMALL = ring(n=60, K=2, seed=1)
LARGER = pb.mnk(n=500, K=3, seed=1)
solve = partial(pb.solve, method="multistart")  # its climbs are short


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.npz"


# --- Going on.


@pytest.mark.parametrize("method", ["path", "multistart"])
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("parts", "budget"),
    [([1, 7, 10], "max_climbs"), ([1, 150, 151, 9_000], "max_moves")],
    ids=["climbs", "moves"],
)
def test_a_run_in_parts_ends_like_one_in_a_piece(path, parts, budget, workers, method):
    how = {"method": method, "seed": 5}
    whole = pb.solve(LARGER, **how, **{budget: parts[-1]})
    first, *others = parts
    pb.solve(LARGER, **how, checkpoint=path, workers=workers, **{budget: first})
    for part in others:
        result = pb.resume(path, workers=workers, **{budget: part})
    assert fingerprint(result) == fingerprint(whole)
    assert (result.climbs, result.moves) == (whole.climbs, whole.moves)
    assert fingerprint(pb.load(path)) == fingerprint(whole)


def test_a_climb_that_was_cut_short_is_climbed_again_from_its_start(path):
    """However far into a climb a run is stopped, and stopped again before that."""
    whole = solve(LARGER, seed=5, max_climbs=3)
    solve(LARGER, seed=5, max_moves=400, checkpoint=path)
    stop_early = pb.resume(path, time_limit=1e-9)
    assert_in_landscape(stop_early)
    shorter = pb.resume(path, max_moves=401)
    assert_in_landscape(shorter)
    assert fingerprint(pb.resume(path, max_climbs=3)) == fingerprint(whole)


def assert_in_landscape(result: pb.Result) -> None:
    assert_array_equal(LARGER.evaluate(result.X), result.F)


def test_the_same_call_again_goes_on(path):
    whole = solve(SMALL, seed=5, max_climbs=40)
    solve(SMALL, seed=5, max_climbs=10, checkpoint=path)
    assert fingerprint(
        solve(SMALL, seed=5, max_climbs=40, checkpoint=path)
    ) == fingerprint(whole)
    again = solve(SMALL, max_climbs=40, checkpoint=path)  # the seed is in the file
    assert fingerprint(again) == fingerprint(whole)
    assert again.climbs == 40


def test_without_a_new_budget_what_is_left_of_the_old_one_counts(path, monkeypatch):
    def stop(state):
        return state.climbs >= 3

    monkeypatch.setattr("paretoball.running.progress.CALL_EVERY", 0.0)
    part = solve(LARGER, seed=1, max_climbs=2000, checkpoint=path, callback=stop)
    assert part.climbs < 2000
    assert pb.resume(path).climbs == 2000


def test_a_time_limit_that_is_used_up_stays_so(path, monkeypatch):
    keep_time(monkeypatch, Ticks())
    keep_pace(monkeypatch, moves=64, block_seconds=0.0)
    first = solve(SMALL, seed=1, time_limit=200, checkpoint=path)
    assert first.climbs > 3
    done = pb.resume(path)
    assert done.status == "time is up"
    assert 200 <= done.seconds + done.setup_seconds < 250
    assert_array_equal(done.F, first.F)


def test_a_new_time_limit_counts_from_now_on(path, monkeypatch):
    keep_time(monkeypatch, Ticks())
    keep_pace(monkeypatch, moves=64, block_seconds=0.0)
    first = solve(SMALL, seed=1, time_limit=200, checkpoint=path)
    second = pb.resume(path, time_limit=200)
    assert second.climbs > first.climbs
    assert 400 <= second.seconds + second.setup_seconds < 450
    assert (np.diff(second.trace[:, 0]) >= 0).all()
    assert second.trace[0].tolist() == first.trace[0].tolist()


def test_starts_and_weights_are_part_of_a_checkpoint(path):
    starts = np.random.default_rng(1).integers(2, size=(4, 60))
    how = {"start": starts, "weights": [[2, 1.5], [1, 3]], "selection": "best"}
    whole = solve(SMALL, seed=5, max_climbs=12, **how)
    solve(SMALL, seed=5, max_climbs=2, checkpoint=path, **how)
    assert fingerprint(pb.resume(path, max_climbs=12)) == fingerprint(whole)


@pytest.mark.long
@pytest.mark.parametrize("d", [1, 3])
def test_real_and_minimised_objectives_go_on_exactly(path, d):
    landscape = pb.mnk(n=40, K=2, d=d, q=None, seed=2)
    whole = solve(landscape, seed=5, max_climbs=20)
    solve(landscape, seed=5, max_climbs=7, checkpoint=path)
    assert fingerprint(pb.resume(path, max_climbs=20)) == fingerprint(whole)


def test_every_kind_of_seconds_adds_up_over_all_calls(path, monkeypatch):
    first = solve(SMALL, checkpoint=path, max_climbs=2, radius=1, seed=0)
    earlier = {"seconds": 4000.0, "setup_seconds": 2000.0, "archive_seconds": 1000.0}

    def read_slow(path: Path) -> Saved:
        saved = read_checkpoint(path)
        return saved._replace(result=replace(saved.result, **earlier))

    monkeypatch.setattr(driver, "read_checkpoint", read_slow)
    calls: list[float] = []
    second = pb.resume(
        path, max_climbs=4, callback=lambda now: calls.append(now.seconds)
    )
    for name, before in earlier.items():
        assert (
            0 <= getattr(first, name) < before <= getattr(second, name) < before + 900
        )
    assert 6000 <= min(calls) <= second.trace[-1, 0] < 6900
    assert (second.config["seed"], second.climbs) == (0, 4)


def test_checkpoints_are_written_as_often_as_asked(path, monkeypatch):
    written = []
    monkeypatch.setattr(
        "paretoball.running.checkpoint.write_checkpoint",
        lambda *_: written.append(1),
    )
    keep_time(monkeypatch, Ticks(0.02))
    keep_pace(monkeypatch, moves=64, block_seconds=0.0)
    solve(SMALL, time_limit=10.0, checkpoint=path, checkpoint_every=3.0)
    assert len(written) == 5  # after 0, 3, 6 and 9 seconds, and at the end
    written.clear()
    solve(SMALL, time_limit=10.0, checkpoint=path)
    assert len(written) == 2  # the first, and the last


def test_how_often_is_part_of_a_checkpoint(path):
    solve(SMALL, seed=1, max_climbs=2, checkpoint=path)
    assert read_checkpoint(path).every == 60
    pb.resume(path, max_climbs=3, checkpoint_every=7)
    for how, every in (({}, 7), ({"checkpoint_every": 9}, 9), ({}, 9)):
        pb.resume(path, max_climbs=4, **how)
        assert read_checkpoint(path).every == every


def test_the_same_call_again_takes_from_the_file_what_it_does_not_say(path):
    how = {"radius": 1, "breadth": 3, "seed": 5}
    whole = pb.solve(SMALL, "path", max_climbs=6, **how)
    pb.solve(SMALL, "path", max_climbs=2, checkpoint=path, **how)
    again = pb.solve(SMALL, "path", max_climbs=6, checkpoint=path)
    assert fingerprint(again) == fingerprint(whole)
    assert {name: again.config[name] for name in how} == how


def test_a_new_budget_takes_the_place_of_all_of_the_old_one(path):
    part = solve(SMALL, seed=5, max_moves=50, max_climbs=30, checkpoint=path)
    assert (part.moves, part.status) == (50, "moves done")
    same = pb.resume(path)
    assert (same.moves, same.status) == (50, "moves done")
    whole = pb.resume(path, max_climbs=9)
    assert (whole.climbs, whole.status) == (9, "climbs done")
    assert whole.config["max_moves"] is None


def test_the_one_before_is_kept(path):
    solve(SMALL, seed=1, max_climbs=3, checkpoint=path)
    pb.resume(path, max_climbs=9)
    assert pb.load(path).climbs == 9
    assert read_checkpoint(previous_path(path)).units < 9
    assert sorted(os.listdir(path.parent)) == ["run.npz", "run.previous.npz"]


def test_what_a_killed_writer_left_is_swept_away(path):
    old, new, foreign = (
        path.with_name(name)
        for name in (".run.npz.0123.tmp", ".run.npz.4567.tmp", ".other.npz.89.tmp")
    )
    for each in (old, new, foreign):
        each.write_bytes(b"half a checkpo")
    for each in (old, foreign):
        os.utime(each, (1, 1))
    solve(SMALL, seed=1, max_climbs=3, checkpoint=path)
    assert [each.exists() for each in (old, new, foreign)] == [False, True, True]


def test_the_one_before_is_used_if_the_latest_is_missing(path):
    whole = solve(SMALL, seed=1, max_climbs=30)
    solve(SMALL, seed=1, max_climbs=3, checkpoint=path)
    path.rename(previous_path(path))
    told = r"No such file .* going on from .*run\.previous\.npz, .* remove that, too"
    with pytest.warns(UserWarning, match=told):
        result = pb.resume(path, max_climbs=30)
    assert fingerprint(result) == fingerprint(whole)


@pytest.mark.parametrize("how", ["solve", "resume"])
def test_that_the_latest_is_missing_is_a_line_of_the_command(path, capsys, how):
    solve(SMALL, seed=1, max_climbs=3, checkpoint=path)
    path.rename(previous_path(path))
    instance = str(path.with_name("a.npz"))
    pb.write_landscape(SMALL, instance)
    budget = ["--climbs", "4", "--quiet"]
    if how == "solve":
        asked = [instance, "--method", "multistart", "--checkpoint", str(path)]
    else:
        asked = [str(path)]
    assert main([how, *asked, *budget]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(
        f"going on from {previous_path(path)}, the checkpoint before it; to begin "
        "anew, remove that, too"
    )


# --- Who may have one.


@pytest.mark.parametrize("how", ["solve", "resume"])
def test_two_runs_do_not_have_one_checkpoint(path, how):
    told = f"run.npz: another process is at work on this checkpoint: {os.getpid()} on"
    refusals = []

    def meddle(_: Any) -> bool:
        for again in (
            partial(solve, SMALL, seed=1, max_climbs=3, checkpoint=path),
            partial(pb.resume, path, max_climbs=3),
        ):
            with pytest.raises(ValueError, match=told):
                again()
            refusals.append(again)
        return True

    if how == "resume":
        solve(SMALL, seed=1, max_climbs=1, checkpoint=path)
        pb.resume(path, max_climbs=9, callback=meddle)
    else:
        solve(SMALL, seed=1, max_climbs=9, checkpoint=path, callback=meddle)
    assert len(refusals) == 2
    assert set(os.listdir(path.parent)) <= {"run.npz", "run.previous.npz"}
    assert pb.resume(path, max_climbs=9).climbs == 9


def test_a_checkpoint_behind_a_link_is_the_file_that_it_leads_to(path, tmp_path):
    link = tmp_path / "link.npz"
    solve(SMALL, seed=1, max_climbs=1, checkpoint=path)
    link.symlink_to(path)
    told = "another process is at work on this checkpoint"

    def meddle(_: Any) -> bool:
        for each in (link, path):
            with pytest.raises(ValueError, match=rf"{each.name}: {told}"):
                pb.resume(each, max_climbs=3)
        refusals.append(1)
        return True

    refusals: list[int] = []
    for each in (link, path):
        pb.resume(each, max_climbs=9, callback=meddle)
    assert len(refusals) == 2


@pytest.mark.parametrize("wrong", [5, "", None, b"run.npz", "run.txt"])
def test_a_checkpoint_that_is_no_path_of_a_run_is_one_line(wrong):
    told = "is not the path of a file|in a file named .npz"
    if wrong is not None:
        with pytest.raises((TypeError, ValueError), match=told):
            solve(SMALL, max_climbs=1, checkpoint=wrong)
        with pytest.raises((TypeError, ValueError), match=told):
            pb.resume(wrong)
    with pytest.raises((TypeError, ValueError), match=told):
        solve(SMALL, max_climbs=1).save(wrong)


@pytest.mark.parametrize("change", ["more", "less", "key"])
def test_a_file_of_another_version_is_told_from_a_wrong_one(path, change, capsys):
    solve(SMALL, seed=1, max_climbs=3, checkpoint=path)
    previous_path(path).unlink()
    header, arrays = read_run(path)
    del header["checksum"]
    if change == "more":
        header["config"]["magic"] = 1
        told = "has the option 'magic', but this is paretoball"
    elif change == "less":
        del header["config"]["breadth"]
        told = "lacks the option 'breadth', but this is paretoball"
    else:
        header["magic"] = 1
        told = "'magic', which is none of"
    header["program"] = "paretoball 9.9"
    write_checkpoint(path, header, arrays, keep=False)
    for use in (pb.resume, partial(pb.verify, SMALL)):
        with pytest.raises(ValueError, match=f"paretoball 9.9' wrote it, .*{told}"):
            use(path)
    del header["program"]
    write_checkpoint(path, header, arrays, keep=False)  # as this version writes it
    if change == "key":
        with pytest.raises(ValueError, match="the header has 'magic'"):
            pb.verify(SMALL, path)
    else:
        (failure,) = pb.verify(SMALL, path).failures
        assert failure.startswith("config: it ")


def test_a_bounded_run_that_stopped_within_a_climb_ends_like_another(path):
    landscape = pb.mnk(n=9000, K=3, d=3, seed=1)  # looked at after every 7 climbs
    how = {"radius": 1, "seed": 2, "max_archive": 300}
    seven, eight = (
        solve(landscape, max_climbs=climbs, **how).moves for climbs in (7, 8)
    )
    whole = solve(landscape, max_climbs=8, **how)
    assert eight - 1 > seven
    part = solve(landscape, max_moves=eight - 1, checkpoint=path, **how)
    assert part.climbs == 7
    assert len(pb.load(path)) > 2 * 300  # it is cut after a climb, and not within one
    assert fingerprint(pb.resume(path, max_climbs=8)) == fingerprint(whole)


def test_a_run_that_was_cut_to_its_bound_says_so_however_often_it_is_resumed(
    path, monkeypatch
):
    monkeypatch.setattr("paretoball.running.bound.BOUNDED_MOVES", SMALL.n)
    part = solve(SMALL, seed=2, max_climbs=9, max_archive=4, checkpoint=path)
    assert part.bounded
    for _ in range(2):
        assert pb.load(path).bounded
        assert read_checkpoint(path).result.bounded
        assert pb.resume(path, time_limit=1e-9).bounded
    free = path.with_name("free.npz")
    solve(SMALL, seed=2, max_climbs=9, max_archive=400, checkpoint=free)
    assert not pb.resume(free, max_climbs=10).bounded
    assert not pb.load(free).bounded


@pytest.mark.long
def test_a_run_without_a_finished_climb_loses_nothing_when_resumed(path):
    landscape = pb.mnk(n=20_000, K=3, seed=1)
    first = solve(landscape, seed=1, max_moves=9000, checkpoint=path)
    assert (first.climbs, len(first) > 10) == (0, True)
    for _ in range(3):
        again = pb.resume(path, time_limit=1e-9)
        assert_array_equal(again.F, first.F)
        assert_array_equal(landscape.evaluate(again.X), again.F)
    shorter = pb.resume(path, max_moves=4000)
    exactly = solve(landscape, seed=1, max_moves=4000)
    assert fingerprint(shorter) == fingerprint(exactly)
    whole = solve(landscape, seed=1, max_climbs=2)
    assert fingerprint(pb.resume(path, max_climbs=2)) == fingerprint(whole)


def test_a_lone_start_is_not_mixed_with_what_is_found_later(path, monkeypatch):
    rng = np.random.default_rng(1)
    starts = rng.integers(0, 2, (2, SMALL.n))
    keep_time(monkeypatch, Ticks())
    keep_pace(monkeypatch, moves=16, block_seconds=4)
    alone = pb.solve(SMALL, start=starts, seed=1, time_limit=1e-9, checkpoint=path)
    assert (len(alone), alone.moves) == (1, 0)
    for seconds in range(4, 40, 4):
        again = pb.resume(path, time_limit=seconds)
        assert_array_equal(SMALL.evaluate(again.X), again.F)
        assert_array_equal(pb.load(path).F, again.F)
    assert again.moves > 0


def test_a_sound_checkpoint_is_never_replaced_by_a_damaged_one(path, monkeypatch):
    solve(SMALL, seed=1, max_climbs=3, checkpoint=path)
    path.rename(previous_path(path))
    sound = previous_path(path).read_bytes()
    path.write_bytes(sound[:-9])

    rename = os.replace

    def fail(source: Path, target: Path) -> None:
        if target == path:
            raise OSError(5, "Input/output error")
        rename(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", fail)
        with pytest.warns(UserWarning, match="going on from|no checkpoint") as told:
            assert pb.resume(path, max_climbs=9).unsaved
        assert len(told) == 2
    assert previous_path(path).read_bytes() == sound
    with pytest.warns(UserWarning, match="going on from"):
        assert pb.resume(path, max_climbs=9).unsaved == ""
    assert pb.load(path).climbs == 9
    assert previous_path(path).read_bytes() != sound


def test_a_checkpoint_behind_a_link_has_one_before_it(path, tmp_path):
    (tmp_path / "far").mkdir()
    path.symlink_to(tmp_path / "far" / "real.npz")
    solve(SMALL, seed=1, max_climbs=3, checkpoint=path)
    (tmp_path / "far" / "real.npz").write_bytes(b"damaged")
    with pytest.warns(UserWarning, match="real.previous.npz"):
        assert pb.resume(path, max_climbs=5).climbs == 5


@pytest.mark.parametrize("every", [None, float("inf")])
def test_checkpoints_may_be_written_at_the_ends_only(path, every):
    solve(SMALL, seed=1, max_climbs=3, checkpoint=path, checkpoint_every=every)
    assert pb.resume(path, max_climbs=5).climbs == 5


def test_a_resumed_trace_keeps_what_it_has(path, monkeypatch):
    keep_time(monkeypatch, Ticks(0.01))
    keep_pace(monkeypatch, moves=64, block_seconds=0.0)
    first = solve(SMALL, seed=1, time_limit=4, checkpoint=path)
    again = pb.resume(path, time_limit=2)
    assert 10 < len(first.trace) < len(again.trace)
    assert_array_equal(again.trace[: len(first.trace)], first.trace)


def test_a_resumed_trace_never_counts_back(path, monkeypatch):
    """Units that were finished within a block that was not are run again."""
    keep_time(monkeypatch, Ticks())
    keep_pace(monkeypatch, moves=64, block_seconds=1e9)
    further = 0
    for ticks in range(100, 180, 8):
        path.unlink(missing_ok=True)
        previous_path(path).unlink(missing_ok=True)
        how = {"seed": 1, "checkpoint_every": None}
        first = solve(SMALL, **how, time_limit=ticks, checkpoint=path)
        further += first.climbs > read_checkpoint(path).units
        again = pb.resume(path, time_limit=3)
        assert (np.diff(again.trace[:, :3], axis=0) >= 0).all()
        assert pb.verify(SMALL, path).failures == []
    assert further > 0


# --- Cut at every instant.

UNITS = 6  # of an undisturbed run; cut ones have no more than MOST settled ones
MOST = 4
HOW: dict[str, dict[str, Any]] = {  # beside the bound, which few runs have
    "path": {"method": "path", "seed": 5, "breadth": 2},
    "multistart": {"method": "multistart", "seed": 5},
    "bounded": {"method": "path", "seed": 5, "max_archive": 25, "breadth": 2},
    "bounded-climbs": {"method": "multistart", "seed": 5, "max_archive": 5},
}
MOVES = {"path": 50, "multistart": 4, "bounded": 50, "bounded-climbs": 4}  # of a look


def is_bounded(how: str) -> bool:
    """Whether the archive of such a run has a bound."""
    return "max_archive" in HOW[how]


class Cut(NamedTuple):
    """A run that was cut at some instant, and what it left on disk."""

    instant: int
    result: pb.Result
    front: np.ndarray  # of everything that was reported to an archive
    content: bytes
    saved: Saved
    arrays: dict[str, np.ndarray]

    def is_like(self, other: "Cut") -> bool:
        """Whether both left the same behind, but for the time they took."""
        return (self.saved.units, fingerprint(self.result)) == (
            other.saved.units,
            fingerprint(other.result),
        )


@cache
def undisturbed(how: str, units: int) -> pb.Result:
    """A run of so many units that nobody cuts."""
    with pytest.MonkeyPatch.context() as patch:
        at_pace(patch, how, "growing")
        return pb.solve(SMALL, max_climbs=units, **HOW[how])


def at_pace(patch: pytest.MonkeyPatch, how: str, pace: str) -> None:
    """Blocks of one unit, or growing ones; the size of archives is looked at often."""
    keep_pace(patch, MOVES[how], 0.0 if pace == "single" else 1e9)
    patch.setattr("paretoball.running.bound.BOUNDED_MOVES", 2 * SMALL.n)


@contextmanager
def by_ticks(how: str, workers: int, pace: str) -> Iterator[dict[str, Any]]:
    """Runs in here are cut at the same instants on every machine; who is to work."""
    with pytest.MonkeyPatch.context() as patch:
        at_pace(patch, how, pace)
        keep_time(patch, Ticks())
        yield {
            "workers": workers,
            "executor": None if workers == 1 else work_here(patch),
        }


@contextmanager
def noting_reports() -> Iterator[list[np.ndarray]]:
    """Note everything that is reported to any archive."""
    noted = []
    right = pb.Archive.take_in

    def take_in(self: pb.Archive, points: Points, *pulse: Any) -> None:
        if points.size:
            noted.append(points.fx.copy())
        right(self, points, *pulse)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pb.Archive, "take_in", take_in)
        yield noted


def front_of(F: np.ndarray) -> np.ndarray:
    """The non-dominated vectors of two objectives to maximise, ascending."""
    F = F[np.lexsort((F[:, 1], F[:, 0]))[::-1]]
    best = np.maximum.accumulate(np.append(-1, F[:-1, 1]))
    return F[F[:, 1] > best][::-1]


def covers(F: np.ndarray, others: np.ndarray) -> bool:
    """Whether each of the others is dominated or equalled."""
    return bool((F[:, None] >= others).all(axis=2).any(axis=0).all())


def cut_case(method: str, workers: int, size: str, *marks: Any) -> Any:
    """A case whose cuts are made by one worker of the tests, for all tests."""
    name = f"{method}-{workers}-{size}"
    group = pytest.mark.xdist_group(f"cuts-{name}")
    return pytest.param((method, workers, size), id=name, marks=[group, *marks])


@pytest.fixture(
    scope="module",
    params=[
        cut_case("path", 1, "single"),
        cut_case("path", 1, "growing", pytest.mark.long),
        cut_case("path", 2, "growing", pytest.mark.long),
        cut_case("multistart", 1, "single", pytest.mark.long),
        cut_case("multistart", 1, "growing", pytest.mark.long),
        cut_case("multistart", 2, "growing", pytest.mark.long),
        cut_case("bounded", 1, "single", pytest.mark.long),
        cut_case("bounded-climbs", 1, "growing"),
        cut_case("bounded", 2, "single", pytest.mark.long),
    ],
)
def case(request) -> tuple[str, int, str]:
    """What is run, by how many workers, in blocks of which size."""
    return request.param


@pytest.fixture(scope="module")
def cuts(case, tmp_path_factory) -> list[Cut]:
    """A run cut at every instant; of instants that leave the same, the first."""
    how, workers, pace = case
    undisturbed(how, UNITS)  # so that everything is compiled
    found: list[Cut] = []
    path = tmp_path_factory.mktemp("cut") / "run.npz"
    for instant in count(1):
        for each in (path, previous_path(path)):
            each.unlink(missing_ok=True)
        with by_ticks(how, workers, pace) as who, noting_reports() as noted:
            budget = {"time_limit": instant, "checkpoint": path}
            result = pb.solve(SMALL, **HOW[how], **budget, **who)
        assert result.status == "time is up"
        saved = read_checkpoint(path)
        if saved.units > MOST:
            return found
        front, arrays = front_of(np.concatenate(noted)), read_run(path)[1]
        cut = Cut(instant, result, front, path.read_bytes(), saved, arrays)
        if not found or not cut.is_like(found[-1]):
            found.append(cut)
    raise AssertionError


def test_cuts_are_of_every_kind(case, cuts):
    """Or else the tests below would say little."""
    how, workers, pace = case
    loose = [cut for cut in cuts if cut.saved.loose.points.size]
    assert len(loose) > 5
    assert any(cut.saved.units == 0 for cut in loose)
    if (how, workers) != ("bounded", 2):  # which takes loose points if it has no others
        assert any("settled_F" in cut.arrays for cut in loose)
        assert len({cut.saved.units for cut in loose}) > 2
    if pace == "growing":
        assert any(cut.result.climbs > cut.saved.units for cut in loose)


def test_a_run_cut_at_any_instant_ends_like_one_that_was_not(case, cuts, path):
    whole = undisturbed(case[0], UNITS)
    for cut in cuts:
        path.write_bytes(cut.content)
        with by_ticks(*case):
            done = pb.resume(path, max_climbs=UNITS)
        assert fingerprint(done) == fingerprint(whole), cut.instant
        assert (done.climbs, done.moves) == (whole.climbs, whole.moves)
        if not is_bounded(case[0]):  # which is cut to its bound at the very end
            assert fingerprint(pb.load(path)) == fingerprint(whole)


def test_a_cut_run_goes_on_with_what_finished_units_found_and_they_alone(
    case, cuts, path
):
    for cut in cuts:
        if cut.saved.units == 0:
            assert cut.saved.settled.points.size == 0
            continue
        path.write_bytes(cut.content)
        with by_ticks(*case):
            settled = pb.resume(path, max_climbs=cut.saved.units)
        whole = undisturbed(case[0], cut.saved.units)
        assert fingerprint(settled) == fingerprint(whole), cut.instant
        assert settled.moves == cut.saved.moves == whole.moves


def test_a_cut_run_has_everything_that_it_found(case, cuts):
    for cut in cuts:
        assert_array_equal(SMALL.evaluate(cut.result.X), cut.result.F)
        if not is_bounded(case[0]):
            assert_array_equal(cut.result.F, cut.front)
            if cut.saved.units:
                settled = undisturbed(case[0], cut.saved.units)
                assert covers(cut.result.F, settled.F)


def test_the_checkpoint_of_a_cut_run_is_a_run_like_any_other(case, cuts, path):
    drawn = set()
    for cut in cuts:
        path.write_bytes(cut.content)
        loaded = pb.load(path)
        if not is_bounded(case[0]):
            assert fingerprint(loaded) == fingerprint(cut.result)
        assert_array_equal(SMALL.evaluate(loaded.X), loaded.F)
        assert pb.verify(SMALL, path, local=1).failures == []
        kind = "settled_F" in cut.arrays
        if kind not in drawn:
            drawn.add(kind)
            picture = path.with_suffix(".png")
            assert main(["plot", str(path), "-o", str(picture)]) == 0
            assert picture.exists()


def test_a_run_cut_again_and_again_loses_nothing_and_ends_the_same(case, cuts, path):
    """By other workers than before, too."""
    how, workers, pace = case
    for cut in cuts:
        path.write_bytes(cut.content)
        before = cut.result.F
        for instants in (2 + 9 * cut.instant % 41, 1):
            with by_ticks(how, 3 - workers, pace) as who, noting_reports() as noted:
                again = pb.resume(path, time_limit=instants, **who)
            assert again.status == "time is up"
            assert_array_equal(SMALL.evaluate(again.X), again.F)
            if not is_bounded(how):
                expected = front_of(np.concatenate([before, *noted]))
                assert_array_equal(again.F, expected)
            before = again.F
            assert pb.verify(SMALL, path).failures == []
        units = max(UNITS, read_checkpoint(path).units)
        with by_ticks(*case):
            done = pb.resume(path, max_climbs=units)
        whole = undisturbed(how, units)
        assert fingerprint(done) == fingerprint(whole), cut.instant


def test_loose_points_stay_however_often_a_run_is_resumed_in_vain(case, cuts, path):
    for cut in [cut for cut in cuts if cut.saved.loose.points.size][::4]:
        path.write_bytes(cut.content)
        for _ in range(2):
            again = pb.resume(path, time_limit=1e-9)
            saved = read_checkpoint(path)
            assert saved.units == cut.saved.units
            if not is_bounded(case[0]):
                assert fingerprint(again) == fingerprint(cut.result)
                for name in Points._fields:
                    one, other = (
                        np.sort(getattr(each.loose.points, name), axis=0)
                        for each in (saved, cut.saved)
                    )
                    assert_array_equal(one, other)


def test_a_path_that_was_cut_short_changes_nothing(path):
    """However far into a round a run is stopped, and stopped again before that."""
    how = {"seed": 5, "breadth": 3}
    whole = pb.solve(LARGER, max_climbs=40, **how)
    first, second = whole.moves // 4, whole.moves // 2
    pb.solve(LARGER, max_moves=first, checkpoint=path, workers=2, **how)
    for moves in (first + 1, second):
        part = pb.resume(path, max_moves=moves)
        assert_in_landscape(part)
        assert part.moves == moves
    assert_in_landscape(pb.resume(path, time_limit=1e-9))
    with pytest.MonkeyPatch.context() as patch:
        keep_time(patch, Ticks())
        keep_pace(patch, 1000, 0.0)
        part = pb.resume(path, time_limit=60, workers=2, executor=work_here(patch))
    assert part.moves > second
    assert_in_landscape(part)
    done = pb.resume(path, max_climbs=40)
    assert fingerprint(done) == fingerprint(whole)


# --- Refusals.


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("method", "path"),
        ("radius", 3),
        ("seed", 2),
        ("seed", 0),
        ("weights", "independent"),
        ("selection", "best"),
        ("climb", "strong-only"),
        ("start", [0] * 60),
        ("breadth", 2),
        ("max_archive", 10),
    ],
)
def test_another_run_is_refused_by_the_field_that_differs(path, name, other):
    same = {"radius": 2, "seed": 1, "max_climbs": 9}
    solve(SMALL, checkpoint=path, **same)
    before = path.read_bytes()
    with pytest.raises(ValueError, match=rf"another run: its {name} is") as refusal:
        solve(SMALL, checkpoint=path, **(same | {name: other}))
    assert "\n" not in str(refusal.value)
    if name in ("radius", "seed"):
        with pytest.raises(ValueError, match=rf"another run: its {name} is"):
            pb.resume(path, **{name: other})
    assert path.read_bytes() == before


def test_another_landscape_is_refused(path):
    solve(SMALL, checkpoint=path, max_climbs=2, seed=1)
    other = ring(n=60, K=2, seed=2)
    with pytest.raises(ValueError, match="its landscape is"):
        solve(other, checkpoint=path, max_climbs=2, seed=1)
    with pytest.raises(ValueError, match="its landscape is"):
        pb.resume(path, landscape=other)
    assert pb.resume(path, landscape=SMALL, radius=2, seed=1).climbs == 2


def test_another_version_of_the_format_is_refused(path, monkeypatch):
    monkeypatch.setattr("paretoball.running.run_file.VERSION", 2)
    solve(SMALL, checkpoint=path, max_climbs=2, seed=1)
    previous_path(path).unlink(missing_ok=True)
    monkeypatch.undo()
    with pytest.raises(ValueError, match="version 2"):
        pb.resume(path)


def test_a_run_that_is_no_checkpoint_is_refused(path):
    solve(SMALL, max_climbs=2, seed=1).save(path)
    with pytest.raises(ValueError, match="without what it takes to go on"):
        pb.resume(path)
    with pytest.raises(ValueError, match="without what it takes to go on"):
        solve(SMALL, max_climbs=2, seed=1, checkpoint=path)
    with pytest.raises(FileNotFoundError):
        pb.resume(path.with_name("nothing.npz"))


def test_a_config_that_was_edited_is_refused_in_one_line(path):
    solve(SMALL, checkpoint=path, max_climbs=2, seed=1)
    header, arrays = read_run(path)
    previous_path(path).unlink()
    wrongs = {"radius": -1, "seed": "x", "method": 7, "weights": {}, "breadth": 0}
    for name, wrong in wrongs.items():
        edited = {**header, "config": {**header["config"], name: wrong}}
        del edited["checksum"]
        write_checkpoint(path, edited, arrays, keep=False)
        with pytest.raises(ValueError, match=r"run\.npz: .*") as refusal:
            pb.resume(path, max_climbs=3)
        assert "\n" not in str(refusal.value)


def test_a_checksum_that_is_not_of_the_content_is_refused(path):
    solve(SMALL, checkpoint=path, max_climbs=2, seed=1)
    header, arrays = read_run(path)
    previous_path(path).unlink()
    write_npz(path, header | {"moves": header["moves"] + 1}, arrays)
    with pytest.raises(ValueError, match="checksum"):
        pb.resume(path)
    write_npz(path, header, arrays | {"step": arrays["step"] + 1})
    with pytest.raises(ValueError, match="checksum"):
        pb.resume(path)
    write_npz(path, header, arrays)
    assert pb.resume(path).climbs == 2


@pytest.mark.parametrize(
    "wrong", [{"n": 64}, {"sense": ["max", "min"]}, {"sense": ["max"] * 3}], ids=str
)
def test_a_header_that_is_not_of_its_landscape_is_refused(path, wrong):
    solve(SMALL, checkpoint=path, max_climbs=2, seed=1)
    header, arrays = read_run(path)
    del header["checksum"]
    write_checkpoint(path, header | wrong, arrays)
    previous_path(path).unlink()
    with pytest.raises(ValueError, match=r"run\.npz: ") as refusal:
        pb.resume(path, max_climbs=3)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "change", "text"),
    [
        ("instance", lambda a: np.append(a, a[:1]), "bytes after its zip archive"),
        ("instance", lambda a: np.append(a[:1], a), "bytes before its zip archive"),
        ("instance", lambda a: a[None], "instance is an array of uint8 and shape"),
        ("starts", lambda a: np.full_like(a, 255, shape=(1, 8)), "bits beyond the n"),
        ("every", lambda _: 0, "every is 0 in resume"),
    ],
)
def test_a_checkpoint_holds_what_it_says_and_nothing_else(path, name, change, text):
    solve(SMALL, checkpoint=path, max_climbs=2, seed=1)
    header, arrays = read_run(path)
    previous_path(path).unlink()
    del header["checksum"]
    if name in arrays:
        arrays[name] = change(arrays[name])
    else:
        header["resume"][name] = change(header["resume"][name])
    write_checkpoint(path, header, arrays, keep=False)
    with pytest.raises(ValueError, match=rf"run\.npz: .*{text}"):
        pb.resume(path, max_climbs=3)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("round_weights", lambda w: -w),
        ("round_weights", lambda w: w * 0 + 2**62),
        ("round_weights", lambda w: w * 0 + [[1], [2**50], [1]]),
        ("round_weights", lambda w: w[:, :1]),
        ("round_weights", lambda w: w[:0]),
        ("round_weights", lambda w: w.astype(np.float64)),
        ("round_weights", lambda w: np.repeat(w, 40, axis=0)),
        ("round_solutions", lambda x: x[:, 1:]),
        ("round_solutions", lambda x: x[:1]),
        ("round_solutions", lambda x: x[0]),
        ("round_values", lambda fx: fx[:, :1]),
        ("round_values", lambda fx: fx.astype(np.int32)),
        ("round_wanted", lambda wanted: wanted[1:]),
        ("round_rows", lambda ends: ends + 1),
        ("round_rows", lambda ends: ends[::-1].copy()),
        ("round_kinds", lambda kinds: kinds + 2),
        ("round_kinds", lambda kinds: kinds[:0]),
        ("round_paths", lambda paths: -1 - paths),
    ],
)
def test_a_round_that_is_not_one_of_the_landscape_is_refused(path, name, change):
    pb.solve(SMALL, checkpoint=path, max_climbs=6, seed=1, breadth=2)
    header, arrays = read_run(path)
    previous_path(path).unlink()
    del header["checksum"]
    write_checkpoint(path, header, {**arrays, name: change(arrays[name])}, keep=False)
    with pytest.raises(ValueError, match=r"run\.npz: .*round") as refusal:
        pb.resume(path, max_climbs=9)
    assert "\n" not in str(refusal.value)


def test_the_one_before_is_used_if_the_round_is_not_one_of_the_landscape(path):
    whole = pb.solve(SMALL, max_climbs=9, seed=1)
    pb.solve(SMALL, checkpoint=path, max_climbs=6, seed=1)
    header, arrays = read_run(path)
    del header["checksum"]
    wrong = {**arrays, "round_weights": -arrays["round_weights"]}
    write_checkpoint(path, header, wrong)
    with pytest.warns(UserWarning, match=r"round_weights .*; going on from"):
        done = pb.resume(path, max_climbs=9)
    assert fingerprint(done) == fingerprint(whole)


@cache
def cut_short() -> bytes:
    """A checkpoint with rows of an unfinished path, and finished ones beside them."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "run.npz")
        for units in count(1):
            moves = pb.solve(SMALL, max_climbs=units, seed=5).moves
            pb.solve(SMALL, max_moves=moves + 150, seed=5, checkpoint=path)
            if len(read_run(path)[1].get("settled_flips", ())) > 2:
                return path.read_bytes()
            path.unlink()
    raise AssertionError


@pytest.mark.parametrize(
    ("name", "change", "text"),
    [
        ("F", lambda F: F[:-1], "settled_climb has shape"),
        ("F", lambda F: F[:0], "settled_F has no rows"),
        ("F", lambda F: F.astype(np.int32), "settled_F holds int32"),
        ("climb", lambda climb: climb + 100, "a climb that is not finished"),
        ("step", lambda step: step[::-1].copy(), "rows ascend"),
        ("step", lambda step: step[:, None], "settled_step has shape"),
        ("optimum", lambda optimum: optimum[1:], "settled_optimum has shape"),
        ("base", lambda base: base[:, 1:], "settled_base has shape"),
        ("flip_at", lambda at: at + 1, "flip_at does not divide"),
        ("flips", lambda flips: flips + 60, "not one of 0 to 59"),
        ("flips", None, "lacks 'settled_flips'"),
    ],
)
def test_spoiled_rows_of_finished_climbs_are_refused(path, name, change, text):
    path.write_bytes(cut_short())
    header, arrays = read_run(path)
    del header["checksum"]
    array = arrays.pop(f"settled_{name}")
    if change is not None:
        arrays[f"settled_{name}"] = change(array)
    write_checkpoint(path, header, arrays, keep=False)
    with pytest.raises(ValueError, match=rf"run\.npz: .*({text})") as refusal:
        pb.resume(path, max_climbs=9)
    assert "\n" not in str(refusal.value)


def test_wrong_objectives_of_rows_of_finished_climbs_are_found(path):
    path.write_bytes(cut_short())
    assert pb.verify(SMALL, path).failures == []
    header, arrays = read_run(path)
    del header["checksum"]
    wrong = arrays["settled_F"].copy()
    wrong[-1, 1] -= 1
    write_checkpoint(path, header, arrays | {"settled_F": wrong}, keep=False)
    (failure,) = pb.verify(SMALL, path).failures
    assert f"says {wrong[-1].tolist()}" in failure


def test_rows_of_finished_climbs_beside_others_are_for_checkpoints_only(path):
    path.write_bytes(cut_short())
    header, arrays = read_run(path)
    for name in ("checksum", "resume"):
        del header[name]
    rows = {name: array for name, array in arrays.items() if name in DTYPES}
    write_npz(path, header, rows)
    assert len(pb.load(path)) == len(rows["F"])
    write_npz(path, header, rows | {"settled_F": arrays["settled_F"]})
    with pytest.raises(ValueError, match="has 'settled_F', which is none of"):
        pb.load(path)


def test_only_paths_have_rounds(path):
    solve(SMALL, checkpoint=path, max_climbs=2, seed=1)
    header, arrays = read_run(path)
    previous_path(path).unlink()
    del header["checksum"]
    header["config"]["method"] = "path"
    write_checkpoint(path, header, arrays, keep=False)
    with pytest.raises(ValueError, match="resume lacks 'fill_work'"):
        pb.resume(path, max_climbs=9)
    path.unlink()
    pb.solve(SMALL, checkpoint=path, max_climbs=2, seed=1)
    header, arrays = read_run(path)
    previous_path(path).unlink()
    del header["checksum"]
    header["config"]["method"] = "multistart"
    write_checkpoint(path, header, arrays, keep=False)
    with pytest.raises(ValueError, match="resume has 'fill_work'"):
        pb.resume(path, max_climbs=9)


def test_a_landscape_that_could_not_be_read_back_is_refused_at_once(path):
    odd = pb.Landscape.from_subfunctions(1_100_000, [[((0,), [0, 1])]])
    with pytest.raises(ValueError, match="may be in none"):
        solve(odd, radius=1, max_climbs=1, checkpoint=path)


def test_a_newer_format_is_refused_although_an_older_one_is_beside_it(
    path, monkeypatch
):
    solve(SMALL, checkpoint=path, max_climbs=2, seed=1)
    monkeypatch.setattr("paretoball.running.run_file.VERSION", 2)
    solve(SMALL, checkpoint=path.with_name("new.npz"), max_climbs=2, seed=1)
    monkeypatch.undo()
    path.rename(previous_path(path))
    path.with_name("new.npz").rename(path)
    with pytest.raises(ValueError, match="version 2"):
        pb.resume(path)


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"checkpoint": "run.txt"}, "named .npz"),
        ({"checkpoint": "/nowhere/run.npz"}, "there is no folder"),
        ({"checkpoint": "run.npz", "checkpoint_every": 0}, "checkpoint_every = 0"),
        ({"max_archive": 0}, "max_archive = 0"),
        ({"memory_limit": "much"}, "memory_limit = 'much'"),
        ({"memory_limit": -5}, "memory_limit = -5"),
        ({"executor": 3}, "executor = 3"),
    ],
)
def test_wrong_arguments_are_refused_by_name(tmp_path, monkeypatch, wrong, text):
    monkeypatch.chdir(tmp_path)
    with pytest.raises((TypeError, ValueError), match=text):
        solve(SMALL, max_climbs=1, **wrong)


# --- Tight resources.


def test_a_checkpoint_that_cannot_be_written_costs_only_itself(path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device", "run.npz")

    monkeypatch.setattr("paretoball.running.checkpoint.write_checkpoint", full)
    monkeypatch.setattr("paretoball.running.run.BLOCK_SECONDS", 0.0)
    how = {"max_climbs": 20, "seed": 1}
    with pytest.warns(UserWarning, match="no checkpoint: run.npz: No space left") as w:
        result = solve(SMALL, checkpoint=path, checkpoint_every=1e-9, **how)
    assert len(w) == 1
    assert result.unsaved == "run.npz: No space left on device"
    assert fingerprint(result) == fingerprint(solve(SMALL, **how))


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError(28, "No space left", "a\x1b.npz"), r"a\x1b.npz: No space left"),
        (OSError("it failed"), "it failed"),
    ],
)
def test_why_no_checkpoint_could_be_written_is_told(path, monkeypatch, error, told):
    def fail(*_):
        raise error

    monkeypatch.setattr("paretoball.running.checkpoint.write_checkpoint", fail)
    with pytest.warns(UserWarning, match="no checkpoint: ") as warned:
        result = solve(SMALL, checkpoint=path, max_climbs=2, seed=1)
    assert str(warned[0].message) == f"no checkpoint: {told}"
    assert result.unsaved == told


def test_a_disk_that_has_room_again_is_told_from_one_that_has_none(path, monkeypatch):
    tries: list[int] = []

    def sometimes(*_):
        tries.append(1)
        if len(tries) in (1, 3, 4):
            raise OSError(28, "No space left on device", "run.npz")

    monkeypatch.setattr("paretoball.running.checkpoint.write_checkpoint", sometimes)
    monkeypatch.setattr("paretoball.running.run.BLOCK_SECONDS", 0.0)
    with pytest.warns(UserWarning, match="no checkpoint: run.npz: No space") as warned:
        result = solve(
            SMALL, checkpoint=path, checkpoint_every=1e-9, max_climbs=6, seed=1
        )
    assert len(tries) > 4
    assert len(warned) == 2  # whenever it begins to fail
    assert result.unsaved == ""


def test_a_memory_limit_refuses_what_takes_more():
    needed = pb.climber_memory(LARGER, 2)
    solve(LARGER, radius=2, max_climbs=1, memory_limit=2 * needed)
    with pytest.raises(MemoryError, match="radius 1 fits"):
        solve(LARGER, radius=2, max_climbs=1, memory_limit=needed - 1)
    with pytest.raises(MemoryError, match=r"99 workers need .* allowed"):
        solve(LARGER, radius=2, max_climbs=1, memory_limit=2 * needed, workers=99)


def test_a_checkpoint_is_due_so_many_seconds_after_the_last(path, monkeypatch):
    now = [100.0]
    no_starts = np.empty((0, SMALL.n), np.uint8)
    saver = Saver(path, 3.0, SMALL, no_starts, None, clock=lambda: now[0])
    assert saver.is_due()
    monkeypatch.setattr(
        "paretoball.running.checkpoint.write_checkpoint",
        lambda *_: now.__setitem__(0, 104.0),
    )
    run = SimpleNamespace(
        result=lambda: SimpleNamespace(header=dict, arrays=dict),
        settled=SimpleNamespace(units=1, moves=2, archive=None),
        kept=SimpleNamespace(numbers={}, arrays={}),
        archive=None,
        climbs=3,
    )
    saver.save(run)
    assert (saver.last, saver.took) == (104.0, 4.0)
    for seconds, is_due in ((104.0, False), (106.9, False), (107.0, True)):
        now[0] = seconds
        assert saver.is_due() == is_due


def test_a_checkpoint_that_is_written_under_way_has_what_earlier_calls_found(path):
    """Points of climbs that are not run again yet, in case nothing follows."""
    case = "multistart", 2, "single"
    for instant in count(9):
        with by_ticks(*case) as who:
            budget = {"time_limit": instant, "checkpoint": path}
            pb.solve(SMALL, **HOW["multistart"], **budget, **who)
        before = read_checkpoint(path)
        points = before.loose.points
        if points.size and points.unit.max() > before.units:
            break
        path.unlink()
        previous_path(path).unlink(missing_ok=True)

    def look(now: Any) -> bool:
        saved = read_checkpoint(path)
        seen.append(saved.units)
        later = points.some(points.unit >= saved.units)
        assert_array_equal(SMALL.evaluate(saved.result.X), saved.result.F)
        assert covers(saved.result.F, SMALL.shown(later.fx))
        return later.size == 0

    seen: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("paretoball.running.progress.CALL_EVERY", 0.0)
        patch.setattr("paretoball.running.run.BLOCK_SECONDS", 0.0)
        pb.resume(path, max_climbs=99, callback=look, checkpoint_every=1e-9)
    assert seen[:2] == [before.units, before.units + 1]


def test_what_the_latest_lacks_is_told_if_the_one_before_is_no_better(path):
    with pytest.raises(FileNotFoundError) as missing:
        pb.resume(path)
    assert missing.value.filename == str(path)
    path.write_bytes(b"damaged")
    with pytest.raises(ValueError, match=r"/run\.npz: "):
        pb.resume(path)
    previous_path(path).write_bytes(b"damaged, too")
    with pytest.raises(ValueError, match=r"/run\.npz: "):
        pb.resume(path)


def test_a_run_that_goes_on_has_the_memory_that_it_is_allowed_now(path):
    how = {"radius": 2, "seed": 1, "checkpoint": path}
    solve(LARGER, max_climbs=1, memory_limit="1GB", **how)
    with pytest.raises(MemoryError, match="are allowed"):
        pb.resume(path, max_climbs=2, memory_limit=pb.climber_memory(LARGER, 2) - 1)
    free = pb.resume(path, max_climbs=2)
    assert (free.climbs, free.config["memory_limit"]) == (2, None)


# --- The command line.


def test_the_command_line_writes_and_resumes(tmp_path, capsys):
    instance, run = tmp_path / "ring.json", tmp_path / "run.npz"
    pb.write_landscape(SMALL, instance)
    whole = pb.solve(SMALL, seed=7, max_climbs=20)
    arguments = ["solve", str(instance), "--seed", "7", "--checkpoint", str(run)]
    assert main([*arguments, "--climbs", "5"]) == 0
    assert f"saved as {run}" in capsys.readouterr().out
    assert main(["resume", str(run), "--climbs", "20"]) == 0
    assert fingerprint(pb.load(run)) == fingerprint(whole)
    out = tmp_path / "out.npz"
    assert main(["resume", str(run), "-o", str(out), "--workers", "2"]) == 0
    assert fingerprint(pb.load(out)) == fingerprint(whole)
    assert main(["verify", str(instance), str(run)]) == 0
    assert main([*arguments, "--climbs", "5", "--radius", "3"]) == 2
    assert "its radius is 2, not 3" in capsys.readouterr().err
    assert main(["resume", str(tmp_path / "none.npz")]) == 2
    assert (
        main(["resume", str(run), "-o", f"{tmp_path}/../{tmp_path.name}/run.npz"]) == 2
    )
    assert "it is the checkpoint" in capsys.readouterr().err
    assert main(["solve", str(instance), "--climbs", "5", "--memory-limit", "9"]) == 2
    assert "9 B" in capsys.readouterr().err
