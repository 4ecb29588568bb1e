"""Senses: which objectives are maximised and which are minimised."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from paretoball.system import brief, checked_whole, counted

MANY = 8  # more senses than these are counted, not listed

SIGNS = {"max": 1, "min": -1}
ENDINGS = ("", "imise", "imize", "imum")  # of these, in whatever case


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
    short = [_short(one) for one in senses]
    check_senses(short)
    return np.array([SIGNS[one] for one in short], np.int64)


def _short(one: Any) -> Any:
    """A sense as "max" or "min", if it is a longer word for one of these."""
    word = one.lower() if isinstance(one, str) else ""
    return word[:3] if word[:3] in SIGNS and word[3:] in ENDINGS else one


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
