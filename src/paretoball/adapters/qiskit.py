"""qiskit-optimization: quadratic programs."""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from paretoball.adapters.missing import missing
from paretoball.adapters.quadratic import (
    Bounded,
    Labelled,
    constraint_form,
    form_of,
    objective_number,
    quadratic_landscape,
)
from paretoball.landscape import Landscape, Quadratic
from paretoball.system import brief

if TYPE_CHECKING:
    from qiskit_optimization import QuadraticProgram

LIBRARY, EXTRA = "qiskit-optimization", "qiskit"


def from_quadratic_program(
    program: "QuadraticProgram | Sequence[QuadraticProgram]",
    names: Sequence[str] | None = None,
) -> Landscape:
    """The landscape whose objectives are those of one or several quadratic programs.

    Each has its own sense. Names of variables become labels, and equal ones are one
    variable. Variables must be binary. Constraints, linear or quadratic, of all
    programs are constraints of the landscape.
    """
    try:
        from qiskit_optimization import QuadraticProgram
    except ImportError:
        raise missing("from_quadratic_program", LIBRARY, EXTRA) from None
    given: Any = program
    programs = list(given) if isinstance(given, list | tuple) else [given]
    for each in programs:
        if not isinstance(each, QuadraticProgram):
            raise TypeError(
                "a program is a QuadraticProgram, and several are a list of them, but "
                f"this is a {type(each).__name__}"
            )
    parts = [_objective(each) for each in programs]
    senses = [each.objective.sense.name.lower() for each in programs]
    rows = [row for each in programs for row in _constraints(each)]
    return quadratic_landscape(parts, senses, names, rows)


def _objective(program: Any) -> Labelled:
    """The objective of a program of binary variables, as a quadratic form."""
    for variable in program.variables:
        kind = variable.vartype.name.lower()
        if kind != "binary":
            raise ValueError(
                f"variable {brief(variable.name)} is {kind}, but a landscape has "
                "binary variables only"
            )
    objective = program.objective
    return _labelled(program, objective.constant, objective.linear, objective.quadratic)


def _constraints(program: Any) -> list[Bounded]:
    """The constraints of a program, linear ones first."""
    return [
        Bounded(
            _labelled(program, 0, each.linear, getattr(each, "quadratic", None)),
            "==" if each.sense.name == "EQ" else each.sense.label,
            each.rhs,
            each.name,
        )
        for each in (*program.linear_constraints, *program.quadratic_constraints)
    ]


def _labelled(program: Any, constant: Any, linear: Any, quadratic: Any) -> Labelled:
    """Linear and quadratic expressions of a program as a quadratic form."""
    pairs, factors = np.zeros((0, 2), np.int64), np.zeros(0)
    if quadratic is not None:
        entries = quadratic.coefficients.tocoo()
        pairs, factors = np.column_stack([entries.row, entries.col]), entries.data
    names = [variable.name for variable in program.variables]
    return Labelled(names, Quadratic(constant, linear.to_array(), pairs, factors))


def to_quadratic_program(
    landscape: Landscape, objective: int | str = 0
) -> "QuadraticProgram":
    """The program whose objective is one of the landscape, by its number or its name.

    It has the same sense, and all constraints. A label that is no text gets an x before
    it. An objective or a constraint of degree 3 or more is refused.
    """
    try:
        from qiskit_optimization import QuadraticProgram
    except ImportError:
        raise missing("to_quadratic_program", LIBRARY, EXTRA) from None
    form = form_of(landscape, objective)
    i = objective_number(landscape.names, objective)
    program = QuadraticProgram(landscape.names[i])
    names = [_name(label) for label in landscape.labels]
    for name, count in Counter(names).items():
        if count > 1:
            raise ValueError(f"two variables would have the name {brief(name)}")
        program.binary_var(name)
    optimise = program.minimize if landscape.sense[i] == "min" else program.maximize
    pairs = zip(map(tuple, form.pairs.tolist()), form.factors.tolist())
    optimise(form.constant, form.linear.astype(float), dict(pairs))
    for c, relation in enumerate(landscape.constraints.relations):
        factors, bound = constraint_form(landscape, c)
        linear = {key[0]: each for key, each in factors.items() if len(key) == 1}
        products = {key: each for key, each in factors.items() if len(key) == 2}
        given = (relation, bound, landscape.constraints.names[c])
        if products:
            program.quadratic_constraint(linear, products, *given)
        else:
            program.linear_constraint(linear, *given)
    return program


def _name(label: Hashable) -> str:
    """The name of a variable with this label.

    >>> _name("a"), _name(3)
    ('a', 'x3')
    """
    return label if isinstance(label, str) and label else f"x{label}"
