"""What the package's own two formats have in common."""

from typing import Any

import numpy as np

from paretoball.formats.disk import Misplaced
from paretoball.landscape import Landscape, landscape_digest
from paretoball.system import brief, counted

FORMAT = "paretoball landscape"
VERSION = 1
MOST_UNREAD = 1 << 20  # variables in no mask; a small file must not need much memory


def check_unread(n: Any, masks: np.ndarray, line: int | None = None) -> None:
    """Refuse an n, told in this line, far above the number of entries in masks."""
    if type(n) is int and n > len(masks) + MOST_UNREAD:
        read = counted(len(masks), "entry", "entries")
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
