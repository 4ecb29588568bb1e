"""pymoo: a landscape as a problem, and a result as one of theirs.

pymoo minimises, so maximised objectives are negated. Its constraints are values g <= 0
and h = 0; here they are how far constraints are from being satisfied, 0 where they are.
"""

from typing import Any

import numpy as np

from paretoball.adapters.missing import missing
from paretoball.landscape import Landscape
from paretoball.running import Result

try:
    from pymoo.core.population import Population
    from pymoo.core.problem import Problem
    from pymoo.core.result import Result as PymooResult
except ImportError:
    raise missing("paretoball.adapters.pymoo", "pymoo") from None


class LandscapeProblem(Problem):
    """The objectives of a landscape over n bits, all minimised, and its constraints."""

    def __init__(self, landscape: Landscape) -> None:
        relations = landscape.constraints.relations
        self.are_equal = np.array([each == "==" for each in relations], np.bool_)
        super().__init__(
            n_var=landscape.n,
            n_obj=landscape.d,
            n_ieq_constr=int((~self.are_equal).sum()),
            n_eq_constr=int(self.are_equal.sum()),
            xl=0,
            xu=1,
            vtype=bool,
        )
        self.landscape = landscape

    def _evaluate(self, x: np.ndarray, out: dict[str, Any], *_: Any, **__: Any) -> None:
        """The objectives and violations of a matrix of solutions."""
        out["F"] = self.landscape.evaluate(x) * -self.landscape.signs
        if len(self.are_equal):
            violation = self.landscape.violation(x)
            out["G"] = violation[:, ~self.are_equal]
            out["H"] = violation[:, self.are_equal]


def to_problem(landscape: Landscape) -> LandscapeProblem:
    """A problem for the algorithms of pymoo that work on bits.

    Constraints with `==` are its `H`, all others its `G`, in their own units.

    Examples
    --------
    >>> ones = Landscape.from_subfunctions(2, [[((0,), [0, 1]), ((1,), [0, 1])]])
    >>> to_problem(ones).evaluate(np.array([[True, True], [True, False]])).tolist()
    [[-2.0], [-1.0]]
    """
    return LandscapeProblem(landscape)


def to_pymoo_result(result: Result) -> PymooResult:
    """What `pymoo.optimize.minimize` would return, had it found the front of a result.

    `X`, `F`, `G`, `H`, `CV`, `opt`, `pop`, `exec_time`, `message`, and, unless the
    result is from a file, `problem`. There is no `algorithm`, and `history` is empty.
    Solutions of `pop` count as evaluated, so `NSGA2(sampling=found.pop)` starts from
    them without evaluating them again.
    """
    signs = np.array([1 if sense == "min" else -1 for sense in result.sense])
    rows = {"X": result.X, "F": (result.F * signs).astype(float)}
    if isinstance(result.source, Landscape):
        problem = to_problem(result.source)
        rows["G"] = np.zeros((len(result.X), problem.n_ieq_constr))  # all are feasible
        rows["H"] = np.zeros((len(result.X), problem.n_eq_constr))
    front = Population.new(**rows)
    for individual in front:
        individual.evaluated.update("FGH")
    found = PymooResult()
    found.pop = front
    if len(front):  # all of these are None where nothing feasible was found
        found.opt = front
        values = front.get("X", "F", "CV", "G", "H")
        if result.d == 1:  # pymoo has one solution without the axis of solutions
            values = tuple(value[0] for value in values)
        found.X, found.F, found.CV, found.G, found.H = values
    found.exec_time = result.setup_seconds + result.seconds
    found.message = result.ending
    found.success = not result.failed
    if isinstance(result.source, Landscape):
        found.problem = problem
    return found
