"""Families of problems, one file each: functions that make landscapes.

- `memory`: what tables take
- `drawing`: random draws that families have in common
- `java_random`: the random generator of the authors' instances
- `correlation`: uniform numbers with a given correlation
- `mnk`: MNK landscapes, the paper's benchmark
- `factors`: numbers of any kind, checked and not rounded
- `products`: polynomials as products of variables
- `squares`: dense matrices of whole numbers as one square of factors
- `labelled`: products by label, and which variables there are
- `vartypes`: whether variables are bits or spins
- `quadratic`: matrices, dicts and graphs, one or several
- `constraining`: constraints by label, as rows of factors or as tables; cardinality
- `constrained`: more constraints for a landscape
- `qubo`: quadratic functions of bits
- `ising`: quadratic functions of spins
- `maxcut`: the weight of the edges that are cut
- `polynomials`: polynomials of any degree, with labels of any kind
- `random_graphs`: random graphs, by density or regular
- `random_qubo`: the benchmark mUBQP
- `random_maxcut`: random graphs with random weights
- `spin_glass`: random couplings on a torus
- `clauses`: weighted clauses as terms
- `hard_clauses`: clauses as constraints, and constraints as clauses
- `formulas`: lists of clauses, and formulas of PySAT
- `maxsat`: MAX-SAT
- `random_sat`: random k-SAT
- `linear`: rows of factors
- `knapsack`: the profit of items, with capacities
- `random_knapsack`: random profits and weights
- `set_covering`: the cost of columns that cover all rows
- `random_covering`: random rows and costs
"""

from paretoball.problems.clauses import Clauses, LongClause, clause_terms
from paretoball.problems.constrained import constrained
from paretoball.problems.constraining import cardinality
from paretoball.problems.hard_clauses import (
    EmptyClause,
    Row,
    clause_rows,
    clauses_of,
)
from paretoball.problems.ising import ising
from paretoball.problems.knapsack import knapsack
from paretoball.problems.maxcut import maxcut
from paretoball.problems.maxsat import maxsat
from paretoball.problems.mnk import checked_for_java, checked_sizes, mnk, mnk_java
from paretoball.problems.polynomials import from_polynomials
from paretoball.problems.qubo import qubo
from paretoball.problems.random_covering import random_covering
from paretoball.problems.random_knapsack import random_knapsack
from paretoball.problems.random_maxcut import random_maxcut
from paretoball.problems.random_qubo import random_qubo
from paretoball.problems.random_sat import random_sat
from paretoball.problems.set_covering import set_covering
from paretoball.problems.spin_glass import spin_glass
from paretoball.problems.squares import landscape_of_matrices, square_of_matrices

__all__ = [
    "Clauses",
    "EmptyClause",
    "LongClause",
    "Row",
    "cardinality",
    "checked_for_java",
    "checked_sizes",
    "clause_rows",
    "clause_terms",
    "clauses_of",
    "constrained",
    "from_polynomials",
    "ising",
    "knapsack",
    "landscape_of_matrices",
    "maxcut",
    "maxsat",
    "mnk",
    "mnk_java",
    "qubo",
    "random_covering",
    "random_knapsack",
    "random_maxcut",
    "random_qubo",
    "random_sat",
    "set_covering",
    "spin_glass",
    "square_of_matrices",
]
