"""Headers: JSON texts that describe a file, checked key by key."""

import gc
import json
import sys
from collections.abc import Iterator, Set
from contextlib import contextmanager
from typing import Any

from paretoball.formats.disk import Misplaced, OtherVersion
from paretoball.system import brief, check_memory, readable_bytes

JSON_COPIES = 25  # bytes of Python objects per byte of JSON, at most

IN_WORDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a finite number",
    str: "a text",
    list: "a list",
    dict: "an object",
}


def parsed_json(content: bytes) -> Any:
    """The value of a JSON text; no object may have a key twice."""
    said = f"to read JSON of {readable_bytes(len(content))} takes"
    check_memory(said, JSON_COPIES * len(content))
    try:
        with _uncollected():
            return json.loads(content.decode(), object_pairs_hook=_distinct)
    except json.JSONDecodeError as error:
        what = f"it is not JSON: {error.msg} (column {error.colno})"
        raise Misplaced(error.lineno - 1, what) from None
    except ValueError as error:
        if "int_max_str_digits" in str(error):
            raise ValueError("it has a whole number of too many digits") from None
        raise ValueError(f"it is not JSON: {error}") from None


@contextmanager
def _uncollected() -> Iterator[None]:
    """Inside this context, no garbage is looked for: there is none in new lists."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, if its keys differ."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"an object has the key {brief(key)} twice")
        found[key] = value
    return found


def check_format(header: Any, format_name: str, *versions: int) -> None:
    """Refuse a header that is no object with this format and one of these versions."""
    if not isinstance(header, dict):
        raise TypeError(f"it holds {brief(header)}, not a JSON object")
    found = header.get("format")
    if found != format_name:
        raise ValueError(f"its format is {brief(found)}, not {format_name!r}")
    found = header.get("version")
    if type(found) is not int or found not in versions:
        *others, last = map(str, versions)
        known = f"{', '.join(others)} and {last}" if others else last
        are = "s {} are" if len(versions) > 1 else " {} is"
        raise OtherVersion(
            f"it has version {brief(found)} of the format {format_name!r}, "
            f"but only version{are.format(known)} known"
        )


def check_keys(
    found: Any, where: str, required: set[str], optional: Set[str] = frozenset()
) -> None:
    """Refuse an object, or arrays by name, with a key missing or a key too many."""
    if not isinstance(found, dict):
        raise TypeError(f"{where} is {brief(found)}, not a JSON object")
    for key in sorted(required - found.keys()):
        raise ValueError(f"{where} lacks {key!r}")
    for key in sorted(found.keys() - required - optional):
        known = ", ".join(sorted(required | optional))
        raise ValueError(f"{where} has {brief(key)}, which is none of {known}")


def check_kind(header: dict[str, Any], key: str, kind: type) -> None:
    """Refuse a value at `key` of another kind; a float may be written as an int."""
    value = header[key]
    fits = type(value) is kind or (kind is float and type(value) is int)
    if not fits or (kind is float and not abs(value) <= sys.float_info.max):
        raise TypeError(f"{key} is {brief(value)}, not {IN_WORDS[kind]}")
