"""The digest: a name for the content of a landscape.

`docs/formats.md` specifies it. Files contain it, so that a damaged or wrong file is
noticed.
"""

import hashlib
from itertools import chain
from typing import Any

import numpy as np

from paretoball.landscape.constraints import Constraints
from paretoball.landscape.landscape import Landscape
from paretoball.landscape.square_tables import square_pieces

SEAL = b"paretoball landscape 1\n"
CONSTRAINED = b"constraints\n"
KEPT = "_digest"  # where a landscape keeps its own


def landscape_digest(landscape: Landscape) -> str:
    """The SHA-256 of n, d, m, senses, subfunctions and scales, in hexadecimal.

    If there are constraints, it is also one of these. It is computed once.
    """
    kept = vars(landscape)
    if KEPT not in kept:
        kept[KEPT] = _computed(landscape)
    found: str = kept[KEPT]
    return found


def _computed(landscape: Landscape) -> str:
    sizes = [landscape.n, landscape.d, landscape.m, landscape.real]
    digest = hashlib.sha256(SEAL)
    if landscape.square is not None:
        given = square_pieces(landscape.square, landscape.signs)
    else:
        given = [iter([array]) for array in landscape.subfunctions]
    for whole in chain([sizes, landscape.signs], *given):
        digest.update(np.ascontiguousarray(whole, "<i8").data)
    digest.update(landscape.scale.astype("<f8").tobytes())
    if landscape.constraints:  # others keep the digest they have always had
        _add_constraints(digest, landscape.constraints)
    return digest.hexdigest()


def _add_constraints(digest: Any, constraints: Constraints) -> None:
    """Add the number of constraints, their tables and bounds in steps, and scales."""
    given, lower, upper = constraints.arrays
    digest.update(CONSTRAINED)
    for whole in ([len(constraints)], *given, lower, upper, constraints.real):
        digest.update(np.asarray(whole, "<i8").tobytes())
    digest.update(constraints.scale.astype("<f8").tobytes())
