"""What the package's own two formats have in common."""

from typing import Any

from paretoball.formats.disk import Misplaced
from paretoball.landscape import Landscape, landscape_digest
from paretoball.system import brief, counted

FORMAT = "paretoball landscape"
# The versions: without constraints, with some, and dense squares with or without, the
# last in npz only.
PLAIN, CONSTRAINED, SQUARE = 1, 2, 3
MOST_UNREAD = 1 << 20  # variables in no mask; a small file must not need much memory


def version_of(landscape: Landscape) -> int:
    """The version that a landscape is written in: the lowest that holds it."""
    return CONSTRAINED if landscape.constraints else PLAIN


def mask_entries(landscape: Landscape) -> int:
    """How many entries all masks have, those of constraints included.

    Of a square they are not counted: each of its variables has a row of factors.
    """
    of_constraints = len(landscape.constraints.arrays.subfunctions.masks)
    if landscape.square is not None:
        return landscape.n + of_constraints
    return len(landscape.subfunctions.masks) + of_constraints


def check_unread(n: Any, entries: int, line: int | None = None) -> None:
    """Refuse an n, told in this line, far above the number of entries in masks."""
    if type(n) is int and n > entries + MOST_UNREAD:
        read = counted(entries, "entry", "entries")
        what = (
            f"n = {brief(n)}, but masks have {read}: in a file, at most "
            f"{MOST_UNREAD:,} variables may be in none of them"
        )
        raise ValueError(what) if line is None else Misplaced(line, what)


def check_digest(header: dict[str, Any], landscape: Landscape) -> None:
    """Refuse a header whose digest is not that of the content; it may have none."""
    if "digest" in header and header["digest"] != landscape_digest(landscape):
        found, right = header["digest"], landscape_digest(landscape)
        raise ValueError(
            f"its digest is {brief(found)}, but that of its content is {right}: "
            "it is damaged, or was edited; then put in the new digest, or none"
        )
