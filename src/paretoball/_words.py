"""Words: how Numba's types of tuples and arrays are passed on, word by word.

An array is seven words, for one axis, and a tuple those of all that is in it. Numba
nests them as it nests types.
"""

from functools import cache
from typing import Any, NamedTuple

from numba.core import types
from numba.core.registry import cpu_target
from numba.core.types.containers import BaseTuple


class Bundle(NamedTuple):
    """A tuple or an array, as the words that it is passed on as."""

    kind: Any
    words: tuple[Any, ...]


@cache
def model(kind: Any) -> Any:
    """How values of a type are laid out."""
    return cpu_target.target_context.data_model_manager[kind]


@cache
def layout(kind: Any) -> Any:
    """The types of the words of a value, nested as Numba nests them."""
    return model(kind).get_argument_type()


@cache
def size(kind: Any) -> int:
    """How many words a value has."""
    return len(flat(layout(kind)))


def flat(nested: Any) -> list[Any]:
    """All that is in nested tuples."""
    if not isinstance(nested, tuple | list):
        return [nested]
    return [each for part in nested for each in flat(part)]


def nested(layout: Any, words: Any) -> Any:
    """Words from an iterator, nested like `layout`."""
    if not isinstance(layout, tuple | list):
        return next(words)
    return tuple(nested(part, words) for part in layout)


def is_bundled(kind: Any) -> bool:
    """Whether values of this type stay words."""
    return isinstance(kind, BaseTuple | types.Array)


@cache
def fields(kind: Any) -> dict[str, tuple[Any, int]]:
    """The fields of a named tuple: the type of each, and its first word."""
    found, first = {}, 0
    for name, part in zip(kind.fields, kind.types):
        found[name] = part, first
        first += size(part)
    return found
