"""Vector Mk Landscapes: d objectives, each a sum of subfunctions. Section 2.

- `naming`: how many variables, their labels, and objectives' names and senses
- `solutions`: vectors of n bits, and dicts with a bit for each label
- `subfunctions`: subfunctions laid end to end, and terms: many of one arity at once
- `exact_tables`: tables of fractions and decimals, taken exactly or refused
- `spelled_out`: subfunctions as people write them, laid end to end
- `fixed_point`: real tables as whole numbers of steps
- `steps`: subfunctions as given, checked, in steps
- `constraints`: sums that a feasible solution keeps within bounds, in steps
- `given_constraints`: constraints as people write them and files keep them, checked
- `cliques`: what kernels see of a landscape, its graph, and the survey of all tables
- `constraint_rows`: what kernels see of constraints
- `numbering`: numbers for variables, such that neighbours lie close together
- `merging`: subfunctions merged into cliques by the variables they read
- `square`: dense quadratic objectives as one square of factors
- `square_tables`: subfunctions and cliques of a square, and squares made of these
- `fields`: the fields of a landscape, checked
- `front`: what results, archives, exact fronts, offspring and reports have in common
- `landscape`: `Landscape`
- `twin`: a landscape whose variables have other numbers
- `monomials`: objectives and constraints as polynomials, and as quadratic forms
- `joined`: several landscapes as one
- `digest`: a name for the content of a landscape
"""

from paretoball.landscape.cliques import (
    Cliques,
    Graph,
    cooccurrence_graph,
    no_cliques,
    row_read,
    sorted_index,
    with_readers,
)
from paretoball.landscape.constraint_rows import ConstraintRows, constraint_values
from paretoball.landscape.constraints import (
    NO_CONSTRAINTS,
    Constraint,
    Constraints,
    check_unconstrained,
    constraint_in_words,
    joined_constraints,
)
from paretoball.landscape.digest import (
    is_digest_of,
    keep_listed_digest,
    landscape_digest,
)
from paretoball.landscape.fixed_point import checked_scale, in_units, size_in_words
from paretoball.landscape.front import Front, bit_names, distinct_columns
from paretoball.landscape.given_constraints import (
    StoredConstraints,
    checked_constraints,
    constraints_of_file,
    constraints_of_stored,
    to_be_stored,
)
from paretoball.landscape.joined import joined
from paretoball.landscape.landscape import Landscape
from paretoball.landscape.monomials import (
    Monomials,
    Quadratic,
    TooHighDegree,
    constraint_polynomial,
    monomials,
    quadratic_form,
)
from paretoball.landscape.naming import (
    check_senses,
    checked_labels,
    checked_n,
    checked_names,
    checked_sense,
    default_names,
    in_order,
    listed_labels,
    senses_in_words,
    senses_of,
    shown_name,
    some_labels,
    telling_names,
)
from paretoball.landscape.numbering import Numbering
from paretoball.landscape.solutions import (
    check_is_one,
    check_solutions_fit,
    new_solutions,
    packed_bits,
    unpacked_bits,
)
from paretoball.landscape.spelled_out import flattened
from paretoball.landscape.square import Square
from paretoball.landscape.square_tables import (
    SHARE,
    factors_above,
    is_dense,
    new_factors,
    square_above,
)
from paretoball.landscape.steps import checked_layout
from paretoball.landscape.subfunctions import (
    EXACT,
    MAX_ARITY,
    Subfunctions,
    Terms,
    constant,
    cuts,
    largest_size,
    products,
)
from paretoball.landscape.twin import in_good_order, may_get_numbers

__all__ = [
    "EXACT",
    "MAX_ARITY",
    "NO_CONSTRAINTS",
    "SHARE",
    "Cliques",
    "Constraint",
    "ConstraintRows",
    "Constraints",
    "Front",
    "Graph",
    "Landscape",
    "Monomials",
    "Numbering",
    "Quadratic",
    "Square",
    "StoredConstraints",
    "Subfunctions",
    "Terms",
    "TooHighDegree",
    "bit_names",
    "check_is_one",
    "check_senses",
    "check_solutions_fit",
    "check_unconstrained",
    "checked_constraints",
    "checked_labels",
    "checked_layout",
    "checked_n",
    "checked_names",
    "checked_scale",
    "checked_sense",
    "constant",
    "constraint_in_words",
    "constraint_polynomial",
    "constraint_values",
    "constraints_of_file",
    "constraints_of_stored",
    "cooccurrence_graph",
    "cuts",
    "default_names",
    "distinct_columns",
    "factors_above",
    "flattened",
    "in_good_order",
    "in_order",
    "in_units",
    "is_dense",
    "is_digest_of",
    "joined",
    "joined_constraints",
    "keep_listed_digest",
    "landscape_digest",
    "largest_size",
    "listed_labels",
    "may_get_numbers",
    "monomials",
    "new_factors",
    "new_solutions",
    "no_cliques",
    "packed_bits",
    "products",
    "quadratic_form",
    "row_read",
    "senses_in_words",
    "senses_of",
    "shown_name",
    "size_in_words",
    "some_labels",
    "sorted_index",
    "square_above",
    "telling_names",
    "to_be_stored",
    "unpacked_bits",
    "with_readers",
]
