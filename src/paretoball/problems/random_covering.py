"""Random set covering: columns that cover rows by chance, with random costs."""

import numpy as np

from paretoball.landscape import Landscape, checked_n
from paretoball.problems.correlation import checked_above
from paretoball.problems.drawing import Seed, generator_of
from paretoball.problems.set_covering import set_covering
from paretoball.system import check_memory, checked_whole, counted

FEWEST = 2  # columns that cover a row, as in Beasley's instances
BYTES = 160  # of one entry, while a landscape is made,
ROW, VARIABLE = 900, 200  # of one row, and of one variable
HIGH = 100  # costs are from 1 to this


def random_covering(
    n: int,
    rows: int | None = None,
    d: int = 2,
    density: float = 0.1,
    seed: Seed = None,
    rng: Seed = None,
) -> Landscape:
    """Random set covering with n columns, minimised.

    Costs are uniform in 1, 2, ..., 100, of their own for each objective.

    Parameters
    ----------
    rows
        How many rows are to be covered; if None, a tenth of n, rounded up.
    density
        The probability that a column covers a row; each row has two columns or more,
        if there are so many.
    seed, rng
        As in `mnk`.

    Examples
    --------
    >>> landscape = random_covering(n=100, rows=10, density=0.2, seed=1)
    >>> landscape.n, len(landscape.constraints)
    (100, 10)
    """
    n, d = checked_n(n), checked_whole("d", d, 1)
    m = -(-n // 10) if rows is None else checked_whole("rows", rows, 1)
    density = checked_above("density", density, 0)
    entries = max(m * min(FEWEST, n), int(m * n * density))
    check_memory(
        f"{counted(entries, 'entry', 'entries')} need",
        BYTES * entries + ROW * m + VARIABLE * n,
    )
    draw = generator_of(seed, rng)
    costs = draw.integers(1, HIGH, (d, n), endpoint=True)
    sizes = np.maximum(draw.binomial(n, density, m), min(FEWEST, n)).tolist()
    covers = [draw.choice(n, size, replace=False) for size in sizes]
    return set_covering(costs, covers)
