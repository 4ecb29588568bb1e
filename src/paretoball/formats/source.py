"""Sources: the content of an instance file, unpacked, as text and as JSON."""

import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from paretoball.formats.disk import Misplaced, PathLike, read_bytes
from paretoball.formats.headers import parsed_json
from paretoball.formats.text import Text
from paretoball.system import available_memory, readable_bytes

GZIP = b"\x1f\x8b"
ZIP = b"PK"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
ENCODINGS = {  # by byte order marks: that of UTF-32 may begin like that of UTF-16
    b"\xff\xfe\0\0": "UTF-32",
    b"\0\0\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
TIGHTEST = 25  # packed texts may unpack to this times their size,
HARMLESS = 1 << 30  # or to this many bytes, which takes a second or two
FIRST_BYTES = 64  # of a member of a gzip file; then twice as many, and so on
MOST_BYTES = 1 << 20  # that are unpacked at once
START = 1 << 12  # bytes that are looked at to tell a text from other files

Seen = TypeVar("Seen")


class Source:
    """A file that may hold a landscape; formats recognise it by what is in it."""

    def __init__(self, path: PathLike, content: bytes):
        self.path = path
        self.content = content.removeprefix(BYTE_ORDER_MARK)
        self._seen: dict[Callable, Any] = {}

    def once(self, look: Callable[["Source"], Seen]) -> Seen:
        """What `look` finds in this file; formats that look alike share it."""
        if look not in self._seen:
            self._seen[look] = look(self)
        found: Seen = self._seen[look]
        return found

    @cached_property
    def suffix(self) -> str:
        """The suffix in lower case, without `.gz`."""
        return suffix_of(self.path)

    @cached_property
    def is_text(self) -> bool:
        """Whether this is not a binary file."""
        return bool(self.content) and b"\0" not in self.content[:START]

    @cached_property
    def _whole_text(self) -> Text:
        """All lines; none if it is a binary file."""
        return Text(self.content if self.is_text else b"")

    @cached_property
    def text(self) -> Text:
        """The content as lines and words, without empty lines."""
        return self._whole_text.without_blanks()

    @contextmanager
    def counting_blanks(self) -> Iterator[None]:
        """Let errors about `text` tell the line of the file, empty lines included."""
        try:
            yield
        except Misplaced as error:
            filled = self._whole_text.filled
            if error.line >= len(filled):
                raise
            before = None if error.before is None else filled[error.before]
            raise Misplaced(filled[error.line], error.what, before) from None

    @property
    def checked_text(self) -> Text:
        """The content as lines and words, at least one; a binary file is refused."""
        if not self.text.filled:
            raise ValueError("it is not a text, but a binary file")
        return self.text

    @cached_property
    def json(self) -> Any:
        """The content as a JSON object; None if it does not begin like one."""
        if not self.content[:START].lstrip().startswith(b"{"):
            return None
        return parsed_json(self.content)

    def check_readable(self) -> None:
        """Refuse what no format is: nothing, a binary file, or a text not in UTF-8."""
        if not self.content.strip():
            raise ValueError("it is empty")
        for mark, encoding in ENCODINGS.items():
            if self.content.startswith(mark):
                raise ValueError(f"it is a text in {encoding}: save it in UTF-8")
        if self.content.startswith(GZIP):
            raise ValueError("it is packed twice: unpack it once")
        is_archive = self.content.startswith(ZIP) or self.suffix == ".npz"
        if not self.is_text and not is_archive:
            lines = self.content[: self.content.index(0) + 1].splitlines()
            what = "here is a zero byte: it is neither a text nor an npz archive"
            raise Misplaced(len(lines) - 1, what)


def suffix_of(path: PathLike) -> str:
    """The suffix of a file in lower case, without `.gz`.

    >>> suffix_of("cost.QUBO.gz"), suffix_of("run.previous.npz"), suffix_of("data")
    ('.qubo', '.npz', '')
    """
    name = Path(path)
    return (name.with_suffix("") if is_packed(path) else name).suffix.lower()


def is_packed(path: PathLike) -> bool:
    """Whether the name of a file says that it is packed by gzip."""
    return Path(path).suffix.lower() == ".gz"


def source_at(path: PathLike) -> Source:
    """The file at a path, unpacked if it is a gzip file, whatever its name."""
    content = read_bytes(path)
    return Source(path, _unpacked(content) if content.startswith(GZIP) else content)


def _unpacked(packed: bytes) -> bytes:
    """The content of a gzip file, if it is not too large."""
    limit = min(max(HARMLESS, TIGHTEST * len(packed)), available_memory() // 3)
    parts, size, at = list[bytes](), 0, 0
    while at < len(packed):
        member, count = zlib.decompressobj(wbits=31), FIRST_BYTES
        while not member.eof:  # what it leaves is copied: at most as much as it took
            given = packed[at : at + count]
            if not given:
                raise ValueError("its gzip data are cut short")
            try:
                parts.append(member.decompress(given, limit - size + 1))
            except zlib.error as error:
                what = f"it is not a gzip file, or damaged: {error}"
                raise ValueError(what) from None
            size += len(parts[-1])
            if size > limit:
                raise ValueError(
                    f"it has {readable_bytes(len(packed))}, but unpacks to more than "
                    f"{readable_bytes(limit)}: unpack it first"
                )
            at += len(given) - len(member.unused_data)
            count = min(2 * count, MOST_BYTES)
    return b"".join(parts)
