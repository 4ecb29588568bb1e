"""Several landscapes over the same variables as one, with all their objectives."""

from collections.abc import Hashable, Sequence
from itertools import chain

import numpy as np

from paretoball.landscape.constraints import joined_constraints
from paretoball.landscape.fixed_point import in_units
from paretoball.landscape.landscape import Landscape
from paretoball.landscape.naming import in_order, joined_names, places, some_labels
from paretoball.landscape.subfunctions import Subfunctions, end_to_end
from paretoball.system import is_whole


def joined(
    parts: Sequence[Landscape],
    names: Sequence[str] | None = None,
    origins: Sequence[str] | None = None,
    by_label: bool = False,
) -> Landscape:
    """One landscape with the objectives and constraints of all parts, in their order.

    Variables with the same label are the same. Where no part has labels, all have the
    same number of variables, unless `by_label` says that numbers are labels, too. A
    part without labels does not go together with one that has no numbers for labels.
    Of names that two parts share, the second one ends in `_2`, and so on. Errors
    call the parts by their `origins`.

    Examples
    --------
    >>> one = Landscape.from_subfunctions(2, [[((0,), [0, 5])]])
    >>> joined([one, one]).evaluate([1, 0]).tolist()
    [5, 5]
    """
    origins = origins or [f"part {p}" for p in range(len(parts))]
    _check_kinds(parts, origins)
    if not by_label:
        _check_sizes(parts, origins)
    labels = in_order(chain.from_iterable(part.labels for part in parts))
    place_of = places(labels)
    real = any(part.real for part in parts)
    numbers = [_numbers(part, place_of) for part in parts]
    given = [_moved(*each, real) for each in zip(parts, numbers)]
    limits = [part.constraints.renumbered(new) for part, new in zip(parts, numbers)]
    shifts = np.cumsum([0, *(part.d for part in parts)])
    every = end_to_end(given, shifts)
    if names is None:
        names = joined_names([part.names for part in parts], "f")
    return Landscape.from_arrays(
        len(labels),
        int(shifts[-1]),
        *every,
        list(chain.from_iterable(part.sense for part in parts)),
        list(chain.from_iterable(part.scale.tolist() for part in parts)),
        labels=labels,
        names=names,
        constraints=joined_constraints(limits),
    )


def _check_kinds(parts: Sequence[Landscape], origins: Sequence[str]) -> None:
    """Refuse a part without labels beside one whose labels are no numbers."""
    plain = [p for p, part in enumerate(parts) if part.given_labels is None]
    named = [p for p, part in enumerate(parts) if not any(map(is_whole, part.labels))]
    if plain and named:
        labels = some_labels(parts[named[0]].labels)
        raise ValueError(
            f"{origins[plain[0]]} has no labels, but {origins[named[0]]} has {labels}: "
            "they share no variable"
        )


def _check_sizes(parts: Sequence[Landscape], origins: Sequence[str]) -> None:
    """Refuse parts without labels whose numbers of variables differ."""
    if any(part.given_labels is not None for part in parts):
        return
    for part, origin in zip(parts, origins):
        if part.n != parts[0].n:
            raise ValueError(
                f"{origin} has {part.n:,} variables, but {origins[0]} has "
                f"{parts[0].n:,}: what has no labels must have as many"
            )


def _numbers(part: Landscape, place_of: dict[Hashable, int]) -> np.ndarray:
    """The numbers that a part's variables have in the whole."""
    if part.given_labels is None and len(place_of) == part.n:
        return np.arange(part.n)
    return np.array([place_of[label] for label in part.labels], np.int64)


def _moved(part: Landscape, numbers: np.ndarray, real: bool) -> Subfunctions:
    """The subfunctions of a part, in units, over the variables of the whole."""
    given = part.subfunctions
    if real:
        given = in_units(given, part.scale)
    return given._replace(masks=numbers[given.masks])
