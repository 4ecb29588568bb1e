"""Storage: bytes to disk whole or not at all, and back without trust.

Nothing is ever unpickled. Sizes are compared with the file and with the memory there
is before anything is allocated, and every refusal is one line that starts with the
path. An npz file here is a zip of npy arrays, one of which holds a JSON header.
"""

import glob
import hashlib
import json
import math
import os
import secrets
import tempfile
import time
import warnings
import zipfile
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import IO, Any

import numpy as np

from paretoball.memory import available_memory, readable_bytes
from paretoball.subfunctions import brief

HEADER = "header"  # the array that holds the JSON header, as bytes
PACKED = {"instance"}  # arrays that are npz archives themselves, not to pack again
ABANDONED = 60.0  # seconds after which nobody is at work on a temporary file any more
COPIES = 3  # of an array, at most, while it is read
TIGHTEST = 250  # times its size: what `write_npz` makes never unpacks to as much,
HARMLESS = 1 << 24  # and no archive that does may unpack to more bytes than this
KINDS = "biuf"  # bool, int, unsigned, float: all that arrays may hold
IN_WORDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a finite number",
    str: "a text",
    list: "a list",
    dict: "an object",
}

PathLike = str | os.PathLike[str]


class OtherVersion(ValueError):
    """A file is whole, but not of the version that was asked for."""


def atomic_write(
    path: PathLike,
    write: Callable[[IO[bytes]], object],
    previous: PathLike | None = None,
) -> None:
    """Make `path` what `write` writes, or leave what was there before.

    What was there is kept as `previous`, if that is given. Whatever fails, and whenever
    the process or the machine stops, `path` is the old or the new file, whole.
    """
    target = Path(os.path.realpath(path))
    temporary = temporary_name(target)
    try:
        with open(temporary, "xb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        if previous is not None and target.exists():
            keep(target, target.with_name(Path(previous).name))
        os.replace(temporary, target)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno is not None:
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise
    sync_folder(target.parent)


def temporary_name(target: Path) -> Path:
    """A new name beside a file that shows whose it is."""
    return target.with_name(f".{target.name[:99]}.{secrets.token_hex(8)}.tmp")


def sweep(path: PathLike) -> None:
    """Remove what processes that were killed while they wrote this file have left."""
    target = Path(os.path.realpath(path))
    for left in target.parent.glob(f".{glob.escape(target.name[:99])}.*.tmp"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > ABANDONED:
                left.unlink()


def check_writable(path: PathLike) -> None:
    """Refuse now, and not after the work, a file that could not be written."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise ValueError(f"{path}: it is a folder")
    if not target.parent.is_dir():
        raise ValueError(f"{path}: there is no folder {target.parent}")
    with tempfile.TemporaryFile(dir=target.parent):
        pass


def keep(target: Path, previous: Path) -> None:
    """Give a file a second name; where it can have only one, that one instead."""
    link = temporary_name(target)
    try:
        os.link(target, link)
    except OSError:
        os.replace(target, previous)
        return
    try:
        os.replace(link, previous)
    finally:  # where both name the same file already, the system renames nothing
        link.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Let a rename outlast a power cut, on file systems that can."""
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
        check_memory(f"a file of {readable_bytes(size)}", copies * size)
        return file.read()


def write_npz(
    path: PathLike,
    header: dict[str, Any],
    arrays: Mapping[str, np.ndarray],
    previous: PathLike | None = None,
) -> None:
    """Write arrays and a header; the same content always makes the same bytes."""
    atomic_write(path, lambda file: write_members(file, header, arrays), previous)


def write_members(
    file: IO[bytes], header: dict[str, Any], arrays: Mapping[str, np.ndarray]
) -> None:
    """Write an npz archive of a header and arrays."""
    text = json.dumps(header, allow_nan=False).encode()
    members = {HEADER: np.frombuffer(text, np.uint8), **arrays}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, array in members.items():
            little = array.astype(array.dtype.newbyteorder("<"), copy=False)
            stored = name in PACKED
            archive.compression = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, little, allow_pickle=False)


def packed_npz(header: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> bytes:
    """What `write_npz` writes, to travel."""
    file = BytesIO()
    write_members(file, header, arrays)
    return file.getvalue()


def content_digest(header: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> str:
    """A name for all that an npz archive holds: SHA-256, in hexadecimal."""
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for name, array in sorted(arrays.items()):
        little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        digest.update(f"{name} {little.dtype.str} {little.shape}\n".encode())
        digest.update(little.data)
    return digest.hexdigest()


def read_npz(
    path: PathLike, format_name: str, version: int = 1
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The header and the arrays of an npz file that says it has this format."""
    content = read_bytes(path)
    with refusing(path):
        return parsed_npz(content, format_name, version)


def parsed_npz(
    content: bytes, format_name: str, version: int = 1
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The header and the arrays of an npz archive that says it has this format."""
    arrays = unpacked(content)
    if HEADER not in arrays:
        raise ValueError(f"it has no array {HEADER!r} that says what it is")
    header = parsed_json(arrays.pop(HEADER).tobytes())
    check_format(header, format_name, version)
    return header, arrays


@contextmanager
def refusing(path: PathLike) -> Iterator[None]:
    """Refuse a file for whatever is wrong with its content, in one line."""
    try:
        yield
    except MemoryError as error:
        raise MemoryError(f"{path}: {str(error) or 'no memory is left'}") from None
    except RecursionError:
        raise ValueError(f"{path}: it is nested too deeply") from None
    except (ValueError, TypeError, OverflowError) as error:
        kind = OtherVersion if isinstance(error, OtherVersion) else ValueError
        raise kind(f"{path}: {' '.join(str(error).split())}") from None


def check_memory(what: str, needed: int) -> None:
    """Refuse to read what does not fit in memory."""
    if needed > available_memory():
        raise MemoryError(
            f"{what} takes {readable_bytes(needed)} to read, "
            f"but {readable_bytes(available_memory())} are free"
        )


def unpacked(content: bytes) -> dict[str, np.ndarray]:
    """The arrays in an npz archive, by name."""
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            members = archive.infolist()
            check_size(len(content), sum(member.file_size for member in members))
            arrays = {each.filename: unpacked_array(archive, each) for each in members}
    except (MemoryError, ValueError):
        raise
    except Exception as error:  # zipfile, zlib and numpy raise many kinds
        raise ValueError(f"it is not an npz archive, or damaged: {error}") from None
    if len(arrays) != len(members):
        raise ValueError("two of its arrays have the same name")
    return {name.removesuffix(".npy"): array for name, array in arrays.items()}


def check_size(packed: int, size: int) -> None:
    """An archive of `packed` bytes unpacks to `size` bytes, which fit in memory."""
    check_memory(f"an archive of {readable_bytes(size)}", COPIES * size)
    if size > max(HARMLESS, TIGHTEST * packed):
        raise ValueError(
            f"it has {readable_bytes(packed)}, but unpacks to {readable_bytes(size)}: "
            f"more than {TIGHTEST} times as much"
        )


def unpacked_array(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> np.ndarray:
    """One array of the archive, in this machine's byte order."""
    name = info.filename
    if not name.endswith(".npy"):
        raise ValueError(f"its member {name!r} is not a .npy array")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"its member {name!r} is neither stored nor deflated")
    with archive.open(info) as member:
        shape, fortran, dtype = npy_header(member)
        if dtype.kind not in KINDS:
            raise ValueError(f"its member {name!r} holds {dtype}, not numbers")
        declared = math.prod(shape) * dtype.itemsize
        present = info.file_size - member.tell()
        if declared != present or min(shape, default=0) < 0:
            raise ValueError(
                f"its member {name!r} says shape {shape} of {dtype}, {declared} bytes, "
                f"but has {present}"
            )
        data = member.read(present)  # and no more, whatever there is
    if dtype.kind == "b" and max(data, default=0) > 1:
        raise ValueError(f"its member {name!r} holds what is neither true nor false")
    array = np.frombuffer(data, dtype).reshape(shape, order="F" if fortran else "C")
    return array.astype(dtype.newbyteorder("="))


def npy_header(member: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype]:
    """Shape, whether in Fortran's order, and dtype of a npy array."""
    version = np.lib.format.read_magic(member)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # what numpy or Python's parser doubts is wrong
        if version == (1, 0):
            return np.lib.format.read_array_header_1_0(member)
        if version == (2, 0):
            return np.lib.format.read_array_header_2_0(member)
    raise ValueError(f"npy version {version} is neither (1, 0) nor (2, 0)")


def parsed_json(content: bytes) -> Any:
    """What a JSON text says; no object may have a key twice."""
    try:
        return json.loads(content.decode(), object_pairs_hook=distinct)
    except ValueError as error:
        raise ValueError(f"it is not JSON: {error}") from None


def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, if its keys differ."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"an object has the key {brief(key)} twice")
        found[key] = value
    return found


def check_format(header: Any, format_name: str, version: int) -> None:
    """The header is an object that says this format and version."""
    if not isinstance(header, dict):
        raise TypeError(f"it holds {brief(header)}, not a JSON object")
    found = header.get("format")
    if found != format_name:
        raise ValueError(f"its format is {brief(found)}, not {format_name!r}")
    found = header.get("version")
    if type(found) is not int or found != version:
        raise OtherVersion(
            f"it has version {brief(found)} of the format {format_name!r}, "
            f"but only version {version} is known"
        )


def check_keys(
    found: Any, where: str, required: set[str], optional: Set[str] = frozenset()
) -> None:
    """An object (or a set of arrays) has the keys it needs, and no others."""
    if not isinstance(found, dict):
        raise TypeError(f"{where} is {brief(found)}, not a JSON object")
    for key in sorted(required - found.keys()):
        raise ValueError(f"{where} lacks {key!r}")
    for key in sorted(found.keys() - required - optional):
        known = ", ".join(sorted(required | optional))
        raise ValueError(f"{where} has {brief(key)}, which is none of {known}")


def check_kind(header: dict[str, Any], key: str, kind: type) -> None:
    """The value at `key` is of this kind; a float may be written as an int."""
    value = header[key]
    fits = type(value) is kind or (kind is float and type(value) is int)
    if not fits or (kind is float and not math.isfinite(value)):
        raise TypeError(f"{key} is {brief(value)}, not {IN_WORDS[kind]}")
