"""Arithmetic for kernels and their callers, the same for every problem.

- `arrays`: rows laid end to end, and arrays that grow
- `sorting`: sorting and binary search inside kernels
- `streams`: seeds, and random streams inside kernels
"""

from paretoball.numerics.arrays import (
    LARGEST_FLOAT,
    exact_sums,
    grown,
    is_rising,
    offsets,
    sums_by_row,
    with_room,
)
from paretoball.numerics.sorting import find_place, sort
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
    "LARGEST_FLOAT",
    "below",
    "entropy_of",
    "exact_sums",
    "find_place",
    "grown",
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
