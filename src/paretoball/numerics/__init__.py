"""What kernels and their callers need of arithmetic, and of no problem in particular.

- `arrays`: rows laid end to end, and arrays that grow
- `sorting`: sorting inside kernels
- `streams`: random streams, one for each unit of a run
"""

from paretoball.numerics.arrays import is_rising, offsets, sums_by_row, with_room
from paretoball.numerics.sorting import sort
from paretoball.numerics.streams import (
    below,
    entropy_of,
    mixed,
    next_bits,
    one_seed,
    random_bits,
    random_solution,
    spawn,
    spawn_streams,
)

__all__ = [
    "below",
    "entropy_of",
    "is_rising",
    "mixed",
    "next_bits",
    "offsets",
    "one_seed",
    "random_bits",
    "random_solution",
    "sort",
    "spawn",
    "spawn_streams",
    "sums_by_row",
    "with_room",
]
