"""Several landscapes over the same variables as one, with all their objectives."""

from collections.abc import Sequence
from itertools import chain

import numpy as np

from paretoball.landscape.constraints import joined_constraints
from paretoball.landscape.fixed_point import in_units
from paretoball.landscape.landscape import Landscape
from paretoball.landscape.naming import in_order, joined_names, places, some_labels
from paretoball.landscape.subfunctions import end_to_end
from paretoball.system import is_whole


def joined(
    parts: Sequence[Landscape],
    names: Sequence[str] | None = None,
    origins: Sequence[str] | None = None,
    by_label: bool = False,
) -> Landscape:
    """One landscape with the objectives and constraints of all parts, in their order.

    Variables with the same label are the same. Where no part has labels, all have the
    same number of variables, unless `by_label` says that numbers are labels, too. Of
    names that two parts share, the second one ends in `_2`. Errors call parts by their
    `origins`.

    Examples
    --------
    >>> one = Landscape.from_subfunctions(2, [[((0,), [0, 5])]])
    >>> joined([one, one]).evaluate([1, 0]).tolist()
    [5, 5]
    """
    origins = origins or [f"part {p}" for p in range(len(parts))]
    _check_labels(parts, origins, by_label)
    labels = in_order(chain.from_iterable(part.labels for part in parts))
    place_of, given, limits = places(labels), [], []
    for part in parts:
        numbers = np.array([place_of[label] for label in part.labels], np.int64)
        own = part.subfunctions
        if any(each.real for each in parts):
            own = in_units(own, part.scale)
        given.append(own._replace(masks=numbers[own.masks]))
        limits.append(part.constraints.renumbered(numbers))
    shifts = np.cumsum([0, *(part.d for part in parts)])
    if names is None:
        names = joined_names([part.names for part in parts], "f")
    return Landscape.from_arrays(
        len(labels),
        int(shifts[-1]),
        *end_to_end(given, shifts),
        list(chain.from_iterable(part.sense for part in parts)),
        list(chain.from_iterable(part.scale.tolist() for part in parts)),
        labels=labels,
        names=names,
        constraints=joined_constraints(limits),
    )


def _check_labels(
    parts: Sequence[Landscape], origins: Sequence[str], by_label: bool
) -> None:
    """Refuse parts of which nobody can say which variables are the same."""
    plain = [p for p, part in enumerate(parts) if part.given_labels is None]
    named = [p for p, part in enumerate(parts) if not any(map(is_whole, part.labels))]
    if plain and named:
        labels = some_labels(parts[named[0]].labels)
        raise ValueError(
            f"{origins[plain[0]]} has no labels, but {origins[named[0]]} has {labels}: "
            "they share no variable"
        )
    if by_label or len(plain) < len(parts):
        return
    for part, origin in zip(parts, origins):
        if part.n != parts[0].n:
            raise ValueError(
                f"{origin} has {part.n:,} variables, but {origins[0]} has "
                f"{parts[0].n:,}: what has no labels must have as many"
            )
