"""Quadratic forms to be written: one minimised objective of degree 2, exactly."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from paretoball.formats.disk import TooHighDegree
from paretoball.landscape import (
    Landscape,
    Monomials,
    constant,
    monomials,
    products,
)
from paretoball.system import brief, counted, printable


class Quadratic(NamedTuple):
    """The numbers of a quadratic form: ints, or floats that files can hold exactly."""

    constant: float
    linear: list[float]  # the factor of each variable
    couplers: list[tuple[int, int, float]]  # i < j, and the factor of x_i x_j
    ids: list[int]  # a number for each variable: its label, or else its place
    told_labels: list[
        str
    ]  # in words, which label each number stands for, if not itself


def checked_quadratic(landscape: Landscape, file: str) -> Quadratic:
    """The quadratic form of a landscape, or the reason why `file` cannot hold it."""
    if landscape.d > 1:
        objectives = counted(landscape.d, "objective")
        raise ValueError(f"the landscape has d = {objectives}, but {file} has one")
    if landscape.sense != ("min",):
        raise ValueError(f"its objective is maximised, but that of {file} is minimised")
    found = monomials(landscape)
    degree = max((k for k, each in enumerate(found) if len(each.masks)), default=0)
    if degree > 2:
        raise TooHighDegree(
            f"its polynomial has degree {degree}, but that of {file} has 2 at most: "
            "paretoball convert makes it quadratic"
        )
    form = _form(landscape, found)
    _check_exact(landscape, found, form, file)
    return form


def _form(landscape: Landscape, found: list[Monomials]) -> Quadratic:
    """A landscape's monomials in units, each variable with a number."""
    linear = np.zeros(landscape.n, np.int64).astype(found[0].factors.dtype)
    pairs, weights = np.zeros((0, 2), np.int64), linear[:0]
    if len(found) > 1 and len(found[1].masks):
        linear[found[1].masks[:, 0]] = found[1].factors[:, 0]
    if len(found) > 2 and len(found[2].masks):
        pairs, weights = found[2].masks, found[2].factors[:, 0]
    value = _in_units(landscape, found[0].factors.sum(axis=0))[0]
    factors = _in_units(landscape, linear), _in_units(landscape, weights)
    couplers = [(i, j, w) for (i, j), w in zip(pairs.tolist(), factors[1])]
    labels = landscape.labels
    ids = [label for label in labels if type(label) is int and label >= 0]
    if len(ids) == landscape.n:
        return Quadratic(value, factors[0], couplers, ids, [])
    told = [f"{j} is {printable(brief(label))}" for j, label in enumerate(labels)]
    return Quadratic(value, factors[0], couplers, list(range(landscape.n)), told)


def _in_units(landscape: Landscape, steps: np.ndarray) -> list[float]:
    """Numbers of steps in the units of the problem."""
    if not landscape.real:
        return steps.tolist()
    return (steps.astype(np.float64) / landscape.scale[0]).tolist()


def _check_exact(
    landscape: Landscape, found: list[Monomials], form: Quadratic, file: str
) -> None:
    """Refuse numbers that do not give the same landscape again."""
    pairs = np.array([(i, j) for i, j, _ in form.couplers], np.int64).reshape(-1, 2)
    terms = [
        constant(form.constant),
        products(np.arange(landscape.n)[:, None], np.array(form.linear)),
        products(pairs, np.array([w for *_, w in form.couplers])),
    ]
    again = Landscape.from_terms(landscape.n, [terms], "min")
    ratio = Fraction(landscape.scale[0]) / Fraction(again.scale[0])
    for one, other in zip(found[:3], monomials(again)):
        if not len(one.masks) and not len(other.masks):
            continue
        here = one.factors.astype(object) * ratio.denominator
        there = other.factors.astype(object) * ratio.numerator
        if not (np.array_equal(one.masks, other.masks) and np.array_equal(here, there)):
            raise ValueError(
                f"its factors have more digits than floats: {file} would round them"
            )
