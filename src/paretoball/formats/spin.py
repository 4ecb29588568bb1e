"""What the two formats of spin glasses have in common: couplings, and their energy."""

import numpy as np

from paretoball.formats.native import check_unread
from paretoball.formats.text import Words
from paretoball.landscape import Landscape, products


def spin_glass(n: int, line: int, couplings: Words, base: int) -> Landscape:
    """The energy -sum J_ij s_i s_j, minimised, with s = 2x - 1; words are i, j, J.

    Couplings of the same two spins add up: small tori have such. `line` tells n.
    """
    if len(couplings) == 0:
        raise ValueError("it has no couplings, lines of 'i j J'")
    masks = np.stack([couplings.indices(n, base, e, None, 3) for e in (0, 1)], axis=1)
    alike = masks[:, 0] == masks[:, 1]
    if alike.any():
        at = 3 * int(np.argmax(alike)) + 1
        raise couplings.refusal(at, "is coupled with itself")
    check_unread(n, masks.size, line)
    J = couplings.reals(2, None, 3)
    return Landscape.from_terms(n, [[products(masks, -J, spins=True)]], "min")
