"""npz archives: a zip of npy arrays, one of which holds a JSON header.

Nothing is ever unpickled. Sizes are compared with the file and with the available
memory before anything is allocated.
"""

import hashlib
import json
import math
import struct
import warnings
import zipfile
import zlib
from collections.abc import Mapping
from io import BytesIO
from typing import IO, Any

import numpy as np

from paretoball.formats.disk import (
    Misplaced,
    PathLike,
    atomic_write,
    read_bytes,
    refusing,
)
from paretoball.formats.headers import check_format, parsed_json
from paretoball.system import brief, check_memory, readable_bytes

HEADER = "header"  # the array that holds the JSON header, as bytes
PACKED = {"instance"}  # arrays that are npz archives, so not compressed again
COPIES = 3  # copies of an array in memory, at most, while it is read
TIGHTEST = 250  # archives of `write_npz` unpack to less than this times their size
HARMLESS = 1 << 24  # bytes: other archives are read if they unpack to at most this
DESCRIPTORS = {0, 12, 16, 20, 24}  # bytes after a member that a pipe has taken
MOST_DIMENSIONS = 3  # of arrays in any format
NPY_VERSIONS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
KINDS = "biuf"  # bool, int, unsigned, float: all that arrays may hold


def write_npz(
    path: PathLike,
    header: dict[str, Any],
    arrays: Mapping[str, np.ndarray],
    previous: PathLike | None = None,
) -> None:
    """Write arrays and a header; the same content always makes the same bytes."""
    atomic_write(path, lambda file: _write_members(file, header, arrays), previous)


def _write_members(
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
    """The bytes that `write_npz` would write."""
    file = BytesIO()
    _write_members(file, header, arrays)
    return file.getvalue()


def content_digest(header: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> str:
    """The SHA-256 of a header and arrays, in hexadecimal."""
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for name, array in sorted(arrays.items()):
        little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        digest.update(f"{name} {little.dtype.str} {little.shape}\n".encode())
        digest.update(little.data)
    return digest.hexdigest()


def read_npz(
    path: PathLike, format_name: str, version: int = 1
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The header and the arrays of an npz file, if it has this format."""
    content = read_bytes(path)
    with refusing(path):
        return parsed_npz(content, format_name, version)


def parsed_npz(
    content: bytes, format_name: str, *versions: int
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The header and the arrays of an npz archive, if it has this format."""
    arrays = _unpacked(content)
    if HEADER not in arrays:
        raise ValueError(f"it has no array {HEADER!r} with its format")
    try:
        header = parsed_json(content_of(HEADER, arrays.pop(HEADER)))
    except Misplaced as error:  # whose line is none of the file's
        raise ValueError(f"its header: {error}") from None
    check_format(header, format_name, *versions)
    return header, arrays


def content_of(name: str, array: np.ndarray) -> bytes:
    """The bytes that an array of bytes holds."""
    if array.dtype != np.uint8 or array.ndim != 1:
        raise TypeError(
            f"{name} is an array of {array.dtype} and shape {array.shape}, not of bytes"
        )
    return array.tobytes()


def _unpacked(content: bytes) -> dict[str, np.ndarray]:
    """The arrays in an npz archive, by name."""
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            members = archive.infolist()
            _check_nothing_else(content, archive)
            _check_size(len(content), sum(member.file_size for member in members))
            arrays = {each.filename: _unpacked_array(archive, each) for each in members}
    except (MemoryError, ValueError):
        raise
    except Exception as error:  # zipfile, zlib and numpy raise many kinds
        raise ValueError(f"it is not an npz archive, or damaged: {error}") from None
    if len(arrays) != len(members):
        raise ValueError("two of its arrays have the same name")
    return {name.removesuffix(".npy"): array for name, array in arrays.items()}


def _check_nothing_else(content: bytes, archive: zipfile.ZipFile) -> None:
    """Refuse bytes before, between or after the parts of a zip archive."""
    members = sorted(archive.infolist(), key=lambda each: each.header_offset)
    if archive.comment or any(each.comment for each in members):
        raise ValueError("its zip archive has a comment, where only arrays may be")
    if content[-22:-18] != b"PK\5\6" or content[-2:] != b"\0\0":
        raise ValueError("it has bytes after its zip archive")
    starts = [each.header_offset for each in members] + [archive.start_dir]
    if starts[0] != 0:
        raise ValueError("it has bytes before its zip archive")
    for member, following in zip(members, starts[1:]):
        lengths = struct.unpack_from("<HH", content, member.header_offset + 26)
        end = member.header_offset + 30 + sum(lengths) + member.compress_size
        if following - end not in (DESCRIPTORS if member.flag_bits & 8 else {0}):
            name = brief(member.filename)
            raise ValueError(f"it has bytes after its member {name} that are of none")


def _check_size(packed: int, size: int) -> None:
    """Refuse an archive of `packed` bytes that unpacks to too many, `size` bytes."""
    check_memory(f"to read an archive of {readable_bytes(size)} takes", COPIES * size)
    if size > max(HARMLESS, TIGHTEST * packed):
        raise ValueError(
            f"it has {readable_bytes(packed)}, but unpacks to {readable_bytes(size)}: "
            f"more than {TIGHTEST} times as much"
        )


def _unpacked_array(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> np.ndarray:
    """One array of the archive, in this machine's byte order."""
    name = info.filename
    if not name.endswith(".npy"):
        raise ValueError(f"its member {brief(name)} is not a .npy array")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"its member {name!r} is neither stored nor deflated")
    with archive.open(info) as member:
        shape, fortran, dtype = _npy_header(member, name)
        if dtype.kind not in KINDS:
            raise ValueError(f"its member {name!r} holds {dtype}, not numbers")
        if len(shape) > MOST_DIMENSIONS:
            raise ValueError(f"its member {name!r} has {len(shape)} dimensions")
        declared = math.prod(shape) * dtype.itemsize
        present = info.file_size - member.tell()
        if declared != present or min(shape, default=0) < 0:
            raise ValueError(
                f"its member {name!r} says shape {brief(shape)} of {dtype}, "
                f"{min(declared, 2**64)} bytes, but has {present}"
            )
        data = member.read(present)  # no more, even if there is more
    if dtype.kind == "b" and max(data, default=0) > 1:
        raise ValueError(f"its member {name!r} holds a bool that is not 0 or 1")
    array = np.frombuffer(data, dtype).reshape(shape, order="F" if fortran else "C")
    return array.astype(dtype.newbyteorder("="))


def _npy_header(member: IO[bytes], name: str) -> tuple[tuple[int, ...], bool, np.dtype]:
    """Shape, whether the order is Fortran's, and dtype of an npy array."""
    start = member.read(8)
    if len(start) < 8 or not start.startswith(b"\x93NUMPY"):
        raise ValueError(f"its member {name!r} lacks the magic bytes of a .npy array")
    version = (start[6], start[7])
    if version not in NPY_VERSIONS:
        raise ValueError(
            f"its member {name!r} has npy version {version}, not (1, 0) or (2, 0)"
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a header that numpy warns of is refused
            return NPY_VERSIONS[version](member)
    except (zipfile.BadZipFile, zlib.error):
        raise
    except Exception:  # numpy and Python's parser have many, in words of their own
        raise ValueError(
            f"its member {name!r} has an npy header that does not tell the shape, "
            "the order and the type of an array"
        ) from None
