"""PySAT: formulas in, models out."""

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from paretoball.adapters.missing import missing
from paretoball.landscape import Landscape
from paretoball.problems import maxsat

if TYPE_CHECKING:
    from pysat.formula import CNF, WCNF, IDPool


def from_pysat(
    formula: "CNF | WCNF | Sequence[CNF | WCNF]",
    sense: str | Sequence[str] = "max",
    pool: "IDPool | None" = None,
    names: Sequence[str] | None = None,
) -> Landscape:
    """The landscape of one formula or of several, as `maxsat` has it.

    A maximised objective is the weight of all satisfied clauses; a minimised one is the
    weight of all falsified ones. Clauses of a `CNF` count 1. Hard clauses are refused.
    The label of a variable is its number, from 1 on, or what it stands for in `pool`.
    """
    try:
        from pysat.formula import CNF, WCNF
    except ImportError:
        raise missing("from_pysat", "python-sat", "pysat") from None
    given: Any = formula
    formulas = list(given) if isinstance(given, list | tuple) else [given]
    for each in formulas:
        if not isinstance(each, CNF | WCNF):
            raise TypeError(
                "a formula is a CNF or a WCNF of PySAT, and several are a list of "
                f"them, but this is a {type(each).__name__}"
            )
    n = max((each.nv for each in formulas), default=0)
    return maxsat(formulas, sense, _labels(n, pool), names)


def _labels(n: int, pool: Any) -> list[Hashable]:
    """What variables 1 to n stand for; those that are not in the pool, themselves."""
    stands_for = {} if pool is None else pool.id2obj
    return [stands_for.get(v, v) for v in range(1, n + 1)]


def to_model(x: Sequence[int] | np.ndarray) -> list[int]:
    """A solution as PySAT has it: v where variable v is 1, and -v where it is 0.

    >>> to_model([1, 0, 1])
    [1, -2, 3]
    """
    return [v if bit else -v for v, bit in enumerate(x, start=1)]
