"""scipy: an objective as a sparse matrix. `qubo` reads such matrices."""

from typing import TYPE_CHECKING

import numpy as np

from paretoball.adapters.missing import missing
from paretoball.adapters.quadratic import form_of
from paretoball.landscape import Landscape

if TYPE_CHECKING:
    import scipy.sparse


def to_sparse(
    landscape: Landscape, objective: int | str = 0
) -> "tuple[scipy.sparse.csr_array, float]":
    """Q and c of an objective x Q x + c, given by its number or its name.

    Q is upper triangular: Q[j, j] is the factor of x[j], and Q[i, j] with i < j that of
    x[i] x[j]. The objective is in its own sense. One of degree 3 or more is refused.

    Examples
    --------
    >>> xor = Landscape.from_subfunctions(2, [[((0, 1), [7, 8, 8, 7])]])
    >>> Q, constant = to_sparse(xor)
    >>> Q.toarray().tolist(), constant
    ([[1, -2], [0, 1]], 7)
    """
    try:
        from scipy.sparse import csr_array
    except ImportError:
        raise missing("to_sparse", "scipy") from None
    form = form_of(landscape, objective)
    on_diagonal = np.flatnonzero(form.linear)
    rows = np.concatenate([on_diagonal, form.pairs[:, 0]])
    columns = np.concatenate([on_diagonal, form.pairs[:, 1]])
    entries = np.concatenate([form.linear[on_diagonal], form.factors])
    Q = csr_array((entries, (rows, columns)), shape=(landscape.n, landscape.n))
    return Q, form.constant
