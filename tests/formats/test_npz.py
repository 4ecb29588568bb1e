"""npz archives: arrays come back, and nothing else gets in."""

import io
import os
import pickle
import struct
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from landscape_files import (
    WHOLE,
    assert_same,
    int64,
    member_bytes,
    npz_of,
    refused,
    with_member,
)
from paretoball import Landscape, read_landscape, write_landscape
from paretoball.formats.native_npz import packed_landscape, unpacked_landscape
from paretoball.formats.npz import (
    COPIES,
    HARMLESS,
    TIGHTEST,
    _check_size,
    content_digest,
    read_npz,
    write_npz,
)
from paretoball.system import capped

MASKS = int64(2, 0, 1)


BAD_MEMBERS = [
    ("masks.npy", None, "the archive lacks 'masks'"),
    ("header.npy", None, "has no array 'header'"),
    (
        "header.npy",
        member_bytes(np.frombuffer(b"{]", np.uint8)),
        "its header: it is not JSON",
    ),
    ("header.npy", member_bytes(np.frombuffer(b"[1]", np.uint8)), "not a JSON object"),
    ("header.npy", member_bytes(np.zeros((1, 2), np.uint8)), r"shape \(1, 2\), not of"),
    ("header.npy", member_bytes(int64(8315161591)), "header is an array of int64"),
    (
        "header.npy",
        member_bytes(np.frombuffer(b'{"n":1,"n":1}', np.uint8)),
        "key 'n' twice",
    ),
    ("masks.txt", b"2 0 1", "its member 'masks.txt' is not a .npy array"),
    ("masks.npy", b"", "'masks.npy' lacks the magic bytes"),
    ("masks.npy", b"\x93NUMPY\x01\x00", "'masks.npy' has an npy header that does"),
    ("masks.npy", b"\x93NUMPY\x03\x00" + bytes(100), r"npy version \(3, 0\)"),
    ("masks.npy", pickle.dumps([2, 0, 1]), "magic"),
    (
        "masks.npy",
        member_bytes(MASKS, shape=(10**12,)),
        r"shape \(1000000000000,\) of int64, 8000000000000 bytes, but has 24",
    ),
    ("masks.npy", member_bytes(MASKS, shape=(2,)), "16 bytes, but has 24"),
    ("masks.npy", member_bytes(MASKS, shape=(-3, -1)), r"shape \(-3, -1\)"),
    ("masks.npy", member_bytes(MASKS, descr="|O"), "holds object, not numbers"),
    ("masks.npy", member_bytes(MASKS, descr="<U2"), "holds <U2, not numbers"),
    ("masks.npy", member_bytes(MASKS, descr=[("a", "<i8")]), "not numbers"),
    ("masks.npy", member_bytes(MASKS, descr="nonsense"), "header that does not tell"),
    ("masks.npy", member_bytes(MASKS, shape=(1,) * 9 + (3,)), "has 10 dimensions"),
    ("masks.npy", member_bytes(MASKS, shape=(1, 1, 1, 3)), "has 4 dimensions"),
    ("masks.npy", member_bytes(MASKS, shape=(10**4000,) * 2), "18446744073709551616"),
    (
        "flags.npy",
        member_bytes(np.uint8([1, 2]), descr="|b1"),
        "a bool that is not 0 or 1",
    ),
    ("masks.npy", member_bytes(MASKS)[:-1], "24 bytes, but has 23"),
    ("masks.npy", b"\x93NUMPY\x01\x00PN" + bytes(20048), "header that does not tell"),
]


@pytest.mark.parametrize(("name", "content", "text"), BAD_MEMBERS)
def test_a_wrong_member_of_npz_is_refused(tmp_path, name, content, text):
    path = tmp_path / "bad.npz"
    write_landscape(WHOLE, path)
    with_member(path, name, content)
    refused(path, text)


def test_an_array_of_pickled_objects_runs_nothing(tmp_path):
    path = tmp_path / "bad.npz"
    write_landscape(WHOLE, path)

    class Payload:
        def __reduce__(self) -> Any:
            return os.mkdir, (str(tmp_path / "owned"),)

    file = io.BytesIO()
    np.save(file, np.array([Payload()], object), allow_pickle=True)
    for name in ("masks.npy", "header.npy"):
        with_member(path, name, file.getvalue())
        refused(path, "holds object, not numbers")
    (tmp_path / "bad.json").write_bytes(pickle.dumps(Payload()))
    refused(tmp_path / "bad.json", "here is a zero byte")
    (tmp_path / "pickle.npz").write_bytes(pickle.dumps(Payload()))
    refused(tmp_path / "pickle.npz", "not an npz archive")
    assert not (tmp_path / "owned").exists()


def test_a_member_twice_is_refused(tmp_path):
    path = tmp_path / "bad.npz"
    write_landscape(WHOLE, path)
    with (
        pytest.warns(UserWarning, match="Duplicate name"),
        zipfile.ZipFile(path, "a") as archive,
    ):
        archive.writestr("masks.npy", member_bytes(MASKS))
    refused(path, "two of its arrays have the same name")


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path, monkeypatch):
    path = tmp_path / "bomb.npz"
    header, arrays = npz_of(WHOLE, path)
    write_npz(path, header, arrays | {"tables": np.zeros(10**6, np.int64)})
    assert path.stat().st_size < 50_000
    monkeypatch.setattr("paretoball.system.memory.available_memory", lambda: 10**6)
    refused(path, "an archive of 7.6 MiB takes .* but 976.6 KiB are free", MemoryError)


def test_what_is_packed_too_tightly_is_refused_before_it_is_unpacked(tmp_path):
    path = tmp_path / "bomb.npz"
    write_landscape(WHOLE, path)
    with_member(path, "tables.npy", member_bytes(np.zeros(10**7, np.int64)), 9)
    assert path.stat().st_size < 80_000
    refused(path, "it has 7.* KiB, but unpacks to 76.3 MiB: more than 250 times")


def test_the_most_regular_landscape_that_is_written_is_read(tmp_path):
    path = tmp_path / "regular.npz"
    size, table = 1 << 21, np.zeros(1 << 21, np.int64)
    flat = Landscape.from_arrays(21, 1, [0], [0, 21], range(21), [0, size], table)
    write_landscape(flat, path)
    assert path.stat().st_size < table.nbytes / 200
    assert table.nbytes == HARMLESS
    assert_same(read_landscape(path), flat)


def test_a_member_that_says_too_little_is_not_unpacked_beyond(tmp_path):
    path = tmp_path / "bomb.npz"
    write_landscape(WHOLE, path)
    said = member_bytes(np.zeros(10**4, np.int64))
    with_member(path, "masks.npy", said + bytes(2**26), 9)
    content = path.read_bytes()
    sizes = [struct.pack("<I", len(said) + more) for more in (2**26, 0)]
    assert content.count(sizes[0]) == 2
    path.write_bytes(content.replace(*sizes))
    tracemalloc.start()
    refused(path, "Bad CRC")
    assert tracemalloc.get_traced_memory()[1] < 2**24
    tracemalloc.stop()


SHAPES = [b"(3L,),", b"'\\d', ", b"(0or3)", b"f(3), ", b"((((((", b"(None)", b"{[]:1}"]


@pytest.mark.parametrize("shape", SHAPES)
def test_what_numpy_doubts_is_refused_in_our_words(tmp_path, shape, recwarn):
    path = tmp_path / "bad.npz"
    write_landscape(WHOLE, path)
    with_member(path, "masks.npy", member_bytes(MASKS).replace(b"(3,), ", shape))
    refused(path, "masks.npy' has an npy header that does not tell the shape, ")
    assert recwarn.list == []


def appended(content: bytes, extra: bytes) -> bytes:
    """The bytes of a zip archive with a comment."""
    return content[:-2] + struct.pack("<H", len(extra)) + extra


HIDDEN = [
    (lambda content: b"#!/bin/sh\n" + content, "bytes before its zip archive"),
    (lambda content: content + b"more", "bytes after its zip archive"),
    (lambda content: content + b"\0" * 22, "bytes after its zip archive"),
    (lambda content: content + content, "bytes before its zip archive"),
    (lambda content: appended(content, b"a comment"), "archive has a comment"),
    (lambda content: content[:-2] + b"\5\0", "bytes after its zip archive"),
    (lambda content: appended(content, b"") + b"\n", "bytes after its zip archive"),
]


@pytest.mark.parametrize(("change", "text"), HIDDEN)
def test_bytes_around_an_archive_are_refused(tmp_path, change, text):
    path = tmp_path / "a.npz"
    write_landscape(WHOLE, path)
    path.write_bytes(change(path.read_bytes()))
    refused(path, text)
    with pytest.raises(ValueError, match=text):
        unpacked_landscape(change(packed_landscape(WHOLE)))


def written(folder: Path) -> tuple[Path, dict[str, bytes]]:
    """A file of a landscape, and its members."""
    path = folder / "a.npz"
    write_landscape(WHOLE, path)
    with zipfile.ZipFile(path) as archive:
        return path, {each: archive.read(each) for each in archive.namelist()}


def test_a_comment_of_a_member_is_refused(tmp_path):
    path, members = written(tmp_path)
    for name in members:
        with zipfile.ZipFile(path, "w") as archive:
            for each, data in members.items():
                archive.writestr(each, data)
            archive.getinfo(name).comment = b"hidden"
        refused(path, "its zip archive has a comment, where only arrays may be")


def test_bytes_between_members_are_refused(tmp_path):
    path, members = written(tmp_path)
    for name in members:
        with zipfile.ZipFile(path, "w") as archive:
            for each, data in members.items():
                archive.writestr(each, data)
                if each == name:
                    archive.fp.write(b"hidden")
                    archive.start_dir += 6
        refused(path, f"bytes after its member '{name}' that are of none")


def test_an_archive_that_was_written_to_a_pipe_is_read(tmp_path):
    """Then sizes come after each member, not before it."""
    path = tmp_path / "a.npz"
    write_landscape(WHOLE, path)
    with zipfile.ZipFile(path) as archive:
        members = {each: archive.read(each) for each in archive.namelist()}

    class Pipe(io.BytesIO):
        def seek(self, *_: Any) -> int:
            raise OSError("a pipe")

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
        assert all(each.flag_bits & 8 for each in archive.infolist())
    path.write_bytes(pipe.getvalue())
    assert_same(read_landscape(path), WHOLE)


def test_a_header_whose_objects_would_not_fit_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "a.npz"
    header, arrays = npz_of(WHOLE, path)
    header["n"] = [[]] * 10_000
    write_npz(path, header, arrays)
    monkeypatch.setattr("paretoball.system.memory.available_memory", lambda: 10**6)
    refused(path, "to read JSON of 39.* KiB takes", MemoryError)


def test_compression_other_than_deflate_is_refused(tmp_path):
    path = tmp_path / "bad.npz"
    write_landscape(WHOLE, path)
    with zipfile.ZipFile(path) as archive:
        members = {each: archive.read(each) for each in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    refused(path, "neither stored nor deflated")


def test_arrays_of_other_byte_orders_are_read(tmp_path):
    path = tmp_path / "a.npz"
    write_landscape(WHOLE, path)
    with_member(path, "masks.npy", member_bytes(MASKS.astype(">i8")))
    assert_same(read_landscape(path), WHOLE)


def test_fortran_order_is_read(tmp_path):
    matrix = np.arange(6).reshape(2, 3)
    path = tmp_path / "a.npz"
    write_npz(
        path, {"format": "matrix", "version": 1}, {"m": np.asfortranarray(matrix)}
    )
    _, arrays = read_npz(path, "matrix")
    assert_array_equal(arrays["m"], matrix)
    assert arrays["m"].flags.writeable


def test_an_unknown_version_of_any_format_is_refused(tmp_path):
    path = tmp_path / "a.npz"
    write_npz(path, {"format": "run", "version": 3}, {})
    assert read_npz(path, "run", 3) == ({"format": "run", "version": 3}, {})
    with pytest.raises(
        ValueError, match=r"version 3 of the format 'run', .* version 2"
    ):
        read_npz(path, "run", 2)


def test_headers_that_json_cannot_hold_are_not_written(tmp_path):
    with pytest.raises(ValueError, match="JSON"):
        write_npz(tmp_path / "a.npz", {"seconds": float("nan")}, {})
    with pytest.raises(ValueError, match=r"[Oo]bject"):
        write_npz(tmp_path / "a.npz", {}, {"a": np.array([None])})
    assert os.listdir(tmp_path) == []


def test_an_archive_that_unpacks_to_too_much_is_refused_at_the_byte():
    most = HARMLESS // TIGHTEST + 1
    for packed, size in ((1, HARMLESS), (most, TIGHTEST * most)):
        _check_size(packed, size)
        with pytest.raises(ValueError, match=f"more than {TIGHTEST} times as much"):
            _check_size(packed, size + 1)


def test_an_archive_is_read_if_all_copies_of_it_fit():
    with capped(COPIES * 1000):
        _check_size(1000, 1000)
    with (
        capped(COPIES * 1000 - 1),
        pytest.raises(MemoryError, match="to read an archive of 1000 B takes"),
    ):
        _check_size(1000, 1000)


@pytest.mark.parametrize("version", [(1, 0), (2, 0)])
@pytest.mark.parametrize("shape", [(), (0,), (6,), (2, 3), (1, 2, 3)])
def test_arrays_of_up_to_three_dimensions_come_back(tmp_path, version, shape):
    path, file = tmp_path / "a.npz", io.BytesIO()
    array = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    write_npz(path, {"format": "a", "version": 1}, {})
    np.lib.format.write_array(file, array, version)
    with_member(path, "array.npy", file.getvalue())
    assert_array_equal(read_npz(path, "a")[1]["array"], array)
    assert read_npz(path, "a")[1]["array"].shape == shape


def test_digests_differ_where_content_does():
    arrays = {"a": int64(1, 2), "b": int64(3)}
    same = {"b": int64(3), "a": int64(1, 2).astype(">i8")}
    right = content_digest({"n": 1, "d": 2}, arrays)
    assert content_digest({"d": 2, "n": 1}, same) == right
    others = [
        ({"n": 1}, arrays),
        ({"n": 1, "d": 2}, arrays | {"b": int64(4)}),
        ({"n": 1, "d": 2}, arrays | {"b": np.array([3], np.int32)}),
        ({"n": 1, "d": 2}, arrays | {"a": int64(1, 2)[:, None]}),
        ({"n": 1, "d": 2}, {"a": int64(1, 2), "c": int64(3)}),
        ({"n": 1, "d": 2}, {"a": int64(1), "b": int64(2, 3)}),
    ]
    digests = {content_digest(*each) for each in others}
    assert len(digests | {right}) == len(others) + 1
