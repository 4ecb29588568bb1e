"""The registry of instance formats, and the two functions that go through it.

A format is a file of this folder with `sniff`, `read` and, if it can, `write`. To add
one, add its file, and its name to `FORMATS`.
"""

from typing import Protocol

from paretoball.formats import native_json, native_npz
from paretoball.formats.disk import PathLike
from paretoball.landscape import Landscape
from paretoball.system import printable


class Format(Protocol):
    """What a module of this folder has if it is a format of landscapes."""

    SUFFIX: str  # of file names in this format

    def sniff(self, path: PathLike) -> bool:
        """Whether a file has this format."""

    def read(self, path: PathLike) -> Landscape:
        """The landscape in a file of this format."""

    def write(self, landscape: Landscape, path: PathLike) -> None:
        """Write a landscape, whole or not at all."""


FORMATS: tuple[Format, ...] = (native_json, native_npz)


def read_landscape(path: PathLike) -> Landscape:
    """The landscape in a file of any known format."""
    return _format_of(path).read(path)


def write_landscape(landscape: Landscape, path: PathLike) -> None:
    """Write a landscape in the format that the suffix says, whole or not at all."""
    _format_of(path).write(landscape, path)


def _format_of(path: PathLike) -> Format:
    """The first format whose `sniff` accepts the file."""
    for each in FORMATS:
        if each.sniff(path):
            return each
    known = " or ".join(each.SUFFIX for each in FORMATS)
    name = printable(str(path))
    raise ValueError(f"{name}: a file of a landscape is named {known}")
