"""The disk: files are there whole or not at all, and too large ones are not read."""

import os
import signal
import socket
import stat
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from landscape_files import REAL, SUFFIXES, WHOLE, assert_same, refused
from paretoball import load, read_landscape, write_landscape
from paretoball.formats import disk
from paretoball.formats.disk import (
    atomic_write,
    check_writable,
    locked,
    read_bytes,
    refusing,
    sweep,
)
from paretoball.landscape import TooHighDegree
from paretoball.system import capped


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


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
@pytest.mark.parametrize("previous", [None, "b.json"])
def test_a_file_that_replaces_another_has_its_permissions(tmp_path, mode, previous):
    path, seen = tmp_path / "a.json", list[int]()
    path.write_text("old")
    path.chmod(mode)

    def write(file: Any) -> None:
        seen.append(os.fstat(file.fileno()).st_mode)
        file.write(b"new")

    atomic_write(path, write, previous)
    assert path.read_text() == "new"
    modes = [stat.S_IMODE(each) for each in (*seen, path.stat().st_mode)]
    assert modes == [mode, mode]  # even before anything is written
    if previous is not None:
        assert stat.S_IMODE((tmp_path / previous).stat().st_mode) == mode


@pytest.mark.skipif(not hasattr(os, "chown"), reason="a system without owners")
def test_a_file_that_replaces_another_has_its_owner_if_that_is_allowed(
    tmp_path, monkeypatch
):
    path, asked = tmp_path / "a.json", list[Any]()

    def chown(_: Any, *ids: int) -> None:
        asked.append(ids)
        raise PermissionError("not allowed")

    class Owned:
        st_uid, st_gid, st_mode = 12, 34, 0o100640

    path.write_text("old")
    monkeypatch.setattr(os, "chown", chown)
    owned: Any = Owned()
    disk._permit(path, owned)
    assert asked == [(12, 34)]
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_file_is_private_until_it_has_the_permissions_of_the_old(
    tmp_path, monkeypatch
):
    path, seen = tmp_path / "a.json", list[int]()
    path.write_text("old")
    path.chmod(0o644)
    real = os.chmod

    def chmod(path: Any, mode: int) -> None:
        seen.append(stat.S_IMODE(os.stat(path).st_mode))
        real(path, mode)

    monkeypatch.setattr(os, "chmod", chmod)
    atomic_write(path, lambda file: file.write(b"new"))
    assert seen == [0o600]


NAMES = {
    "short": "a.npz",
    "a pattern": "[a]*?.npz",
    "long": "a" * 240 + ".npz",
    "four bytes a letter": "\U0001f600" * 60 + ".npz",
}


@pytest.mark.parametrize("name", NAMES)
def test_temporary_files_are_swept_after_a_minute_without_a_change(
    tmp_path, monkeypatch, name
):
    """Sooner, another process may be at work on them."""
    path, now = tmp_path / NAMES[name], 1e9
    monkeypatch.setattr(disk.time, "time", lambda: now)
    ages = [-5, 0, 1, 30, 59, 60, 61, 3600]
    left = {age: disk._temporary_name(path) for age in ages}
    foreign = disk._temporary_name(tmp_path / f"b{NAMES[name][:9]}")
    for age, each in (*left.items(), (3600, foreign)):
        each.touch()
        os.utime(each, (now - age, now - age))
    path.touch()
    sweep(path)
    assert [age for age, each in left.items() if each.exists()] == ages[:-2]
    assert path.exists()
    assert foreign.exists()


@pytest.mark.parametrize("name", NAMES)
def test_files_of_any_name_are_written(tmp_path, name):
    path = tmp_path / NAMES[name]
    for content in (b"old", b"new"):
        atomic_write(path, lambda file, content=content: file.write(content), "b")
    assert path.read_bytes() == b"new"
    assert (tmp_path / "b").read_bytes() == b"old"
    assert len(os.listdir(tmp_path)) == 2


def test_the_old_file_is_kept_where_the_disk_has_no_links(tmp_path, monkeypatch):
    path = tmp_path / "a.npz"
    path.write_bytes(b"old")

    def fail(*_: Any) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "link", fail)
    atomic_write(path, lambda file: file.write(b"new"), "b.npz")
    assert (path.read_bytes(), (tmp_path / "b.npz").read_bytes()) == (b"new", b"old")
    assert len(os.listdir(tmp_path)) == 2


def test_a_file_that_is_kept_already_is_kept_under_the_same_name(tmp_path):
    """Both names of one file: the system would leave a third one."""
    path, previous = tmp_path / "a.npz", tmp_path / "b.npz"
    path.write_bytes(b"old")
    os.link(path, previous)
    atomic_write(path, lambda file: file.write(b"new"), previous)
    assert (path.read_bytes(), previous.read_bytes()) == (b"new", b"old")
    assert sorted(os.listdir(tmp_path)) == ["a.npz", "b.npz"]


def test_a_folder_is_no_file_to_write(tmp_path):
    with pytest.raises(ValueError, match=f"^{tmp_path}: it is a folder$"):
        check_writable(tmp_path)
    with pytest.raises(ValueError, match=r"there is no folder .*/none$"):
        check_writable(tmp_path / "none" / "a.npz")
    check_writable(tmp_path / "a.npz")
    assert os.listdir(tmp_path) == []


def test_it_is_tried_in_the_folder_itself_whether_a_file_can_be_written(
    tmp_path, monkeypatch
):
    def fail(dir: Any = None) -> None:
        raise PermissionError(f"not in {dir}")

    (tmp_path / "inner").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "inner" / "a.npz")
    monkeypatch.setattr(disk.tempfile, "TemporaryFile", fail)
    for name in ("inner/a.npz", "link"):
        with pytest.raises(PermissionError, match=f"not in {tmp_path / 'inner'}$"):
            check_writable(tmp_path / name)


@pytest.mark.parametrize(
    ("error", "kind", "told"),
    [
        (ValueError("a\n b"), ValueError, "a.txt: a b"),
        (TypeError("no number"), ValueError, "a.txt: no number"),
        (OverflowError("too large"), ValueError, "a.txt: too large"),
        (RecursionError("deep"), ValueError, "a.txt: it is nested too deeply"),
        (MemoryError("too much"), MemoryError, "a.txt: too much"),
        (MemoryError(), MemoryError, "a.txt: no memory is left"),
        (disk.OtherVersion("2"), disk.OtherVersion, "a.txt: 2"),
        (TooHighDegree("3"), TooHighDegree, "a.txt: 3"),
        (disk.Misplaced(6, "wrong"), ValueError, "a.txt:7: wrong"),
        (disk.Misplaced(6, "as in {before}", 0), ValueError, "a.txt:7: as in 1"),
    ],
)
def test_errors_about_a_file_are_one_line_that_names_it(error, kind, told):
    with pytest.raises(kind) as refusal, refusing("a.txt"):
        raise error
    assert str(refusal.value) == told
    assert type(refusal.value) is kind


# --- Locks.


def test_a_lock_is_for_one_and_names_it(tmp_path):
    lock, told = tmp_path / "lock", f": {os.getpid()} on {socket.gethostname()}"
    with locked(lock, "a.npz", "checkpoint"):
        with (
            pytest.raises(
                ValueError, match=r"^a\.npz: another process is at"
            ) as refusal,
            locked(lock, "a.npz", "checkpoint"),
        ):
            raise AssertionError
        assert str(refusal.value).endswith(f"at work on this checkpoint{told}")
    assert not lock.exists()
    with locked(lock, "a.npz", "checkpoint"):
        assert lock.read_text() == told


@pytest.mark.parametrize("error", [ValueError, OSError, KeyboardInterrupt])
def test_a_lock_ends_with_an_error(tmp_path, error):
    lock = tmp_path / "lock"
    with pytest.raises(error), locked(lock, "a.npz", "checkpoint"):
        raise error("stop")
    assert not lock.exists()
    with locked(lock, "a.npz", "checkpoint"):
        pass


def test_of_what_a_lock_says_a_line_is_told(tmp_path):
    lock = tmp_path / "lock"
    with locked(lock, "a.npz", "checkpoint"):
        lock.write_bytes(b"\xff\n" + b"x" * 10_000)
        with (
            pytest.raises(ValueError, match="another process") as refusal,
            locked(lock, "a.npz", "checkpoint"),
        ):
            raise AssertionError
    assert str(refusal.value).isprintable()
    assert str(refusal.value).count("x" * 100) == 1


def test_a_lock_that_a_killed_process_left_behind_is_taken(tmp_path):
    lock = tmp_path / "lock"
    lock.write_text(": 12345678901234567890 on a machine with a very long name" * 9)
    with locked(lock, "a.npz", "checkpoint"):
        assert lock.read_text() == f": {os.getpid()} on {socket.gethostname()}"
    assert not lock.exists()


@pytest.mark.parametrize("error", [ImportError, OSError(37, "No locks available")])
def test_where_there_are_no_locks_nothing_is_locked(tmp_path, monkeypatch, error):
    def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr(disk, "_flock", fail)
    lock = tmp_path / "lock"
    with locked(lock, "a.npz", "checkpoint"), locked(lock, "a.npz", "checkpoint"):
        pass
    assert not lock.exists()


def test_a_lock_that_was_removed_as_it_was_taken_is_taken_anew(tmp_path, monkeypatch):
    """Or two processes would have a lock each, of which one has no name any more."""
    lock, real, tries = tmp_path / "lock", disk._flock, list[int]()

    def late(handle: int, *how: str) -> None:
        real(handle, *how)
        tries.append(handle)
        if len(tries) == 1:
            lock.unlink()

    monkeypatch.setattr(disk, "_flock", late)
    with locked(lock, "a.npz", "checkpoint"):
        assert lock.exists()
        assert tries[0] == tries[1]  # since the first file is closed
        monkeypatch.undo()
        with (
            pytest.raises(ValueError, match="another process"),
            locked(lock, "a.npz", "checkpoint"),
        ):
            raise AssertionError


def test_a_lock_is_given_back_though_another_process_has_inherited_it(
    tmp_path, monkeypatch
):
    fcntl = pytest.importorskip("fcntl")
    lock, real, copies = tmp_path / "lock", disk._taken, list[int]()

    def taken(lock: Path) -> int | None:
        handle = real(lock)
        copies.append(os.dup(handle))
        return handle

    monkeypatch.setattr(disk, "_taken", taken)
    with locked(lock, "a.npz", "checkpoint"):
        waiting = os.open(lock, os.O_WRONLY)
    fcntl.flock(waiting, fcntl.LOCK_EX | fcntl.LOCK_NB)
    for handle in (waiting, *copies):
        os.close(handle)


def test_a_link_in_place_of_a_lock_does_no_harm(tmp_path):
    (tmp_path / "precious").write_text("content")
    (tmp_path / "lock").symlink_to(tmp_path / "precious")
    with (
        pytest.raises(OSError, match="lock"),
        locked(tmp_path / "lock", "a.npz", "checkpoint"),
    ):
        raise AssertionError
    assert (tmp_path / "precious").read_text() == "content"


@pytest.mark.parametrize("path", [5, None, b"a.npz", ""])
def test_what_is_no_path_is_one_line(path):
    for use in (read_bytes, check_writable, lambda path: atomic_write(path, repr)):
        with pytest.raises((TypeError, ValueError), match="is not the path of a file"):
            use(path)


def test_files_beyond_memory_are_refused_before_they_are_read(tmp_path, monkeypatch):
    for suffix in SUFFIXES:
        write_landscape(WHOLE, tmp_path / f"a.{suffix}")
    monkeypatch.setattr("paretoball.system.memory.available_memory", lambda: 100)
    for suffix in SUFFIXES:
        refused(tmp_path / f"a.{suffix}", "a file of .* takes .* 100 B", MemoryError)


@pytest.mark.parametrize("copies", [3, 7])
def test_a_file_is_read_if_all_copies_fit(tmp_path, copies):
    (tmp_path / "a").write_bytes(b"x" * 1000)
    given = () if copies == 3 else (copies,)
    with capped(copies * 1000):
        assert len(read_bytes(tmp_path / "a", *given)) == 1000
    with (
        capped(copies * 1000 - 1),
        pytest.raises(MemoryError, match="to read a file of 1000 B takes"),
    ):
        read_bytes(tmp_path / "a", *given)


# --- What is there but is no ordinary file.


@pytest.fixture
def _impatient() -> Iterator[None]:
    """Whoever waits for a pipe or reads a device without an end is interrupted."""

    def interrupt(*_: Any) -> None:
        raise TimeoutError("it waits, or it reads without an end")

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def special(kind: str, path: Path) -> Path:
    """A file of this kind at this path."""
    if kind == "a named pipe":
        os.mkfifo(path)
    elif kind == "a device":
        path.symlink_to("/dev/null")  # which does no harm where it is not refused
    else:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(str(path))
    return path


KINDS = ["a named pipe", "a device", "a socket"]


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_is_not_read(tmp_path, kind, monkeypatch):
    monkeypatch.chdir(tmp_path)  # names of sockets are short
    for reading in (read_landscape, load, read_bytes):
        for suffix in SUFFIXES:
            path = special(kind, Path(f"{reading.__name__}.{suffix}"))
            with pytest.raises(OSError, match=f"it is {kind}, not a file") as refusal:
                reading(path)
            assert refusal.value.filename == str(path)


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_is_not_replaced(tmp_path, kind, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = special(kind, Path("a.npz"))
    with pytest.raises(OSError, match=f"it is {kind}, not a file"):
        check_writable(path)
    if kind == "a device":
        return  # the one of this machine is not put at risk
    with pytest.raises(OSError, match=f"it is {kind}, not a file"):
        write_landscape(WHOLE, path)
    assert os.listdir() == ["a.npz"]
    assert not stat.S_ISREG(path.stat().st_mode)


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_is_no_lock(tmp_path, kind, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lock = special(kind, Path("lock"))
    with (
        pytest.raises(OSError, match=f"it is {kind}, not a file"),
        locked(lock, "a.npz", "checkpoint"),
    ):
        raise AssertionError
    assert os.listdir() == ["lock"]


def test_a_disk_is_a_device():
    with pytest.raises(OSError, match="it is a device, not a file"):
        disk._check_mode("disk", stat.S_IFBLK)
    for mode in (stat.S_IFREG, stat.S_IFDIR):
        disk._check_mode("disk", mode)


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="no such pipes here")
def test_a_pipe_of_the_shell_is_read(monkeypatch):
    content = bytes(range(256)) * 8
    monkeypatch.setattr(disk, "CHUNK", 100)
    for available in (10**9, 3 * len(content), 3 * len(content) - 1):
        out, into = os.pipe()
        os.write(into, content)
        os.close(into)
        name = "paretoball.formats.disk.available_memory"
        monkeypatch.setattr(name, lambda free=available: free)
        if available >= 3 * len(content):
            assert read_bytes(f"/proc/self/fd/{out}") == content
        else:
            with pytest.raises(
                MemoryError, match=r"than 2\.0 KiB from a pipe takes 6\.0 K"
            ):
                read_bytes(f"/proc/self/fd/{out}")
        os.close(out)


@pytest.mark.usefixtures("_impatient")
@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="no such pipes here")
def test_a_pipe_is_waited_for_until_it_ends():
    out, into = os.pipe()

    def write() -> None:
        for part in (b"late ", b"and later"):
            time.sleep(0.05)
            os.write(into, part)
        os.close(into)

    writer = threading.Thread(target=write)
    writer.start()
    assert read_bytes(f"/proc/self/fd/{out}") == b"late and later"
    writer.join()
    os.close(out)


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="no /proc here")
def test_files_without_a_size_are_not_read_until_they_end():
    with pytest.raises(ValueError, match="it has more than the 0 bytes of its size"):
        read_bytes("/proc/self/stat")


def test_folders_and_dangling_links_are_told_by_the_system(tmp_path):
    (tmp_path / "folder.npz").mkdir()
    (tmp_path / "dangling.npz").symlink_to("nowhere")
    (tmp_path / "loop.npz").symlink_to("loop.npz")
    for name in ("folder", "dangling", "loop"):
        path = tmp_path / f"{name}.npz"
        with pytest.raises(OSError, match=name) as refusal:
            read_landscape(path)
        assert refusal.value.filename == str(path)


@pytest.mark.parametrize(
    "text", ["\x1b[31m", "\x9b", "\u202e", "\u2066", "\x07", "\x7f"]
)
def test_names_reach_no_terminal_as_they_are(tmp_path, text):
    path = tmp_path / f"a{text}.npz"
    path.write_bytes(b"nothing")
    for reading in (read_landscape, load):
        with pytest.raises(ValueError, match="not an npz archive") as refusal:
            reading(path)
        assert str(refusal.value).isprintable()
    with pytest.raises(ValueError, match=r"named \.json, \.npz") as refusal:
        write_landscape(WHOLE, f"a{text}")
    assert str(refusal.value).isprintable()
    with pytest.raises(ValueError, match="there is no folder") as refusal:
        check_writable(tmp_path / text / "a.npz")
    assert str(refusal.value).isprintable()
