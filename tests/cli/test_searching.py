"""What searches do with signals and full disks."""

import signal
import subprocess
import time
from argparse import Namespace
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import paretoball as pb
from command_line import PARETOBALL, PATIENCE, run
from paretoball import load
from paretoball.cli.searching import executor


def test_the_result_is_shown_even_if_saving_fails(
    folder, tmp_path, capsys, monkeypatch
):
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device", "run.npz")

    monkeypatch.setattr("paretoball.running.result.write_run", full)
    assert run(f"solve mnk.npz --climbs 1 -o {tmp_path}/run.npz", folder) == 1
    out, err = capsys.readouterr()
    assert "non-dominated" in out
    assert "saved" not in out
    assert err == "paretoball: not saved: run.npz: No space left on device\n"


@pytest.mark.parametrize("output", ["", "-o new.npz"])
def test_a_checkpoint_that_could_not_be_written_is_told(
    folder, tmp_path, capsys, monkeypatch, output
):
    result = replace(load(folder / "run.npz"), unsaved="the disk is full")
    monkeypatch.setattr(pb, "solve", lambda *_, **__: result, raising=False)
    command = f"solve {folder}/mnk.npz --climbs 1 --checkpoint {tmp_path}/c.npz"
    assert run(f"{command} {output}", tmp_path) == 1
    out, err = capsys.readouterr()
    assert "non-dominated" in out
    assert "saved as" not in out
    assert err == "paretoball: not saved: the disk is full\n"


def test_of_two_failures_to_save_the_last_is_told(
    folder, tmp_path, capsys, monkeypatch
):
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device", "run.npz")

    result = replace(load(folder / "run.npz"), unsaved="the disk is full")
    monkeypatch.setattr(pb, "solve", lambda *_, **__: result, raising=False)
    monkeypatch.setattr("paretoball.running.result.write_run", full)
    assert run(f"solve {folder}/mnk.npz --climbs 1 -o new.npz", tmp_path) == 1
    out, err = capsys.readouterr()
    assert "saved" not in out
    assert err == "paretoball: not saved: run.npz: No space left on device\n"


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)]
)
@pytest.mark.parametrize("unsaved", ["", "the disk is full"])
def test_the_exit_code_of_a_signal_is_told_before_that_of_a_failure(
    folder, tmp_path, capsys, monkeypatch, number, code, unsaved
):
    found = load(folder / "run.npz")

    def fake(*_: Any, **__: Any) -> pb.Result:
        signal.raise_signal(number)
        return replace(found, unsaved=unsaved, status="no worker is left")

    monkeypatch.setattr(pb, "solve", fake, raising=False)
    assert run(f"solve {folder}/mnk.npz --climbs 1 -o new.npz", tmp_path) == code
    out, err = capsys.readouterr()
    assert ("saved as" in out) == (not unsaved)
    assert err == ("paretoball: not saved: the disk is full\n" if unsaved else "")


@pytest.mark.parametrize("output", ["", "-o new.npz"])
def test_a_search_that_failed_is_saved_but_is_no_success(
    folder, tmp_path, capsys, monkeypatch, output
):
    result = replace(load(folder / "run.npz"), status="no worker is left")
    monkeypatch.setattr(pb, "solve", lambda *_, **__: result, raising=False)
    assert run(f"solve {folder}/mnk.npz --climbs 1 {output}", tmp_path) == 1
    out, err = capsys.readouterr()
    last = f"saved as {tmp_path / 'new.npz'}\n" if output else "no -o was given\n"
    assert out.endswith(last)
    assert err == ""
    assert (tmp_path / "new.npz").exists() == bool(output)


@pytest.mark.parametrize(("workers", "started"), [(None, None), (-1, None), (1, 1)])
def test_a_cluster_has_as_many_workers_as_asked_for(monkeypatch, workers, started):
    asked = []

    def fake(address: str, workers: int | None) -> Any:
        asked.append((address, workers))
        return nullcontext("pool")

    monkeypatch.setattr("paretoball.running.dask_executor", fake)
    with executor(Namespace(dask="local", workers=workers)) as means:
        assert means == ("pool", started)
    assert asked == [("local", started)]
    with executor(Namespace(dask=None, workers=workers)) as means:
        assert means == (None, workers)


def wait_for(path: Path) -> None:
    """Wait until there is such a file."""
    end = time.monotonic() + PATIENCE
    while not path.exists():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("number", "code", "status"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")],
)
def test_a_signal_ends_a_run_with_what_was_found(
    folder, tmp_path, number, code, status
):
    path, checkpoint = tmp_path / "run.npz", tmp_path / "checkpoint.npz"
    searching = ["solve", folder / "mnk.npz", "--time", "86400", "--quiet"]
    process = subprocess.Popen(
        [*PARETOBALL, *searching, "--checkpoint", checkpoint, "-o", path],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(checkpoint)
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == code, err
    assert f"ended as     {status}" in out
    assert err == ""
    assert load(path).status == status
    assert run(f"verify mnk.npz {path} --local 1", folder) == 0
    assert run(f"verify mnk.npz {checkpoint}", folder) == 0
