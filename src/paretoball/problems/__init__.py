"""Families of problems, one file each: functions that make landscapes.

- `java_random`: the random generator of the authors' instances
- `mnk`: MNK landscapes, the paper's benchmark
"""

from paretoball.problems.mnk import checked_for_java, checked_sizes, mnk, mnk_java

__all__ = [
    "checked_for_java",
    "checked_sizes",
    "mnk",
    "mnk_java",
]
