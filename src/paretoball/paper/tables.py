"""Tables of campaigns: the spread of their numbers."""

from collections.abc import Sequence

import numpy as np


def deviation(values: Sequence[float]) -> float:
    """The standard deviation of a sample; nan for a single value."""
    return float(np.std(values, ddof=1)) if len(values) > 1 else float("nan")
