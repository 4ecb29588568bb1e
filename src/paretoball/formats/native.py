"""What the package's own two formats have in common."""

from typing import Any

import numpy as np

from paretoball.landscape import Landscape, landscape_digest
from paretoball.system import brief

FORMAT = "paretoball landscape"
VERSION = 1
MOST_UNREAD = 1 << 20  # variables in no mask, so that small files stay small inside


def check_unread(n: Any, masks: np.ndarray) -> None:
    """A file does not say many more variables than it has in masks."""
    if type(n) is int and n > len(masks) + MOST_UNREAD:
        raise ValueError(
            f"n = {brief(n)}, but there are {len(masks):,} variables in masks: in a "
            f"file, at most {MOST_UNREAD:,} may be in none"
        )


def check_digest(header: dict[str, Any], landscape: Landscape) -> None:
    """The digest, where there is one, is that of the content."""
    found, right = header.get("digest"), landscape_digest(landscape)
    if "digest" in header and found != right:
        raise ValueError(
            f"its digest is {brief(found)}, but that of its content is {right}: "
            "it is damaged, or was edited and needs the new digest or none"
        )
