"""Quality: how good a front is, by moocore, in any senses."""

from collections.abc import Sequence
from typing import Any

import numpy as np


def hypervolume(F: Any, ref: Any, sense: str | Sequence[str] = "max") -> float:
    """The volume between a front and a reference point; points beyond it add nothing.

    Examples
    --------
    >>> hypervolume([[1, 2], [2, 1]], ref=[0, 0])
    3.0
    """
    import moocore

    F = np.atleast_2d(np.asarray(F, float))
    ref = np.asarray(ref, float)
    senses = [sense] * F.shape[1] if isinstance(sense, str) else list(sense)
    if F.shape[1:] != ref.shape or len(senses) != len(ref):
        raise ValueError(
            f"a front of {F.shape[1]} objectives, a reference point of {ref.size} "
            f"and {len(senses)} senses do not fit together"
        )
    signs = np.array([1.0 if one == "max" else -1.0 for one in senses])
    better = (F * signs > ref * signs).all(axis=1)
    if len(ref) == 1:
        return float(np.max((F - ref)[better] * signs, initial=0.0))
    if not better.any():
        return 0.0
    return float(moocore.hypervolume(-F[better] * signs, ref=-ref * signs))
