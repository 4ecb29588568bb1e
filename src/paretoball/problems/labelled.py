"""Labelled products: what dicts and graphs give, and how variables get their numbers.

The labels of all objectives together are the variables. If all are whole numbers, they
are sorted, so that 0 to n - 1 are the variables of these numbers. Otherwise they stand
in the order in which they appear. The user may also say which labels there are.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from paretoball.landscape import checked_labels, in_order, listed_labels
from paretoball.numerics import offsets
from paretoball.problems.factors import checked_factors
from paretoball.problems.products import Dense, Products, without_zeros
from paretoball.system import brief, counted


class _Labelled(NamedTuple):
    """Products of variables that are told by their labels."""

    labels: Sequence[Hashable]  # those of all products, end to end
    sizes: np.ndarray  # (m,) int64: how many of these each product has
    factors: np.ndarray  # (m,): int64, float64, or objects that are numbers
    in_order: Iterable[Hashable]  # all labels, in the order in which they appear


class Objective(NamedTuple):
    """A polynomial as given, by numbers of variables, by labels, or both."""

    n: int | None  # how many variables, where matrices and vectors say so
    parts: Sequence[Products | Dense | _Labelled]


def from_mapping(given: Mapping[Any, Any], where: str) -> _Labelled:
    """The sum of factor times product over the items of a mapping.

    A key is a tuple or a frozenset of labels, or one label of another kind.
    """
    keys = list(given)
    if not set(map(type, keys)) <= {tuple, frozenset}:
        keys = [key if isinstance(key, tuple | frozenset) else (key,) for key in keys]
    return by_label(keys, list(given.values()), where)


def by_label(
    keys: Sequence[Collection[Hashable]], values: Sequence[Any], where: str
) -> _Labelled:
    """The sum of value times product of the labels in a key, over all keys."""
    factors = checked_factors(values, lambda e: f"{where}, {_in_words(keys[e])}")
    if any(issubclass(kind, frozenset) for kind in set(map(type, keys))):
        keys = list(map(_ordered, keys))
    labels = list(chain.from_iterable(keys))
    sizes = np.fromiter(map(len, keys), np.int64, len(keys))
    return _Labelled(labels, sizes, factors, labels)


def from_graph(graph: Any, weight: Any, where: str) -> _Labelled:
    """The sum of weight times product of both ends over the edges of a graph.

    Edges without this attribute weigh 1, and so do all if `weight` is None.
    """
    if weight is None:
        edges = [(u, v, 1) for u, v in graph.edges()]
    else:
        edges = list(graph.edges(data=weight, default=1))
    factors = checked_factors(
        [w for *_, w in edges], lambda e: f"{where}, edge {brief(edges[e][:2])}"
    )
    labels = [end for u, v, _ in edges for end in (u, v)]
    return _Labelled(labels, np.full(len(edges), 2), factors, list(graph.nodes))


def labelled(some: Products, labels: Sequence[Hashable]) -> _Labelled:
    """Products by numbers of variables, with the labels of these; zeros left out."""
    some = without_zeros(some)
    m, k = some.masks.shape
    flat = [labels[j] for j in some.masks.ravel().tolist()]
    return _Labelled(flat, np.full(m, k), some.factors, labels)


def check_degrees(some: _Labelled, fewest: int, where: str) -> None:
    """Refuse products of fewer labels than these, or of more than two."""
    wrong = np.flatnonzero((some.sizes < fewest) | (some.sizes > 2))
    if len(wrong):
        first = int(some.sizes[: wrong[0]].sum())
        key = tuple(some.labels[first : first + int(some.sizes[wrong[0]])])
        right = (
            "an edge has two ends"
            if fewest
            else "at most two variables are multiplied here: see from_polynomials"
        )
        raise ValueError(f"{where} has the key {_in_words(key)}, but {right}")


class Numbered(NamedTuple):
    """Objectives and constraints by numbers of variables."""

    n: int
    labels: tuple[Hashable, ...] | None  # None if they are 0 to n - 1
    objectives: list[list[Products | Dense]]
    constraints: dict[str, list[Products | Dense]]  # by where they stand


def numbered(
    objectives: Sequence[Objective],
    labels: Any,
    constraints: Mapping[str, Objective] | None = None,
) -> Numbered:
    """Objectives, and constraints by where they stand, over all their variables."""
    given = {f"objective {i}": one for i, one in enumerate(objectives)}
    given |= constraints or {}
    n = _common_size(given)
    parts = [part for one in given.values() for part in one.parts]
    some = [part for part in parts if isinstance(part, _Labelled)]
    order = _order(n, some, labels)
    is_plain = labels is None and n is not None
    own = None if is_plain else checked_labels(order, len(order) if n is None else n)
    place_of = {label: j for j, label in enumerate(order)} if some else {}
    among = f"0 to {len(order) - 1}" if own is None else "labels"
    found = dict[str, list[Products | Dense]]()
    for where, one in given.items():
        found[where] = []
        for part in one.parts:
            if not isinstance(part, _Labelled):
                found[where].append(part)
                continue
            if not all(map(place_of.__contains__, part.in_order)):
                wrong = next(each for each in part.in_order if each not in place_of)
                raise ValueError(
                    f"{where} has the label {brief(wrong)}, which is not in {among}"
                )
            found[where].extend(_by_numbers(part, place_of))
    products = [found.pop(f"objective {i}") for i in range(len(objectives))]
    return Numbered(len(order), own, products, found)


def _order(n: int | None, some: Sequence[_Labelled], labels: Any) -> Sequence[Hashable]:
    """The labels of all variables: those given, or 0 to n - 1, or those that appear."""
    if labels is None:
        return _collected(some) if n is None else range(n)
    return listed_labels(labels)


def _common_size(given: Mapping[str, Objective]) -> int | None:
    """The n of all objectives and constraints that say one."""
    known = [(where, one.n) for where, one in given.items() if one.n is not None]
    for where, n in known:
        first, other = known[0]
        if n != other:
            raise ValueError(
                f"{where} has {counted(n, 'variable')}, but {first} has {other:,}: "
                "all must have the same"
            )
    return known[0][1] if known else None


def _collected(some: Sequence[_Labelled]) -> Sequence[Hashable]:
    """All labels: whole numbers ascending, others in the order of appearance."""
    found = in_order(chain.from_iterable(part.in_order for part in some))
    if not found:
        raise ValueError("no variable is named: give the variables by labels=")
    return found


def _by_numbers(part: _Labelled, place_of: dict[Hashable, int]) -> list[Products]:
    """Products by numbers of variables; those of one degree together."""
    count = len(part.labels)
    flat = np.fromiter(map(place_of.__getitem__, part.labels), np.int64, count)
    at = offsets(part.sizes)
    return [
        Products(
            flat[at[:-1][part.sizes == k, None] + np.arange(k)],
            part.factors[part.sizes == k],
        )
        for k in np.unique(part.sizes).tolist()
    ]


def _ordered(key: Any) -> Sequence[Hashable]:
    """The labels of a key in an order that does not change from run to run."""
    if isinstance(key, tuple):
        return key
    try:
        return sorted(key)
    except TypeError:
        return sorted(key, key=repr)


def _in_words(key: Any) -> str:
    """A key of a mapping, as a tuple."""
    return brief(tuple(_ordered(key)))
