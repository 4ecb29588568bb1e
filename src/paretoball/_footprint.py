"""The footprint of a kernel: a digest of all that it is compiled from.

A kernel is made of its own code and of the functions, constants and tuples that it
uses, and that these use in turn. Edits of any of them change the footprint; edits of
other functions, of comments and of texts do not.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

PLAIN = (int, float, complex, str, bytes, type(None), np.generic)


def _top(module: str) -> str:
    """The package that a module belongs to."""
    return module.partition(".")[0]


OWN = _top(__name__)


def footprint(function: Callable[..., Any], kinds: Iterable[Any] = ()) -> str:
    """A digest of the function and of everything of ours that it reaches.

    Of functions that are chosen by type, those for the types of the arguments count.
    TypeError if it uses a global of a kind that is not known here.
    """
    digest = hashlib.sha256()
    for piece in _pieces(function, kinds):
        digest.update(piece.encode() + b"\0")
    return digest.hexdigest()


def size_of(function: Callable[..., Any], kinds: Iterable[Any] = ()) -> int:
    """How much code a kernel is made of, in characters of these texts."""
    return sum(map(len, _pieces(function, kinds)))


def fields_of(kind: Any) -> list[tuple[str, ...]]:
    """The names of all fields of tuples in a type of Numba, from the outside in.

    Kernels look fields up by name, but their types tell only their order.
    """
    names = [tuple(kind.fields)] if hasattr(kind, "instance_class") else []
    for part in getattr(kind, "types", ()):
        names += fields_of(part)
    return names


def _classes_in(kind: Any) -> Iterator[type]:
    """The classes of all tuples in a type of Numba."""
    if hasattr(kind, "instance_class"):
        yield kind.instance_class
    for part in getattr(kind, "types", ()):
        yield from _classes_in(part)


def _pieces(function: Callable[..., Any], kinds: Iterable[Any]) -> Iterator[str]:
    """A text for each function, constant and tuple, in the order that they are met."""
    own = {OWN, _top(function.__module__)}
    classes = {each for kind in kinds for each in _classes_in(kind)}
    waiting: list[tuple[str, Any]] = [(function.__name__, function)]
    met = set()
    while waiting:
        name, value = waiting.pop()
        value = getattr(value, "py_func", value)
        if isinstance(value, FunctionType):
            yield f"{name} is {value.__module__}.{value.__qualname__}"
            if value in met or _top(value.__module__) not in own:
                continue
            met.add(value)
            yield _text_of(value.__code__, value.__doc__)
            yield repr(value.__defaults__)
            waiting += _used_by(value)
        elif isinstance(value, dict):
            chosen = value.keys() & classes or value.keys()
            pairs = (pair for pair in value.items() if pair[0] in chosen)
            waiting += ((name, each) for pair in pairs for each in pair)
        elif isinstance(value, tuple | list):
            yield f"{name} has {len(value)}"
            waiting += ((name, each) for each in value)
        elif isinstance(value, np.ndarray):
            content = hashlib.sha256(value.tobytes()).hexdigest()
            yield f"{name} is {value.dtype.str} {value.shape} {content}"
        elif isinstance(value, PLAIN):
            yield f"{name} = {value!r}"
        elif isinstance(value, type | BuiltinFunctionType):
            yield f"{name} is {value.__qualname__} {getattr(value, '_fields', '')}"
        elif not isinstance(value, ModuleType) or _top(value.__name__) in own:
            raise TypeError(f"a kernel uses {name}, which is a {type(value).__name__}")


def _used_by(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """The globals that a function names, and what it encloses."""
    code = function.__code__
    for name in sorted(_names_in(code)):
        if name in function.__globals__:
            yield name, function.__globals__[name]
    for name, cell in zip(code.co_freevars, function.__closure__ or ()):
        yield name, cell.cell_contents


def _names_in(code: CodeType) -> set[str]:
    """All names that code looks up; those of attributes are among them."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _names_in(constant)
    return names


@cache
def _text_of(code: CodeType, docstring: str | None = None) -> str:
    """Code as text, without where it stands, and without its docstring."""
    constants = [
        _text_of(each) if isinstance(each, CodeType) else repr(each)
        for each in code.co_consts
        if each is None or each != docstring
    ]
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_argcount
    return repr((code.co_code, constants, names))
