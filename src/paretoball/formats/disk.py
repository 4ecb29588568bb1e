"""The disk: files written whole or not at all, and checked when read.

Sizes are compared with the available memory before anything is read. Every error about
a file is one line that starts with its path. A lock keeps two processes apart that
would write the same file.
"""

import errno
import glob
import os
import secrets
import socket
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from paretoball.landscape import TooHighDegree
from paretoball.system import (
    available_memory,
    brief,
    check_memory,
    printable,
    readable_bytes,
    refuse_memory,
)

ABANDONED = 60.0  # seconds without a change after which a temporary file is removed
COPIES = 3  # copies of a file in memory, at most, while it is read
KEPT = 55  # letters of a name that a temporary one has: names end at 255 bytes
CHUNK = 1 << 20  # bytes that are read from a pipe at a time

PathLike = str | os.PathLike[str]


class OtherVersion(ValueError):
    """A file is not damaged, but has another version than the one asked for."""


class Misplaced(ValueError):
    """Something in a text is wrong; `line` counts from 0.

    So does `before`, another line, which is told where `what` has `{before}`.
    """

    def __init__(self, line: int, what: str, before: int | None = None):
        told = what if before is None else what.replace("{before}", str(before + 1))
        super().__init__(told)
        self.line, self.before = line, before
        self.what = what


def atomic_write(
    path: PathLike,
    write: Callable[[IO[bytes]], object],
    previous: PathLike | None = None,
) -> None:
    """Replace the file at `path` by what `write` writes, whole or not at all.

    If `previous` is given, the old file is kept under that name. If writing fails, or
    the process or the machine stops, `path` is either the old file or the new one. The
    new one has the permissions of the old one.
    """
    check_ordinary(path)
    target = Path(os.path.realpath(path))
    temporary = _temporary_name(target)
    before = os.stat(target) if target.exists() else None
    try:
        with open(temporary, "xb", opener=before and _opened_in_private) as file:
            if before is not None:
                _permit(temporary, before)
            write(file)
            file.flush()
            os.fsync(file.fileno())
        if previous is not None and target.exists():
            _keep(target, target.with_name(Path(previous).name))
        os.replace(temporary, target)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno is not None:
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise
    _sync_folder(target.parent)


def _opened_in_private(path: str, flags: int) -> int:
    """Open a new file that only its owner may read."""
    return os.open(path, flags, stat.S_IRUSR | stat.S_IWUSR)


def _permit(path: Path, before: os.stat_result) -> None:
    """Give a file the permissions of another; its owner, too, if that is allowed."""
    with suppress(OSError, AttributeError):  # not allowed, or a system without owners
        os.chown(path, before.st_uid, before.st_gid)
    os.chmod(path, stat.S_IMODE(before.st_mode))


def _temporary_name(target: Path) -> Path:
    """A new name for a temporary file in the target's folder, with its name in it."""
    return target.with_name(f".{target.name[:KEPT]}.{secrets.token_hex(8)}.tmp")


def sweep(path: PathLike) -> None:
    """Remove temporary files of processes that were killed while writing this file."""
    target = Path(os.path.realpath(path))
    for left in target.parent.glob(f".{glob.escape(target.name[:KEPT])}.*.tmp"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > ABANDONED:
                left.unlink()


def check_writable(path: PathLike) -> None:
    """Refuse a path that cannot be written, before the work begins."""
    check_ordinary(path)
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise ValueError(f"{printable(str(path))}: it is a folder")
    if not target.parent.is_dir():
        missing = printable(f"{path}: there is no folder {target.parent}")
        raise ValueError(missing)
    with tempfile.TemporaryFile(dir=target.parent):
        pass


def _keep(target: Path, previous: Path) -> None:
    """Give a file a second name; on file systems without links, rename it."""
    link = _temporary_name(target)
    try:
        os.link(target, link)
    except OSError:
        os.replace(target, previous)
        return
    try:
        os.replace(link, previous)
    finally:  # where both name the same file already, the system renames nothing
        link.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Make a rename survive a power cut, on file systems that support it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def check_ordinary(path: PathLike) -> None:
    """Refuse a device, a named pipe or a socket, if one is there, without opening it.

    A pipe without a name, such as that of `<(command)` in a shell, may be read.
    """
    check_is_path(path)
    with suppress(FileNotFoundError):
        _check_mode(path, os.stat(path).st_mode)


def check_is_path(path: Any) -> None:
    """Refuse what is no path: a number would be taken for an open file."""
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"{brief(path)} is not the path of a file")
    if not os.fspath(path):
        raise ValueError("'' is not the path of a file: it is empty")


@contextmanager
def locked(lock: Path, path: PathLike, what: str) -> Iterator[None]:
    """Let no other process into this context, for which the file `lock` stands.

    It names the process that has it, and is removed at the end. The lock ends with the
    process. If the system or the disk has no such locks, nothing is locked.
    """
    check_ordinary(lock)
    handle = _taken(lock)
    if handle is None:
        who = printable(_content_of(lock))
        raise ValueError(
            f"{printable(str(path))}: another process is at work on this {what}{who}"
        )
    try:
        with suppress(OSError):  # a full disk keeps it from its name, but not the lock
            os.ftruncate(handle, 0)
            os.write(handle, f": {os.getpid()} on {socket.gethostname()}".encode())
        yield
    finally:
        with suppress(OSError):  # who waits for this file sees that it is gone
            lock.unlink()
        with suppress(OSError, ImportError):
            _flock(handle, "LOCK_UN")  # for processes, too, that have inherited it
        os.close(handle)


def _taken(lock: Path) -> int | None:
    """The file of a lock, open and locked; None if another process has it."""
    flags = os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    while True:
        handle = os.open(lock, flags, 0o666)
        try:
            _flock(handle, "LOCK_EX", "LOCK_NB")
        except BlockingIOError:
            os.close(handle)
            return None
        except (OSError, ImportError):  # there are no locks here
            return handle
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(handle), os.stat(lock)):
                return handle
        os.close(handle)  # it was removed by the process that had it


def _flock(handle: int, *how: str) -> None:
    """Lock or unlock a file; ImportError on a system without such locks."""
    import fcntl

    fcntl.flock(handle, sum(getattr(fcntl, name) for name in how))


def _content_of(lock: Path) -> str:
    """What a lock says of the process that has it; nothing if that cannot be read."""
    try:
        return lock.read_bytes()[:200].decode(errors="replace")
    except OSError:
        return ""


def _check_mode(path: PathLike, mode: int) -> None:
    """Refuse what is neither a file, a folder nor a pipe without a name."""
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        kind = "a device"
    elif stat.S_ISSOCK(mode):
        kind = "a socket"
    elif stat.S_ISFIFO(mode) and os.path.exists(os.path.realpath(path)):
        kind = "a named pipe"
    else:
        return
    raise OSError(errno.EINVAL, f"it is {kind}, not a file", str(path))


def read_bytes(path: PathLike, copies: int = COPIES) -> bytes:
    """The content of a file, if `copies` of it fit in memory."""
    check_ordinary(path)
    with open(path, "rb", opener=_opened_at_once) as file, refusing(path):
        found = os.fstat(file.fileno())
        _check_mode(path, found.st_mode)
        if stat.S_ISFIFO(found.st_mode):
            os.set_blocking(file.fileno(), True)
            return _read_pipe(file, copies)
        size = found.st_size
        check_memory(f"to read a file of {readable_bytes(size)} takes", copies * size)
        content = file.read(size + 1) or b""
        if len(content) > size:
            raise ValueError(f"it has more than the {size} bytes of its size")
        return content


def _opened_at_once(path: str, flags: int) -> int:
    """Open a file without waiting for anybody; whatever it is by now."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _read_pipe(file: IO[bytes], copies: int) -> bytes:
    """All that comes through a pipe, as long as `copies` of it fit in memory."""
    limit, chunks, size = available_memory() // copies, list[bytes](), 0
    while chunk := file.read(CHUNK):
        chunks.append(chunk)
        size += len(chunk)
        if size > limit:
            came = f"to read more than {readable_bytes(size)} from a pipe takes"
            refuse_memory(came, copies * size)
    return b"".join(chunks)


@contextmanager
def refusing(path: PathLike) -> Iterator[None]:
    """Turn errors about the content of a file into one line that names the file."""
    name = printable(str(path))
    try:
        yield
    except MemoryError as error:
        raise MemoryError(f"{name}: {str(error) or 'no memory is left'}") from None
    except RecursionError:
        raise ValueError(f"{name}: it is nested too deeply") from None
    except (ValueError, TypeError, OverflowError) as error:
        kinds = (OtherVersion, TooHighDegree)
        kind = type(error) if isinstance(error, kinds) else ValueError
        where = f"{name}:{error.line + 1}" if isinstance(error, Misplaced) else name
        raise kind(f"{where}: {printable(' '.join(str(error).split()))}") from None
