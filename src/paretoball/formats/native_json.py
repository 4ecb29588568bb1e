"""JSON landscapes: the package's own format for people, a line per subfunction.

`docs/formats.md` specifies it. A file holds the subfunctions as the user gave them, so
reading a file makes the same checks as `Landscape.from_subfunctions`.
"""

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import IO, Any

import numpy as np

from paretoball.formats.headers import (
    check_format,
    check_keys,
    check_kind,
    parsed_json,
)
from paretoball.formats.naming import NAMING, labels_in, names_in, naming_header
from paretoball.formats.native import (
    CONSTRAINED,
    FORMAT,
    PLAIN,
    check_digest,
    check_unread,
    mask_entries,
    version_of,
)
from paretoball.formats.native_constraints import (
    CONSTRAINTS,
    PAIR,
    json_constraints,
    parsed_constraints,
)
from paretoball.formats.source import Source
from paretoball.landscape import (
    Landscape,
    check_senses,
    checked_n,
    checked_sense,
    constraints_of_file,
    flattened,
    landscape_digest,
    telling_names,
)
from paretoball.system import brief

LINES = ",\n"
AT_ONCE = 1 << 12  # subfunctions
NAME = "json"
TITLE = "paretoball's own JSON"
SUFFIXES = (".json",)


def sniff(source: Source) -> bool:
    """Whether it is an object of JSON that says so."""
    return source.json is not None and source.json.get("format") == FORMAT


def read(source: Source) -> Landscape:
    """The landscape in a JSON file."""
    found = source.json
    return _from_json(parsed_json(source.content) if found is None else found)


def write(landscape: Landscape, file: IO[bytes]) -> None:
    """Write a line per subfunction."""
    check_unread(landscape.n, mask_entries(landscape))
    file.writelines(_json_lines(landscape))


def _json_lines(landscape: Landscape) -> Iterator[bytes]:
    """The lines of a JSON file, one per subfunction."""
    head = {
        "format": FORMAT,
        "version": version_of(landscape),
        "n": landscape.n,
        "sense": landscape.sense,
        "digest": landscape_digest(landscape),
        **naming_header(landscape.given_labels, landscape.names),
    }
    if landscape.real:
        head["scale"] = landscape.scale.tolist()
    yield b"{\n"
    for key, value in head.items():
        yield f'  "{key}": {json.dumps(value)},\n'.encode()
    yield b'  "objectives": [\n'
    objective = landscape.subfunctions.objective
    starts = np.searchsorted(objective, np.arange(landscape.d + 1)).tolist()
    pairs = _pairs_of(landscape)
    for i, (first, last) in enumerate(pairwise(starts)):
        yield b"    ["
        for s in range(first, last):
            variables, table = next(pairs)
            comma = "," if s > first else ""
            line = f'\n      {{"variables": {variables}, "table": {table}}}'
            yield f"{comma}{line}".encode()
        comma = "," if i + 1 < landscape.d else ""
        yield (("\n    ]" if last > first else "]") + comma + "\n").encode()
    if landscape.constraints:
        lines = [f"    {each}" for each in json_constraints(landscape.constraints)]
        yield f'  ],\n  "{CONSTRAINTS}": [\n{LINES.join(lines)}\n'.encode()
    yield b"  ]\n}\n"


def _pairs_of(landscape: Landscape) -> Iterator[tuple[list[int], list[float]]]:
    """Every subfunction as (variables, table), in the problem's own units.

    A few at a time are Python's numbers.
    """
    given = landscape.subfunctions
    tables = given.tables
    if landscape.real:
        tables = tables / landscape.scale[given.owners()]
    for first in range(0, landscape.m, AT_ONCE):
        rows = slice(first, first + AT_ONCE + 1)
        mask_at, table_at = given.mask_at[rows].tolist(), given.table_at[rows].tolist()
        masks = (given.masks[a:b].tolist() for a, b in pairwise(mask_at))
        values = (tables[a:b].tolist() for a, b in pairwise(table_at))
        yield from zip(masks, values)


def _from_json(document: Any) -> Landscape:
    """The landscape of a parsed JSON file."""
    check_format(document, FORMAT, PLAIN, CONSTRAINED)
    keys = {"format", "version", "n", "sense", "objectives"}
    if document["version"] == CONSTRAINED:
        keys.add(CONSTRAINTS)
    check_keys(document, "the file", keys, {"digest", "scale", *NAMING})
    check_kind(document, "sense", list)
    check_senses(document["sense"])
    check_kind(document, "objectives", list)
    if document["objectives"]:
        checked_sense(document["sense"], len(document["objectives"]))
    objectives = []
    for i, objective in enumerate(document["objectives"]):
        if not isinstance(objective, list):
            raise TypeError(f"objective {i} is {brief(objective)}, not a list")
        for s, subfunction in enumerate(objective):
            if not isinstance(subfunction, dict) or subfunction.keys() != PAIR:
                check_keys(subfunction, f"objective {i}, subfunction {s}", PAIR)
        objectives.append([(each["variables"], each["table"]) for each in objective])
    names = names_in(document, len(objectives))
    with telling_names(names or ()):
        d, given = len(objectives), flattened(objectives)
    n = document["n"]
    parsed = parsed_constraints(document)
    check_unread(n, len(given.masks) + parsed.entries())
    scale = document.get("scale")
    if "scale" in document:
        check_kind(document, "scale", list)
    landscape = Landscape.from_arrays(
        n,
        d,
        *given,
        document["sense"],
        scale,
        labels=labels_in(document, checked_n(n)),
        names=names,
        constraints=constraints_of_file(n, *parsed),
    )
    check_digest(document, landscape)
    return landscape
