"""Quadratic forms to be written: one minimised objective of degree 2, exactly."""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from paretoball.landscape import (
    Landscape,
    Quadratic,
    constant,
    products,
    quadratic_form,
)
from paretoball.system import brief, counted, printable

AT_ONCE = 1 << 12  # pairs


class Written(NamedTuple):
    """The numbers of a quadratic form: ints, or floats that files can hold exactly."""

    constant: float
    linear: list[float]  # the factor of each variable
    pairs: np.ndarray  # (m, 2) int64: i < j
    factors: np.ndarray  # (m,): those of x_i x_j
    ids: list[int]  # a number for each variable: its label, or else its place
    told_labels: list[str]  # what each number stands for, in words, if not for itself

    def couplers(self) -> Iterator[tuple[int, int, float]]:
        """Each pair with its factor; a few at a time are Python's numbers."""
        for first in range(0, len(self.pairs), AT_ONCE):
            some = slice(first, first + AT_ONCE)
            for (i, j), factor in zip(
                self.pairs[some].tolist(), self.factors[some].tolist()
            ):
                yield i, j, factor


def checked_quadratic(landscape: Landscape, file: str) -> Written:
    """The quadratic form of a landscape, or the reason why `file` cannot hold it."""
    if landscape.d > 1:
        objectives = counted(landscape.d, "objective")
        raise ValueError(
            f"the landscape has d = {objectives}, but {file} has one: .json and .npz "
            "files hold several"
        )
    if landscape.sense != ("min",):
        raise ValueError(
            f"its objective is maximised, but that of {file} is minimised: write it as "
            ".json or .npz, which hold any landscape, or as .mubqp, which is maximised"
        )
    form = quadratic_form(landscape, 0)
    written = _written(landscape, form)
    if landscape.real or landscape.square is None:  # its factors are those given
        _check_exact(landscape, form, written, file)
    return written


def _written(landscape: Landscape, form: Quadratic) -> Written:
    """A quadratic form in units, each variable with a number."""
    value = _in_units(landscape, np.array([form.constant])).tolist()[0]
    linear = _in_units(landscape, form.linear).tolist()
    factors = _in_units(landscape, form.factors)
    labels = landscape.labels
    ids = [label for label in labels if type(label) is int and label >= 0]
    if len(ids) == landscape.n:
        return Written(value, linear, form.pairs, factors, ids, [])
    told = [f"{j} is {printable(brief(label))}" for j, label in enumerate(labels)]
    ids = list(range(landscape.n))
    return Written(value, linear, form.pairs, factors, ids, told)


def _in_units(landscape: Landscape, steps: np.ndarray) -> np.ndarray:
    """Numbers of steps in the units of the problem."""
    if not landscape.real:
        return steps
    return np.asarray(steps.astype(np.float64) / landscape.scale[0])


def _check_exact(
    landscape: Landscape, form: Quadratic, written: Written, file: str
) -> None:
    """Refuse numbers that do not give the same landscape again."""
    terms = [
        constant(written.constant),
        products(np.arange(landscape.n)[:, None], np.array(written.linear)),
        products(form.pairs, written.factors),
    ]
    again = Landscape.from_terms(landscape.n, [terms], "min")
    ratio = Fraction(landscape.scale[0]) / Fraction(again.scale[0])
    here, there = _numbers(form), _numbers(quadratic_form(again, 0))
    if not np.array_equal(here * ratio.denominator, there * ratio.numerator):
        raise ValueError(
            f"its factors have more digits than floats: {file} would round them"
        )


def _numbers(form: Quadratic) -> np.ndarray:
    """All numbers of a quadratic form, as ints of Python."""
    every = [form.constant, *form.linear.tolist(), *form.factors.tolist()]
    return np.array(every, object)
