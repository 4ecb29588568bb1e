"""Families of problems, one file each: functions that make landscapes.

- `java_random`: the random generator of the authors' instances
- `correlation`: uniform numbers with a given correlation
- `mnk`: MNK landscapes, the paper's benchmark
- `random_graphs`: random graphs, by density or regular
- `random_qubo`: the benchmark mUBQP
- `random_maxcut`: random graphs with random weights
- `spin_glass`: random couplings on a torus
"""

from paretoball.problems.mnk import checked_for_java, checked_sizes, mnk, mnk_java
from paretoball.problems.random_maxcut import random_maxcut
from paretoball.problems.random_qubo import random_qubo
from paretoball.problems.spin_glass import spin_glass

__all__ = [
    "checked_for_java",
    "checked_sizes",
    "mnk",
    "mnk_java",
    "random_maxcut",
    "random_qubo",
    "spin_glass",
]
