"""What is needed: which kernels some calls would compile, found out without compiling.

Inside `listing()`, a kernel that is neither compiled nor on disk is put on a list, with
the types of its arguments, and runs as plain Python. So what a run needs is listed by a
run on a tiny landscape of its kind. Kernels that kernels call are no matter of the
list: they are compiled on the way. Other threads compile as ever.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import MethodType
from typing import Any, NamedTuple

import numpy as np

from paretoball._footprint import size_of

Kernel = Any  # what Numba makes of a function


class Needed(NamedTuple):
    """A kernel to be compiled, in whichever process."""

    module: str  # of the function
    name: str
    kinds: tuple  # the types of its arguments
    size: int  # of all code that goes into it: seconds to compile are in proportion


class _Here(threading.local):
    """What this thread lists."""

    found: dict[Needed, Kernel] | None = None  # None if it lists nothing
    is_inside: bool = False  # a kernel that runs as Python


_here = _Here()


@contextmanager
def listing() -> Iterator[dict[Needed, Kernel]]:
    """Inside this context, list kernels on this thread instead of compiling them."""
    found: dict[Needed, Kernel] = {}
    _here.found = found
    try:
        with np.errstate(all="ignore"):  # compiled integers wrap without a word
            yield found
    finally:
        _here.found = None


def is_python() -> bool:
    """Whether some kernel runs as Python on this thread, because it is listed."""
    return bool(_here.found)


def listen(kernel: Kernel, is_there: Callable[[tuple], bool]) -> None:
    """Let a kernel take part; `is_there(kinds)` is whether it is on disk."""
    code_for = kernel._compile_for_args  # what Numba calls for arguments of new types

    def or_list(self: Kernel, *arguments: Any) -> Any:
        if _here.found is None:
            return code_for(*arguments)
        if _here.is_inside:
            return self.py_func
        kinds = tuple(map(self.typeof_pyval, arguments))
        function = self.py_func
        needed = Needed(function.__module__, function.__qualname__, kinds, 0)
        if needed not in _here.found:
            if is_there(kinds):
                return code_for(*arguments)
            _here.found[needed] = self
        return partial(_as_python, function)

    kernel._compile_for_args = MethodType(or_list, kernel)


def sized(found: dict[Needed, Kernel]) -> dict[Needed, Kernel]:
    """The same list, the largest first."""
    sizes = {one: size_of(kernel.py_func, one.kinds) for one, kernel in found.items()}
    ordered = sorted(sizes, key=sizes.__getitem__, reverse=True)
    return {one._replace(size=sizes[one]): found[one] for one in ordered}


def _as_python(function: Callable[..., Any], *arguments: Any) -> Any:
    """Run a kernel as Python, and all kernels that it calls."""
    _here.is_inside, before = True, _here.is_inside
    try:
        return function(*arguments)
    finally:
        _here.is_inside = before
