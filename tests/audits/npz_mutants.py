"""Mutants of npz archives: their headers, their arrays, or what the zip says of them.

The zip is written anew, so that nothing but the content is wrong with it; or it tells
lies, but on purpose.
"""

import ast
import io
import json
import struct
import warnings
import zlib
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from mutants import REALS, WHOLES, Stream, one_of, spoiled_json

STORED, DEFLATED = 0, 8
MIB = 1 << 20
BOMBS = [20 * MIB, 100 * MIB, 2048 * MIB]  # bytes of zeros
NUMBERS = "biuf"
NO_NUMBERS = [float("nan"), float("inf"), float("-inf")]

DTYPES = ["<i8", ">i8", "<i4", "<i2", "|i1", "<u8", "|u1", "|b1", "<f8", ">f8", "<f4"]
DTYPES += ["<f2", "<f16", "<c16", "<U3", "|S5"]
SHAPES: list[Callable[[np.ndarray], np.ndarray]] = [
    lambda array: array.reshape(-1, 1),
    lambda array: array.reshape(1, -1),
    lambda array: array.reshape(-1),
    lambda array: array.reshape(-1)[0],
    lambda array: array[:0],
    lambda array: array[:-1],
    lambda array: array[1:],
    lambda array: np.concatenate([array, array]),
    lambda array: np.concatenate([array, array[-1:]]),
    lambda array: array.T,
    lambda array: np.asfortranarray(array),
    lambda array: array.reshape(-1).view(np.uint8),
]
LIES: dict[str, list[str]] = {  # what an array may say of itself
    "shape": [
        *("()", "(0,)", "(-1,)", "(-3, -1)", "(1000000000000,)", f"({2**61},)"),
        *(f"({2**64 + 1},)", f"(0, {10**30})", "(1.0,)", "(True,)", "(3L,)", "3"),
        *("None", "[3]", "(" * 200 + ")" * 200, "(" * 4000, "(3 (4))", "('a',)"),
        *(f"({'1, ' * 70})", "(0or 1,)", "(3,) * 9", "(10**9,)", "('\\d',)"),
    ],
    "descr": [
        *("'|O'", "'<U2'", "'nonsense'", "''", "None", "'<i99999999999'", "8", "'|S0'"),
        *("[('a', '<i8')]", "('<i8', (2,))", "'<i8,<i8'", "[]", "'<f16'", "'|V8'"),
        *("'>u8'", "'<M8[ns]'", "'=i8'", "('<i8', (1000000000000,))", "'|b1'", "'int'"),
    ],
    "fortran_order": ["True", "False", "1", "None", "'no'", "()"],
}


class Member(NamedTuple):
    """A member of a zip archive, and what the archive says of it."""

    name: bytes
    packed: bytes
    size: int  # of what it unpacks to
    crc: int
    method: int = DEFLATED
    flags: int = 0
    offset: int = 0  # added to the place where it really is


def spoiled_npz(content: bytes, rng: Stream) -> bytes:
    """An archive after a few changes to its header, its arrays, or its directory."""
    members = unzipped(content)
    change = one_of(rng, [with_spoiled_header, without_digest, without_digest])
    members = [
        change(each, rng) if each.name == b"header.npy" else each for each in members
    ]
    ways = [with_spoiled_values] * 6 + [with_spoiled_shape] * 3
    ways += [with_lies] * 3 + [with_wrong_directory] * 2 + [bomb]
    for _ in range(one_of(rng, [1, 1, 1, 2]) - (change is with_spoiled_header)):
        at = int(rng.integers(len(members)))
        if rng.random() < 0.8:
            members[at] = one_of(rng, ways)(members[at], rng)
        else:
            members = spoiled_members(members, at, rng)
    return zipped(members)


# --- Archives, read and written.


def unzipped(content: bytes) -> list[Member]:
    """The members of a sound archive."""
    with np.load(io.BytesIO(content)) as arrays:
        return [packed(f"{name}.npy".encode(), npy(arrays[name])) for name in arrays]


def zipped(members: list[Member]) -> bytes:
    """An archive that says of its members what they say of themselves."""
    body, directory = b"", b""
    for each in members:
        sizes = (each.crc & 0xFFFFFFFF, len(each.packed), each.size & 0xFFFFFFFF)
        about = (20, each.flags, each.method, 0, 0, *sizes, len(each.name), 0)
        offset = (len(body) + each.offset) & 0xFFFFFFFF
        directory += struct.pack("<4s6H3I2H", b"PK\1\2", 20, *about)
        directory += struct.pack("<3H2I", 0, 0, 0, 0, offset) + each.name
        body += struct.pack("<4s5H3I2H", b"PK\3\4", *about) + each.name + each.packed
    count = len(members)
    end = (0, 0, count, count, len(directory), len(body), 0)
    return body + directory + struct.pack("<4s4H2IH", b"PK\5\6", *end)


def packed(name: bytes, content: bytes, method: int = DEFLATED) -> Member:
    """A sound member."""
    body = content
    if method == DEFLATED:
        squeeze = zlib.compressobj(6, zlib.DEFLATED, -15)
        body = squeeze.compress(content) + squeeze.flush()
    return Member(name, body, len(content), zlib.crc32(content), method)


def npy(array: np.ndarray, **said: str) -> bytes:
    """An array as a npy file, whose header may be told what to say."""
    fields = {
        key: said.get(key, repr(value))
        for key, value in np.lib.format.header_data_from_array_1_0(array).items()
    }
    text = ", ".join(f"'{key}': {value}" for key, value in fields.items())
    header = f"{{{text}, }}".encode().ljust(117) + b"\n"
    content = array.tobytes("F" if fields["fortran_order"] == "True" else "C")
    if array.dtype.str == "<f16":
        content = without_padding(content)
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + content


def without_padding(content: bytes) -> bytes:
    """Extended floats of 10 bytes in 16, with zeros in place of whatever is behind."""
    rows = np.frombuffer(content, np.uint8).reshape(-1, 16).copy()
    rows[:, 10:] = 0
    return rows.tobytes()


def array_of(member: Member) -> np.ndarray:
    """The array in a member; an empty one where that is spoiled already."""
    try:
        content = member.packed
        if member.method == DEFLATED:
            content = zlib.decompressobj(-15).decompress(content, 16 * MIB)
        length = 10 + struct.unpack("<H", content[8:10])[0]
        said = ast.literal_eval(content[10:length].decode().strip())
        array = np.frombuffer(content[length:], said["descr"])
        order = "F" if said["fortran_order"] else "C"
        return array.reshape(said["shape"], order=order).copy()
    except Exception:  # whatever was done to it
        return np.zeros(0, np.int64)


# --- What can be done to a member.


def with_spoiled_header(member: Member, rng: Stream) -> Member:
    """The JSON header, spoiled."""
    text = spoiled_json(json.loads(array_of(member).tobytes()), rng)
    return packed(member.name, npy(np.frombuffer(text, np.uint8)))


def without_digest(member: Member, _: Stream) -> Member:
    """The JSON header without the digest that would tell."""
    header = json.loads(array_of(member).tobytes())
    header.pop("digest", None)
    text = json.dumps(header).encode()
    return packed(member.name, npy(np.frombuffer(text, np.uint8)))


def with_spoiled_values(member: Member, rng: Stream) -> Member:
    """Other numbers in an array of the same shape."""
    array = array_of(member)
    if array.dtype.kind not in NUMBERS or array.size == 0:
        return member
    flat = array.reshape(-1).copy()
    for _ in range(int(rng.integers(1, 4))):
        at = int(rng.integers(len(flat)))
        extremes = WHOLES + (REALS + NO_NUMBERS if array.dtype.kind == "f" else [])
        value = converted(np.array(one_of(rng, extremes)), array.dtype)
        way = one_of(rng, ["one", "one", "near", "rest", "byte", "order", "wrap"])
        if way == "one":
            flat[at] = value
        elif way == "near" and array.dtype.kind in "iu":
            flat[at] ^= 1
        elif way == "rest":
            flat[at:] = value
        elif way == "byte":
            flat.view(np.uint8)[at] = rng.integers(256)
        elif way == "order":
            rng.shuffle(flat)
        elif array.dtype == np.int64 and len(flat) > 3:
            flat[1:3] = [2**63 - 1, -2]  # it falls, but differences wrap to rises
    return packed(member.name, npy(flat.reshape(array.shape)), member.method)


def with_spoiled_shape(member: Member, rng: Stream) -> Member:
    """The same numbers, more or less, in another shape or of another dtype."""
    array = array_of(member)
    if array.dtype.kind not in NUMBERS or array.size == 0:
        return member
    if rng.random() < 0.5 or array.ndim == 0:
        changed = converted(array, one_of(rng, DTYPES))
    else:
        changed = np.asarray(one_of(rng, SHAPES)(array))
    return packed(member.name, npy(changed), one_of(rng, [STORED, DEFLATED]))


def converted(array: np.ndarray, dtype: Any) -> np.ndarray:
    """The array as another dtype, whatever is lost by that."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return array.astype(dtype)


def with_lies(member: Member, rng: Stream) -> Member:
    """An array whose header says what is not so, or is no header at all."""
    field = one_of(rng, list(LIES))
    content = npy(array_of(member), **{field: one_of(rng, LIES[field])})
    if rng.random() < 0.2:
        version = one_of(rng, [b"\2\0", b"\3\0", b"\1\1", b"\1\0\xff\xff", b""])
        content = content[:6] + version + content[8:]
    return packed(member.name, content, member.method)


def with_wrong_directory(member: Member, rng: Stream) -> Member:
    """A member of which the archive says what is not so."""
    changes: list[dict[str, Any]] = [
        {"size": one_of(rng, WHOLES)},
        {"size": member.size + int(rng.integers(-3, 4))},
        {"crc": one_of(rng, WHOLES)},
        {"method": one_of(rng, [STORED, DEFLATED, 1, 9, 12, 14, 99])},
        {"flags": one_of(rng, [1, 8, 32, 64, 0x800, 0xFFFF])},
        {"offset": one_of(rng, [1, -1, 100, -100, 2**31])},
        {"name": one_of(rng, [b"", b"../a.npy", b"\xff\0.npy", b"a\nb.npy", b"F.npy"])},
        {"packed": member.packed[: len(member.packed) // 2]},
        {"packed": member.packed + b"more"},
    ]
    return member._replace(**one_of(rng, changes))


def bomb(member: Member, rng: Stream) -> Member:
    """A small member that unpacks to a lot of zeros, or that says it does."""
    size = one_of(rng, BOMBS)
    said = one_of(rng, [size, size, 80_000])
    dtype = np.dtype(one_of(rng, ["|u1", "<i8"]))
    head = npy(np.zeros(0, dtype), shape=f"({said // dtype.itemsize},)")
    squeeze = zlib.compressobj(6, zlib.DEFLATED, -15)
    body = squeeze.compress(head) + squeeze.flush(zlib.Z_FULL_FLUSH)
    body += deflated_zeros() * one_of(rng, [size // MIB, size // MIB, 1]) + b"\3\0"
    return Member(member.name, body, len(head) + said, crc=0)


@cache
def deflated_zeros() -> bytes:
    """A MiB of zeros, deflated so that it can be repeated."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    return squeeze.compress(bytes(MIB)) + squeeze.flush(zlib.Z_FULL_FLUSH)


def spoiled_members(members: list[Member], at: int, rng: Stream) -> list[Member]:
    """The members with one removed, repeated, renamed, swapped, or moved."""
    one, other = members[at], one_of(rng, members)
    rest = members[:at] + members[at + 1 :]
    ways = [
        rest if rest else members,
        [*members, one],
        [*members, one._replace(name=b"more.npy")],
        [one._replace(name=other.name), *members],
        [*rest, one._replace(name=other.name)],
        [*rest, other._replace(name=one.name)],
        [*rest, one._replace(name=one.name.removesuffix(b".npy"))],
        [*rest, packed(one.name, npy(array_of(one)), STORED)],
    ]
    return one_of(rng, ways)
