"""Search methods, one file or folder each, behind one protocol.

- `method`: what a method is, and the units that a run is made of
- `registry`: all methods by name
- `reporting`: what searchers have in common
- `path/`: following the front, and Pareto local search, under constraints or not
- `multistart`: the paper's search

Methods are imported when they are asked for by name, so this door needs no Numba.
"""

from paretoball.search.method import (
    UNLIMITED,
    Asked,
    Block,
    Done,
    Kept,
    Method,
    Searcher,
    Tasks,
)
from paretoball.search.registry import (
    AUTO,
    DEFAULT_METHOD,
    EXACT,
    METHODS,
    method_named,
    relatives,
)

__all__ = [
    "AUTO",
    "DEFAULT_METHOD",
    "EXACT",
    "METHODS",
    "UNLIMITED",
    "Asked",
    "Block",
    "Done",
    "Kept",
    "Method",
    "Searcher",
    "Tasks",
    "method_named",
    "relatives",
]
