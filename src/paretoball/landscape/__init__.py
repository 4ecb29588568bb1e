"""Vector Mk Landscapes: d objectives, each a sum of subfunctions. Section 2.

- `variables`: how many a landscape may have
- `naming`: labels of variables and names of objectives
- `senses`: which objectives are maximised and which are minimised
- `solutions`, `by_label`: vectors of n bits, and dicts with a bit for each label
- `subfunctions`: the user's subfunctions, checked and laid end to end
- `blocks`: subfunctions of one arity as matrices
- `repeats`: variables that a mask names twice
- `spelled_out`: labels in masks as numbers, functions of bits as tables
- `terms`: many subfunctions of one arity at once
- `exact_tables`: tables of fractions and decimals, taken exactly or refused
- `fixed_point`: real tables as whole numbers of steps
- `steps`: subfunctions as given, checked, in steps
- `constraints`: sums that a feasible solution keeps within bounds
- `constraint_bounds`: their bounds in steps, or why none can be kept
- `given_constraints`: constraints as people write them, checked
- `stored_constraints`: constraints as files keep them
- `cliques`: what kernels see of a landscape, and the co-occurrence graph
- `constraint_rows`: what kernels see of constraints
- `numbering`: numbers for variables, such that neighbours lie close together
- `merging`: subfunctions merged into cliques by the variables they read
- `survey`: what is counted and bounded of all tables
- `square`: dense quadratic objectives as one square of factors
- `square_tables`: the subfunctions and cliques of a square
- `square_given`: squares of subfunctions, and of factors above the diagonal
- `fields`: the fields of a landscape, checked
- `front`: what results, archives, exact fronts, offspring and reports have in common
- `landscape`: `Landscape`
- `twin`: a landscape whose variables have other numbers
- `monomials`: each objective and each constraint as a polynomial
- `quadratic`: objectives of degree 2 at most
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
from paretoball.landscape.constraint_rows import (
    ConstraintRows,
    constraint_values,
    term_read,
)
from paretoball.landscape.constraints import (
    Constraint,
    ConstraintArrays,
    Constraints,
    check_unconstrained,
    constraint_in_words,
    joined_constraints,
    no_constraints,
)
from paretoball.landscape.digest import (
    is_digest_of,
    keep_listed_digest,
    landscape_digest,
)
from paretoball.landscape.fixed_point import (
    checked_scale,
    in_units,
    scale_of_entries,
    size_in_words,
)
from paretoball.landscape.front import Front, bit_names, distinct_columns
from paretoball.landscape.given_constraints import (
    checked_constraints,
    constraints_of_file,
)
from paretoball.landscape.joined import joined
from paretoball.landscape.landscape import Landscape
from paretoball.landscape.monomials import (
    Monomials,
    constraint_polynomial,
    monomials,
)
from paretoball.landscape.naming import (
    checked_labels,
    checked_names,
    default_names,
    in_order,
    listed_labels,
    shown_name,
    some_labels,
    telling_names,
)
from paretoball.landscape.numbering import Numbering
from paretoball.landscape.quadratic import Quadratic, TooHighDegree, quadratic_form
from paretoball.landscape.senses import (
    check_senses,
    checked_sense,
    senses_in_words,
    senses_of,
)
from paretoball.landscape.solutions import (
    check_is_one,
    check_solutions_fit,
    new_solutions,
    packed_bits,
    unpacked_bits,
)
from paretoball.landscape.square import Square
from paretoball.landscape.square_given import (
    SHARE,
    factors_above,
    is_dense,
    largest_size,
    new_factors,
    square_above,
)
from paretoball.landscape.stored_constraints import (
    StoredConstraints,
    constraints_of_stored,
    to_be_stored,
)
from paretoball.landscape.subfunctions import (
    EXACT,
    MAX_ARITY,
    Subfunctions,
    checked_layout,
    flattened,
)
from paretoball.landscape.terms import Terms, constant, cuts, products
from paretoball.landscape.twin import in_good_order, may_get_numbers
from paretoball.landscape.variables import checked_n

__all__ = [
    "EXACT",
    "MAX_ARITY",
    "SHARE",
    "Cliques",
    "Constraint",
    "ConstraintArrays",
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
    "no_constraints",
    "packed_bits",
    "products",
    "quadratic_form",
    "row_read",
    "scale_of_entries",
    "senses_in_words",
    "senses_of",
    "shown_name",
    "size_in_words",
    "some_labels",
    "sorted_index",
    "square_above",
    "telling_names",
    "term_read",
    "to_be_stored",
    "unpacked_bits",
    "with_readers",
]
