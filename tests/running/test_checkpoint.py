"""Checkpoints: a run that was stopped goes on as if it had not been."""

import os
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from disturbed import fingerprint
from numpy.testing import assert_array_equal

import paretoball as pb
from landscapes import ring
from paretoball.cli.main import main
from paretoball.formats.npz import write_npz
from paretoball.running.checkpoint import read_checkpoint
from paretoball.running.run_file import previous_path, read_run, write_checkpoint

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


def test_without_a_new_budget_what_is_left_of_the_old_one_counts(path):
    def stop(state):
        return state.climbs >= 3

    part = solve(LARGER, seed=1, max_climbs=2000, checkpoint=path, callback=stop)
    assert part.climbs < 2000
    assert pb.resume(path).climbs == 2000
    solve(SMALL, seed=1, time_limit=0.2, checkpoint=path.with_name("time.npz"))
    done = pb.resume(path.with_name("time.npz"))
    assert done.status == "time is up"
    assert done.seconds + done.setup_seconds < 0.4


def test_a_new_time_limit_counts_from_now_on(path):
    first = solve(SMALL, seed=1, time_limit=0.3, checkpoint=path)
    second = pb.resume(path, time_limit=0.3)
    assert second.climbs > first.climbs
    assert 0.5 < second.seconds + second.setup_seconds < 1.2
    assert (np.diff(second.trace[:, 0]) >= 0).all()
    assert second.trace[0].tolist() == first.trace[0].tolist()


def test_starts_and_weights_are_part_of_a_checkpoint(path):
    starts = np.random.default_rng(1).integers(2, size=(4, 60))
    how = {"start": starts, "weights": [[2, 1.5], [1, 3]], "selection": "best"}
    whole = solve(SMALL, seed=5, max_climbs=12, **how)
    solve(SMALL, seed=5, max_climbs=2, checkpoint=path, **how)
    assert fingerprint(pb.resume(path, max_climbs=12)) == fingerprint(whole)


@pytest.mark.parametrize("d", [1, 3])
def test_real_and_minimised_objectives_go_on_exactly(path, d):
    landscape = pb.mnk(n=40, K=2, d=d, q=None, seed=2)
    whole = solve(landscape, seed=5, max_climbs=20)
    solve(landscape, seed=5, max_climbs=7, checkpoint=path)
    assert fingerprint(pb.resume(path, max_climbs=20)) == fingerprint(whole)


def test_checkpoints_are_written_as_often_as_asked(path, monkeypatch):
    written = []
    monkeypatch.setattr(
        "paretoball.running.checkpoint.write_checkpoint",
        lambda *_: written.append(1),
    )
    solve(SMALL, time_limit=1.0, checkpoint=path, checkpoint_every=0.3)
    assert 3 <= len(written) <= 5
    written.clear()
    solve(SMALL, time_limit=0.5, checkpoint=path)
    assert len(written) == 2  # the first, and the last


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
    with pytest.warns(UserWarning, match=r"going on from .*run\.previous\.npz"):
        result = pb.resume(path, max_climbs=30)
    assert fingerprint(result) == fingerprint(whole)


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


def test_a_run_without_a_finished_climb_loses_nothing_when_resumed(path):
    landscape = pb.mnk(n=20_000, K=3, seed=1)
    first = solve(landscape, seed=1, max_moves=9000, checkpoint=path)
    assert (first.climbs, len(first) > 10) == (0, True)
    for _ in range(3):
        again = pb.resume(path, time_limit=1e-9)
        assert_array_equal(again.F, first.F)
        assert_array_equal(landscape.evaluate(again.X), again.F)
    shorter = pb.resume(path, max_moves=4000)
    assert_array_equal(shorter.F, first.F)
    whole = solve(landscape, seed=1, max_climbs=2)
    assert fingerprint(pb.resume(path, max_climbs=2)) == fingerprint(whole)


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


def test_a_resumed_trace_keeps_what_it_has(path):
    first = solve(SMALL, seed=1, time_limit=0.4, checkpoint=path)
    again = pb.resume(path, time_limit=0.2)
    assert_array_equal(again.trace[: len(first.trace)], first.trace)


# --- Refusals.


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("radius", 3),
        ("seed", 2),
        ("weights", "independent"),
        ("selection", "best"),
        ("climb", "strong-only"),
        ("start", [0] * 60),
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
    for name, wrong in {"radius": -1, "seed": "x", "method": 7, "weights": {}}.items():
        edited = {**header, "config": {**header["config"], name: wrong}}
        del edited["checksum"]
        write_checkpoint(path, edited, arrays)
        with pytest.raises(ValueError, match=r"run\.npz: .*"):
            pb.resume(path, max_climbs=3)
        previous_path(path).unlink(missing_ok=True)


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
    ("name", "change"),
    [
        ("round_weights", lambda w: -w),
        ("round_weights", lambda w: w * 0 + 2**62),
        ("round_weights", lambda w: w[:, :1]),
        ("round_weights", lambda w: w[:0]),
        ("round_weights", lambda w: w.astype(np.float64)),
        ("round_weights", lambda w: np.repeat(w, 40, axis=0)),
        ("round_solutions", lambda x: x[:, :, 1:]),
        ("round_solutions", lambda x: x[:1]),
        ("round_solutions", lambda x: x[0, 0]),
    ],
)
def test_a_round_that_is_not_one_of_the_landscape_is_refused(path, name, change):
    pb.solve(SMALL, checkpoint=path, max_climbs=6, seed=1)
    header, arrays = read_run(path)
    previous_path(path).unlink()
    del header["checksum"]
    write_checkpoint(path, header, {**arrays, name: change(arrays[name])}, keep=False)
    with pytest.raises(ValueError, match=r"run\.npz: .*round") as refusal:
        pb.resume(path, max_climbs=9)
    assert "\n" not in str(refusal.value)


def test_only_paths_have_rounds(path):
    solve(SMALL, checkpoint=path, max_climbs=2, seed=1)
    header, arrays = read_run(path)
    previous_path(path).unlink()
    del header["checksum"]
    header["config"]["method"] = "path"
    write_checkpoint(path, header, arrays, keep=False)
    with pytest.raises(ValueError, match="go on with their round"):
        pb.resume(path, max_climbs=9)


def test_a_path_that_was_cut_short_changes_nothing(path):
    """However far into a round a run is stopped, and stopped again before that."""
    whole = pb.solve(LARGER, seed=5, max_climbs=14)
    pb.solve(LARGER, seed=5, max_moves=40_000, checkpoint=path, workers=2)
    for moves in (40_001, 60_000):
        part = pb.resume(path, max_moves=moves)
        assert_in_landscape(part)
        assert part.moves == moves
    assert_in_landscape(pb.resume(path, time_limit=1e-9))
    pb.resume(path, time_limit=0.05, workers=2)
    done = pb.resume(path, max_climbs=14)
    assert fingerprint(done) == fingerprint(whole)


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
    with pytest.warns(UserWarning, match="no checkpoint: run.npz: No space left") as w:
        result = solve(
            SMALL, time_limit=0.5, checkpoint=path, checkpoint_every=0.1, seed=1
        )
    assert len(w) == 1
    assert result.unsaved == "run.npz: No space left on device"
    assert result.climbs > 0


def test_a_memory_limit_refuses_what_takes_more():
    needed = pb.climber_memory(LARGER, 2)
    solve(LARGER, max_climbs=1, memory_limit=2 * needed)
    with pytest.raises(MemoryError, match="radius 1 fits"):
        solve(LARGER, max_climbs=1, memory_limit=needed - 1)
    with pytest.raises(MemoryError, match=r"99 workers need .* allowed"):
        solve(LARGER, max_climbs=1, memory_limit=2 * needed, workers=99)


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
