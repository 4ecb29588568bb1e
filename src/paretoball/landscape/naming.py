"""Variables, labels, names and senses: checked where they enter."""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from typing import Any

import numpy as np

from paretoball.system import (
    brief,
    check_memory,
    checked_whole,
    counted,
    is_whole,
    printable,
)

MAX_N = 2**31 - 1  # variables are numbered with 32 bits
SHOWN = 4  # labels that are listed
LONGEST = 40  # characters of a name that are shown
UNLISTED = (str, bytes, dict, set, frozenset)  # iterable, but no list of names
PLAIN = (np.integer, np.floating, np.bool_, np.str_)  # equal to a value of Python

MANY = 8  # more senses than these are counted, not listed
SIGNS = {"max": 1, "min": -1}
ENDINGS = ("", "imise", "imize", "imum")  # of these, in whatever case


def checked_n(n: Any) -> int:
    """n as an int, if a landscape of n variables fits in memory."""
    n = checked_whole("n", n, 1)
    check_memory(
        f"n = {counted(n, 'variable')}, before any subfunction, takes", 100 * n
    )
    return checked_whole("n", n, 1, MAX_N)


def checked_labels(labels: Any, n: int) -> tuple[Hashable, ...] | None:
    """One label per variable, all different; None if they are 0 to n - 1."""
    if labels is None:
        return None
    found = listed_labels(labels)
    if len(found) != n:
        raise ValueError(
            f"labels has {counted(len(found), 'label')}, but the landscape has n = {n}"
        )
    place_of = places(found)
    for label in found:
        if _has_nan(label):
            raise ValueError(
                f"label {brief(label)} is not equal to itself: give another"
            )
    if len(place_of) < n:
        j = next(j for j, label in enumerate(found) if place_of[label] != j)
        raise ValueError(
            f"label {brief(found[j])} is given twice, for variables {j} and "
            f"{place_of[found[j]]}"
        )
    are_numbers = all(type(label) is int for label in found)
    return None if are_numbers and found == tuple(range(n)) else found


def listed_labels(labels: Any) -> tuple[Any, ...]:
    """Labels as values of Python, in the order in which they are given."""
    if isinstance(labels, UNLISTED) or not isinstance(labels, Iterable):
        raise TypeError(f"labels is {brief(labels)}, not a list of labels")
    return tuple(
        label.item() if isinstance(label, PLAIN) else label for label in labels
    )


def places(labels: Iterable[Any]) -> dict[Hashable, int]:
    """The variable that each label belongs to; of equal labels, the last one's."""
    place_of = dict[Hashable, int]()
    for j, label in enumerate(labels):
        try:
            place_of[label] = j
        except TypeError:
            raise TypeError(
                f"label {brief(label)} is not hashable: give a text, a number or a "
                "tuple"
            ) from None
    return place_of


def in_order(labels: Iterable[Hashable]) -> list[Any]:
    """Each label once: whole numbers ascending, others in the order of appearance."""
    found: list[Any] = list(dict.fromkeys(labels))
    return sorted(map(int, found)) if all(map(is_whole, found)) else found


def _has_nan(label: Any) -> bool:
    """Whether a label is NaN, or a tuple that has one."""
    if isinstance(label, tuple):
        return any(map(_has_nan, label))
    return isinstance(label, float) and label != label


def some_labels(labels: Sequence[Any], shown: int = SHOWN) -> str:
    """The first few labels, in words.

    >>> some_labels(["a", ("b", 1), 3])
    "'a', ('b', 1), 3"
    >>> some_labels(range(1000))
    '0, 1, 2, 3, ...'
    """
    few = ", ".join(printable(brief(label)) for label in islice(labels, shown))
    return few + ", ..." * (len(labels) > shown)


def checked_names(names: Any, d: int) -> tuple[str, ...]:
    """One name per objective, all different; f0, f1, ... if None is given."""
    if names is None:
        return default_names(d)
    if isinstance(names, UNLISTED) or not isinstance(names, Iterable):
        raise TypeError(f"names is {brief(names)}, not a list of texts")
    found = tuple(names)
    if len(found) != d:
        raise ValueError(
            f"{counted(len(found), 'name')} given for {counted(d, 'objective')}"
        )
    before = set[str]()
    for i, name in enumerate(found):
        if not isinstance(name, str) or not name.strip():
            raise TypeError(
                f"the name of objective {i} is {brief(name)}, which is no text"
            )
        if name in before:
            raise ValueError(f"two objectives have the name {brief(name)}")
        before.add(name)
    return tuple(map(str, found))


def default_names(count: int, letter: str = "f") -> tuple[str, ...]:
    """The names of objectives, or of constraints, that were given none: f0, f1, ..."""
    return tuple(f"{letter}{i}" for i in range(count))


def joined_names(parts: Sequence[Sequence[str]], letter: str) -> tuple[str, ...]:
    """The names of all parts, made distinct; those by number have their new number.

    >>> joined_names([("f0", "cost"), ("cost", "f1")], "f")
    ('f0', 'cost', 'cost_2', 'f3')
    """
    every = [
        (name, name == f"{letter}{i}") for part in parts for i, name in enumerate(part)
    ]
    known = {name for name, is_number in every if not is_number}
    found = dict[str, None]()
    for place, (name, is_number) in enumerate(every):
        own = f"{letter}{place}" if is_number else name
        free, again = own, 2
        while free in found or (free in known and free != name):
            free, again = f"{own}_{again}", again + 1
        found[free] = None
    return tuple(found)


def shown_name(name: str) -> str:
    r"""The name of an objective on one line, cut where it is long.

    >>> print(shown_name("cost\n(EUR)"))
    cost\n(EUR)
    """
    text = printable(name)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


@contextmanager
def telling(pattern: str, called: Callable[[int], str | None]) -> Iterator[None]:
    """Let errors call what `pattern` finds, by its number, by other words, if any."""
    try:
        yield
    except (ValueError, TypeError, OverflowError) as error:
        said = str(error)
        told = re.sub(pattern, lambda found: called(int(found[1])) or found[0], said)
        if told == said:
            raise
        raise type(error)(told) from error.__cause__


def telling_names(names: Sequence[str]) -> AbstractContextManager[None]:
    """Let errors that begin with the number of an objective tell its name as well.

    `objective 1, subfunction 3 ...` becomes `objective 1 ('risk'), subfunction 3 ...`,
    unless the name is the default one.
    """

    def called(i: int) -> str | None:
        if i >= len(names) or names[i] == f"f{i}":
            return None
        return f"objective {i} ({brief(names[i])})"

    return telling(r"\Aobjective (\d+)\b", called)


def checked_sense(sense: str | Sequence[str], d: Any) -> np.ndarray:
    """One sign per objective: 1 for "max" or "maximise", -1 for "min" or "minimise"."""
    d = checked_whole("d", d, 1)
    if not isinstance(sense, Iterable):
        raise TypeError(f"sense is {brief(sense)}, not 'max', 'min' or a list of them")
    senses = [sense] * d if isinstance(sense, str) else list(sense)
    if len(senses) != d:
        raise ValueError(
            f"{counted(len(senses), 'sense')} given for {counted(d, 'objective')}"
        )
    words = [one.lower() if isinstance(one, str) else "" for one in senses]
    short = [
        word[:3] if word[:3] in SIGNS and word[3:] in ENDINGS else one
        for word, one in zip(words, senses)
    ]
    check_senses(short)
    return np.array([SIGNS[one] for one in short], np.int64)


def check_senses(senses: Sequence[Any]) -> None:
    """Refuse all but "max" and "min", the two that files may hold."""
    for i, one in enumerate(senses):
        if not isinstance(one, str) or one not in SIGNS:
            raise ValueError(
                f"the sense of objective {i} is {brief(one)}, neither 'max' nor 'min'"
            )


def senses_in_words(sense: Sequence[str], between: str = ", ") -> str:
    """The sense of each objective; of many, how many have which."""
    if len(sense) <= MANY:
        return between.join(sense)
    counts = {one: sense.count(one) for one in ("max", "min")}
    return ", ".join(f"{count:,} {one}" for one, count in counts.items() if count)


def senses_of(signs: np.ndarray) -> tuple[str, ...]:
    """The sense of each objective, given its sign."""
    return tuple("max" if sign > 0 else "min" for sign in signs)
