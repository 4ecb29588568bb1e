"""The registry of search methods.

To add a method, add a file or folder here that has a `METHOD`, and a line to `METHODS`.
Names are known without importing any method.
"""

from importlib import import_module

from paretoball.search.method import Method
from paretoball.system import checked_choice

METHODS = {  # what users call each, its module and name; the first is the default
    "path": ("paretoball.search.path", "METHOD"),
    "pls": ("paretoball.search.path", "PLS"),
    "multistart": ("paretoball.search.multistart", "METHOD"),
}
DEFAULT_METHOD = next(iter(METHODS))


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
