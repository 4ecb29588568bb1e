"""The non-dominated set, and how a reported solution is rebuilt.

- `points`: objective vectors, with the unit and step where each was found
- `nd_tree`: the tree that finds what a vector dominates, and what dominates it
- `crowding`: which points to keep when there are too many
- `trails`: solutions, each as flips of the one before
- `archive`: `Archive`
"""

from paretoball.archive.archive import Archive, Found, Near, report_rows
from paretoball.archive.nd_tree import (
    SPARE,
    UNROLLED,
    NdTree,
    is_refused,
    larger,
    new_tree,
    room_left,
)
from paretoball.archive.nd_tree import TAKEN as ADDED
from paretoball.archive.nd_tree import report as nd_report
from paretoball.archive.points import Points
from paretoball.archive.trails import Trail, replayed

__all__ = [
    "ADDED",
    "SPARE",
    "UNROLLED",
    "Archive",
    "Found",
    "NdTree",
    "Near",
    "Points",
    "Trail",
    "is_refused",
    "larger",
    "nd_report",
    "new_tree",
    "replayed",
    "report_rows",
    "room_left",
]
