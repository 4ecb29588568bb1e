"""The disk: files are there whole or not at all, and too large ones are not read."""

import os
from typing import Any

import pytest

from landscape_files import REAL, SUFFIXES, WHOLE, assert_same, refused
from paretoball import read_landscape, write_landscape
from paretoball.formats.disk import atomic_write


@pytest.mark.parametrize("error", [ValueError, OSError, KeyboardInterrupt])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, error):
    path = tmp_path / "a.json"
    path.write_text("old")

    def fail(file: Any) -> None:
        file.write(b"half of the ne")
        raise error("stop")

    with pytest.raises(error, match="stop"):
        atomic_write(path, fail)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.json"]


def test_a_disk_that_fails_at_the_end_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "a.npz"
    write_landscape(WHOLE, path)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=f"No space left on device: '{path}'"):
        write_landscape(REAL, path)
    assert_same(read_landscape(path), WHOLE)
    assert os.listdir(tmp_path) == ["a.npz"]


@pytest.mark.parametrize("previous", [None, "b.json"])
def test_a_file_and_then_its_new_name_are_on_disk_before_the_write_is_over(
    tmp_path, monkeypatch, previous
):
    """The content before it has its name, and the folder after that."""
    path = tmp_path / "a.json"
    path.write_text("old")
    done: list[tuple[str, str]] = []

    def name_of(descriptor: int) -> str:
        is_folder = os.path.samestat(os.fstat(descriptor), os.stat(tmp_path))
        return "folder" if is_folder else "temporary"

    def sync(descriptor: int) -> None:
        assert os.fstat(descriptor).st_size > 0  # what was written is not in a buffer
        done.append(("sync", name_of(descriptor)))
        real_sync(descriptor)

    def rename(source: Any, target: Any) -> None:
        done.append(("rename", os.path.basename(target)))
        real_rename(source, target)

    def close(descriptor: int) -> None:
        done.append(("close", name_of(descriptor)))
        real_close(descriptor)

    real_sync, real_rename, real_close = os.fsync, os.replace, os.close
    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "replace", rename)
    monkeypatch.setattr(os, "close", close)
    atomic_write(path, lambda file: file.write(b"new"), previous)
    monkeypatch.undo()
    kept = [] if previous is None else [("rename", "b.json")]
    assert done == [
        ("sync", "temporary"),
        *kept,
        ("rename", "a.json"),
        ("sync", "folder"),
        ("close", "folder"),
    ]
    assert path.read_bytes() == b"new"
    if previous is not None:
        assert (tmp_path / previous).read_text() == "old"


def test_a_link_stays_a_link(tmp_path):
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    write_landscape(WHOLE, target)
    link.symlink_to(target)
    write_landscape(REAL, link)
    assert link.is_symlink()
    assert_same(read_landscape(target), REAL)


def test_new_files_have_the_permissions_of_any_other(tmp_path):
    write_landscape(WHOLE, tmp_path / "a.json")
    (tmp_path / "b.json").touch()
    modes = {path.stat().st_mode for path in tmp_path.iterdir()}
    assert len(modes) == 1


def test_files_beyond_memory_are_refused_before_they_are_read(tmp_path, monkeypatch):
    for suffix in SUFFIXES:
        write_landscape(WHOLE, tmp_path / f"a.{suffix}")
    monkeypatch.setattr("paretoball.system.memory.available_memory", lambda: 100)
    for suffix in SUFFIXES:
        refused(tmp_path / f"a.{suffix}", "a file of .* takes .* 100 B", MemoryError)
