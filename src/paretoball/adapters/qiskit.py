"""qiskit-optimization: quadratic programs."""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from paretoball.adapters.missing import missing
from paretoball.adapters.quadratic import (
    Labelled,
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
    variable. Variables must be binary, and constraints are refused.
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
    parts = [_labelled(each) for each in programs]
    senses = [each.objective.sense.name.lower() for each in programs]
    return quadratic_landscape(parts, senses, names)


def _labelled(program: Any) -> Labelled:
    """The objective of a program, if it is all there is, as a quadratic form."""
    for variable in program.variables:
        kind = variable.vartype.name.lower()
        if kind != "binary":
            raise ValueError(
                f"variable {brief(variable.name)} is {kind}, but a landscape has "
                "binary variables only"
            )
    for each in (*program.linear_constraints, *program.quadratic_constraints):
        raise ValueError(
            f"there is a constraint, {brief(each.name)}, but a landscape has none"
        )
    objective = program.objective
    entries = objective.quadratic.coefficients.tocoo()
    form = Quadratic(
        objective.constant,
        objective.linear.to_array(),
        np.column_stack([entries.row, entries.col]),
        entries.data,
    )
    return Labelled([variable.name for variable in program.variables], form)


def to_quadratic_program(
    landscape: Landscape, objective: int | str = 0
) -> "QuadraticProgram":
    """The program whose objective is one of the landscape, by its number or its name.

    It has the same sense. A label that is no text gets an x before it. An objective of
    degree 3 or more is refused.
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
    return program


def _name(label: Hashable) -> str:
    """The name of a variable with this label.

    >>> _name("a"), _name(3)
    ('a', 'x3')
    """
    return label if isinstance(label, str) and label else f"x{label}"
