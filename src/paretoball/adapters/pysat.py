"""PySAT: formulas in, models out, and solutions of hard clauses by its solvers."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from paretoball.adapters.missing import missing
from paretoball.landscape import Landscape
from paretoball.problems import clauses_of, maxsat
from paretoball.system import brief, is_whole

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
    weight of all falsified ones. Clauses of a `CNF` count 1. Hard clauses of all
    formulas are constraints, and so are bounds on sums of literals (`CNFPlus`). The
    label of a variable is its number, from 1 on, or what it stands for in `pool`.
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


def feasible_solution(landscape: Landscape, solver: str = "cadical153") -> np.ndarray:
    """One solution that satisfies all constraints, for `solve(start=...)`.

    Constraints must be clauses: that one of some literals holds, or all of them. A
    solver of PySAT finds the solution, or proves that there is none, which is an error.

    Examples
    --------
    >>> landscape = maxsat([[1], [2]], hard=[[1, 2], [-1, -2], [-2]])
    >>> feasible_solution(landscape).tolist()
    [1, 0]
    """
    try:
        from pysat.solvers import Solver
    except ImportError:
        raise missing("feasible_solution", "python-sat", "pysat") from None
    with Solver(name=solver, bootstrap_with=clauses_of(landscape)) as found:
        if not found.solve():
            raise ValueError(
                "no solution satisfies all constraints of the landscape, a solver says"
            )
        model = np.array(found.get_model(), np.int64)
    x = np.zeros(landscape.n, np.uint8)
    x[model[(model > 0) & (model <= landscape.n)] - 1] = 1
    return x


def to_model(x: Sequence[int] | np.ndarray | Mapping[Any, int]) -> list[int]:
    """A solution as PySAT has it: v where variable v is 1, and -v where it is 0.

    A dict is a solution by label, with the numbers of PySAT for labels.

    >>> to_model([1, 0, 1])
    [1, -2, 3]
    >>> to_model({3: 1, 1: 1, 2: 0})
    [1, -2, 3]
    """
    numbers: Sequence[Any] = range(1, len(x) + 1)
    bits: Any = x
    if isinstance(x, Mapping):
        for label in x:
            if not is_whole(label) or label < 1:
                raise ValueError(
                    f"x has the label {brief(label)}, but variables of PySAT are "
                    "whole numbers from 1 on: give the bits of x in their order"
                )
        numbers = sorted(x)
        bits = [x[v] for v in numbers]
    array = np.asarray(bits)
    if array.ndim != 1 or not np.isin(array, (0, 1)).all():
        raise ValueError(f"x is {brief(x)}, not one solution: a vector of 0 and 1")
    return [int(v) if bit else -int(v) for v, bit in zip(numbers, array, strict=True)]
