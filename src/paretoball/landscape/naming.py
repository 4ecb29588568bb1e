"""Names: labels of variables and names of objectives, checked where they enter."""

from collections.abc import Hashable, Iterable
from typing import Any

from paretoball.system import brief, counted


def checked_labels(labels: Any, n: int) -> tuple[Hashable, ...] | None:
    """One label per variable, all different; None if they are 0 to n - 1."""
    if labels is None:
        return None
    if isinstance(labels, str | bytes) or not isinstance(labels, Iterable):
        raise TypeError(f"labels is {brief(labels)}, not a list of labels")
    found = tuple(labels)
    if len(found) != n:
        raise ValueError(
            f"labels has {counted(len(found), 'label')}, but the landscape has n = {n}"
        )
    place_of = places(found)
    if len(place_of) < n:
        j = next(j for j, label in enumerate(found) if place_of[label] != j)
        raise ValueError(
            f"label {brief(found[j])} is given twice, for variables {j} and "
            f"{place_of[found[j]]}"
        )
    are_numbers = all(type(label) is int for label in found)
    return None if are_numbers and found == tuple(range(n)) else found


def places(labels: Iterable[Any]) -> dict[Hashable, int]:
    """The variable that each label belongs to; of equal labels, the last one's."""
    try:
        return {label: j for j, label in enumerate(labels)}
    except TypeError:
        wrong = next(label for label in labels if not isinstance(label, Hashable))
        raise TypeError(
            f"label {brief(wrong)} is not hashable: give a text, a number or a tuple"
        ) from None


def checked_names(names: Any, d: int) -> tuple[str, ...]:
    """One name per objective, all different; f0, f1, ... if None is given."""
    if names is None:
        return default_names(d)
    if isinstance(names, str | bytes) or not isinstance(names, Iterable):
        raise TypeError(f"names is {brief(names)}, not a list of texts")
    found = tuple(names)
    if len(found) != d:
        raise ValueError(
            f"{counted(len(found), 'name')} given for {counted(d, 'objective')}"
        )
    for i, name in enumerate(found):
        if not isinstance(name, str) or not name.strip():
            raise TypeError(
                f"the name of objective {i} is {brief(name)}, which is no text"
            )
        if name in found[:i]:
            raise ValueError(f"two objectives have the name {brief(name)}")
    return found


def default_names(d: int) -> tuple[str, ...]:
    """The names of objectives that were given none: f0, f1, ..."""
    return tuple(f"f{i}" for i in range(d))
