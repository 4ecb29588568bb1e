"""Everything that makes a landscape: one file per family of problems."""

from paretoball.problems.mnk import mnk, mnk_java

__all__ = ["mnk", "mnk_java"]
