"""The digest: a name for the content of a landscape.

`docs/formats.md` specifies it. Files contain it, so that a damaged or wrong file is
noticed.
"""

import hashlib
from itertools import chain

import numpy as np

from paretoball.landscape.landscape import Landscape
from paretoball.landscape.square_tables import square_pieces

SEAL = b"paretoball landscape 1\n"


def landscape_digest(landscape: Landscape) -> str:
    """The SHA-256 of n, d, m, senses, subfunctions and scales, in hexadecimal."""
    sizes = [landscape.n, landscape.d, landscape.m, landscape.real]
    digest = hashlib.sha256(SEAL)
    if landscape.square is not None:
        given = square_pieces(landscape.square, landscape.signs)
    else:
        given = [iter([array]) for array in landscape.subfunctions]
    for whole in chain([sizes, landscape.signs], *given):
        digest.update(np.asarray(whole, "<i8").tobytes())
    digest.update(landscape.scale.astype("<f8").tobytes())
    return digest.hexdigest()
