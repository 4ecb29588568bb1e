"""Sorting inside kernels, in place, with nothing to allocate.

Numba's own sort is a quicksort that turns quadratic on lists made of a few ascending
runs, which is what the neighbourhoods of hubs look like.
"""

from paretoball._jit import inlined


@inlined
def sort(values, first, last):
    """Sort values[first:last] ascending: Shell's sort with Knuth's gaps."""
    gap = 1
    while 3 * gap + 1 < last - first:
        gap = 3 * gap + 1
    while gap > 0:
        for at in range(first + gap, last):
            value = values[at]
            hole = at
            while hole - gap >= first and values[hole - gap] > value:
                values[hole] = values[hole - gap]
                hole -= gap
            values[hole] = value
        gap //= 3
