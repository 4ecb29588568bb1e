"""Families of problems, one file each: functions that make landscapes.

- `drawing`: random draws that families have in common
- `java_random`: the random generator of the authors' instances
- `mnk`: MNK landscapes, the paper's benchmark
- `clauses`: weighted clauses as terms
- `maxsat`: MAX-SAT
- `random_sat`: random k-SAT
"""

from paretoball.problems.clauses import Clauses, LongClause, clause_terms
from paretoball.problems.maxsat import maxsat
from paretoball.problems.mnk import checked_for_java, checked_sizes, mnk, mnk_java
from paretoball.problems.random_sat import random_sat

__all__ = [
    "Clauses",
    "LongClause",
    "checked_for_java",
    "checked_sizes",
    "clause_terms",
    "maxsat",
    "mnk",
    "mnk_java",
    "random_sat",
]
