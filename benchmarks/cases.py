"""Cases: what bench_search.py compares, where, and for how long.

A case is a landscape, or a group of them, with the seconds that each run has, the
methods of this package and of others, and the yardsticks that run beside them. `path`
chooses its radius by itself; multi-start is at the radius that suits it best.
"""

from typing import NamedTuple

from contenders import ANNEALER, EVOLUTION, PATH
from instances import OUTSIDE

SMALL, OPTIMA = "small", "known-optima"  # groups
WEIGHTED = ("anneal", "front")  # yardsticks where anneals of weighted sums do well


class Case(NamedTuple):
    """What runs on a landscape."""

    seconds: float = 60.0
    methods: tuple[str, ...] = (PATH,)
    yardsticks: tuple[str, ...] = ()
    landscape: str = ""  # where it is not named like the case


CASES = {
    "random-10k": Case(60, (PATH, "multistart-2"), WEIGHTED),
    "random-1k-K5": Case(60, (PATH, "multistart-2"), WEIGHTED),
    "regular-10k": Case(60, (PATH,), WEIGHTED),
    "cube-20": Case(60, (PATH,), WEIGHTED),
    "sat-5k": Case(60, (PATH,), WEIGHTED),
    **{
        f"{name}-{seconds}s": Case(seconds, (PATH,), ("tabu",), name)
        for name in ("dense-1k", "dense-2k")
        for seconds in (1, 10, 60)
    },
    "mubqp-200": Case(10, (PATH, "multistart-1", EVOLUTION)),
    "g14": Case(5, (PATH, ANNEALER)),
    "g14-60s": Case(60, (PATH,), (), "g14"),
    OPTIMA: Case(1),
    "adjacent-10k-d3": Case(30, (PATH, "multistart-3")),
    "adjacent-10k-d4": Case(30),
    "adjacent-10k-d6": Case(30),
    "adjacent-10k": Case(60, (PATH, "multistart-3")),
    "adjacent-100k": Case(60, (PATH, "multistart-3")),
    "adjacent-1m": Case(60),
    "adjacent-1k": Case(60),
    SMALL: Case(1),
    "maxcut-25": Case(10, (PATH, "multistart-2")),
    "momaxcut-42": Case(60),
}
BOUNDED = ("adjacent-10k", "adjacent-100k", "adjacent-1m")  # narrow, two objectives
DIRECTED = ("adjacent-10k-d3", "adjacent-10k-d4", "adjacent-10k-d6")  # narrow, more
NEEDS_FILES = (*OUTSIDE, OPTIMA)


def landscape_of(name: str) -> str:
    """The name of the landscape of a case."""
    return CASES[name].landscape or name
