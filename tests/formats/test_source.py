"""Instance files: unpacked, told apart, and never larger than they should be."""

import gzip
import random
import zlib

import pytest

from format_samples import SAMPLES
from paretoball import read_landscape
from paretoball.formats import source as source_module
from paretoball.formats.disk import refusing
from paretoball.formats.source import FIRST_BYTES, Source, source_at
from paretoball.landscape import landscape_digest
from paretoball.system import capped

TEXT = b"1 2 3\n" * 100


def test_gzip_is_unpacked_whatever_the_name(tmp_path):
    for name in ("a.txt.gz", "a.txt"):
        (tmp_path / name).write_bytes(gzip.compress(TEXT[:60]) + gzip.compress(TEXT))
        source = source_at(tmp_path / name)
        assert source.content == TEXT[:60] + TEXT
        assert source.suffix == ".txt"


@pytest.mark.parametrize("length", [2, 9, 10, 15, 25, -1])
def test_gzip_cut_short_is_refused(tmp_path, length):
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(TEXT)[:length])
    with pytest.raises(ValueError, match="gzip"), refusing(path):
        source_at(path)


def test_gzip_with_a_wrong_checksum_or_a_tail_is_refused(tmp_path):
    path, packed = tmp_path / "bad.gz", gzip.compress(TEXT)
    for content in (packed[:-6] + b"xx" + packed[-4:], packed + b"more"):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="gzip"), refusing(path):
            source_at(path)


def test_gzip_that_unpacks_to_too_much_is_refused_before_it_does(tmp_path, monkeypatch):
    path, most = tmp_path / "bomb.gz", 1 << 20
    monkeypatch.setattr(source_module, "HARMLESS", most)
    path.write_bytes(gzip.compress(bytes(most + 1), 9))
    with pytest.raises(ValueError, match=r"unpacks to more than 1\.0 MiB: unpack it"):
        source_at(path)
    path.write_bytes(gzip.compress(bytes(most), 9))
    assert len(source_at(path).content) == most


@pytest.mark.parametrize(("times", "is_read"), [(24, True), (26, False)])
def test_what_is_no_harmless_size_may_be_packed_25_times(
    tmp_path, monkeypatch, times, is_read
):
    path, noise = tmp_path / "a.gz", random.Random(1).randbytes(2000)
    monkeypatch.setattr(source_module, "HARMLESS", 1)
    content = noise + bytes(times * 2000)
    size = len(gzip.compress(content))
    content = noise + bytes(times * size - len(noise))
    path.write_bytes(gzip.compress(content))
    assert times - 1 < len(content) / path.stat().st_size < times + 1
    if is_read:
        assert source_at(path).content == content
        return
    with pytest.raises(ValueError, match="unpacks to more than"):
        source_at(path)


def test_gzip_that_memory_does_not_hold_is_refused(tmp_path):
    path = tmp_path / "large.gz"
    path.write_bytes(gzip.compress(bytes(1 << 20)))
    with capped(3 * (1 << 20) - 3), pytest.raises(ValueError, match="unpack it first"):
        source_at(path)
    with capped(3 * (1 << 20)):
        assert len(source_at(path).content) == 1 << 20


def test_what_gzip_packs_a_thousand_times_is_read_back(tmp_path):
    path = tmp_path / "sparse.gz"
    text = b"0 0\n" * (5 << 20)  # rows of a sparse mUBQP file
    path.write_bytes(gzip.compress(text))
    assert len(text) > 900 * path.stat().st_size
    assert source_at(path).content == text


@pytest.mark.parametrize("member", [b"", b"1 2\n", TEXT, bytes(range(256))])
def test_each_byte_of_many_members_is_unpacked_about_twice(
    tmp_path, monkeypatch, member
):
    """What follows a member is copied when it ends: all of it would be quadratic."""
    given, whole = [], zlib.decompressobj

    class Counting:
        def __init__(self, wbits):
            self._whole = whole(wbits=wbits)

        def decompress(self, data, most):
            given.append(len(data))
            return self._whole.decompress(data, most)

        def __getattr__(self, name):
            return getattr(self._whole, name)

    monkeypatch.setattr(source_module.zlib, "decompressobj", Counting)
    packed = gzip.compress(member)
    (tmp_path / "many.gz").write_bytes(2000 * packed)
    assert source_at(tmp_path / "many.gz").content == 2000 * member
    assert sum(given) <= 2000 * (2 * len(packed) + FIRST_BYTES)


def test_a_byte_order_mark_is_no_content():
    assert Source("a", b"\xef\xbb\xbf{}").json == {}
    assert Source("a", b"\xef\xbb\xbf1 2").text.head(1) == [[b"1", b"2"]]


def test_json_may_follow_spaces_but_nothing_else():
    assert Source("a", b" \n\t{}").json == {}
    for content in (b"[]", b"x {}", b"1"):
        assert Source("a", content).json is None


def test_binary_files_have_no_text():
    source = Source("a", b"1 2\0\n")
    assert not source.is_text
    assert source.text.head(1) == []
    assert source.json is None


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf", b" \n\t\r\n"])
def test_files_without_content_are_refused(content):
    with pytest.raises(ValueError, match="it is empty"):
        Source("a", content).check_readable()


@pytest.mark.parametrize("encoding", ["UTF-16-LE", "UTF-16-BE"])
def test_sixteen_bits_are_told(encoding):
    with pytest.raises(ValueError, match="it is a text in UTF-16: save it in UTF-8"):
        Source("a", "\ufeff1 2".encode(encoding)).check_readable()


def test_what_is_packed_twice_is_told():
    with pytest.raises(ValueError, match="packed twice"):
        Source("a", gzip.compress(TEXT)).check_readable()


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_a_zero_byte_in_a_text_is_told_with_its_line(end):
    with pytest.raises(ValueError, match="zero byte") as refusal:
        Source("a", end.join([b"1 2", b"", b"\0 4"])).check_readable()
    assert refusal.value.line == 2


@pytest.mark.parametrize("encoding", ["UTF-32", "UTF-32-LE", "UTF-32-BE"])
def test_utf_32_is_told_from_utf_16(encoding):
    content = "\ufeff1 2".encode(encoding)
    with pytest.raises(ValueError, match="it is a text in UTF-32: save it in UTF-8"):
        Source("a", content).check_readable()


def test_errors_count_empty_lines(tmp_path):
    path = tmp_path / "a.bq"
    path.write_text("\n\n4 2\n \n1 1 5\n\r\n\n1 1 6\n")
    with pytest.raises(ValueError, match=r"a\.bq:8: the entry is in line 5 already"):
        read_landscape(path)
    path.write_text("\n\n4 2\n\n\n1 1 5\n\n\n1 2\n")
    with pytest.raises(ValueError, match=r"a\.bq:9: the line has 2 words, not 3"):
        read_landscape(path)


@pytest.mark.parametrize("name", ["opb", "qs", "cnf", "qplib", "nk-gomea"])
def test_formats_never_see_empty_lines(tmp_path, name):
    file, text = SAMPLES[name]
    lines = text.splitlines()
    source = Source(file, ("\n" * 99 + "\n \n\t\n".join(lines) + "\n" * 99).encode())
    assert source.text.lines == [line.encode() for line in lines]
    plain, blank = tmp_path / f"plain-{file}", tmp_path / file
    plain.write_text(text)
    blank.write_bytes(source.content)
    assert landscape_digest(read_landscape(plain)) == landscape_digest(
        read_landscape(blank)
    )
