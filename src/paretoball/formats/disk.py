"""The disk: files written whole or not at all, and checked when read.

Sizes are compared with the available memory before anything is read. Every error about
a file is one line that starts with its path.
"""

import glob
import os
import secrets
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from paretoball.system import check_memory, readable_bytes

ABANDONED = 60.0  # seconds without a change after which a temporary file is removed
COPIES = 3  # copies of a file in memory, at most, while it is read

PathLike = str | os.PathLike[str]


class OtherVersion(ValueError):
    """A file is not damaged, but has another version than the one asked for."""


def atomic_write(
    path: PathLike,
    write: Callable[[IO[bytes]], object],
    previous: PathLike | None = None,
) -> None:
    """Replace the file at `path` by what `write` writes, whole or not at all.

    If `previous` is given, the old file is kept under that name. If writing fails, or
    the process or the machine stops, `path` is either the old file or the new one.
    """
    target = Path(os.path.realpath(path))
    temporary = _temporary_name(target)
    try:
        with open(temporary, "xb") as file:
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


def _temporary_name(target: Path) -> Path:
    """A new name for a temporary file in the target's folder, with its name in it."""
    return target.with_name(f".{target.name[:99]}.{secrets.token_hex(8)}.tmp")


def sweep(path: PathLike) -> None:
    """Remove temporary files of processes that were killed while writing this file."""
    target = Path(os.path.realpath(path))
    for left in target.parent.glob(f".{glob.escape(target.name[:99])}.*.tmp"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > ABANDONED:
                left.unlink()


def check_writable(path: PathLike) -> None:
    """Refuse a path that cannot be written, before the work begins."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise ValueError(f"{path}: it is a folder")
    if not target.parent.is_dir():
        raise ValueError(f"{path}: there is no folder {target.parent}")
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


def read_bytes(path: PathLike, copies: int = COPIES) -> bytes:
    """The content of a file, if `copies` of it fit in memory."""
    with open(path, "rb") as file, refusing(path):
        size = os.fstat(file.fileno()).st_size
        check_memory(f"to read a file of {readable_bytes(size)} takes", copies * size)
        return file.read()


@contextmanager
def refusing(path: PathLike) -> Iterator[None]:
    """Turn errors about the content of a file into one line that names the file."""
    try:
        yield
    except MemoryError as error:
        raise MemoryError(f"{path}: {str(error) or 'no memory is left'}") from None
    except RecursionError:
        raise ValueError(f"{path}: it is nested too deeply") from None
    except (ValueError, TypeError, OverflowError) as error:
        kind = OtherVersion if isinstance(error, OtherVersion) else ValueError
        raise kind(f"{path}: {' '.join(str(error).split())}") from None
