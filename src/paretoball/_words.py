"""Words: how tuples and arrays are passed on, word by word.

Numba passes an array of one axis as seven words, and nests words as it nests types.
Between kernels and their parts an array whose items lie end to end is two words: where
they are, and how many: the tuples of a search have a hundred of them.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

from llvmlite import ir as llvm
from numba.core import types
from numba.core.registry import cpu_target
from numba.core.types.containers import BaseTuple

DATA, SHAPE = 4, 5  # of Numba's words of an array: where items are, and lengths


def by_code(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The function with a memory, by the number that Numba gives each type.

    A type's hash goes through all that is in it.
    """
    known: dict[int, Any] = {}

    @wraps(function)
    def remembered(kind: Any) -> Any:
        if kind._code not in known:
            known[kind._code] = function(kind)
        return known[kind._code]

    return remembered


def codes(kinds: Any) -> tuple[int, ...]:
    """The numbers of several types."""
    return tuple(kind._code for kind in kinds)


class Bundle(NamedTuple):
    """A tuple or an array, as the words that it is passed on as."""

    kind: Any
    words: tuple[Any, ...]


@by_code
def model(kind: Any) -> Any:
    """How values of a type are laid out."""
    return cpu_target.target_context.data_model_manager[kind]


@by_code
def layout(kind: Any) -> Any:
    """The types of the words of a value, nested as Numba nests them."""
    return model(kind).get_argument_type()


@by_code
def words_of(kind: Any) -> tuple[Any, ...]:
    """The types of the words that a value is passed on as."""
    if isinstance(kind, BaseTuple):
        return tuple(word for part in kind for word in words_of(part))
    whole = flat(layout(kind))
    return tuple(whole[DATA : SHAPE + kind.ndim] if is_lean(kind) else whole)


@by_code
def size(kind: Any) -> int:
    """How many words that are."""
    return len(words_of(kind))


def is_lean(kind: Any) -> bool:
    """Whether this is an array whose place and lengths tell the rest."""
    return isinstance(kind, types.Array) and kind.layout == "C"


def made_lean(kind: Any, words: Any) -> list[Any]:
    """The words of a value, from an iterator with Numba's words of it."""
    if isinstance(kind, BaseTuple):
        return [word for part in kind for word in made_lean(part, words)]
    whole = [next(words) for _ in flat(layout(kind))]
    return whole[DATA : SHAPE + kind.ndim] if is_lean(kind) else whole


def all_words(context: Any, builder: Any, kind: Any, lean: Any) -> tuple[Any, ...]:
    """Numba's words of an array whose items lie end to end."""
    data, *lengths = lean
    item = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    strides = [context.get_constant(types.intp, item)]
    count = lengths[0]
    for length in lengths[1:]:
        count = builder.mul(count, length)
    for length in reversed(lengths[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    nothing = [llvm.Constant(word, None) for word in flat(layout(kind))[:2]]
    return (*nothing, count, strides[-1], data, *lengths, *strides)


_part_types: dict[Any, Any] = {}


def part_type(convention: Any, kind: Any, kinds: Any) -> Any:
    """LLVM's type of a part that takes and returns values of these types."""
    key = kind._code, codes(kinds)
    if key not in _part_types:
        plain = convention.get_function_type(kind, ())
        words = [word for each in kinds for word in words_of(each)]
        _part_types[key] = llvm.FunctionType(plain.return_type, [*plain.args, *words])
    return _part_types[key]


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


@by_code
def fields(kind: Any) -> dict[str, tuple[Any, int]]:
    """The fields of a named tuple: the type of each, and its first word."""
    found, first = {}, 0
    for name, part in zip(kind.fields, kind.types):
        found[name] = part, first
        first += size(part)
    return found
