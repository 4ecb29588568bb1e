"""Constraints in the package's own formats: objects of JSON, and arrays of npz.

`docs/formats.md` specifies both.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from paretoball.formats.headers import check_keys, check_kind
from paretoball.landscape import (
    NO_CONSTRAINTS,
    Constraint,
    Constraints,
    StoredConstraints,
    Subfunctions,
    constraints_of_stored,
    to_be_stored,
)
from paretoball.system import brief

CONSTRAINTS = "constraints"  # the key of both formats
PREFIX = "constraint_"  # of arrays
BOUND = PREFIX + "bound"
LISTS = ("relations", "real", "scale", "names")  # with an entry per constraint
ROUNDED = "rounded"  # a fifth list, where an entry is true
ARRAYS = {PREFIX + name for name in Subfunctions._fields} | {BOUND}
KEYS = {"relation", "bound", "terms"}
PAIR = {"variables", "table"}


def json_constraints(constraints: Constraints) -> Iterator[str]:
    """The constraints as objects of JSON, a line per term."""
    stored = to_be_stored(constraints)
    for c, constraint in enumerate(constraints):
        steps, scale = stored.bound[c].item(), stored.scale[c]
        head: dict[str, Any] = {"name": constraint.name}
        if stored.real[c]:
            head["scale"] = scale
        if stored.rounded[c]:
            head[ROUNDED] = True
        head["relation"] = constraint.relation
        head["bound"] = steps / scale if stored.real[c] else steps
        texts = [f'"{key}": {json.dumps(value)}' for key, value in head.items()]
        yield f'{{{", ".join(texts)}, "terms": [{_json_terms(constraint)}]}}'


def _json_terms(constraint: Constraint) -> str:
    """The terms of a constraint, each on a line of its own."""
    lines = [
        f'\n      {{"variables": {list(mask)}, "table": {list(table)}}}'
        for mask, table in constraint.terms
    ]
    return ",".join(lines) + "\n    " * bool(lines)


class _Parsed(NamedTuple):
    """Constraints of a JSON document, whose n is not known to be one yet."""

    given: list[Any]  # (terms, relation, bound, name or None)
    scales: list[Any]  # None where there is none
    rounded: list[Any]  # whether tables are rounded to steps

    def entries(self) -> int:
        """How many entries all masks have."""
        masks = (mask for terms, *_ in self.given for mask, _ in terms)
        return sum(len(mask) for mask in masks if isinstance(mask, list))


def parsed_constraints(document: dict[str, Any]) -> _Parsed:
    """The constraints in a document, which may have none, with all their keys."""
    parsed = _Parsed([], [], [])
    if CONSTRAINTS in document:
        check_kind(document, CONSTRAINTS, list)
    for c, each in enumerate(document.get(CONSTRAINTS, [])):
        check_keys(each, f"constraint {c}", KEYS, {"name", "scale", ROUNDED})
        check_kind(each, "terms", list)
        for s, term in enumerate(each["terms"]):
            if not isinstance(term, dict) or term.keys() != PAIR:
                check_keys(term, f"constraint {c}, subfunction {s}", PAIR)
        if each.get("scale", 1) is None or each.get("name", "") is None:
            raise TypeError(f"constraint {c} has null for its name or its scale")
        if ROUNDED in each and "scale" not in each:
            raise ValueError(f"constraint {c} says {ROUNDED}, but has no scale")
        terms = [(term["variables"], term["table"]) for term in each["terms"]]
        parsed.given.append((terms, each["relation"], each["bound"], each.get("name")))
        parsed.scales.append(each.get("scale"))
        parsed.rounded.append(each.get(ROUNDED, False))
    return parsed


def packed_constraints(
    constraints: Constraints,
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """What header and arrays of an npz file have of constraints."""
    stored = to_be_stored(constraints)
    given = stored.subfunctions._asdict()
    kept = (*LISTS, ROUNDED) if any(stored.rounded) else LISTS
    lists = {name: getattr(stored, name) for name in kept}
    arrays = {PREFIX + name: array for name, array in given.items()}
    return {CONSTRAINTS: lists}, arrays | {BOUND: stored.bound}


def unpacked_constraints(
    header: dict[str, Any], arrays: dict[str, np.ndarray], n: int
) -> Constraints:
    """The constraints in an npz file, whose arrays are all of int64; or none."""
    if CONSTRAINTS not in header:
        return NO_CONSTRAINTS
    found = header[CONSTRAINTS]
    check_keys(found, CONSTRAINTS, set(LISTS), {ROUNDED})
    for name in found:
        check_kind(found, name, list)
    bound = arrays[BOUND]
    if bound.ndim != 1:
        raise TypeError(f"{BOUND} has shape {brief(bound.shape)}, not that of a vector")
    given = [arrays[PREFIX + name] for name in Subfunctions._fields]
    lists = {ROUNDED: [False] * len(found["relations"])} | found
    return constraints_of_stored(
        n, StoredConstraints(Subfunctions(*given), bound, **lists)
    )
