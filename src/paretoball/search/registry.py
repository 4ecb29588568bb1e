"""The registry of search methods.

To add a method, add a file or folder here that has one, and a line to `METHODS`. Names
are known without importing any method.
"""

from importlib import import_module

from paretoball.search.method import Method
from paretoball.system import checked_choice

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
