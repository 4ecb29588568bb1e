"""Families of problems, one file each: functions that make landscapes.

- `java_random`: the random generator of the authors' instances
- `mnk`: MNK landscapes, the paper's benchmark
- `factors`: numbers of any kind, checked and not rounded
- `products`: polynomials as products of variables
- `labelled`: products by label, and which variables there are
- `vartypes`: whether variables are bits or spins
- `quadratic`: matrices, dicts and graphs, one or several
- `qubo`: quadratic functions of bits
- `ising`: quadratic functions of spins
- `maxcut`: the weight of the edges that are cut
- `polynomials`: polynomials of any degree, with labels of any kind
"""

from paretoball.problems.ising import ising
from paretoball.problems.maxcut import maxcut
from paretoball.problems.mnk import checked_for_java, checked_sizes, mnk, mnk_java
from paretoball.problems.polynomials import from_polynomials
from paretoball.problems.qubo import qubo

__all__ = [
    "checked_for_java",
    "checked_sizes",
    "from_polynomials",
    "ising",
    "maxcut",
    "mnk",
    "mnk_java",
    "qubo",
]
