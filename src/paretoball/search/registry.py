"""The registry of search methods.

To add a method, add a file or folder here that has one, and a line to `METHODS`. Names
are known without importing any method.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from paretoball.search.method import Method
from paretoball.system import checked_choice

if TYPE_CHECKING:
    from paretoball.landscape import Landscape

METHODS = {  # by what users call each: module and name; AUTO searches by the first
    "path": ("paretoball.search.path", "METHOD"),
    "pls": ("paretoball.search.path", "PLS"),
    "multistart": ("paretoball.search.multistart", "METHOD"),
}
EXACT = "exact"  # no search: the whole front, by elimination
AUTO = "auto"  # EXACT where that is cheap, otherwise the first of METHODS
DEFAULT_METHOD = AUTO


def relatives(name: str) -> list[str]:
    """The methods that share their kernels with this one, itself included."""
    module, _ = METHODS[name]
    return [other for other, (theirs, _) in METHODS.items() if theirs == module]


def method_named(name: str) -> Method:
    """The method with this name."""
    checked_choice("method", name, tuple(METHODS))
    module, called = METHODS[name]
    method: Method = getattr(import_module(module), called)
    return method


def method_for(name: str, landscape: "Landscape") -> Method:
    """The method with this name, as it is for this landscape."""
    method = method_named(name)
    if not landscape.constraints:
        return method
    module = import_module("paretoball.search.constrained")
    fitted: Method = module.constrained(method, landscape)
    return fitted
