"""The nearest solution of a run that found no feasible one, in its file."""

from typing import Any

import numpy as np

from paretoball.landscape import unpacked_bits
from paretoball.running.run_file import NEAREST, Arrays
from paretoball.running.solution import Nearest


def nearest_header(nearest: Nearest) -> dict[str, Any]:
    """What the header of a run file says of it; an array has its bits."""
    return {"fx": nearest.fx.tolist(), "violation": nearest.violation.tolist()}


def nearest_in(header: dict[str, Any], arrays: Arrays) -> Nearest | None:
    """The nearest solution in a run file, if it has one."""
    if NEAREST not in header:
        return None
    x = unpacked_bits(arrays[NEAREST], header["n"]).astype(np.bool_)
    found = header[NEAREST]
    return Nearest(x, np.array(found["fx"]), np.array(found["violation"]))
