"""Quadratic forms: what most libraries take and give, between them and landscapes."""

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np

from paretoball.landscape import Landscape, Terms, constant, monomials, products
from paretoball.numerics import LARGEST_FLOAT
from paretoball.system import brief, is_whole

LARGEST_WHOLE = 2**62  # floats up to here are whole numbers of 64 bits


class Quadratic(NamedTuple):
    """constant + Σ linear[j] x[j] + Σ factors[s] x[pairs[s, 0]] x[pairs[s, 1]]."""

    constant: Any
    linear: np.ndarray  # (n,)
    pairs: np.ndarray  # (m, 2) whole numbers: two variables; x[j] x[j] is x[j]
    factors: np.ndarray  # (m,)


class Labelled(NamedTuple):
    """A quadratic form in variables with labels; with `spins`, in s = 2x - 1."""

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
    if numbers.dtype.kind != "f":
        return True
    return bool(((np.rint(numbers) == numbers) & (abs(numbers) < LARGEST_WHOLE)).all())


def quadratic_form(landscape: Landscape, objective: int | str = 0) -> Quadratic:
    """An objective as a quadratic form, exactly: in ints, or floats where it is real.

    Pairs ascend. An objective of higher degree is refused, and one with factors that
    floats would round.
    """
    i = objective_number(landscape.names, objective)
    offset, linear = np.int64(0), np.zeros(landscape.n, np.int64)
    pairs, factors = np.zeros((0, 2), np.int64), np.zeros(0, np.int64)
    for k, (masks, every) in enumerate(monomials(landscape)):
        own = every[:, i] if len(every) else factors[:0]
        masks, own = masks[own != 0], own[own != 0]
        if len(own) == 0:
            continue
        if k > 2:
            _refuse_degree(landscape, i, k, masks[0])
        _check_floats(landscape, i, own)
        own = own.astype(np.int64)
        if k == 0:
            offset = own[0]
        elif k == 1:
            linear[masks[:, 0]] = own
        else:
            pairs, factors = masks, own
    if landscape.real:
        scale = landscape.scale[i]
        return Quadratic(float(offset / scale), linear / scale, pairs, factors / scale)
    return Quadratic(int(offset), linear, pairs, factors)


def _refuse_degree(landscape: Landscape, i: int, k: int, mask: np.ndarray) -> None:
    """Say that an objective is no quadratic form."""
    product = " * ".join(brief(landscape.labels[j]) for j in mask.tolist())
    raise ValueError(
        f"objective {i} has the product {product} of {k} variables, but a quadratic "
        "form has products of 2 at most: `quadratised` makes one of a single objective"
    )


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
