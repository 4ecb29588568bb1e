"""What the package's own two formats have in common."""

from typing import Any

from paretoball.formats.disk import Misplaced
from paretoball.landscape import Landscape, landscape_digest
from paretoball.system import brief, counted

FORMAT = "paretoball landscape"
PLAIN, CONSTRAINED = 1, 2  # the versions: without constraints, and with some
MOST_UNREAD = 1 << 20  # variables in no mask; a small file must not need much memory


def version_of(landscape: Landscape) -> int:
    """The version that a landscape is written in: the lowest that holds it."""
    return CONSTRAINED if landscape.constraints else PLAIN


def mask_entries(landscape: Landscape) -> int:
    """How many entries all masks have, those of constraints included."""
    of_constraints = landscape.constraints.arrays.subfunctions.masks
    return len(landscape.subfunctions.masks) + len(of_constraints)


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
    found, right = header.get("digest"), landscape_digest(landscape)
    if "digest" in header and found != right:
        raise ValueError(
            f"its digest is {brief(found)}, but that of its content is {right}: "
            "it is damaged, or was edited; then put in the new digest, or none"
        )
