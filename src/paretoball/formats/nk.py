"""What readers of NK landscapes have in common: masks and tables, end to end."""

import numpy as np

from paretoball.formats.disk import Misplaced
from paretoball.formats.text import Words
from paretoball.landscape import MAX_ARITY

MOST_OBJECTIVES = 20  # of a file; all merged tables have a column for each


def checked_arity(arity: int, line: int) -> int:
    """How many variables a mask has, if a table can have an entry for each assignment.

    >>> checked_arity(3, line=7)
    3
    """
    if not 0 <= arity <= MAX_ARITY:
        raise Misplaced(
            line, f"a subfunction reads {arity} variables here, not 0 to {MAX_ARITY}"
        )
    return arity


def checked_objectives(count: int, line: int) -> int:
    """The number of objectives, if it is one that a search can deal with."""
    if not 1 <= count <= MOST_OBJECTIVES:
        raise Misplaced(
            line, f"there are {count} objectives here, not 1 to {MOST_OBJECTIVES}"
        )
    return count


def check_distinct(
    words: Words, places: np.ndarray, mask_at: np.ndarray, masks: np.ndarray
) -> None:
    """Refuse a mask that has a variable twice; word `places[e]` is that of entry e."""
    owner = np.repeat(np.arange(len(mask_at) - 1), np.diff(mask_at))
    order = np.lexsort((masks, owner))
    same = (np.diff(owner[order]) == 0) & (np.diff(masks[order]) == 0)
    if same.any():
        at = int(places[order[1:][same]].min())
        raise words.refusal(at, "is in this mask already")


def first_highest(mask_at: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Masks for tables whose index has the first variable as its highest bit.

    >>> first_highest(np.array([0, 2, 5]), np.array([4, 0, 1, 2, 3])).tolist()
    [0, 4, 3, 2, 1]
    """
    last = np.repeat(mask_at[:-1] + mask_at[1:] - 1, np.diff(mask_at))
    return np.asarray(masks[last - np.arange(len(masks))])


def check_bits(words: Words, at: int, n: int) -> None:
    """Refuse a word that is not a solution of n bits."""
    word = words.every[at]
    if len(word) != n or word.translate(None, b"01"):
        raise words.refusal(at, f"is not a solution of {n} bits")
