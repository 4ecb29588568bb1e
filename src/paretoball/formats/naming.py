"""Labels and names in files: two optional keys of a header, read without trust.

`docs/formats.md` specifies them. Both are left out where they are the default ones.
"""

from collections.abc import Hashable, Sequence
from math import isfinite
from typing import Any

from paretoball.formats.headers import check_kind
from paretoball.landscape import checked_labels, checked_names, default_names
from paretoball.system import brief

LABELS, NAMES = "labels", "names"
NAMING = {LABELS, NAMES}  # the two keys
HOLDS = "texts, whole numbers, finite floats, booleans, None and tuples of these"


def naming_header(
    labels: tuple[Hashable, ...] | None, names: Sequence[str]
) -> dict[str, Any]:
    """The labels and names that a header has, where they are not the default ones."""
    header: dict[str, Any] = {}
    if labels is not None:
        header[LABELS] = [_written(label, label) for label in labels]
    if tuple(names) != default_names(len(names)):
        header[NAMES] = list(names)
    return header


def labels_in(header: dict[str, Any], n: Any) -> tuple[Hashable, ...] | None:
    """The labels in a header; None if they are 0 to n - 1."""
    if LABELS not in header:
        return None
    check_kind(header, LABELS, list)
    return checked_labels([_read(label, label) for label in header[LABELS]], n)


def names_in(header: dict[str, Any], d: int) -> tuple[str, ...] | None:
    """The names of objectives in a header, or None."""
    if NAMES not in header:
        return None
    check_kind(header, NAMES, list)
    return checked_names(header[NAMES], d)


def _written(label: Any, whole: Any) -> Any:
    """A label, or a part of the `whole` one, as JSON."""
    if isinstance(label, tuple):
        return [_written(part, whole) for part in label]
    if not _is_plain(label):
        raise TypeError(
            f"label {brief(whole)} cannot be in a file, whose labels are {HOLDS}"
        )
    return label


def _read(label: Any, whole: Any) -> Any:
    """The label, or the part of the `whole` one, that is written so."""
    if isinstance(label, list):
        return tuple(_read(part, whole) for part in label)
    if not _is_plain(label):
        raise TypeError(f"label {brief(whole)} is none of {HOLDS}")
    return label


def _is_plain(label: Any) -> bool:
    """Whether JSON has exactly this value."""
    if type(label) is float:
        return isfinite(label)
    return label is None or type(label) in (str, int, bool)
