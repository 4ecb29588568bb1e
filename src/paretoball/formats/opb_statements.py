"""Landscapes as statements of OPB: objectives and constraints as polynomials.

An objective has no place for a constant, but for two terms that add up to it, of a
variable and of its negation. Variables in no product have a term with the factor 0
where all are named, so that names stand in their order.
"""

import re
from collections.abc import Iterator

import numpy as np

from paretoball.formats.units import whole_units
from paretoball.landscape import (
    Landscape,
    Monomials,
    constraint_polynomial,
    monomials,
)

VARIABLE = rb"[A-Za-z_][!-),./0-9?-}]*+"  # what is printable, but none of ~:;<>=*+-
WORD = re.compile(VARIABLE)
NUMBERED = re.compile(rb"x[1-9][0-9]*")

Polynomial = dict[tuple[int, ...], int]  # the factor of each product


def statements(landscape: Landscape) -> Iterator[str]:
    """The lines of a file, one statement each."""
    names = _names(landscape)
    m = len(landscape.constraints)
    yield f"* #variable= {landscape.n} #constraint= {m}\n"
    every = monomials(landscape)
    for i, sense in enumerate(landscape.sense):
        found = _objective(landscape, i, every)
        constant = found.pop((), 0)
        words = (
            [] if i or landscape.given_labels is None else [f"+0 {v}" for v in names]
        )
        words += _words(found, names)
        if constant:
            words += [f"{constant:+d} {names[0]}", f"{constant:+d} ~{names[0]}"]
        yield f"{sense}: {' '.join(words)} ;\n"
    for c in range(m):
        yield _constraint(landscape, c, names)


def _names(landscape: Landscape) -> list[str]:
    """The names of variables in a file, if their labels can be such."""
    if landscape.given_labels is None:
        return [f"x{j + 1}" for j in range(landscape.n)]
    for label in landscape.given_labels:
        if not isinstance(label, str) or not WORD.fullmatch(label.encode()):
            raise ValueError(
                f"OPB has no variable named {label!r}: a name begins with a letter, "
                "and has none of ~:;<>=*+- and no spaces"
            )
    names = [str(label) for label in landscape.given_labels]
    if all(NUMBERED.fullmatch(name.encode()) for name in names):
        raise ValueError(
            f"OPB takes names such as {names[0]!r} for the numbers of variables: "
            "other labels, or none, can be written"
        )
    return names


def _objective(landscape: Landscape, i: int, every: list[Monomials]) -> Polynomial:
    """The polynomial of objective i, in units."""
    found: Polynomial = {}
    for masks, factors in every:
        kept = np.asarray(factors[:, i] != 0, np.bool_)
        if kept.any():
            units = whole_units(landscape, i, factors[kept, i], "OPB")
            found |= dict(zip(map(tuple, masks[kept].tolist()), units.tolist()))
    return found


def _constraint(landscape: Landscape, c: int, names: list[str]) -> str:
    """The statement of constraint c."""
    given = landscape.constraints
    if given.scale[c] != 1 or given.bounds[c] != int(given.bounds[c]):
        raise ValueError(
            f"OPB has whole numbers, but constraint {c} ({given.names[c]!r}) has others"
        )
    found = constraint_polynomial(landscape, c)
    bound = int(given.bounds[c]) - found.pop((), 0)
    words = _words(found, names) or [f"+0 {names[0]}"]
    relation = "=" if given.relations[c] == "==" else given.relations[c]
    return f"{' '.join(words)} {relation} {bound} ;\n"


def _words(found: Polynomial, names: list[str]) -> list[str]:
    """The terms of a polynomial."""
    return [
        " ".join([f"{factor:+d}", *(names[j] for j in product)])
        for product, factor in found.items()
        if factor
    ]
