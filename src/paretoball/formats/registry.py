"""The registry of instance formats, and the two functions that go through it.

A format is a file of this folder with `NAME`, `TITLE`, `SUFFIXES`, `sniff`, `read` and,
if it can, `write`. To add one, add its file, and its name to `FORMATS` and `WRITERS`.
"""

import gzip
import os
import warnings
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Protocol, TypeVar, cast

from paretoball.formats import (
    beasley,
    biqmac,
    bqpjson,
    cnf,
    knapsack_gomea,
    knapsack_voptlib,
    knapsack_zitzler,
    maxcut,
    mcnf,
    mqlib,
    mubqp,
    mubqp_bare,
    native_json,
    native_npz,
    nk_chicano,
    nk_dsmga2,
    nk_goldman,
    nk_gomea,
    nk_tinos,
    node_link,
    opb,
    qbsolv,
    qoblib,
    qpbo,
    qplib,
    quantagonia,
    qubist,
    rmnk,
    setcover,
    setcover_voptlib,
    spin_dsmga2,
    spin_goldman,
    wcnf,
)
from paretoball.formats.disk import (
    PathLike,
    atomic_write,
    check_is_path,
    refusing,
)
from paretoball.formats.source import Source, is_packed, source_at, suffix_of
from paretoball.landscape import Landscape, default_names, joined
from paretoball.system import brief, counted


class Format(Protocol):
    """What a module of this folder has if it is a format of landscapes."""

    NAME: str  # for `format=` and `--format`
    TITLE: str  # in words

    @property
    def SUFFIXES(self) -> tuple[str, ...]:
        """The suffixes of its files; other formats may have them, too."""

    def sniff(self, source: Source) -> bool:
        """Whether the content of a file looks like this format."""

    def read(self, source: Source) -> Landscape:
        """The landscape in a file of this format."""


class Writer(Format, Protocol):
    """A format that landscapes can be written in."""

    def write(self, landscape: Landscape, file: IO[bytes]) -> None:
        """Write a landscape, or refuse one that the format cannot hold."""


Known = TypeVar("Known", bound=Format)

FORMATS: tuple[Format, ...] = (
    native_json,
    native_npz,
    cnf,
    wcnf,
    mcnf,
    opb,
    rmnk,
    mubqp,
    mubqp_bare,
    nk_chicano,
    nk_gomea,
    nk_tinos,
    nk_goldman,
    nk_dsmga2,
    spin_goldman,
    spin_dsmga2,
    maxcut,
    beasley,
    biqmac,
    mqlib,
    qbsolv,
    quantagonia,
    qoblib,
    qpbo,
    qubist,
    qplib,
    bqpjson,
    node_link,
    knapsack_zitzler,
    knapsack_gomea,
    knapsack_voptlib,
    setcover,
    setcover_voptlib,
)
OF_JSON: tuple[Format, ...] = (native_json, bqpjson, node_link)  # JSON objects
LABELLED: tuple[Format, ...] = (opb, qbsolv, qubist, bqpjson, node_link)  # have labels
WRITERS: tuple[Writer, ...] = (
    native_json,
    native_npz,
    wcnf,
    mcnf,
    opb,
    rmnk,
    mubqp,
    qbsolv,
    bqpjson,
)
NAMED: tuple[Writer, ...] = (native_json, native_npz)  # have names, and labels
CONSTRAINED: tuple[Writer, ...] = (native_json, native_npz, wcnf, mcnf, opb)


def read_landscape(*paths: PathLike, format: str | None = None) -> Landscape:
    """The landscape in a file of any known format, or in several files.

    Several files, of one objective each or of more, make one landscape with all their
    objectives. The format is recognised by the content; `format` says it where two
    formats look alike. Files may be packed by gzip.
    """
    return read_described(*paths, format=format)[0]


def read_described(
    *paths: PathLike, format: str | None = None
) -> tuple[Landscape, list[str]]:
    """The landscape in one or several files, and what each file was recognised as."""
    for path in paths or ("",):
        if not path or not isinstance(path, str | os.PathLike):
            raise TypeError(
                f"{brief(path)} is no path: read_landscape takes the path of a file, "
                "or several, one by one"
            )
    parts, formats = list[Landscape](), list[Format]()
    for path in paths:
        with refusing(path):
            source = source_at(path)
            found = _format_of(source, format)
            formats.append(found)
            is_text = found not in OF_JSON
            with source.counting_blanks() if is_text else nullcontext():
                parts.append(found.read(source))
    if len(parts) == 1:
        return parts[0], [formats[0].TITLE]
    names, origins = _names_of(paths, parts), list(map(str, paths))
    by_label = all(each in LABELLED for each in formats)
    return joined(parts, names, origins, by_label), [each.TITLE for each in formats]


def _names_of(
    paths: Sequence[PathLike], parts: Sequence[Landscape]
) -> list[str] | None:
    """The names of files, for objectives without names that have a file each."""
    stems = [Path(path).name.split(".")[0] for path in paths]
    are_named = any(part.d > 1 or part.names != default_names(1) for part in parts)
    are_names = all(map(str.strip, stems)) and len(set(stems)) == len(stems)
    return stems if are_names and not are_named else None


def write_landscape(
    landscape: Landscape, path: PathLike, format: str | None = None
) -> None:
    """Write a landscape in the format that the suffix says, whole or not at all.

    `format` says it where the suffix does not. A further suffix `.gz` packs the file.
    Names that the format has no place for are left out, with a warning.
    """
    if not isinstance(landscape, Landscape):
        raise TypeError(
            "write_landscape takes a landscape and then a path, but "
            f"{brief(landscape)} is no landscape"
        )
    check_is_path(path)
    with refusing(path):
        writer = _writer_of(path, format)
        _check_constraints(landscape, writer)
        atomic_write(path, lambda file: _write(writer, landscape, file, path))
    lost = _left_out(landscape, writer)
    if lost:
        said = f"{writer.NAME} has no place for {lost}: .json and .npz files have"
        warnings.warn(f"{path}: {said}", stacklevel=2)


def _left_out(landscape: Landscape, writer: Writer) -> str:
    """Which names of a landscape a format does not hold, in words."""
    if writer in NAMED:
        return ""
    constraints = landscape.constraints.names
    lost = {
        "labels": landscape.given_labels is not None and writer not in LABELLED,
        "names of objectives": landscape.names != default_names(landscape.d),
        "names of constraints": constraints != default_names(len(constraints), "c"),
    }
    return " and ".join(name for name, is_lost in lost.items() if is_lost)


def _check_constraints(landscape: Landscape, writer: Writer) -> None:
    """Refuse constraints that a format cannot hold."""
    if landscape.constraints and writer not in CONSTRAINED:
        count = counted(len(landscape.constraints), "constraint")
        holds = ", ".join(each.NAME for each in CONSTRAINED)
        raise ValueError(
            f"the landscape has {count}, which {writer.TITLE} does not hold: write "
            f"another format ({holds}), or landscape.unconstrained"
        )


def check_landscape_format(path: PathLike, format: str | None = None) -> None:
    """Refuse a path that says no format to write, before the work begins."""
    with refusing(path):
        _writer_of(path, format)


def _write(
    writer: Writer, landscape: Landscape, file: IO[bytes], path: PathLike
) -> None:
    """Write a landscape, packed if the path says so; always the same bytes."""
    if not is_packed(path):
        writer.write(landscape, file)
        return
    with gzip.GzipFile("", "wb", 6, file, mtime=0) as packed:
        writer.write(landscape, cast(IO[bytes], packed))


def _writer_of(path: PathLike, name: str | None) -> Writer:
    """The format to write a file in."""
    if name is not None:
        return _named(name, WRITERS)
    found = [each for each in WRITERS if suffix_of(path) in each.SUFFIXES]
    if len(found) == 1:
        return found[0]
    if found:
        raise ValueError(
            f"{_candidates(found)} have this suffix: give format=, or --to"
        )
    suffixes = dict.fromkeys(suffix for each in WRITERS for suffix in each.SUFFIXES)
    known = ", ".join(suffixes)
    raise ValueError(f"a landscape is written to a file named {known}")


def _format_of(source: Source, name: str | None) -> Format:
    """The format that a file has, by its content; its suffix decides between several.

    A file that looks like no format, but has the suffix that is first among those of
    one, is left to that one to say what is wrong with it.
    """
    source.check_readable()
    if name is not None:
        return _named(name, FORMATS)
    possible = FORMATS if source.json is None else OF_JSON
    found = [each for each in possible if each.sniff(source)]
    by_suffix = [each for each in found if source.suffix in each.SUFFIXES]
    if not found:
        by_suffix = [each for each in FORMATS if source.suffix in each.SUFFIXES[:1]]
    if len(found) > 1 and len(by_suffix) != 1:
        raise ValueError(
            f"it may be any of {_candidates(found)}: give format=, or --format"
        )
    if not found and not by_suffix:
        known = ", ".join(each.NAME for each in FORMATS)
        raise ValueError(
            f"it looks like none of the formats {known}: if it is one of them, "
            "give format=, or --format"
        )
    return (by_suffix or found)[0]


def _candidates(formats: Sequence[Format]) -> str:
    """The names of formats, and what they are."""
    return ", ".join(f"{each.NAME!r} ({each.TITLE})" for each in formats)


def _named(name: str, formats: Sequence[Known]) -> Known:
    """The format of this name."""
    for each in formats:
        if name == each.NAME:
            return each
    known = ", ".join(each.NAME for each in formats)
    raise ValueError(f"format = {brief(name)} is none of {known}")
