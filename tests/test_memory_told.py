"""What is told of memory, before it is taken, is no less than what is taken."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import paretoball as pb
from memory import traced
from paretoball.adapters.quadratisation import quadratised
from paretoball.landscape import monomials
from paretoball.landscape.square_tables import square_cliques, square_subfunctions
from paretoball.system import capped

FREE = 1 << 20  # bytes that need not be told


def cubic(n: int) -> pb.Landscape:
    """A landscape of one objective, with products of three variables."""
    terms = [((j, (j + 1) % n, (j + 2) % n), [0] * 7 + [j + 1]) for j in range(n)]
    return pb.Landscape.from_subfunctions(n, [terms], "min")


def clauses(m: int) -> list[list[int]]:
    """Clauses of eight variables each."""
    return [[j + 1 + b for b in range(8)] for j in range(m)]


@cache
def square(n: int, d: int) -> pb.Landscape:
    """A landscape of dense matrices."""
    return pb.random_qubo(n, d, density=1, seed=1)


def pieces_of_square(n: int, d: int) -> Any:
    """The subfunctions of a square."""
    landscape = square(n, d)
    return square_subfunctions(landscape.square, landscape.signs, landscape.survey)


def cliques_of_square(n: int, d: int) -> Any:
    """The cliques of a square."""
    landscape = square(n, d)
    return square_cliques(landscape.square, landscape.survey)


@cache
def solved(n: int) -> pb.Result:
    """A result of many rows."""
    return pb.solve(pb.mnk(n, K=1, seed=1), method="path", max_climbs=2, seed=1)


def table_of_bits(n: int) -> Any:
    """A result as a table with a column for each variable."""
    pytest.importorskip("pandas")
    return solved(n).to_dataframe(bits=True)


kept_cubic = cache(cubic)

CASES: dict[str, Callable[[], Any]] = {
    "clauses": lambda: pb.maxsat([clauses(5_000)]),
    "products": lambda: quadratised(cubic(1000)),
    "covering": lambda: pb.random_covering(500, 2000, seed=1),
    "cut": lambda: pb.random_maxcut(3000, density=0.05, seed=1),
    "qubo": lambda: pb.random_qubo(1500, seed=1),
    "sparse qubo": lambda: pb.random_qubo(3000, density=0.01, seed=1),
    "mnk": lambda: pb.mnk(20_000, K=5, seed=1),
    "sat": lambda: pb.random_sat(2000, 40_000, seed=1),
    "short clauses": lambda: pb.random_sat(2000, 40_000, k=1, seed=1),
    "rows": lambda: pb.random_covering(300, 3000, density=0.02, seed=1),
    "columns": lambda: pb.random_covering(5000, 500, density=0.01, seed=1),
    "polynomial": lambda: monomials(kept_cubic(10_000)),
    "graph of a square": lambda: square(1500, 1).square.graph(),
    "subfunctions of a square": lambda: pieces_of_square(400, 1),
    "cliques of a square": lambda: cliques_of_square(400, 1),
    "cliques of many objectives": lambda: cliques_of_square(300, 6),
    "table of bits": lambda: table_of_bits(5_000),
    "spin glass": lambda: pb.spin_glass((100, 100), seed=1),
}


def is_refused(action: Callable[[], Any], memory: int) -> bool:
    """Whether an action asks for more than so many bytes."""
    try:
        with capped(memory):
            action()
    except MemoryError:
        return True
    return False


@pytest.mark.parametrize("case", CASES)
def test_no_more_is_taken_than_told(case):
    action = CASES[case]
    _, taken = traced(action)
    assert is_refused(action, max(1, int(0.99 * (taken - FREE))))
    assert not is_refused(action, 4 * taken)  # what fits is not refused
