"""The non-dominated set, and how a reported solution is rebuilt.

- `points`: objective vectors, with the unit and step where each was found
- `nd_tree`: the tree that finds what a vector dominates, and what dominates it
- `crowding`: which points to keep when there are too many
- `trails`: solutions, each as flips of the one before
- `archive`: `Archive`
"""

from paretoball.archive.archive import Archive, Found
from paretoball.archive.nd_tree import UNROLLED
from paretoball.archive.points import Points
from paretoball.archive.trails import Trail, replayed

__all__ = [
    "UNROLLED",
    "Archive",
    "Found",
    "Points",
    "Trail",
    "replayed",
]
