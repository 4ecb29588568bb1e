"""The digest: a name for the content of a landscape, as in `docs/formats.md`."""

import hashlib
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np

from paretoball.landscape.landscape import Landscape
from paretoball.landscape.square_tables import pieces_of, square_pieces
from paretoball.landscape.subfunctions import Terms

SEAL = b"paretoball landscape 1\n"
CONSTRAINED = b"constraints\n"
KEPT = "_digest"  # where a landscape keeps its own
LISTED = "_listed"  # and, if its terms were put in order, the one that they had before


def landscape_digest(landscape: Landscape) -> str:
    """The SHA-256 of all that decides what solutions are worth; computed once."""
    kept = vars(landscape)
    if KEPT not in kept:
        kept[KEPT] = _computed(landscape)
    return str(kept[KEPT])


def is_digest_of(found: Any, landscape: Landscape) -> bool:
    """Whether a file that names this digest belongs to the landscape."""
    return found in (landscape_digest(landscape), vars(landscape).get(LISTED))


def keep_listed_digest(landscape: Landscape, terms: Sequence[Terms]) -> None:
    """Keep the digest of the one objective as listed: older files name it."""
    m = sum(len(each.masks) for each in terms)
    pieces = pieces_of(lambda: ((0, each) for each in terms))
    vars(landscape)[LISTED] = _computed(landscape, m, pieces)


def _computed(
    landscape: Landscape, m: int = 0, given: list[Iterable[np.ndarray]] | None = None
) -> str:
    """The digest, with these subfunctions if not with its own."""
    if given is None and landscape.square is not None:
        given = square_pieces(landscape.square, landscape.signs)
    elif given is None:
        given = [[array] for array in landscape.subfunctions]
    sizes = [landscape.n, landscape.d, m or landscape.m, landscape.real]
    digest = hashlib.sha256(SEAL)
    for whole in chain([sizes, landscape.signs], *given):
        digest.update(np.ascontiguousarray(whole, "<i8").data)
    digest.update(landscape.scale.astype("<f8").tobytes())
    if landscape.constraints:  # others keep the digest they have always had
        given_limits, lower, upper = landscape.constraints.arrays
        real, count = landscape.constraints.real, len(landscape.constraints)
        digest.update(CONSTRAINED)
        for whole in ([count], *given_limits, lower, upper, real):
            digest.update(np.asarray(whole, "<i8").tobytes())
        digest.update(landscape.constraints.scale.astype("<f8").tobytes())
    return digest.hexdigest()
