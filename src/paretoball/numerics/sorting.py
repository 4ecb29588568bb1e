"""Sorting inside kernels, in place and without allocation, and binary search.

Numba's own sort is a quicksort that takes quadratic time on lists made of a few
ascending runs. The neighbours of a variable with many cliques are such a list.
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


@inlined
def find_place(values, first, last, value):
    """Where `value` is, or would be, in values[first:last], which ascend."""
    while first < last:
        middle = (first + last) // 2
        if values[middle] < value:
            first = middle + 1
        else:
            last = middle
    return first
