"""The registry of search methods.

To add a method, add a file or folder here that has a `METHOD`, and a line to `METHODS`.
Names are known without importing any method.
"""

from importlib import import_module

from paretoball.search.method import Method
from paretoball.system import checked_choice

METHODS = {  # what users call each, and its module; the first is what AUTO searches by
    "path": "paretoball.search.path",
    "multistart": "paretoball.search.multistart",
}
EXACT = "exact"  # no search: the whole front, by elimination
AUTO = "auto"  # EXACT where that is cheap, otherwise the first of METHODS
DEFAULT_METHOD = AUTO


def method_named(name: str) -> Method:
    """The method with this name."""
    checked_choice("method", name, tuple(METHODS))
    method: Method = import_module(METHODS[name]).METHOD
    return method
