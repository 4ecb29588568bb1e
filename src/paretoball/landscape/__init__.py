"""Vector Mk Landscapes: d objectives, each a sum of subfunctions. Section 2.

- `senses`: which objectives are maximised and which are minimised
- `solutions`: vectors of n bits
- `subfunctions`: the user's subfunctions, checked and laid end to end
- `exact_tables`: tables of fractions and decimals, taken exactly or refused
- `fixed_point`: real tables as whole numbers of steps
- `cliques`: subfunctions merged by the variables they read, and the co-occurrence graph
- `front`: what results, archives, exact fronts, offspring and reports have in common
- `landscape`: `Landscape`
- `digest`: a name for the content of a landscape
"""

from paretoball.landscape.cliques import Cliques, Graph, row_read, sorted_index
from paretoball.landscape.digest import landscape_digest
from paretoball.landscape.exact_tables import EXACT_DECIMALS
from paretoball.landscape.fixed_point import (
    checked_scale,
    scale_of_entries,
    size_in_words,
)
from paretoball.landscape.front import Front, bit_names, default_names
from paretoball.landscape.landscape import Landscape, checked_n
from paretoball.landscape.senses import (
    check_senses,
    checked_sense,
    senses_in_words,
    senses_of,
)
from paretoball.landscape.solutions import (
    check_solutions_fit,
    checked_solution,
    checked_solutions,
    new_solutions,
    packed_bits,
    unpacked_bits,
)
from paretoball.landscape.subfunctions import (
    EXACT,
    MAX_ARITY,
    Subfunctions,
    checked_layout,
    flattened,
)

__all__ = [
    "EXACT",
    "EXACT_DECIMALS",
    "MAX_ARITY",
    "Cliques",
    "Front",
    "Graph",
    "Landscape",
    "Subfunctions",
    "bit_names",
    "check_senses",
    "check_solutions_fit",
    "checked_layout",
    "checked_n",
    "checked_scale",
    "checked_sense",
    "checked_solution",
    "checked_solutions",
    "default_names",
    "flattened",
    "landscape_digest",
    "new_solutions",
    "packed_bits",
    "row_read",
    "scale_of_entries",
    "senses_in_words",
    "senses_of",
    "size_in_words",
    "sorted_index",
    "unpacked_bits",
]
