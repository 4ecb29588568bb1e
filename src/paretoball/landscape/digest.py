"""The digest: a name for the content of a landscape.

`docs/formats.md` specifies it. Files contain it, so that a damaged or wrong file is
noticed.
"""

import hashlib

import numpy as np

from paretoball.landscape.landscape import Landscape

SEAL = b"paretoball landscape 1\n"


def landscape_digest(landscape: Landscape) -> str:
    """The SHA-256 of n, d, m, senses, subfunctions and scales, in hexadecimal."""
    sizes = [landscape.n, landscape.d, landscape.m, landscape.real]
    digest = hashlib.sha256(SEAL)
    for whole in (sizes, landscape.signs, *landscape.subfunctions):
        digest.update(np.asarray(whole, "<i8").tobytes())
    digest.update(landscape.scale.astype("<f8").tobytes())
    return digest.hexdigest()
