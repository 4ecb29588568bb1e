"""Landscapes with two solutions each, for crossovers and components."""

from typing import Any

from hypothesis import strategies as st

from landscapes import built, plains
from naive import Plain
from paretoball import Landscape

weights_of = st.lists(st.integers(1, 9), min_size=3, max_size=3)


def separable(deltas: Any, sense: Any) -> Landscape:
    """A landscape whose variable j adds deltas[j]."""
    objectives = [
        [((j,), (0, value)) for j, value in enumerate(column)]
        for column in zip(*deltas)
    ]
    return built(Plain(len(deltas), objectives, sense))


def in_eighths(plain: Plain) -> Landscape:
    """The same landscape with real tables, an eighth as large."""
    objectives = [
        [(mask, [value / 8 for value in table]) for mask, table in objective]
        for objective in plain.objectives
    ]
    return built(Plain(plain.n, objectives, plain.sense))


@st.composite
def loose(draw: Any, d: int) -> Landscape:
    """Landscapes in which no two variables meet, with ties and near-ties of slopes."""
    near = draw(st.sampled_from([0, 2**30, 2**54]))
    values = st.integers(-4, 4).map(lambda v: v + near * ((v > 0) - (v < 0)))
    deltas = draw(st.lists(st.tuples(*[values] * d), min_size=1, max_size=7))
    sense = draw(st.tuples(*[st.sampled_from(["max", "min"])] * d))
    return separable(deltas, sense)


def with_objectives(plain: Plain, d: int) -> Plain:
    """The first d objectives; where there are fewer, their opposites after them."""
    again = tuple(
        tuple((mask, tuple(-value for value in table)) for mask, table in objective)
        for objective in plain.objectives
    )
    objectives, sense = (plain.objectives + again) * d, plain.sense * 2 * d
    return Plain(plain.n, objectives[:d], sense[:d])


@st.composite
def couples(draw: Any, d: int | None = None) -> tuple:
    """A landscape, whole or real, and two of its solutions."""
    plain = draw(plains())
    if d is not None and draw(st.booleans()):
        landscape = draw(loose(d))
    else:
        plain = with_objectives(plain, d or len(plain.sense))
        landscape = draw(st.sampled_from([built, built, in_eighths]))(plain)
    bits = st.lists(st.integers(0, 1), min_size=landscape.n, max_size=landscape.n)
    x, y = draw(bits), draw(bits)
    others = [y, y, x, [1 - bit for bit in x]]
    return landscape, x, draw(st.sampled_from(others))
