"""Quadratic forms: what most libraries take and give, between them and landscapes."""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from paretoball.landscape import (
    EXACT,
    Landscape,
    Quadratic,
    Terms,
    constant,
    products,
    quadratic_form,
)
from paretoball.numerics import LARGEST_FLOAT
from paretoball.system import brief, is_whole


class Labelled(NamedTuple):
    """A quadratic form in variables with labels; with `spins`, in s = 2x - 1.

    A pair may have one variable twice: x[j] x[j] is x[j].
    """

    labels: Sequence[Hashable]
    form: Quadratic
    spins: bool = False


def quadratic_landscape(
    parts: Sequence[Labelled],
    sense: str | Sequence[str],
    names: Sequence[str] | None,
) -> Landscape:
    """The landscape with an objective for each form; equal labels are one variable.

    An objective of whole numbers has int tables, also if they were given as floats.
    """
    if not parts:
        raise ValueError("the list is empty: a landscape has at least one objective")
    place_of = {label: 0 for part in parts for label in part.labels}
    if not place_of:
        raise ValueError("there are no variables: a landscape has at least one")
    place_of = {label: j for j, label in enumerate(place_of)}
    objectives = [_terms(part, place_of) for part in parts]
    return Landscape.from_terms(len(place_of), objectives, sense, list(place_of), names)


def _terms(part: Labelled, place_of: dict[Hashable, int]) -> list[Terms]:
    """A quadratic form as terms over the variables of all parts."""
    form = _in_ints(part.form)
    moved = np.array([place_of[label] for label in part.labels], np.int64)
    linear, factors = form.linear != 0, form.factors != 0
    squares = form.pairs[:, 0] == form.pairs[:, 1]
    terms = [constant(form.constant)] if form.constant != 0 else []
    for masks, some in (
        (moved[linear, None], form.linear[linear]),
        (moved[form.pairs[factors & squares, :1]], form.factors[factors & squares]),
        (moved[form.pairs[factors & ~squares]], form.factors[factors & ~squares]),
    ):
        terms.append(products(masks, some, part.spins))
    return terms


def _in_ints(form: Quadratic) -> Quadratic:
    """The same form in int64, if all its numbers are whole."""
    offset = np.asarray(form.constant)
    parts = [offset, form.linear, form.factors]
    if any(part.dtype.kind not in "iuf" for part in parts):
        return form  # exact numbers of Python: the landscape knows them
    if not all(_is_whole(part) for part in parts):
        return form
    return form._replace(
        constant=int(offset),
        linear=form.linear.astype(np.int64),
        factors=form.factors.astype(np.int64),
    )


def _is_whole(numbers: np.ndarray) -> bool:
    """Whether all numbers are whole, and not too large for 64 bits."""
    if numbers.dtype.kind == "i":
        return True
    return bool(((np.rint(numbers) == numbers) & (abs(numbers) < EXACT)).all())


def form_of(landscape: Landscape, objective: int | str = 0) -> Quadratic:
    """An objective as a quadratic form, exactly: in ints, or floats where it is real.

    Pairs ascend. An objective of higher degree is refused, and one with factors that
    floats would round.
    """
    i = objective_number(landscape.names, objective)
    form = quadratic_form(landscape, i)
    for numbers in (np.array([form.constant]), form.linear, form.factors):
        _check_floats(landscape, i, numbers)
    linear, factors = form.linear.astype(np.int64), form.factors.astype(np.int64)
    if not landscape.real:
        return Quadratic(form.constant, linear, form.pairs, factors)
    scale = float(landscape.scale[i])
    return Quadratic(form.constant / scale, linear / scale, form.pairs, factors / scale)


def _check_floats(landscape: Landscape, i: int, factors: np.ndarray) -> None:
    """Refuse whole numbers of steps that floats may round."""
    far = (factors > LARGEST_FLOAT) | (factors < -LARGEST_FLOAT)
    if far.any():
        raise OverflowError(
            f"objective {i} has a factor of {factors[far][0]} steps of "
            f"{landscape.resolution[i]:g}, but floats are exact up to 2**53 = 9e15"
        )


def objective_number(names: Sequence[str], objective: int | str) -> int:
    """The number of an objective, given itself or its name."""
    if isinstance(objective, str) and objective in names:
        return names.index(objective)
    if is_whole(objective) and 0 <= int(objective) < len(names):
        return int(objective)
    known = ", ".join(names[:4]) + ", ..." * (len(names) > 4)
    raise ValueError(
        f"objective = {brief(objective)} is neither a number from 0 to "
        f"{len(names) - 1} nor a name: {known}"
    )
