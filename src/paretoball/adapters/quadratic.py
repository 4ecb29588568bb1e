"""Quadratic forms: what most libraries take and give, between them and landscapes."""

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from paretoball.landscape import (
    EXACT,
    Landscape,
    Quadratic,
    Terms,
    constant,
    constraint_polynomial,
    products,
    quadratic_form,
)
from paretoball.numerics import LARGEST_FLOAT
from paretoball.system import brief, is_whole


class Labelled(NamedTuple):
    """A quadratic form in variables with labels, bits x or spins s = 2x - 1.

    A pair may have one bit twice: x[j] x[j] is x[j].
    """

    labels: Sequence[Hashable]
    form: Quadratic
    spins: bool | np.ndarray = False  # whether all are, or for each variable


class Bounded(NamedTuple):
    """A constraint of a quadratic form."""

    left: Labelled
    relation: str  # "<=", ">=" or "=="
    bound: float
    name: str | None = None


def quadratic_landscape(
    parts: Sequence[Labelled],
    sense: str | Sequence[str],
    names: Sequence[str] | None,
    constraints: Sequence[Bounded] = (),
) -> Landscape:
    """The landscape with an objective for each form; equal labels are one variable.

    An objective of whole numbers has int tables, also if they were given as floats, and
    so has a constraint. Of constraints with one name, all but the first get another.
    """
    if not parts:
        raise ValueError("the list is empty: a landscape has at least one objective")
    forms = [*parts, *(each.left for each in constraints)]
    place_of = {label: 0 for form in forms for label in form.labels}
    if not place_of:
        raise ValueError("there are no variables: a landscape has at least one")
    place_of = {label: j for j, label in enumerate(place_of)}
    objectives = [_terms(part, place_of) for part in parts]
    rows: list[Any] = [
        (
            _terms(each.left, place_of),
            each.relation,
            int(each.bound) if each.bound == int(each.bound) else each.bound,
            name,
        )
        for each, name in zip(constraints, _distinct_names(constraints))
    ]
    labels = list(place_of)
    return Landscape.from_terms(len(labels), objectives, sense, labels, names, rows)


def _distinct_names(constraints: Sequence[Bounded]) -> list[str | None]:
    """The name of each constraint, `_2` added to a second one; none if one has none."""
    known = {each.name for each in constraints}
    if None in known:
        return [None] * len(constraints)
    names = dict[str | None, None]()
    for each in constraints:
        name, again = each.name, 2
        while name in names or (name in known and name != each.name):
            name, again = f"{each.name}_{again}", again + 1
        names[name] = None
    return list(names)


def _terms(part: Labelled, place_of: dict[Hashable, int]) -> list[Terms]:
    """A quadratic form as terms over the variables of all parts."""
    form = _in_ints(part.form)
    moved = np.array([place_of[label] for label in part.labels], np.int64)
    spins = np.broadcast_to(part.spins, len(moved))
    linear, factors = form.linear != 0, form.factors != 0
    squares = form.pairs[:, 0] == form.pairs[:, 1]
    terms = [constant(form.constant)] if form.constant != 0 else []
    for masks, some in (
        (np.flatnonzero(linear)[:, None], form.linear[linear]),
        (form.pairs[factors & squares, :1], form.factors[factors & squares]),
        (form.pairs[factors & ~squares], form.factors[factors & ~squares]),
    ):
        are_spins = spins[masks]
        own = np.take_along_axis(masks, np.argsort(are_spins, axis=1), axis=1)
        for count in range(masks.shape[1] + 1):  # bits come before so many spins
            kept = are_spins.sum(axis=1) == count
            terms.append(products(moved[own[kept]], some[kept], count))
    return [each for each in terms if len(each.masks)]


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


def constraint_form(
    landscape: Landscape, c: int
) -> tuple[dict[tuple[int, ...], float], float]:
    """The factors of a constraint, of one or two variables each, and its bound.

    A constraint of higher degree is refused, and one with factors that floats would
    round.
    """
    given, found = landscape.constraints, constraint_polynomial(landscape, c)
    where = f"constraint {c} ({brief(given.names[c])})"
    degree = max(map(len, found), default=0)
    if degree > 2:
        raise ValueError(
            f"{where} has a product of {degree} variables, but a quadratic form has "
            "products of 2 at most"
        )
    per_unit = Fraction(float(given.scale[c]))
    bound = Fraction(str(given.bounds[c])) - found.pop((), 0) / per_unit
    numbers = [*found.values(), int(bound * per_unit)]
    if any(abs(number) > LARGEST_FLOAT for number in numbers):
        raise OverflowError(
            f"{where} has a number of more than 2**53 = 9e15 steps, up to which floats "
            "are exact"
        )
    return {key: float(each / per_unit) for key, each in found.items()}, float(bound)


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
